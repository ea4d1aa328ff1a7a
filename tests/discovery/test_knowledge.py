"""One search over what packs offer, whichever pack that is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from toolcrib.core.errors import FileRefused
from toolcrib.core.pack import KnowledgeKind, Searchable
from toolcrib.discovery import knowledge
from toolcrib.discovery.knowledge import Knowledge


def document(
    kind: KnowledgeKind, uri: str, title: str, text: str, file: str | None = None, stamp: str = "1"
) -> Searchable:
    return Searchable(kind, uri, file or uri, stamp, lambda: (title, text))


DECISION = document(
    "decision",
    "architecture://adr/1",
    "Use PostgreSQL",
    "For the orders we use PostgreSQL.",
    "a.md",
)
SAME_FILE = document("content", "guide://docs/a.md", "Use PostgreSQL", "The same file.", "a.md")
SKILL = document("skill", "skill://review/SKILL.md", "review", "Review frontend code with care.")
RULE = document("rule", "guide://agents/AGENTS.md", "Agents", "Run the tests before you commit.")


def uris(answer: dict[str, Any]) -> list[str]:
    return [each["uri"] for each in answer["results"]]


def test_documents_of_all_packs_are_ranked_together() -> None:
    """S-10: each result has its kind, a uri, a title, an excerpt and a score."""
    search = Knowledge([lambda: [DECISION], lambda: [SKILL, RULE]]).search
    answer = search("review frontend code")
    assert answer == {
        "results": [
            {
                "kind": "skill",
                "uri": "skill://review/SKILL.md",
                "title": "review",
                "excerpt": "Review frontend code with care.",
                "score": 1.0,
            }
        ],
        "total_matches": 1,
    }
    assert uris(search("which database for orders"))[0] == "architecture://adr/1"


@pytest.mark.parametrize("order", [(DECISION, SAME_FILE), (SAME_FILE, DECISION)])
def test_a_file_is_one_result_of_the_first_kind_that_it_has(order: tuple[Any, ...]) -> None:
    """S-10: a decision that is guide content, too, is a decision."""
    search = Knowledge([lambda: [order[0]], lambda: [order[1]]]).search
    assert uris(search("postgresql")) == ["architecture://adr/1"]


def test_kinds_and_limit_are_kept_to() -> None:
    """S-10: `kinds` and `limit`; `total_matches` counts before the cut."""
    many = [document("content", f"guide://docs/{n}.md", f"Page {n}", "orders") for n in range(30)]
    search = Knowledge([lambda: [DECISION, SKILL, RULE, *many]]).search
    assert {each["kind"] for each in search("orders", ["decision"])["results"]} == {"decision"}
    cut = search("orders", ["content", "decision"], 5)
    assert (len(cut["results"]), cut["total_matches"]) == (5, 31)
    assert search("orders", ["skill"]) == {"results": [], "total_matches": 0}


def test_a_document_that_is_gone_is_no_reason_to_fail() -> None:
    """FAULTS: a file that went between listing and reading."""

    def gone() -> tuple[str, str]:
        raise FileRefused("gone")

    search = Knowledge([lambda: [Searchable("content", "guide://d/x.md", "x", "1", gone), RULE]])
    assert uris(search.search("tests")) == ["guide://agents/AGENTS.md"]
    assert uris(search.search("d/x")) == ["guide://d/x.md"]


def test_while_the_index_is_built_the_answer_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """R-16: no call fails because an index is being built."""
    monkeypatch.setattr(knowledge, "_PATIENCE", 0.02)
    let = threading.Event()

    def slow() -> tuple[str, str]:
        let.wait(30)
        return "Slow", "A slow document"

    search = Knowledge(
        [lambda: [Searchable("content", "guide://d/slow.md", "s", "1", slow)]]
    ).search
    answer = search("slow")
    assert answer["results"] == []
    assert answer["note"].startswith("The index is being built, ")
    let.set()
    monkeypatch.setattr(knowledge, "_PATIENCE", 30)
    assert uris(search("slow")) == ["guide://d/slow.md"]


def test_what_goes_wrong_is_told_and_tried_again() -> None:
    """FAULTS: a pack that cannot be asked now may be asked later."""
    asked = []

    def offer() -> Iterator[Searchable]:
        asked.append(1)
        if len(asked) == 1:
            raise FileRefused("away")
        yield RULE

    search = Knowledge([offer]).search
    with pytest.raises(FileRefused):
        search("tests")
    assert uris(search("tests")) == ["guide://agents/AGENTS.md"]


def test_a_second_start_reads_only_what_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """R-16: the index of documents is kept in the cache, too."""
    from toolcrib.search.kept import keeping

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    written = threading.Event()
    write = keeping._write

    def noted(*given: Any) -> None:
        write(*given)
        written.set()

    monkeypatch.setattr(keeping, "_write", noted)
    read: list[str] = []

    def text(uri: str) -> tuple[str, str]:
        read.append(uri)
        return f"Page {uri}", "Something about orders"

    def offers(changed: str = "") -> Iterator[Searchable]:
        for number in range(2_100):
            uri = f"guide://docs/{number}.md"
            stamp = "2" if uri == changed else "1"
            yield Searchable("content", uri, uri, stamp, partial(text, uri))

    assert Knowledge([offers], "/project").search("orders")["total_matches"] == 2_100
    assert written.wait(60)
    read.clear()
    again = Knowledge([partial(offers, "guide://docs/7.md")], "/project").search("orders", (), 1)
    assert again["total_matches"] == 2_100
    assert set(read) == {"guide://docs/7.md", again["results"][0]["uri"]}
