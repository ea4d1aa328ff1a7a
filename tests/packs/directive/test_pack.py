"""The pack as the server sees it: what it announces, its log, its health."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolcrib.core.errors import ToolcribError
from toolcrib.core.executor import ToolExecutor
from toolcrib.packs.directive.log import logger
from toolcrib.packs.directive.pack import DirectivePack
from toolcrib.packs.directive.settings import DirectiveSettings, detect


@pytest.fixture(autouse=True)
def own_log() -> Iterator[None]:
    """Whatever a test does to the pack's log ends with it."""
    yield
    logger.handlers.clear()
    logger.propagate = True
    logger.setLevel(logging.NOTSET)


def use(project: Path, settings: DirectiveSettings | None = None) -> None:
    """Call a tool well, badly and wrongly, and a method."""
    offer = DirectivePack(project, settings or DirectiveSettings()).contribute()
    get = next(tool for tool in offer.tools if tool.name == "directive/file.get")

    async def scenario() -> None:
        for arguments in (
            {"path": "directive/agent_context.md"},
            {"path": "no\nsuch"},
            {"path": 1},
        ):
            try:
                await ToolExecutor().run(get, arguments)
            except ToolcribError:
                continue
        await offer.methods["spec.template"]({})

    asyncio.run(scenario())


def test_it_contributes_tools_that_never_change_and_no_resources(project: Path) -> None:
    """S-1: directive alone announces tools without `listChanged` and no resources."""
    pack = DirectivePack(project, DirectiveSettings())
    offer = pack.contribute()
    assert not pack.live
    assert offer.resources is None
    assert offer.prompts is None
    assert offer.unlisted is None


def test_nothing_is_logged_by_default(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """D-7: log off by default."""
    monkeypatch.delenv("DIRECTIVE_LOG", raising=False)
    use(project)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("by", ["variable", "settings"])
def test_tool_duration_and_outcome_are_logged_on_demand(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    by: str,
) -> None:
    """D-7: `DIRECTIVE_LOG=1` turns it on."""
    monkeypatch.setenv("DIRECTIVE_LOG", "1" if by == "variable" else "0")
    use(project, DirectiveSettings(log=by == "settings"))
    lines = [line.split(" ", 2)[2] for line in capsys.readouterr().err.splitlines()]
    assert [line.split()[0] for line in lines] == [*["directive/file.get"] * 3, "spec.template"]
    assert all(line.split()[2] == "ms" for line in lines)
    assert [line.split(" ms ")[1].split(":")[0] for line in lines] == ["ok", "error", "error", "ok"]
    assert "No such file: no such" in lines[1]


def test_health_says_what_is_missing_and_the_cure(project: Path) -> None:
    """U-1: doctor."""
    pack = DirectivePack(project, DirectiveSettings())
    assert [each.level for each in pack.health()] == ["ok"]
    (project / "directive" / "templates" / "tdr_template.md").unlink()
    (finding,) = pack.health()
    assert finding.level == "error"
    assert "tdr_template.md" in finding.text
    assert finding.cure is not None
    assert "directive update" in finding.cure
    (project / "directive").rename(project / "gone")
    (finding,) = pack.health()
    assert finding.cure is not None
    assert "toolcrib directive init" in finding.cure


def test_a_change_on_disk_is_served_at_the_next_call(project: Path) -> None:
    """S-5: without a watch, since each call reads anew."""
    pack = DirectivePack(project, DirectiveSettings())
    tool = pack.contribute().tools[0]

    def files() -> list[str]:
        output = asyncio.run(ToolExecutor().run(tool, {}))
        assert output.structured is not None
        return list(output.structured["files"])

    assert "directive/new.md" not in files()
    (project / "directive" / "new.md").write_text("new")
    assert "directive/new.md" in files()


def test_a_repository_is_detected_by_its_folder(project: Path, tmp_path: Path) -> None:
    """S-2: serve finds what the repo has."""
    assert detect(project)
    assert not detect(tmp_path / "elsewhere")
