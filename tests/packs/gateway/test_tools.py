"""Tools of servers as tools of the core: policy, flow, approval, names, what passes through."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from packs.gateway.conftest import Project, call, odd
from toolcrib.core.errors import InvalidArguments, ToolNotFound
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import CallContext, Tool, ToolOutput
from toolcrib.packs.gateway.tools import _progress
from toolcrib.server.mcp.catalog import Catalog, Offer


def reason(output: ToolOutput) -> Any:
    assert output.is_error and output.structured is not None, output
    return output.structured["error"]["data"]["reason"]


def policy(project: Project, text: str) -> None:
    (project.folder / "climax").mkdir(exist_ok=True)
    (project.folder / "climax" / "policy.yaml").write_text(text)


def test_a_tool_that_the_policy_closes_is_neither_found_nor_called(project: Project) -> None:
    """X-23, X-18: `denied` with the rule and its line; the others are served."""
    project.write(odd=odd())
    policy(project, "default: enabled\ndeny: [odd__t0]\n")

    async def work(pack: Any) -> tuple[ToolOutput, ToolOutput, list[str]]:
        good, bad = await call(pack, "odd__t1"), await call(pack, "odd__t0")
        (group,) = pack.contribute().unlisted.groups
        return good, bad, list(group)

    good, bad, found = project.run(work)
    assert not good.is_error and found == ["odd__t1"]
    assert reason(bad) == "denied" and "policy.yaml:2" in bad.content[0]["text"]
    assert bad.refused_by == "policy" and (bad.structured or {})["error"]["code"] == -32002


@pytest.mark.parametrize(
    ("entry", "rules", "name", "why"),
    [
        ({"deny": ["t0"]}, "", "odd__t0", "disabled"),
        ({"tools": ["t1"]}, "", "odd__t0", "disabled"),
        ({}, "servers: {odd: disabled}\n", "odd__t0", "denied"),
        ({}, "default: enabled\ndeny: [odd__t0]\n", "odd__t0", "denied"),
    ],
)
def test_nothing_is_started_for_a_tool_that_may_not_be_called_anyway(
    project: Project, entry: dict[str, Any], rules: str, name: str, why: str
) -> None:
    """X-2, X-10, X-23: before first sight as well, what an entry or a policy closes is closed."""
    project.write(odd=odd(entry))
    policy(project, rules)

    async def work(pack: Any) -> tuple[ToolOutput, bool]:
        return await call(pack, name), pack.servers.state("odd").catalogue is None

    output, unseen = project.run(work)
    assert reason(output) == why and unseen


def test_what_a_policy_leaves_to_the_server_to_say_is_asked(project: Project) -> None:
    """X-10, X-23: `read-only` of a server that was never seen is decided by what it says."""
    project.write(odd=odd())
    policy(project, "servers: {odd: read-only}\n")

    async def work(pack: Any) -> tuple[ToolOutput, bool]:
        return await call(pack, "odd__t0"), pack.servers.state("odd").catalogue is None

    output, unseen = project.run(work)
    assert reason(output) == "denied" and not unseen


def test_an_edit_of_the_policy_holds_from_the_next_look_on(project: Project) -> None:
    """X-23, X-30: what a policy closes while it is served is closed."""
    project.write(odd=odd())

    async def work(pack: Any) -> list[bool]:
        first = await call(pack, "odd__t0")
        policy(project, "servers: {odd: disabled}\n")
        changes = pack.refresh([])
        return [first.is_error, changes.behind, (await call(pack, "odd__t0")).is_error]

    assert project.run(work) == [False, True, True]


def test_arguments_that_the_policy_forbids_never_reach_the_server(project: Project) -> None:
    """X-23: by their top-level names; refused as `denied`, before the server is asked."""
    project.write(odd=odd())
    policy(project, "default: enabled\ntools:\n  odd__t0:\n    args: {x: {max: 3}}\n")

    async def work(pack: Any) -> list[ToolOutput]:
        return [await call(pack, "odd__t0", {"x": n}) for n in (3, 4)]

    good, bad = project.run(work)
    assert not good.is_error and reason(bad) == "denied"
    assert "at most 3" in bad.content[0]["text"]


def test_a_policy_may_say_what_a_tool_does(project: Project) -> None:
    """X-23: `tools.SERVER__TOOL {description}` as ever."""
    project.write(odd=odd())
    policy(project, "tools:\n  odd__t0: {description: Counts the mugs}\n")

    async def work(pack: Any) -> str:
        await pack.servers.seen("odd")
        tool: Tool = pack.contribute().unlisted.get("odd__t0")
        return tool.description

    assert project.run(work) == "Counts the mugs"


@pytest.mark.parametrize("mode", ["warn", "block", "off"])
def test_private_and_untrusted_and_outbound_in_one_session(project: Project, mode: str) -> None:
    """X-23: a warning in `_meta`, or a refusal; only in the session where both have answered."""
    labels = {"db": ["private"], "web": ["untrusted"], "mail": ["outbound"]}
    project.write(**{name: odd({"labels": given}) for name, given in labels.items()})

    async def work(pack: Any) -> list[ToolOutput]:
        tools, run = pack.contribute().unlisted, ToolExecutor().run
        outputs = []
        for name, session in [
            ("db", "a"),
            ("mail", "a"),
            ("web", "a"),
            ("mail", "a"),
            ("mail", "b"),
        ]:
            outputs.append(await run(tools.get(f"{name}__t0"), {}, CallContext(session=session)))
        return outputs

    _, early, _, late, elsewhere = project.run(work, flow=mode)
    assert not early.is_error and not early.extra and not elsewhere.extra
    assert late.is_error is (mode == "block")
    if mode == "block":
        assert reason(late) == "denied"
    else:
        assert ("toolcrib/flow" in late.extra.get("_meta", {})) is (mode == "warn")


def test_a_tool_that_the_entry_wants_approved_asks(project: Project) -> None:
    """T-19, X-2: `approve` names tools and patterns that are asked for."""
    project.write(odd=odd({"approve": ["*1"]}))

    async def work(pack: Any) -> list[bool]:
        await pack.servers.seen("odd")
        tools = pack.contribute().unlisted
        return [tools.get(f"odd__t{n}").asks for n in (0, 1)]

    assert project.run(work) == [False, True]


def test_arguments_are_checked_before_anything_is_started(project: Project) -> None:
    """X-8: the schema is known from the catalogue."""
    schema = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}
    project.write(odd=odd(schema=schema))

    async def work(pack: Any) -> bool:
        await pack.servers.seen("odd")
        pack.servers.stop()
        with pytest.raises(InvalidArguments):
            await call(pack, "odd__t0", {"n": "x"})
        return bool(pack.servers.server("odd").up)

    assert project.run(work) is False


def test_members_that_nobody_knows_pass_through_and_none_shadows_ours(project: Project) -> None:
    """X-6, part 6: `icons`, `execution` and what comes later; missing annotations are the worst."""
    extra = {"icons": [{"src": "data:,"}], "execution": {"taskSupport": "optional"}}
    project.write(odd=odd(extra=extra))

    async def work(pack: Any) -> dict[str, Any]:
        await pack.servers.seen("odd")
        wire: dict[str, Any] = pack.contribute().unlisted.get("odd__t0").to_wire()
        return wire

    wire = project.run(work)
    assert {key: wire[key] for key in extra} == extra and wire["name"] == "odd__t0"
    assert wire["annotations"] == {"readOnlyHint": False, "openWorldHint": True}


def test_titles_and_annotations_are_passed_on_as_they_came(project: Project) -> None:
    """X-6: the tool's own title counts before that of its annotations; unknown hints stay."""
    hints = {"title": "A\u200bn", "readOnlyHint": True, "idempotentHint": "maybe", "later": 1}
    project.write(odd=odd(extra={"title": "Own", "annotations": hints}))

    async def work(pack: Any) -> dict[str, Any]:
        await pack.servers.seen("odd")
        wire: dict[str, Any] = pack.contribute().unlisted.get("odd__t0").to_wire()
        return wire

    wire = project.run(work)
    assert wire["title"] == "Own"
    assert wire["annotations"] == {"title": "An", "readOnlyHint": True, "later": 1}


def test_progress_goes_to_its_caller_and_only_ever_rises(project: Project) -> None:
    """FAULTS: falling values, foreign and other tokens are left out."""
    project.write(odd=odd(call="progress", values=[1, 3, 2, 3, 5]))
    told: list[float] = []

    class Listener:
        async def progress(self, done: float, total: float | None, message: str | None) -> None:
            told.append(done)

        async def log(self, level: str, data: Any, logger: str | None) -> None: ...

        async def request(self, method: str, params: Any) -> Any: ...

    async def work(pack: Any) -> None:
        tool = pack.contribute().unlisted.get("odd__t0")
        await ToolExecutor().run(tool, {}, CallContext(client=Listener()))
        await asyncio.sleep(0)

    project.run(work)
    assert told == [1, 3, 5]


@pytest.mark.parametrize(("total", "told"), [(3, 3), (True, None), ("3", None), (None, None)])
def test_a_total_that_is_no_number_is_not_passed_on(total: Any, told: Any) -> None:
    """X-11: progress as clients of every era take it; true is no number."""
    heard: list[float | None] = []

    class Listener:
        async def progress(self, done: float, total: float | None, message: str | None) -> None:
            heard.append(total)

        async def log(self, level: str, data: Any, logger: str | None) -> None: ...

        async def request(self, method: str, params: Any) -> Any: ...

    async def work() -> None:
        tell = _progress(CallContext(client=Listener()))
        assert tell is not None
        tell({"progress": 1, "total": total})
        await asyncio.sleep(0)

    asyncio.run(work())
    assert heard == [told]


def test_a_bare_name_is_no_tool_and_an_unknown_one_is_not_found(project: Project) -> None:
    """X-6, X-18: SERVER__TOOL alone; a server that lost its tool says `not_found`."""
    project.write(odd=odd())

    async def work(pack: Any) -> list[object]:
        tools = pack.contribute().unlisted
        never_seen = await call(pack, "odd__gone")
        return [tools.get("t0"), tools.get("nobody__t0"), tools.get("odd__gone"), never_seen]

    bare, nobody, gone, never_seen = project.run(work)
    assert bare is None and nobody is None and gone is None
    assert isinstance(never_seen, ToolOutput) and reason(never_seen) == "not_found"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("off__t0", "disabled"),
        ("odd__closed", "disabled"),
        ("odd__nope", "not_found"),
        ("nobody__t0", "not_found"),
    ],
)
@pytest.mark.parametrize("mode", ["default", "classic"])
def test_every_refusal_has_the_same_shape(project: Project, name: str, why: str, mode: Any) -> None:
    """X-18: isError with code, message and data {server, reason}, in classic as well."""
    project.write(
        off=odd({"disabled": True}), odd=odd({"deny": ["closed"]}, names=["t0", "closed"])
    )

    async def work(pack: Any) -> Any:
        await pack.servers.seen("odd")
        return await answered(pack, name, mode)

    if mode == "classic" and why == "not_found":  # there it is an unknown tool of the protocol
        with pytest.raises(ToolNotFound):
            project.run(work)
        return
    output = project.run(work)
    error = output.structured["error"]
    assert output.is_error and error["code"] == -32002 and error["message"]
    assert error["data"]["server"] == name.partition("__")[0] and error["data"]["reason"] == why


async def answered(pack: Any, name: str, mode: Any) -> ToolOutput:
    """What a call of a tool answers through all that stands before a pack."""
    catalog = Catalog(ToolExecutor(), mode=mode)
    catalog.load([Offer(pack.name, pack.about, pack.contribute(), pack.trusted)])
    tool = catalog.resolve(name if mode == "classic" else "climax_call")
    given = {} if mode == "classic" else {"tool_name": name}
    return await ToolExecutor().run(tool, given, CallContext())


def test_all_tools_of_strangers_are_listed_in_classic_too(project: Project) -> None:
    """X-6, X-8: `--classic` lists them all; K-15's strictness is for our own tools."""
    schemas: list[Any] = [
        None, {}, {"type": "array"}, {"type": "object", "required": "x"},
        {"type": "object", "properties": {"x": {"$ref": "https://example.com/x"}}},
        {"type": "object", "properties": {"x": {"minimum": 1, "exclusiveMinimum": True}}},
        {"type": ["object", "null"]},
    ]  # fmt: skip
    shapes = [{"name": f"t{n}", "inputSchema": schema} for n, schema in enumerate(schemas)]
    project.write(odd=odd(shapes=shapes))

    async def work(pack: Any) -> list[Tool]:
        await pack.servers.seen("odd")
        catalog = Catalog(ToolExecutor(), mode="classic")
        catalog.load([Offer(pack.name, pack.about, pack.contribute(), pack.trusted)])
        assert not catalog.refused
        return catalog.listed()

    listed = project.run(work)
    assert [tool.name for tool in listed] == [f"odd__t{n}" for n in range(len(schemas))]
    assert {tool.input_schema["type"] for tool in listed} == {"object"}
