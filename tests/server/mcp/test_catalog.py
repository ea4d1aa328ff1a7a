"""Which tools are listed, which stand behind the meta-tools, and what each is called."""

from __future__ import annotations

import asyncio
import logging

import pytest

from toolcrib.core.errors import ToolNotFound, ToolNotListed
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.pack import Contributions
from toolcrib.core.tool import JSON, CallContext, Tool
from toolcrib.server.mcp.catalog import Catalog, Mode, Offer
from toolcrib.server.mcp.safe_names import safe_names

META = ["climax_call", "climax_search"]


async def run(arguments: JSON, context: CallContext) -> str:
    return "ran"


def tool(name: str, schema: JSON | None = None) -> Tool:
    return Tool(name, f"What {name} does", schema or {"type": "object"}, run, full_description=name)


def catalog(*given: Contributions, mode: Mode = "default", safe: bool = False) -> Catalog:
    made = Catalog(ToolExecutor(), mode=mode, naming="safe" if safe else "exact")
    made.load([Offer(f"p{n}", "about", each, False) for n, each in enumerate(given)])
    return made


def names(tools: object) -> list[str]:
    return sorted(each.name for each in tools)  # type: ignore[attr-defined]


def test_progressive_puts_everything_behind_the_two() -> None:
    """C-14: and both still reach every tool."""
    given = Contributions(tools=[tool("a/b"), tool("c")])
    assert names(catalog(given).listed()) == ["a/b", "c"]
    shown = catalog(given, mode="progressive")
    assert names(shown.listed()) == META
    assert shown.find("c") is not None and shown.find("c")[1] is False  # type: ignore[index]
    assert shown.resolve("c").name == "c"


def test_a_name_is_found_by_either_spelling() -> None:
    """S-7: safe names are reversible, and the exact ones still work."""
    shown = catalog(Contributions(tools=[tool("directive/file.get")]), safe=True)
    [each] = shown.listed()
    safe = safe_names(["directive/file.get"])["directive/file.get"]
    assert shown.spelled(each) == safe != each.name
    assert shown.resolve(safe) is shown.resolve("directive/file.get") is each


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """FAULTS: unknown tool: the message names the nearest one."""
    with pytest.raises(ToolNotFound, match="shop_stock"):
        catalog(Contributions(tools=[tool("shop_stock")])).resolve("shop_stok")


def test_a_tool_behind_the_two_is_the_nearest_where_it_is() -> None:
    """C-5, C-14, FAULTS: unknown tool, in each mode; what is listed is told without a way."""
    given = Contributions(tools=[tool("shop_stock"), tool("shop_sell")], secondary=["shop_sell"])

    def told(shown: Catalog, name: str) -> str:
        with pytest.raises(ToolNotFound) as unknown:
            shown.resolve(name)
        return str(asyncio.run(shown.explained(unknown.value)))

    through = " Call 'shop_stock' through climax_call."
    progressive = catalog(given, mode="progressive")
    assert told(progressive, "shop_stok").startswith("Unknown tool: shop_stok; did you mean")
    assert "'shop_stock'" in told(progressive, "shop_stok").partition(" Call ")[2]
    assert told(progressive, "zzzz") == "Unknown tool: zzzz"
    for mode in ("default", "classic"):
        assert through not in told(catalog(given, mode=mode), "shop_stok")


def test_a_withheld_tool_says_why_instead_of_being_unknown() -> None:
    """T-9: and an unknown one says how much is withheld."""
    shown = catalog(Contributions(withheld={"deploy": "deploy is withheld"}, waiting=2))
    assert shown.resolve("deploy").name == "deploy"
    with pytest.raises(ToolNotFound, match="2 files are withheld"):
        shown.resolve("nothing")


def test_a_tool_that_cannot_be_served_leaves_the_others_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """K-15: a schema that is none is refused by name, once."""
    caplog.set_level(logging.CRITICAL)
    shown = catalog(Contributions(tools=[tool("good"), tool("bad", {"type": "nonsense"})]))
    assert names(shown.listed()) == ["good"]
    assert ["bad" in str(error) for error in shown.refused] == [True]


def test_a_tool_behind_the_two_is_not_called_directly() -> None:
    """C-5: the answer says to use climax_call."""

    class Behind(list[Tool]):
        def get(self, name: str) -> Tool | None:
            return next((each for each in self if each.name == name), None)

        def refusal(self, name: str) -> None:
            return None

    unlisted = Behind([tool("git_status")])
    shown = catalog(Contributions(tools=[tool("own")], unlisted=unlisted))
    assert names(shown.listed()) == ["climax_call", "climax_search", "own"]
    with pytest.raises(ToolNotListed, match="climax_call"):
        shown.resolve("git_status")
    assert "git_status" in names(shown.every())
    call = shown.resolve("climax_call")
    told = asyncio.run(ToolExecutor().run(call, {"tool_name": "own", "args": {}}))
    assert told.is_error
    assert told.content[0]["text"] == (
        "own is not behind climax_call: it is listed, so call it directly"
    )
    classic = catalog(Contributions(unlisted=unlisted), mode="classic")
    assert names(classic.listed()) == ["git_status"]
