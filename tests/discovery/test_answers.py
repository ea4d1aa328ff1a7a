"""The two meta-tools: answers that hold what matches, and nothing else."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import Tool
from toolcrib.discovery import meta_tools
from toolcrib.discovery.answers import search
from toolcrib.discovery.catalog import discovery_tools
from toolcrib.discovery.groups import PackTools
from toolcrib.discovery.index import ToolIndex
from toolcrib.packs.climax.config.config import load_configs
from toolcrib.packs.climax.config.sources import bundled_names
from toolcrib.search.lines import plain_line
from toolcrib.search.names import plain_name


@pytest.fixture(scope="module")
def bundled() -> ToolIndex:
    """All tools that come with us."""
    return ToolIndex.from_configs(load_configs(bundled_names(), Path("/")).configs)


def found(index: ToolIndex, **given: Any) -> list[str]:
    return [each["tool_name"] for each in search(index, **given)["results"]]


def test_a_word_finds_what_has_it_and_no_more(bundled: ToolIndex) -> None:
    """C-14: `stash` is a word of the tools that stash, and of no other of git's."""
    names = found(bundled, query="stash", limit=100)
    assert names
    assert all("stash" in str(bundled.entry(name).as_dict()).lower() for name in names)
    assert search(bundled, query="stash", limit=2)["total_matches"] == len(names)


def test_what_a_program_is_about_makes_no_match_of_all_its_tools(bundled: ToolIndex) -> None:
    """C-14: `total_matches` counts what matches; git's own description has the word."""
    everything = found(bundled, cli="git", limit=500)
    names = found(bundled, query="commit", cli="git", limit=500)
    assert 0 < len(names) < len(everything)
    for name in names:
        text = str(bundled.entry(name).as_dict()).lower()
        assert "commit" in text or "revision" in text


def test_nothing_is_found_where_nothing_is_shared(bundled: ToolIndex) -> None:
    """C-14: no word, form, name nor meaning in common: not in the answer."""
    assert found(bundled, query="celsius") == []


def test_any_fragment_of_a_description_finds_its_tools_first(bundled: ToolIndex) -> None:
    """C-14: three characters or more, also inside a word, also across words."""
    for at, name in enumerate(bundled):
        text = bundled.entry(name).description
        length = 3 + at % 12
        start = (at * 7) % max(1, len(text) - length)
        piece = text[start : start + length].strip()
        if len(piece) < 3:
            continue
        names = [entry.tool_name for entry in bundled.search(piece, limit=500)]
        assert name in names, piece
        for before in names[: names.index(name)]:
            described = plain_line(bundled.entry(before).description)
            named = plain_name(piece) in plain_name(before)
            assert named or plain_line(piece) in described, (piece, name, before)


@pytest.mark.parametrize("piece", ["epositor", "of a branch of", "EPOSITOR", "of  a branch"])
def test_a_fragment_is_found_whatever_its_case_and_blanks(piece: str) -> None:
    """C-14: `epositor`, `of a branch of`: first among what no name matches."""
    tools = [
        tool("compare", "Show the commits of a branch of the repository"),
        tool("branch", "Everything of branches of repositories, and of a repository of branches"),
        tool("other", "Branches of many kinds"),
    ]
    index = ToolIndex(None, [PackTools("p", "", tools)])
    assert found(index, query=piece)[0] in ("compare", "branch")
    assert "compare" in found(index, query=piece)[:2]


def test_a_program_or_category_that_there_is_not_is_told_with_the_nearest(
    bundled: ToolIndex,
) -> None:
    """C-14: `cli` and `category` that match nothing name the nearest."""
    answer = search(bundled, query="list", cli="dokcer")
    assert answer["results"] == []
    assert answer["nearest"] == ["docker"]
    assert answer["note"] == "There is no program 'dokcer'; did you mean 'docker'?"
    category = bundled.entry("git_log").category or ""
    answer = search(bundled, category=category + "x")
    assert answer["nearest"][0] == category
    assert "category" in answer["note"]
    assert "note" not in search(bundled, query="xylophone qwzx", cli="git")


def tool(name: str, description: str, **properties: Any) -> Tool:
    schema = {"type": "object", "properties": properties}
    return Tool(name, description, schema, lambda *_: None)


def test_every_pack_is_named_by_its_own_name_and_can_be_filtered_by_it() -> None:
    """C-14: with `--progressive`, packs stand in the summary beside programs."""
    index = ToolIndex(
        None,
        [
            PackTools("guide", "Documentation and flags", [tool("guide_get", "Get documents")]),
            PackTools("directive", "Specs first", [tool("directive/list", "List the files")]),
        ],
    )
    shown = search(index)["summary"]
    assert [(each["name"], each["description"], each["tool_count"]) for each in shown] == [
        ("directive", "Specs first", 1),
        ("guide", "Documentation and flags", 1),
    ]
    assert found(index, category="guide") == ["guide_get"]
    assert found(index, category="GUIDE", query="documents") == ["guide_get"]
    assert found(index, cli="directive") == ["directive/list"]
    entry = search(index, cli="guide")["results"][0]
    assert (entry["cli_name"], entry["category"]) == ("guide", "guide")


def test_the_type_of_an_optional_argument_is_told() -> None:
    """C-14: what may be null still has a type."""
    schema = {
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "several": {"anyOf": [{"type": "integer"}, {"type": "array"}]},
        "listed": {"type": ["number", "null"]},
        "chosen": {"enum": ["a", "b"]},
        "free": {},
    }
    index = ToolIndex(None, [PackTools("p", "", [tool("t", "Does it", **schema)])])
    shown = {each["name"]: each["type"] for each in search(index, query="t")["results"][0]["args"]}
    assert shown == {
        "maybe": "string",
        "several": "integer or array",
        "listed": "number",
        "chosen": "string",
        "free": "any",
    }


class _Slow(ToolIndex):
    """An index that is built when it is let."""

    def __init__(self) -> None:
        super().__init__(None, [PackTools("p", "A pack", [tool("one", "Does one thing")])])
        self.let = threading.Event()

    def prepare(self) -> Any:
        self.let.wait(30)
        return super().prepare()


def asked(index: ToolIndex, *calls: dict[str, Any], after: Any = None) -> list[dict[str, Any]]:
    """The answers of `climax_search`, one after another, with `after` run before the last."""

    async def session() -> list[dict[str, Any]]:
        executor = ToolExecutor()
        tools = {
            each.name: each
            for each in meta_tools.meta_tools(index, lambda _: None, lambda _: None, executor)
        }
        answers = []
        for number, given in enumerate(calls):
            if after is not None and number == len(calls) - 1:
                after()
            output = await executor.run(tools["climax_search"], given)
            assert not output.is_error
            assert output.structured is not None
            answers.append(output.structured)
        return answers

    return asyncio.run(session())


def test_a_summary_needs_no_index() -> None:
    """C-14: `climax_search {}` is answered while the index is being built, and never builds it."""
    index = _Slow()
    (answer,) = asked(index, {})
    assert answer["summary"][0]["name"] == "p"
    assert not index.ready


def test_a_search_before_its_index_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """C-14, R-16: no search dies of its deadline; the index is built meanwhile, once."""
    monkeypatch.setattr(meta_tools, "_PATIENCE", 0.05)
    index = _Slow()
    first, named, last = asked(
        index, {"query": "thing"}, {"query": "one"}, {"cli": "p"}, after=index.let.set
    )
    assert first["results"] == []
    assert first["note"].startswith("The index is being built, 0 %")
    assert [each["tool_name"] for each in named["results"]] == ["one"]
    assert [each["tool_name"] for each in last["results"]] == ["one"] or "built" in last["note"]


def test_an_unknown_tool_is_told_with_its_nearest_before_there_is_an_index() -> None:
    """C-5: the nearest names need no index."""
    index = _Slow()
    assert index.nearest("ones") == ["one"]
    assert not index.ready


def test_a_call_reaches_the_tools_of_packs() -> None:
    """S-3: progressive discovery reaches every tool of every pack."""

    async def session() -> Any:
        executor = ToolExecutor()
        mine = Tool("mine", "Says yes", {"type": "object"}, lambda *_: {"yes": True})
        tools = discovery_tools([], [PackTools("own", "Ours", [mine])], executor)
        call = next(each for each in tools if each.name == "climax_call")
        return await executor.run(call, {"tool_name": "mine"})

    assert asyncio.run(session()).structured == {"yes": True}
