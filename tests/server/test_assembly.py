"""S-2, G-9: from a repository to what is served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.pipe import Pipe, toolcrib
from toolcrib.core.errors import ToolcribError
from toolcrib.server import assembly
from toolcrib.settings import Settings, load

CLI = "name: s\ncommand: echo\ntools:\n- {name: speak, description: Say something}\n"
META = {"climax_search", "climax_call"}


def names(pipe: Pipe) -> set[str]:
    return {tool["name"] for tool in pipe.result("tools/list")["tools"]}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Command-line tools and documentation, and nothing else."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/speak.yaml").write_text(CLI)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/release.md").write_text("# Releasing\n\nHow a version is published.\n")
    (tmp_path / "README.md").write_text("# Hello\n")
    return tmp_path


def test_documentation_can_be_searched_behind_the_two(project: Path) -> None:
    """G-9, S-3: with command-line tools only two tools are listed; two more stand behind them."""
    with Pipe(toolcrib("serve"), cwd=project) as pipe:
        pipe.initialize()
        assert names(pipe) == META
        found = pipe.call("climax_search", {"query": "search the project documentation"})
        tools = [each["tool_name"] for each in found["structuredContent"]["results"]]
        assert "guide_search" in tools
        asked = {"tool_name": "guide_search", "args": {"query": "publish a version"}}
        answer = pipe.call("climax_call", asked)["structuredContent"]
        assert answer["value"]["results"][0]["title"] == "Releasing"
        uri = answer["value"]["results"][0]["uri"]
        assert "Releasing" in pipe.result("resources/read", {"uri": uri})["contents"][0]["text"]
        read = {"tool_name": "guide_get_content", "args": {"expression": "docs/README"}}
        assert "Hello" in str(pipe.call("climax_call", read)["structuredContent"])
        every = pipe.call("climax_search", {"query": "guide", "limit": 50})["structuredContent"]
        behind = {each["tool_name"] for each in every["results"]} - {"speak"}
        assert behind <= {"guide_search", "guide_get_content"}


def test_documentation_can_be_searched_beside_decisions(tmp_path: Path) -> None:
    """G-9, S-10: the one search is there, and what the server says first names served tools."""
    (tmp_path / "docs/adr").mkdir(parents=True)
    (tmp_path / "docs/adr/0001-x.md").write_text("# 1. Use X\n\n## Status\n\nAccepted\n")
    (tmp_path / "docs/release.md").write_text("# Releasing\n\nHow a version is published.\n")
    with Pipe(toolcrib("serve"), cwd=tmp_path) as pipe:
        said = pipe.initialize()["instructions"]
        assert "guide_search" in said and "guide_rules_for_path" not in said
        served = names(pipe)
        assert {each for each in served if each.startswith("guide_")} == {
            "guide_search", "guide_get_content"
        }  # fmt: skip
        answer = pipe.call("guide_search", {"query": "publish a version"})["structuredContent"]
        assert answer["value"]["results"][0]["title"] == "Releasing"
    with Pipe(toolcrib("serve", "architecture"), cwd=tmp_path) as pipe:
        pipe.initialize()
        assert names(pipe) == served - {"guide_search", "guide_get_content"}


@pytest.mark.parametrize("words", [("serve", "climax"), ("climax", "run", "tools/speak.yaml")])
def test_what_is_named_is_served_alone(project: Path, words: tuple[str, ...]) -> None:
    """G-9: `climax run` and `serve climax` serve their configs alone."""
    with Pipe(toolcrib(*words), cwd=project) as pipe:
        pipe.initialize()
        assert names(pipe) == META
        found = pipe.call("climax_search", {"query": "guide_search"})["structuredContent"]
        assert "guide_search" not in str(found["results"])


def test_documentation_alone_serves_nothing(project: Path) -> None:
    """G-9: it does not bring the guide into use."""
    (project / "tools/speak.yaml").unlink()
    with Pipe(toolcrib("serve"), cwd=project) as pipe:
        pipe.initialize()
        assert names(pipe) == set()


def test_the_guide_comes_whole_as_soon_as_there_are_rules(project: Path) -> None:
    """S-5, G-9: what stood in the background joins the others."""
    from support.waiting import until

    with Pipe(toolcrib("serve"), cwd=project) as pipe:
        pipe.initialize()
        assert names(pipe) == META
        (project / "AGENTS.md").write_text("# Rules\n")
        until(lambda: "guide_rules_for_path" in names(pipe))
        assert "guide_search" in names(pipe)


def test_settings_that_are_written_while_they_are_read_count_once_they_are_whole(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-5: who writes in place empties the file first; a reading in that moment changes nothing."""
    file = project / "toolcrib.toml"
    file.write_text('[server]\npacks = ["climax"]\n')
    blueprint = assembly.assemble(load(project)).blueprint
    assert blueprint is not None
    served = blueprint.build([])
    assert served is not None and [pack.name for pack in served] == ["climax"]

    def emptied(*given: Any, **named: Any) -> Settings:
        file.write_text("")
        try:
            return load(*given, **named)
        finally:
            file.write_text("[serverr]\n")

    with monkeypatch.context() as patched:
        patched.setattr(assembly, "load", emptied)
        assert blueprint.build(served) is None
    with pytest.raises(ToolcribError, match="serverr"):
        blueprint.build(served)
    file.write_text('[server]\npacks = ["climax", "guide"]\n')
    changed = blueprint.build(served)
    assert changed is not None and {pack.name for pack in changed} == {"climax", "guide"}
