from __future__ import annotations

import asyncio
import json
import threading
from typing import Any, ClassVar, Literal

import pytest
from fastmcp import Client as FastClient
from fastmcp import Context as FastContext
from fastmcp import FastMCP
from mcp import Client
from mcp.server.mcpserver import Context, MCPServer
from pydantic import Field, field_validator

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.decorator import ExtMcpToolDecorator
from toolcrib.core.declare.descriptions import Example
from toolcrib.core.declare.functions import to_tool, undecorated
from toolcrib.core.declare.prefix import prefixed
from toolcrib.core.errors import InvalidArguments, InvalidToolSchema
from toolcrib.core.registry import ToolManager
from toolcrib.core.result import Result
from toolcrib.core.tool import READ_ONLY, Annotations, CallContext


class Greet(ToolArguments):
    name: str = Field(description="Whom to greet", max_length=10)
    times: int = Field(1, ge=1, le=3, description="How often")
    tags: list[str] = Field(default_factory=list, description="Labels")

    @field_validator("name")
    @classmethod
    def not_voldemort(cls, value: str) -> str:
        if value == "Voldemort":
            raise ValueError("must not be named")
        return value


class Remove(ToolArguments):
    confirm: Literal["REMOVE_IT"] = Field(description="It cannot be undone")


async def greet(args: Greet, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """Say hello.

    Use it to be polite.

    More about politeness, which only the full text has.
    """
    if args.name == "nobody":
        return Result.failure("There is nobody", "not_found")
    return Result.ok({"text": f"Hello {args.name}" * args.times, "tool": ctx and ctx.tool_name})


def greet_sync(args: Greet) -> Result[str]:
    """Say hello, in a thread."""
    return Result.ok(threading.current_thread().name)


def explode(args: ToolArguments) -> None:
    """Fail."""
    raise RuntimeError("kaboom")


class OurCatalog:
    """The three registrars behind one face, so that each test runs on all of them."""

    def __init__(self) -> None:
        self.registrar: Any = ToolManager()

    async def list(self) -> dict[str, dict[str, Any]]:
        return {tool.name: tool.to_wire() for tool in self.registrar.list_tools()}

    async def call(self, name: str, arguments: dict[str, Any]) -> tuple[list[str], Any, bool]:
        try:
            output = await self.registrar.execute_tool(name, arguments)
        except InvalidArguments as error:
            return [str(error)], None, True
        return [item["text"] for item in output.content], output.structured, output.is_error


class SdkServer(OurCatalog):
    client = Client

    def __init__(self) -> None:
        self.registrar = MCPServer("test")

    async def list(self) -> dict[str, dict[str, Any]]:
        async with self.client(self.registrar) as client:
            listed = await client.list_tools()
        tools = getattr(listed, "tools", listed)
        return {tool.name: tool.model_dump(by_alias=True, exclude_none=True) for tool in tools}

    async def call(self, name: str, arguments: dict[str, Any]) -> tuple[list[str], Any, bool]:
        async with self.client(self.registrar) as client:
            result = await client.call_tool(name, arguments, **self.options)
        texts = [item.text for item in result.content]
        return texts, result.structured_content, result.is_error

    options: ClassVar[dict[str, Any]] = {}


class FastServer(SdkServer):
    client = FastClient
    options: ClassVar = {"raise_on_error": False}

    def __init__(self) -> None:
        self.registrar = FastMCP("test")


@pytest.fixture(params=[OurCatalog, SdkServer, FastServer], ids=["catalog", "mcpserver", "fastmcp"])
def server(request):
    return request.param()


@pytest.fixture(autouse=True)
def no_prefix(monkeypatch):
    monkeypatch.delenv("MCP_TOOL_PREFIX", raising=False)


@pytest.fixture
def trace(caplog):
    caplog.set_level(5, logger="toolcrib.tools")
    return lambda: [(r.levelname, r.getMessage()) for r in caplog.records if "ool" in r.message]


def names(server) -> list[str]:
    return sorted(asyncio.run(server.list()))


def call(server, tool, /, **arguments):
    return asyncio.run(server.call(tool, arguments))


def test_a_tool_is_registered_flat_on_every_registrar(server):
    """K-5, K-9: our catalog, an SDK MCPServer, a FastMCP object."""
    ExtMcpToolDecorator(server.registrar).tool(annotations=READ_ONLY)(greet)
    tool = asyncio.run(server.list())["greet"]
    schema = tool["inputSchema"]
    assert set(schema["properties"]) == {"name", "times", "tags"}
    assert schema["required"] == ["name"]
    assert schema["properties"]["name"]["maxLength"] == 10
    assert schema["properties"]["name"]["description"] == "Whom to greet"
    assert schema["properties"]["times"]["maximum"] == 3
    assert tool["title"] == "Greet"
    assert tool["description"] == "Say hello.\nUse it to be polite."
    assert tool["annotations"]["readOnlyHint"] is True


def test_a_result_is_one_text_and_the_same_object(server):
    """K-4."""
    ExtMcpToolDecorator(server.registrar, prefix="x").tool()(greet)
    texts, structured, is_error = call(server, "x_greet", name="Ada")
    assert structured == {"success": True, "value": {"text": "Hello Ada", "tool": "x_greet"}}
    assert [json.loads(text) for text in texts] == [structured]
    assert not is_error


def test_a_failed_result_is_an_error_exactly_then(server):
    """K-4: isError exactly when success is false."""
    ExtMcpToolDecorator(server.registrar).tool()(greet)
    _, structured, is_error = call(server, "greet", name="nobody")
    assert is_error
    assert structured == {
        "success": False,
        "error": "There is nobody",
        "error_type": "not_found",
    }


def test_a_refused_argument_is_named_on_every_registrar(server):
    """K-5: field and expectation, also where another server checks first."""
    ExtMcpToolDecorator(server.registrar).tool()(greet)
    for arguments, word in [({"name": "Ada", "times": 9}, "times"), ({}, "name")]:
        texts, _, is_error = call(server, "greet", **arguments)
        assert is_error
        assert word in texts[0]
    texts, _, is_error = call(server, "greet", name="Voldemort")
    assert is_error
    assert "must not be named" in texts[0]


def test_a_sync_tool_runs_beside_the_event_loop(server):
    """K-10: a sync tool never blocks the event loop."""
    ExtMcpToolDecorator(server.registrar).tool()(greet_sync)
    _, structured, _ = call(server, "greet_sync", name="Ada")
    assert structured["value"] != threading.main_thread().name


@pytest.mark.parametrize(
    ("variable", "constructor", "per_tool", "expected"),
    [
        (None, None, None, "greet"),
        ("guide", None, None, "guide_greet"),
        ("", None, None, "greet"),
        ("guide", "shop", None, "shop_greet"),
        ("guide", "", None, "greet"),
        ("guide", None, "x", "x_greet"),
        ("guide", "shop", "", "greet"),
        ("guide_", None, None, "guide_greet"),
        ("guide__", None, None, "guide_greet"),
    ],
)
def test_the_prefix_of_tool_then_constructor_then_environment_counts(
    server, monkeypatch, variable, constructor, per_tool, expected
):
    """K-9."""
    if variable is not None:
        monkeypatch.setenv("MCP_TOOL_PREFIX", variable)
    ExtMcpToolDecorator(server.registrar, constructor).tool(prefix=per_tool)(greet)
    assert names(server) == [expected]


def test_one_underscore_stands_between_whatever_the_two_end_and_begin_with():
    """K-9: exactly one underscore between."""
    assert prefixed("_private", "x_") == "x_private"
    assert prefixed("_private", "") == "_private"


def test_a_prefix_that_no_client_could_call_is_refused():
    with pytest.raises(InvalidToolSchema, match="Tool prefix 'a b' may hold letters"):
        prefixed("greet", "a b")


def test_a_registrar_must_be_able_to_register():
    with pytest.raises(TypeError, match="dict can register no tools"):
        ExtMcpToolDecorator({})


def test_an_async_call_is_logged_at_trace(server, trace):
    """K-10: with the undecorated name, before it runs and after."""
    ExtMcpToolDecorator(server.registrar, "guide").tool()(greet)
    call(server, "guide_greet", name="Ada")
    assert trace() == [
        ("TRACE", "Tool called: greet"),
        ("TRACE", "Tool greet completed successfully"),
    ]


def test_a_sync_success_is_logged_at_debug(server, trace):
    """K-10."""
    ExtMcpToolDecorator(server.registrar, "guide").tool()(greet_sync)
    call(server, "guide_greet_sync", name="Ada")
    assert trace() == [
        ("TRACE", "Tool called: greet_sync"),
        ("DEBUG", "Tool greet_sync completed successfully"),
    ]


def test_an_exception_is_logged_and_raised_again(trace):
    """K-10."""
    wrapped = ExtMcpToolDecorator(ToolManager()).tool()(explode)
    with pytest.raises(RuntimeError, match="kaboom"):
        wrapped(ToolArguments())
    assert trace() == [
        ("TRACE", "Tool called: explode"),
        ("ERROR", "Tool explode failed: kaboom"),
    ]


def test_no_secret_of_an_exception_reaches_the_log(trace):
    """K-10, FAULTS: the log says what and why without secrets."""

    def leak(args: ToolArguments) -> None:
        """Fail."""
        raise RuntimeError("password=hunter2 was refused")

    wrapped = ExtMcpToolDecorator(ToolManager()).tool()(leak)
    with pytest.raises(RuntimeError, match="hunter2"):
        wrapped(ToolArguments())
    assert trace()[-1] == ("ERROR", "Tool leak failed: password=*** was refused")


def test_a_returned_failure_is_not_logged_as_a_success(server, trace):
    """K-10: completed successfully is said on success only."""
    ExtMcpToolDecorator(server.registrar).tool()(greet)
    call(server, "greet", name="nobody")
    assert trace()[-1] == ("TRACE", "Tool greet returned a failure: not_found")
    assert "ERROR" not in {level for level, _ in trace()}


def test_the_function_under_the_decorator_is_callable_directly(caplog):
    """K-14: same arguments, same context, no log."""
    caplog.set_level(5)
    wrapped = ExtMcpToolDecorator(ToolManager(), "guide").tool()(greet)
    assert undecorated(wrapped) is wrapped.__wrapped__ is greet
    result = asyncio.run(undecorated(wrapped)(Greet(name="Ada"), CallContext(tool_name="me")))
    assert result.value == {"text": "Hello Ada", "tool": "me"}
    assert not [r for r in caplog.records if r.name.startswith("toolcrib")]


def test_a_destructive_tool_says_so_in_words_and_hints(server):
    """K-12: consent, REQUIRES EXPLICIT USER INSTRUCTION and its reason, destructiveHint."""

    def remove(args: Remove) -> Result[str]:
        """Remove it."""
        return Result.ok("gone")

    ExtMcpToolDecorator(server.registrar).tool()(remove)
    tool = asyncio.run(server.list())["remove"]
    assert "REQUIRES EXPLICIT USER INSTRUCTION: It cannot be undone." in tool["description"]
    assert 'confirm="REMOVE_IT"' in tool["description"]
    assert tool["annotations"]["destructiveHint"] is True
    assert call(server, "remove", confirm="yes")[2]
    assert call(server, "remove", confirm="REMOVE_IT")[1]["value"] == "gone"


@pytest.mark.parametrize(
    ("func", "annotations", "missing"),
    [
        (greet, Annotations(destructive=True), "has no consent field"),
        (lambda args: None, Annotations(destructive=False), "is not marked as destructive"),
    ],
)
def test_consent_and_destruction_are_believed_only_together(func, annotations, missing):
    """K-12."""
    if func is not greet:
        func.__annotations__["args"] = Remove
    with pytest.raises(InvalidToolSchema, match=missing):
        to_tool(func, annotations=annotations)


def test_a_context_of_the_servers_own_type_is_injected_by_it():
    """K-9: a FastMCP author keeps the context that he knows."""

    async def native(args: Greet, ctx: FastContext) -> str:
        """Use the native context."""
        return type(ctx).__name__

    async def sdk(args: Greet, ctx: Context) -> str:
        """Use the native context."""
        return type(ctx).__name__

    fast, sdk_server = FastServer(), SdkServer()
    ExtMcpToolDecorator(fast.registrar).tool()(native)
    ExtMcpToolDecorator(sdk_server.registrar).tool()(sdk)
    assert call(fast, "native", name="Ada")[0] == ["Context"]
    assert call(sdk_server, "sdk", name="Ada")[0] == ["Context"]
    schema = asyncio.run(fast.list())["native"]["inputSchema"]
    assert "ctx" not in schema["properties"]


def test_a_parameter_that_nobody_fills_in_is_refused():
    def odd(args: Greet, ctx: CallContext, third: int) -> None:
        """Too many."""

    with pytest.raises(InvalidToolSchema, match="parameters that nobody fills in: third"):
        to_tool(odd)


def test_the_full_description_is_served_when_asked_for(server):
    """K-13: descriptions = "concise" | "full"."""
    ExtMcpToolDecorator(server.registrar, descriptions="full").tool()(greet)
    text = asyncio.run(server.list())["greet"]["description"]
    assert "More about politeness" in text
    assert "## JSON Schema" in text


def test_declared_tools_are_registered_with_the_generated_description(server):
    """K-7, K-8: the pattern of the seed, from declaration to registration."""

    @ToolArguments.declare(title="Wave", examples=[Example({"name": "Ada"}, "Waves at Ada")])
    def wave(args: Greet) -> Result[str]:
        """Wave."""
        return Result.ok(args.name)

    decorator = ExtMcpToolDecorator(server.registrar, "guide")
    for func in ToolArguments.get_declared_tools(__name__).values():
        decorator.tool(description=ToolArguments.build_tool_description(func))(func)
    tool = asyncio.run(server.list())["guide_wave"]
    assert tool["title"] == "Wave"
    assert "- **name** (required): string (at most 10 characters)" in tool["description"]
