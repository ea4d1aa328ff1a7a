"""S-10: the files of directive/ are found by the one search, and can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.pipe import ENVELOPE, Pipe, toolcrib
from support.waiting import until
from toolcrib.packs.directive.pack import DirectivePack
from toolcrib.packs.directive.settings import DirectiveSettings


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "directive/specs").mkdir(parents=True)
    (tmp_path / "directive/specs/Refund flow.md").write_text("# Refunds\n\nMoney goes back.\n")
    (tmp_path / "directive/data.bin").write_bytes(b"\x00\x01")
    (tmp_path / "AGENTS.md").write_text("# Rules\n")
    return tmp_path


def search(pipe: Pipe, query: str) -> list[dict[str, str]]:
    answer = pipe.call("guide_search", {"query": query})["structuredContent"]
    results: list[dict[str, str]] = answer["value"]["results"]
    return results


def test_a_spec_is_found_and_read(project: Path) -> None:
    """S-10: kind `document`; `uri` can be read."""
    with Pipe(toolcrib("serve"), cwd=project) as pipe:
        pipe.initialize()
        best = search(pipe, "refund money")[0]
        assert (best["kind"], best["title"]) == ("document", "Refunds")
        assert best["uri"] == "directive://specs/Refund%20flow.md"
        read = pipe.result("resources/read", {"uri": best["uri"]})
        assert read["contents"][0]["text"] == "# Refunds\n\nMoney goes back.\n"
        listed = pipe.result("resources/list")["resources"]
        assert not [each for each in listed if each["uri"].startswith("directive://")]
        for wrong in ("directive://specs/Refund flow", "directive://../AGENTS.md"):
            answer = pipe.ask("resources/read", {"uri": wrong})
            assert answer["error"]["code"] in (-32602, -32002)


def test_a_changed_file_is_found_by_its_new_words(project: Path) -> None:
    """S-5: without a restart."""
    with Pipe(toolcrib("serve", "--log-level", "DEBUG"), cwd=project) as pipe:
        pipe.initialize()
        until(lambda: b"watching" in pipe.errors)
        assert not search(pipe, "zeppelin")
        (project / "directive/specs/air.md").write_text("# Airships\n\nA zeppelin flies.\n")
        until(lambda: search(pipe, "zeppelin"))


@pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])
@pytest.mark.parametrize("path", ["specs/Refund flow.md", "specs/Refund%20flow.md"])
@pytest.mark.parametrize("change", ["edited", "replaced", "removed"])
def test_a_change_of_a_file_is_told_to_whoever_follows_it(
    project: Path, path: str, change: str, modern: bool
) -> None:
    """S-5: `updated` in each era, by the uri that was subscribed to, and of no other file."""
    uri, file = f"directive://{path}", project / "directive/specs/Refund flow.md"
    other = project / "directive/specs/other.md"
    other.write_text("# Other\n")
    with Pipe(toolcrib("serve"), cwd=project) as pipe:
        if modern:
            wanted = {"resourceSubscriptions": [uri]}
            params = {"notifications": wanted, "_meta": ENVELOPE}
            message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen"}
            pipe.post({**message, "params": params})
            acknowledged = pipe.receive()
            assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
        else:
            pipe.initialize()
            pipe.result("resources/subscribe", {"uri": uri})
        other.write_text("# Another\n")
        if change == "edited":
            file.write_text("# Refunds\n\nMoney is kept.\n")
        elif change == "replaced":
            (project / "new").write_text("# Refunds\n\nMoney stays put.\n")
            (project / "new").replace(file)
        else:
            file.unlink()
        told = pipe.receive()
        assert told["method"] == "notifications/resources/updated"
        assert told["params"]["uri"] == uri


def test_only_real_differences_are_told(project: Path) -> None:
    """S-5: neither what was there before the watch nor what is as it was."""
    pack = DirectivePack(project, DirectiveSettings())
    pack.alone = False
    assert not pack.refresh([])
    assert not pack.refresh([project / "AGENTS.md"])
    (project / "directive/new.md").write_text("# New\n")
    assert pack.refresh([]).updated == ["directive://new.md"]
    assert not pack.refresh([])
    (project / "directive").rename(project / "gone")
    assert "directive://new.md" in pack.refresh([]).updated


def test_alone_there_are_five_tools_and_no_resources(project: Path) -> None:
    """D-1, S-1: directive alone announces tools and nothing else."""
    with Pipe(toolcrib("serve", "directive"), cwd=project) as pipe:
        assert pipe.initialize()["capabilities"] == {"tools": {}}
        assert len(pipe.result("tools/list")["tools"]) == 5
