"""The prompts of all packs: listed, rendered, completed."""

from __future__ import annotations

import asyncio

import pytest

from support.asking import over_pages, request
from toolcrib.core.errors import InvalidParams, PromptNotFound
from toolcrib.core.pack import Prompt, PromptArgument, RenderedPrompt
from toolcrib.core.tool import JSON, CallContext
from toolcrib.server.mcp.prompts import PromptCatalog


class Source:
    """Prompts of one pack, which say who rendered them."""

    def __init__(self, owner: str, *names: str) -> None:
        self.owner = owner
        self.names = names

    def prompts(self) -> list[Prompt]:
        topic = PromptArgument("topic", required=True, max_length=5)
        return [Prompt(name, arguments=[topic]) for name in self.names]

    async def render(self, name: str, arguments: JSON, context: CallContext) -> RenderedPrompt:
        text = f"{self.owner}: {arguments['topic']}"
        return RenderedPrompt([{"role": "user", "content": {"type": "text", "text": text}}])

    def complete(self, name: str, argument: str, value: str, given: JSON) -> list[str]:
        return [f"{self.owner}-{name}-{argument}-{value}"]


CATALOG = PromptCatalog([Source("first", "b", "a"), None, Source("second", "b", "c")])


def get(name: str, **arguments: object) -> JSON:
    return asyncio.run(CATALOG.get(name, arguments, CallContext()))


def test_prompts_of_all_packs_are_listed_in_pages_each_once() -> None:
    """S-8: sorted by name; of two with one name the first pack's is served."""
    names = over_pages(
        lambda params: CATALOG.page(request("prompts/list", params), 2), "prompts", "name"
    )
    assert names == ["a", "b", "c"]
    assert get("b", topic="x")["messages"][0]["content"]["text"] == "first: x"
    assert get("c", topic="x")["messages"][0]["content"]["text"] == "second: x"
    assert PromptCatalog([None]).every() == [] and not PromptCatalog([None])


@pytest.mark.parametrize(
    ("arguments", "word"),
    [({}, "topic"), ({"topics": "x", "topic": "x"}, "topics"), ({"topic": 3}, "string"),
     ({"topic": "too long"}, "at most 5")],
)  # fmt: skip
def test_arguments_are_checked_before_a_pack_sees_them(arguments: JSON, word: str) -> None:
    """A-4: missing, unknown, of another type, too long: each names the argument."""
    with pytest.raises(InvalidParams, match=word):
        get("a", **arguments)


def test_an_unknown_prompt_is_answered_with_the_nearest() -> None:
    """A-4: for getting and for completing."""
    for answer in (
        CATALOG.get("cc", {}, CallContext()),
        CATALOG.complete("cc", "topic", "", {}),
    ):
        with pytest.raises(PromptNotFound):
            asyncio.run(answer)  # type: ignore[arg-type]


def test_values_are_completed_by_the_pack_that_has_the_prompt() -> None:
    """S-1: completion/complete."""
    assert asyncio.run(CATALOG.complete("c", "topic", "p", {})) == ["second-c-topic-p"]
