"""S-10: tools beside documents, by how much of the question each answers."""

from __future__ import annotations

from toolcrib.core.tool import JSON
from toolcrib.discovery.together import beside
from toolcrib.search.index import Index

QUERY = "open a pull request"
DOCUMENTS = {
    "docs/pr.md": "Pull requests. Open a request early.",
    "docs/style.md": "Style: four spaces.",
}


def why(texts: dict[str, str], query: str) -> dict[str, JSON]:
    """Why a search finds what it finds."""
    index = Index({"text": 1.0}, semantic=False)
    for key, text in texts.items():
        index.add(key, {"text": text})
    return {hit.key: hit.why or {} for hit in index.search(query, explain=True).hits}


def kept(tools: dict[str, str], query: str, documents: dict[str, str] = DOCUMENTS) -> list[str]:
    reasons = why(tools, query)
    listed: list[JSON] = [{"tool_name": name} for name in reasons]
    return [
        each["tool_name"]
        for each in beside(query, listed, reasons, list(why(documents, query).values()))
    ]


def test_a_tool_that_shares_a_synonym_alone_is_no_answer_beside_a_document() -> None:
    """S-10: `edit` may stand for `open`; the page on pull requests says what was asked."""
    tools = {"rules": "The rules to follow when you edit a file"}
    assert list(why(tools, QUERY)) == ["rules"], "the search itself finds it"
    assert kept(tools, QUERY) == []
    assert kept({"pr": "Open a pull request"}, QUERY) == ["pr"]


def test_a_synonym_is_enough_where_no_document_says_more() -> None:
    """S-10: what is found in tools alone is shown as ever."""
    tools = {"remove": "Remove a category of documents"}
    assert kept(tools, "delete a grouping") == ["remove"]
    assert kept(tools, "delete a grouping", {}) == ["remove"]
    assert kept(tools, "delete a grouping", {"a": "How to delete a grouping"}) == []


def test_half_of_the_words_are_enough() -> None:
    """S-10: a long document has many words; the tool that is meant need not have them all."""
    documents = {"a": "How we throw away edits that are not committed, and why"}
    tools = {"restore": "Throw away changes of the work tree"}
    assert kept(tools, "throw away edits not committed", documents) == ["restore"]


def test_what_is_meant_by_its_name_or_its_meaning_stays() -> None:
    """S-10: words are not all that finds a tool."""
    document = {"words": {"tidy": {"in": ["body"]}}}
    alone: JSON = {"name": None, "piece": False, "words": {}}
    for reason in ({**alone}, {**alone, "name": "exact"}, {**alone, "piece": True}):
        assert beside("tidy drawers", [{"tool_name": "x"}], {"x": reason}, [document, None])


def test_meaning_alone_is_no_answer_beside_a_document_that_has_every_word() -> None:
    """S-10: `how do we write tests` is answered by the page on writing tests."""
    document = {"words": {"tidy": {"in": ["body"]}, "drawers": {"in": ["title"]}}}
    alone: JSON = {"name": None, "piece": False, "words": {}}
    assert not beside("tidy drawers", [{"tool_name": "x"}], {"x": alone}, [document])
    named = {"x": {**alone, "name": "part"}}
    assert beside("tidy drawers", [{"tool_name": "x"}], named, [document])
