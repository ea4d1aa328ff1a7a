"""A-5: `search-architecture`, ranked, filtered, with an excerpt around the match."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import InvalidArguments
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import Tool
from toolcrib.packs.architecture.library import search
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.search import Searcher, excerpt
from toolcrib.packs.architecture.tools import finished, search_architecture
from toolcrib.search.index import Index

FILES = {
    "mcp/resources/adr/0001-cache.md": "# 1. Use a cache\n\n## Context\n\nReads are slow.\n",
    "mcp/resources/adr/0002-store.md": "# 2. Store orders\n\nThe cache was no help at all.\n",
    "mcp/resources/patterns/caching.md": "# Caching\n\nKeep what is read often.\n",
    "mcp/resources/guidelines/http.md": "# HTTP\n\nUse a cache header where it helps.\n",
    "mcp/resources/guidelines/other.md": "# Other\n\nNothing of that.\n",
}


@pytest.fixture
def library(shelve: Callable[..., Library]) -> Library:
    return shelve(FILES)


@pytest.fixture
def tool(library: Library) -> Tool:
    return finished(search_architecture.tool(library), library)


def call(tool: Tool, **arguments: Any) -> dict[str, Any]:
    output = asyncio.run(ToolExecutor().run(tool, arguments))
    assert output.structured is not None
    return output.structured


def test_a_search_says_how_far_the_index_is_where_it_is_not_ready_in_time(
    library: Library, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-4, A-5: built in the background and waited for, else the answer says so."""
    may_go = threading.Event()
    build = library.index

    def slowly() -> Index:
        may_go.wait(30)
        return build()

    monkeypatch.setattr(library, "index", slowly)
    monkeypatch.setattr(search, "PATIENCE", 0.05)
    early = call(tool, query="cache")
    assert early["results"] == []
    assert early["note"] == "The index is being built, 0 %; ask again in a moment"
    may_go.set()
    monkeypatch.setattr(search, "PATIENCE", 30.0)
    later = call(tool, query="cache")
    assert later["results"]
    assert "note" not in later


def test_an_index_that_cannot_be_built_is_told_and_tried_again(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = library.index

    def broken() -> Index:
        raise OSError("the disk is gone")

    monkeypatch.setattr(library, "index", broken)
    searcher = Searcher(library)
    with pytest.raises(OSError, match="the disk is gone"):
        searcher.search("cache")
    monkeypatch.setattr(library, "index", build)
    assert searcher.search("cache").found


def test_the_best_come_first_with_a_score_and_an_excerpt(tool: Tool) -> None:
    """A-5: best first, excerpt around the match."""
    answer = call(tool, query="cache")
    scores = [each["relevance_score"] for each in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    first = answer["results"][0]
    assert first == {
        "uri": "architecture://adr/0001",
        "title": "1. Use a cache",
        "resource_type": "adr",
        "relevance_score": 1.0,
        "excerpt": first["excerpt"],
    }
    assert all("cach" in each["excerpt"].lower() for each in answer["results"])
    assert answer["total_matches"] == 4


@pytest.mark.parametrize(
    ("given", "kinds"),
    [
        ("adr", {"adr"}),
        ("patterns", {"patterns"}),
        ("pattern", {"patterns"}),
        ("Guideline", {"guidelines"}),
        ("all", {"adr", "patterns", "guidelines"}),
    ],
)
def test_one_kind_can_be_asked_for(tool: Tool, given: str, kinds: set[str]) -> None:
    """A-5: resource_type guidelines|patterns|adr|all, singular forms accepted."""
    answer = call(tool, query="cache", resource_type=given)
    assert {each["resource_type"] for each in answer["results"]} == kinds


def test_total_matches_counts_before_the_cut(tool: Tool) -> None:
    """A-5: `total_matches` counts before the cut."""
    answer = call(tool, query="cache", max_results=1)
    assert len(answer["results"]) == 1
    assert answer["total_matches"] == 4


def test_a_whole_number_may_be_written_as_a_float(tool: Tool) -> None:
    """A-5: `2.0` is an integer to JSON Schema, and to many clients."""
    answer = call(tool, query="cache", max_results=2.0)
    assert answer == call(tool, query="cache", max_results=2)


def test_ten_are_returned_unless_more_are_asked_for(shelve: Callable[..., Library]) -> None:
    """A-5: max_results 1–20, default 10."""
    library = shelve({f"mcp/resources/patterns/p{n}.md": "# P\n\nword\n" for n in range(30)})
    tool = finished(search_architecture.tool(library), library)
    assert len(call(tool, query="word")["results"]) == 10
    assert len(call(tool, query="word", max_results=20)["results"]) == 20


def test_nothing_found_is_an_empty_list(tool: Tool) -> None:
    """A-5: no match is no failure."""
    assert call(tool, query="xylophone") == {"results": [], "total_matches": 0}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "Missing required argument 'query'"),
        ({"query": "  "}, "'query' must not be empty"),
        ({"query": "x" * 501}, "'query' must be at most 500 characters, got 501"),
        ({"query": 5}, "'query' must be a string"),
        ({"query": "x", "resource_type": "patern"}, "did you mean 'patterns'"),
        ({"query": "x", "max_results": 21}, "'max_results'"),
        ({"query": "x", "max_results": 0}, "'max_results'"),
        ({"query": "x", "max_result": 3}, "did you mean 'max_results'"),
    ],
)
def test_bad_arguments_name_the_field(tool: Tool, arguments: dict[str, Any], problem: str) -> None:
    """A-8: the message names the field, what was expected, and the nearest name."""
    with pytest.raises(InvalidArguments) as caught:
        call(tool, **arguments)
    assert problem in str(caught.value)


def test_the_schema_is_that_of_the_seed_with_the_handle(tool: Tool) -> None:
    """A-5, K-20: `required` stays as the seed has it."""
    assert tool.input_schema == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Search query", "maxLength": 500},
            "resource_type": {
                "type": "string",
                "enum": ["guidelines", "patterns", "adr", "all"],
                "description": "Filter by resource type (default: all)",
            },
            "max_results": {
                "type": "integer",
                "minimum": 1,
                "maximum": 20,
                "description": "Maximum results to return (default: 10)",
            },
            "workflow": tool.input_schema["properties"]["workflow"],
        },
        "required": ["query"],
    }


def test_an_answer_is_kept_until_a_document_changes(library: Library, tmp_path: Path) -> None:
    """A-5: the search cache of the seed."""
    searcher = Searcher(library)
    first = searcher.search("slow")
    assert searcher.search("slow") is first
    file = tmp_path / "mcp/resources/adr/0002-store.md"
    file.write_text("# 2. Store orders\n\nThis is slow too.\n")
    library.refresh([file])
    assert searcher.search("slow").total == 2


def test_the_excerpt_of_a_long_document_is_where_the_words_are() -> None:
    """A-5: excerpt around the match."""
    body = "filler words go on. " * 2000 + "The zebra crossed the road. " + "more of it. " * 2000
    shown = excerpt(body, "zebras crossing")
    assert "zebra crossed" in shown
    assert len(shown) <= 260


@given(st.text(max_size=600), st.text(max_size=40))
def test_an_excerpt_is_short_and_has_a_word_of_the_query(body: str, query: str) -> None:
    """A-5: documents and queries are untrusted."""
    shown = excerpt(body, query, 60)
    assert len(shown) <= 62
    assert "\n" not in shown


def test_a_document_that_went_is_described_from_memory(library: Library, tmp_path: Path) -> None:
    """FAULTS, documents: deleted between search and reading."""
    library.index()
    (tmp_path / "mcp/resources/adr/0001-cache.md").unlink()
    (found,) = Searcher(library).search("slow").found
    assert found.excerpt == "Reads are slow."
