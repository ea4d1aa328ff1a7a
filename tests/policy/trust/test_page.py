"""The page on which a person can look: known as long as it runs, and to its project alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.pipe import Pipe, toolcrib
from toolcrib.files.identity import project_identity
from toolcrib.policy.trust.page import announced_page, running_page

ADDRESS = "http://127.0.0.1:4321/trust"
CONFIG = "name: own\ncommand: echo\ntools:\n  - {name: own_hi, description: Say hi}\n"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)


def test_a_page_is_known_while_it_runs() -> None:
    """T-8: and no longer, whatever is left in the folder."""
    assert running_page("/repo") is None
    with announced_page("/repo", ADDRESS):
        assert running_page("/repo") == ADDRESS
        assert running_page("/other") is None
    assert running_page("/repo") is None


def test_a_second_page_does_not_take_the_place_of_the_first() -> None:
    """T-8: two dashboards of one project: the first is told, and lives on."""
    with announced_page("/repo", ADDRESS):
        with announced_page("/repo", "http://127.0.0.1:1/trust"):
            assert running_page("/repo") == ADDRESS
        assert running_page("/repo") == ADDRESS


@pytest.mark.parametrize(
    ("declared", "linked"), [({"url": {}}, True), ({"form": {}, "url": {}}, True), ({}, False)]
)
def test_who_can_open_a_link_gets_one(tmp_path: Path, declared: object, linked: bool) -> None:
    """T-8: a client that declares url elicitation, and a dashboard that runs; others get text."""
    repo = tmp_path / "repo"
    (repo / "climax").mkdir(parents=True)
    (repo / "climax" / "own.yaml").write_text(CONFIG)
    client = {"name": "pipe", "version": "1"}
    given = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"elicitation": declared},
        "clientInfo": client,
    }
    call = {"tool_name": "own_hi"}
    with Pipe(toolcrib("serve"), cwd=repo) as pipe:
        pipe.result("initialize", given)
        without = pipe.call("climax_call", call)
        with announced_page(project_identity(repo), ADDRESS):
            answer = pipe.call("climax_call", call)
    assert ADDRESS not in str(without) and "toolcrib trust" in str(without)
    text = "".join(each["text"] for each in answer["content"])
    assert answer["structuredContent"]["error_type"] == "untrusted"
    assert text.count(ADDRESS) == (1 if linked else 0) and "toolcrib trust" in text
    assert answer["structuredContent"].get("url") == (ADDRESS if linked else None)
