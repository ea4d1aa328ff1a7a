"""`Tool`: a name, a schema and a function; `ToolOutput`: its result."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, Protocol

from toolcrib.core.errors import BreakerOpen
from toolcrib.core.result import Result
from toolcrib.core.support.jsonable import as_it_is, plain, written
from toolcrib.core.support.records import bare, record
from toolcrib.core.support.workers import WORKERS, Share

JSON = dict[str, Any]
DEFAULT_DEADLINE = 10.0
LONGEST_DEADLINE = 30.0
UNTRUSTED_CODE = -32002
"""Execution failed: the number beside `error_type: "untrusted"`."""


@record
class Annotations:
    """The MCP hints about a tool. None means not stated."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None
    further: Mapping[str, Any] = field(default_factory=dict)
    """Members that are no hints of ours, passed on as they came."""

    def to_wire(self) -> JSON:
        """The MCP hints that are stated; the most cautious ones if none is."""
        hints = {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }
        known = {name: value for name, value in hints.items() if value is not None}
        return {**self.further, **(known or {"readOnlyHint": False, "openWorldHint": True})}


READ_ONLY = Annotations(read_only=True, destructive=False, idempotent=True, open_world=False)


class Client(Protocol):
    """The caller, as seen by a tool during a call."""

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Report progress, if the caller asked for it."""

    async def log(self, level: str, data: Any, logger: str | None) -> None:
        """Send a log line, in eras that have them."""

    async def request(self, method: str, params: JSON) -> JSON:
        """Ask the client something (sampling, elicitation) in the eras that allow it."""


@bare
class CallContext:
    """The context of one call; optional for a tool."""

    tool_name: str = ""
    client: Client | None = None
    caller: str = "local"
    era: Literal["legacy", "modern"] = "modern"
    method: str = "tools/call"
    session: str | None = None
    client_info: Mapping[str, Any] | None = None
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)
    input_responses: Mapping[str, Any] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    """Further keys of the call's line in the record."""
    recorded: bool = True
    """Whether the call counts, in the record and in statistics; what draws a page does not."""
    request_state: str | None = None
    workflow: Any = None
    share: Share | None = None
    """Whose threads a plain function runs in; set by the executor."""
    call_id: str | None = None
    """The call that is under way, where calls are recorded."""

    @property
    def owner(self) -> str:
        """The owner of what this call stores: its session, else its caller."""
        return self.session or self.caller

    async def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report progress to whoever called, if anybody listens."""
        if self.client is not None:
            await self.client.progress(done, total, message)

    async def log(self, level: str, data: Any, logger: str | None = None) -> None:
        """Send a log line to whoever called, if anybody listens."""
        if self.client is not None:
            await self.client.log(level, data, logger)


@record
class ToolOutput:
    """The result of a call: content items, structured content, and whether it is an error.

    `extra` holds further members of the result object (`_meta`, `resultType`, …) as they are.
    `timed_out` is set by a tool that enforces its own deadline: the call counts as timed out.
    """

    content: Sequence[JSON]
    structured: JSON | None = None
    is_error: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    timed_out: bool = False
    refused_by: str | None = None
    """What turned the call away (trust, held, policy, …), for the record."""
    broken: bool = False
    """Whether what the tool needs broke down: for the breaker, the call counts as a crash."""

    @classmethod
    def text(cls, text: str, structured: JSON | None = None, is_error: bool = False) -> ToolOutput:
        """One item of text."""
        return cls([{"type": "text", "text": text}], structured, is_error)

    @classmethod
    def of(cls, value: Any) -> ToolOutput:
        """Convert whatever a tool returned into an output.

        A `Result` and a mapping are one text item with their JSON and the same object as
        structured content; a string is text; anything else is wrapped as `{"result": …}`.
        """
        if isinstance(value, str):
            text = value if type(value) is str and value.isascii() else plain(value)
            return cls([{"type": "text", "text": text}])
        if isinstance(value, ToolOutput):
            return value
        if isinstance(value, Result):
            wire = value.to_json()
            return cls.text(written(wire), wire, is_error=not value.success)
        wire = plain(value)
        if not isinstance(wire, dict):
            wire = {"result": wire}
        return cls.text(written(wire), wire)

    @classmethod
    def of_json(cls, value: JSON) -> ToolOutput:
        """The same for an object that was made of JSON: it is walked only where it is none."""
        text = as_it_is(value)
        return cls.of(value) if text is None else cls.text(text, value)


Run = Callable[[JSON, CallContext], Any | Awaitable[Any]]
Validate = Callable[[JSON], JSON]
Failures = Literal["result", "protocol", "envelope"]


@record
class Tool:
    """Something an agent can call.

    `validate` replaces the check against `input_schema` where a pack has rules of its own; it
    returns the arguments to run with, or raises `InvalidArguments`. `failures` says how a failed
    call is reported: as a result that the model reads, as a JSON-RPC error (`architecture`), or as
    a `Result` in its JSON form ("envelope", for tools that return one). With `keeps_time` the tool
    stops itself at its deadline and says so in its own words. With `share` it runs in the threads
    of that name instead of its own ("store"). With `takes_workflow` its argument `workflow` is a
    handle; another tool may mean what it likes.
    """

    name: str
    description: str
    input_schema: JSON
    run: Run
    title: str | None = None
    output_schema: JSON | None = None
    annotations: Annotations = Annotations()
    tags: tuple[str, ...] = ()
    category: str | None = None
    deadline: float | None = None
    keeps_time: bool = False
    takes_workflow: bool = False
    share: Literal["", "store"] = ""
    origin: str = "unknown"
    validate: Validate | None = None
    failures: Failures = "result"
    full_description: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    members: Mapping[str, Any] = field(default_factory=dict)
    """Further members of its definition, which are passed on as they are."""
    asks: bool = False
    """Whether a person is asked before each call, whatever else is said."""
    preview: Callable[[JSON], JSON] | None = None
    """What a call would do, for a person who is asked: `argv`, `folder`, `network`."""
    expect: Callable[[], None] | None = None
    """Called, in the event loop, when a search has just found it: a call is likely."""
    definition: Callable[[], object] | None = None
    """What would be run, as a plain value that changes when something else would."""
    resting: Callable[[BreakerOpen], ToolOutput] | None = None
    """What its caller is told while its breaker is open; without it, the error as it is."""

    is_async: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Asked once here, not on every call.
        object.__setattr__(self, "is_async", inspect.iscoroutinefunction(self.run))

    def execute(self, arguments: JSON, context: CallContext) -> Coroutine[Any, Any, Any]:
        """Run it; a plain function runs in a thread, so that it cannot block other calls."""
        if self.is_async:
            begun: Any = self.run(arguments, context)
            work: Coroutine[Any, Any, Any] = begun
            return work
        return self._beside(arguments, context)

    async def _beside(self, arguments: JSON, context: CallContext) -> Any:
        value = await WORKERS.run(self.run, arguments, context, share=context.share)
        return await value if inspect.isawaitable(value) else value

    def to_wire(self) -> JSON:
        """The tool as `tools/list` shows it."""
        wire: JSON = {"name": self.name}
        if self.title:
            wire["title"] = self.title
        wire["description"] = self.description
        wire["inputSchema"] = self.input_schema
        if self.output_schema is not None:
            wire["outputSchema"] = self.output_schema
        wire["annotations"] = self.annotations.to_wire()
        if self.meta:
            wire["_meta"] = dict(self.meta)
        return {**self.members, **wire} if self.members else wire


def untrusted(text: str) -> ToolOutput:
    """The answer to a call of a tool that is not trusted yet."""
    error = {"code": UNTRUSTED_CODE, "message": text}
    content = [{"type": "text", "text": text}]
    structured = {"error_type": "untrusted", "error": error}
    return ToolOutput(content, structured, is_error=True, refused_by="trust")


def with_link(output: ToolOutput, address: str) -> ToolOutput:
    """The same answer with a link to the page that shows the untrusted change."""
    if output.structured is None or "url" in output.structured:
        return output
    content = [*output.content, {"type": "text", "text": f"The change can be seen at {address}"}]
    return replace(output, content=content, structured={**output.structured, "url": address})


def withheld_tool(name: str, text: str) -> Tool:
    """A placeholder for a tool that is not trusted yet; calls say so and run nothing."""

    async def run(given: JSON, context: CallContext) -> ToolOutput:
        return untrusted(text)

    schema = {"type": "object"}
    return Tool(name, text, schema, run, annotations=READ_ONLY, validate=lambda given: given)
