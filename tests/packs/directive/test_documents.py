"""S-10: the files of directive/ are found by the one search, and can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.pipe import Pipe, toolcrib
from support.waiting import until


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


def test_alone_there_are_five_tools_and_no_resources(project: Path) -> None:
    """D-1, S-1: directive alone announces tools and nothing else."""
    with Pipe(toolcrib("serve", "directive"), cwd=project) as pipe:
        assert pipe.initialize()["capabilities"] == {"tools": {}}
        assert len(pipe.result("tools/list")["tools"]) == 5
