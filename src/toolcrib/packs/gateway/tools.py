"""Tools of servers as tools of the core: `SERVER__TOOL`, found by search, called by name."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from toolcrib.core.errors import BreakerOpen, Refusal
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.core.tool import JSON, Annotations, CallContext, Tool, ToolOutput
from toolcrib.packs.gateway.asking.rounds import INPUT_REQUIRED, Rounds
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.found.definitions import Usable, UsableTools, hints_of
from toolcrib.packs.gateway.found.group import CATEGORY, ServerGroup
from toolcrib.packs.gateway.life.clock import Clock
from toolcrib.packs.gateway.offers.uris import rewritten, ui_meta
from toolcrib.packs.gateway.results import Results
from toolcrib.packs.gateway.schemas import Checker, input_schema, valid_output
from toolcrib.packs.gateway.servers import Servers, State
from toolcrib.packs.gateway.texts import clean, clean_schema
from toolcrib.policy.flow import META_KEY, Flow
from toolcrib.policy.layers import Layers
from toolcrib.policy.servers import BETWEEN, LayerVerdict, argument_problem

_PATIENCE: Final = 2.0
"""Seconds that a search waits for servers that are being asked for the first time."""
_UNKNOWN: Final = Usable({})
_KNOWN: Final = frozenset(
    ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta")
)
"""Members of a tool that have a field; the others are passed on as they came."""
_HINTS: Final = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_TELLING: Final[set[asyncio.Task[None]]] = set()
"""Progress on its way: a task that nobody holds may be collected."""


class ServerTools:
    """The tools of all servers that may be used, each made when it is asked for."""

    def __init__(
        self,
        servers: Callable[[], Servers],
        results: Results,
        withheld: Callable[[], Mapping[str, str]] = dict,
        disabled: Callable[[], Collection[str]] = tuple,
        *,
        policy: Callable[[], Layers | None] = lambda: None,
        flow: Flow | None = None,
        rounds: Rounds | None = None,
        at_rest: Callable[[], bool] = lambda: False,
    ) -> None:
        """`at_rest`: whether no server may be started for a search."""
        self._at_rest = at_rest
        self.definitions = UsableTools(servers, policy)
        self._servers = servers
        self._withheld = withheld
        self._disabled = disabled
        self._results = results
        self._flow = flow or Flow("off")
        self.rounds = rounds or Rounds()
        """Calls in whose midst somebody is asked something."""
        self._made: dict[str, tuple[Usable, Tool]] = {}
        self._broke: dict[str, ServerFault] = {}
        """The last fault of each tool that counted for its breaker."""

    @property
    def groups(self) -> Sequence[ServerGroup]:
        """One group for each server that is known."""
        return [
            ServerGroup(name, self._servers, self.definitions) for name in self._servers().entries
        ]

    def get(self, name: str) -> Tool | None:
        """The tool of that exact name; one that may not be called says so when it is.

        A server that was never seen is asked by the call itself, which then says what is missing.
        """
        server, between, bare = name.partition(BETWEEN)
        if not between:
            return None
        servers = self._servers()
        if server not in servers.entries:
            return self._closed(name, server)
        state = servers.state(server)
        usable = self.definitions.of_state(state).get(bare)
        if usable is None:
            if state.catalogue is not None and bare not in state.catalogue.names:
                return None
            usable = _UNKNOWN
        known = self._made.get(name)
        if known is None or known[0] is not usable:
            known = self._made[name] = (usable, self._tool(name, state, bare, usable))
        return known[1]

    def _closed(self, name: str, server: str) -> Tool | None:
        """A tool of a server that may not be used: its call says why."""
        why = self._withheld().get(server)
        if why is not None:
            return _closed_tool(
                name, ServerFault(server, "untrusted", f"{name} is withheld: {why}")
            )
        if server in self._disabled():
            text = f"Server {server!r} is disabled in its entry"
            return _closed_tool(name, ServerFault(server, "disabled", text))
        return None

    def missing(self, name: str, near: Sequence[str]) -> ToolOutput | None:
        """What a caller of a tool that nobody has is told; None for what is no tool of a server."""
        server, between, bare = name.partition(BETWEEN)
        if not (between and server and bare):
            return None
        hint = did_you_mean(name, near)
        known = server in self._servers().entries
        text = f"Server {server!r} has no tool {bare!r}" if known else f"No server {server!r}"
        fault = ServerFault(server, "not_found", text + hint, nearest=list(near))
        return fault.output()

    async def remarks(self) -> JSON:
        """What is being asked, what could not be, what is held, and what waits for trust."""
        servers = self._servers()
        at_rest = self._at_rest()
        if not at_rest:
            servers.look()
            if servers.pending():
                await servers.settled(_PATIENCE)
        states = [servers.state(name) for name in servers.entries]
        faults = [state.fault for state in states if state.fault and state.catalogue is None]
        found: JSON = {
            "pending": servers.unseen() if at_rest else servers.pending(),
            "unavailable": [
                {"server": each.server, "reason": each.reason, "message": str(each)}
                for each in faults
            ],
            "held": sum(map(len, (state.held for state in states))),
            "withheld": len(self._withheld()),
        }
        if found["held"]:
            found["note"] = "A person can look at what is held: toolcrib servers approve NAME"
        return {key: value for key, value in found.items() if value}

    def refusal(self, name: str) -> Refusal | None:
        """A tool of a server that may not be called says why itself."""
        return None

    def __iter__(self) -> Iterator[Tool]:
        """All of them, sorted by name."""
        for name in sorted(name for group in self.groups for name in group):
            tool = self.get(name)
            if tool is not None:
                yield tool

    def __len__(self) -> int:
        return sum(map(len, self.groups))

    def _tool(self, name: str, state: State, bare: str, usable: Usable) -> Tool:
        entry, given = state.entry, usable.given
        hints = hints_of(given)
        checked = _Checked(input_schema(given.get("inputSchema")))

        async def run(arguments: JSON, context: CallContext) -> ToolOutput:
            context.notes["server"] = entry.name
            try:
                return await self._called(entry.name, bare, arguments, context)
            except ServerFault as fault:
                output = fault.output()
                if output.timed_out or output.broken:
                    self._broke[name] = fault
                return output

        return Tool(
            name=name,
            title=_optional(given.get("title") or hints.get("title")),
            description=clean(usable.description or _text(given.get("description"))),
            input_schema=clean_schema(checked.schema),
            output_schema=clean_schema(valid_output(given.get("outputSchema"))),
            run=run,
            annotations=_annotations(hints),
            category=CATEGORY,
            tags=entry.labels,
            keeps_time=True,
            origin=str(entry.place),
            validate=checked,
            meta=ui_meta(entry.name, given["_meta"])
            if isinstance(given.get("_meta"), dict)
            else {},
            members={key: value for key, value in given.items() if key not in _KNOWN},
            asks=entry.asks_for(bare),
            preview=lambda _: {"network": entry.reach},
            definition=lambda: [entry.written, given],
            resting=lambda error: _resting(entry.name, error, self._broke.get(name)),
        )

    async def _called(
        self, server: str, bare: str, arguments: JSON, context: CallContext
    ) -> ToolOutput:
        servers = self._servers()
        with Clock(server, servers.entries[server].timeout) as clock:
            state = servers.state(server)
            while state.catalogue is None:  # once, unless its entry is changed meanwhile
                self._check_unseen(state, bare)
                await servers.seen(server)
                if server not in self._servers().entries:
                    raise ServerFault(server, "not_found", f"Server {server!r} was taken away")
                state = servers.state(server)
            usable = self._usable(state, bare, arguments)
            labels = state.entry.labels
            concern = self._concern(state, context) if labels else None
            if usable.places:
                context.notes["layers"] = list(usable.places)
            running = servers.shared(server) or await servers.server_of(server, context.owner)
            try:
                result = await self.rounds.call(
                    running,
                    "tools/call",
                    {"name": bare, "arguments": arguments},
                    clock,
                    context,
                    repeatable=_repeatable(usable.given),
                    progress=_progress(context),
                )
            except ServerFault as fault:
                if fault.reason == "server_error":  # in its own words: it has answered
                    self._flow.answered(context.owner, labels)
                    raise fault.saying(
                        self._results.error_text(str(fault), context.owner)
                    ) from fault.__cause__
                raise
        if result.get("resultType") == INPUT_REQUIRED:
            return ToolOutput([], extra=result)
        if not isinstance(result.get("content"), list):
            text = f"Server {server!r} gave an answer without content"
            raise ServerFault(server, "protocol", text)
        if labels:
            self._flow.answered(context.owner, labels)
        output = self._results.output(rewritten(server, result), context.owner)
        return output if concern is None else _marked(output, concern)

    def _usable(self, state: State, bare: str, arguments: JSON) -> Usable:
        """The definition of a tool that may be called now; raises `ServerFault`."""
        server = state.entry.name
        usable = self.definitions.of_state(state).get(bare)
        if usable is None:
            raise self._refused(state, bare)
        if usable.rules:
            schema = input_schema(usable.given.get("inputSchema"))
            problem = argument_problem(usable.rules, arguments, schema)
            if problem is not None:
                raise ServerFault(server, "denied", f"{server}{BETWEEN}{bare}: {problem}")
        return usable

    def _refused(self, state: State, bare: str) -> ServerFault:
        """Why a tool is not usable: turned off, held, closed by a policy, or not there at all."""
        server = state.entry.name
        if not state.entry.offers(bare):
            return ServerFault(server, "disabled", f"{bare} of server {server!r} is turned off")
        if state.held.tool(bare):
            return ServerFault(
                server,
                "changed",
                f"{bare} of server {server!r} has changed since it was looked at. "
                f"A person can look at it: toolcrib servers approve {server}",
            )
        denied = _denied(server, bare, self.definitions.verdicts(server, bare))
        text = f"Server {server!r} has no tool {bare!r}"
        return denied or ServerFault(server, "not_found", text)

    def _check_unseen(self, state: State, bare: str) -> None:
        """Raise if a tool may not be called whatever its server will say of it.

        No process is started to be told so.
        """
        server = state.entry.name
        if not state.entry.offers(bare):
            raise self._refused(state, bare)
        denied = _denied(server, bare, self.definitions.unseen(state, bare))
        if denied is not None:
            raise denied

    def _concern(self, state: State, context: CallContext) -> str | None:
        """What is to be said of a call that could carry data out; raises where it may not."""
        entry = state.entry
        concern = self._flow.concern(context.owner, entry.name, entry.labels)
        if concern is not None and self._flow.mode == "block":
            raise ServerFault(entry.name, "denied", f"{concern}; [gateway] flow = block")
        return concern


def _repeatable(given: JSON) -> bool:
    """Whether a tool says that a second call does no more than the first."""
    hints = hints_of(given)
    return hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True


def _denied(server: str, bare: str, verdicts: Iterable[LayerVerdict]) -> ServerFault | None:
    """The first policy that closes a tool, in words; None where all let it through."""
    for each in verdicts:
        if each.rules is None:
            why = f" ({each.why})" if each.why else ""
            text = f"{server}{BETWEEN}{bare} is closed by {each.rule} in {each.place}{why}"
            return ServerFault(server, "denied", text)
    return None


class _Checked:
    """Checks arguments against a schema; what checks is made for the first call."""

    def __init__(self, schema: JSON) -> None:
        self.schema = schema
        self._checker: Checker | None = None

    def __call__(self, arguments: JSON) -> JSON:
        if self._checker is None:
            self._checker = Checker(self.schema)
        self._checker.check(arguments)
        return arguments


def _marked(output: ToolOutput, concern: str) -> ToolOutput:
    """An output with a warning for whoever watches over the session."""
    meta = output.extra.get("_meta")
    known = meta if isinstance(meta, dict) else {}
    extra = {**output.extra, "_meta": {**known, META_KEY: {"warning": concern}}}
    return dataclasses.replace(output, extra=extra)


def _closed_tool(name: str, fault: ServerFault) -> Tool:
    """A tool that may not be called: its call says why."""

    async def run(arguments: JSON, context: CallContext) -> ToolOutput:
        return fault.output()

    return Tool(name, "", {"type": "object"}, run, keeps_time=True, origin=__name__)


def _resting(server: str, error: BreakerOpen, last: ServerFault | None) -> ToolOutput:
    """What is told while a breaker is open: the server was not asked, and why not."""
    data: JSON = {"retry_in": (error.data or {}).get("retry_after_s")}
    text = str(error)
    if last is not None:
        data["cause"] = last.reason
        text += f". The last one: {last}"
    fault = ServerFault(server, "backing_off", text, **data)
    return dataclasses.replace(fault.output(), refused_by=error.refused_by)


def _annotations(hints: Mapping[str, Any]) -> Annotations:
    def hint(name: str) -> bool | None:
        value = hints.get(name)
        return value if isinstance(value, bool) else None

    further = {name: value for name, value in hints.items() if name not in _HINTS}
    if not isinstance(further.get("title", ""), str):
        del further["title"]  # clients refuse a whole list for one title that is none
    read_only, destructive, idempotent, open_world = (hint(name) for name in _HINTS)
    return Annotations(read_only, destructive, idempotent, open_world, clean_schema(further))


def _progress(context: CallContext) -> Callable[[JSON], None] | None:
    if context.client is None:
        return None
    highest = float("-inf")

    def tell(params: JSON) -> None:
        nonlocal highest
        done, total = params.get("progress"), params.get("total")
        if not isinstance(done, int | float) or isinstance(done, bool) or not done > highest:
            return  # it only ever rises
        highest = done
        message = params.get("message")
        usable = isinstance(total, int | float) and not isinstance(total, bool)
        text = clean(message) if isinstance(message, str) else None
        task = asyncio.get_running_loop().create_task(
            context.progress(done, total if usable else None, text)
        )
        _TELLING.add(task)
        task.add_done_callback(_TELLING.discard)

    return tell


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _optional(value: Any) -> str | None:
    return clean(value) if isinstance(value, str) and value else None
