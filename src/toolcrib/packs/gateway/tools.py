"""Tools of servers as tools of the core: `SERVER__TOOL`, found by search, called by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from toolcrib.core.errors import Refusal
from toolcrib.core.support.jsonable import dumps
from toolcrib.core.tool import JSON, Annotations, CallContext, Tool, ToolOutput
from toolcrib.discovery.groups import ToolText
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.results import Results
from toolcrib.packs.gateway.schemas import (
    DEEPEST,
    LARGEST_TOOL,
    Checker,
    input_schema,
    valid_output,
)
from toolcrib.packs.gateway.servers import Servers
from toolcrib.packs.gateway.texts import LONGEST_DESCRIPTION, clean, first_sentence

if TYPE_CHECKING:
    from toolcrib.discovery.entries import ToolIndexEntry

BETWEEN: Final = "__"
CATEGORY: Final = "mcp"
_LONGEST_NAME = 128
_PATIENCE = 2.0
"""Seconds that a search waits for servers that are being asked for the first time."""


class ServerTools:
    """The tools of all servers that may be used, each made when it is asked for."""

    def __init__(
        self,
        servers: Callable[[], Servers],
        results: Results,
        withheld: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._servers = servers
        self._withheld = withheld
        self._results = results
        self._made: dict[str, tuple[Any, Tool]] = {}
        self._checkers: dict[str, tuple[Any, Checker]] = {}

    @property
    def groups(self) -> Sequence[ServerGroup]:
        """One group for each server that is known."""
        return [ServerGroup(self, name) for name in self._servers().entries]

    def get(self, name: str) -> Tool | None:
        """The tool of that exact name; one that is not known yet is made all the same.

        A server that was never seen is asked by the call itself, which then says what is missing.
        """
        server, between, bare = name.partition(BETWEEN)
        if not between or server not in self._servers().entries:
            why = self._withheld().get(server) if between else None
            return _withheld_tool(name, server, why) if why is not None else None
        definitions = self.definitions(server)
        state = self._servers().state(server)
        given = definitions.get(bare)
        if given is None and state.catalogue is not None and not _named(state.catalogue, bare):
            return None
        known = self._made.get(name)
        if known is None or known[0] is not given:
            known = self._made[name] = (given, self._tool(name, server, bare, given or {}))
        return known[1]

    async def remarks(self) -> JSON:
        """What is being asked, what could not be, what is held, and what waits for trust."""
        servers = self._servers()
        servers.look()
        if servers.pending():
            await servers.settled(_PATIENCE)
        states = [servers.state(name) for name in servers.entries]
        faults = [state.fault for state in states if state.fault and state.catalogue is None]
        found: JSON = {
            "pending": servers.pending(),
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

    def definitions(self, server: str) -> Mapping[str, JSON]:
        """The tools of a server that may be used, by their own names, as the server wrote them."""
        state = self._servers().state(server)
        if state.catalogue is None:
            return {}
        found: dict[str, JSON] = {}
        for tool in state.catalogue.tools:
            name = tool.get("name")
            if not isinstance(name, str) or name in found or not acceptable(tool):
                continue
            if state.entry.offers(name) and not state.held.tool(name):
                found[name] = tool
        return found

    def _tool(self, name: str, server: str, bare: str, given: JSON) -> Tool:
        async def run(arguments: JSON, context: CallContext) -> ToolOutput:
            try:
                return await self._called(server, bare, arguments, context)
            except ServerFault as fault:
                return fault.output()

        annotations = given.get("annotations")
        hints = annotations if isinstance(annotations, dict) else {}
        return Tool(
            name=name,
            title=_optional(hints.get("title") or given.get("title")),
            description=clean(_text(given.get("description"))),
            input_schema=input_schema(given.get("inputSchema")),
            output_schema=valid_output(given.get("outputSchema")),
            run=run,
            annotations=_annotations(hints),
            category=CATEGORY,
            tags=self._servers().entries[server].labels,
            keeps_time=True,
            origin=str(self._servers().entries[server].place),
            validate=lambda arguments: self._checked(name, given, arguments),
            meta=given["_meta"] if isinstance(given.get("_meta"), dict) else {},
        )

    def _checked(self, name: str, given: JSON, arguments: JSON) -> JSON:
        known = self._checkers.get(name)
        if known is None or known[0] is not given:
            checker = Checker(input_schema(given.get("inputSchema")))
            known = self._checkers[name] = (given, checker)
        known[1].check(arguments)
        return arguments

    async def _called(
        self, server: str, bare: str, arguments: JSON, context: CallContext
    ) -> ToolOutput:
        servers = self._servers()
        await servers.seen(server)
        given = self._usable(server, bare)
        annotations = given.get("annotations")
        hints = annotations if isinstance(annotations, dict) else {}
        repeatable = hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True
        params: JSON = {"name": bare, "arguments": arguments}
        result = await servers.server(server).call(
            "tools/call", params, repeatable=repeatable, progress=_progress(context)
        )
        if not isinstance(result.get("content"), list):
            text = f"Server {server!r} gave an answer without content"
            raise ServerFault(server, "protocol", text)
        return self._results.output(result, context.owner)

    def _usable(self, server: str, bare: str) -> JSON:
        """The definition of a tool that may be called now; raises `ServerFault`."""
        state = self._servers().state(server)
        if not state.entry.offers(bare):
            raise ServerFault(server, "disabled", f"{bare} of server {server!r} is turned off")
        if state.held.tool(bare):
            raise ServerFault(
                server,
                "changed",
                f"{bare} of server {server!r} has changed since it was looked at. "
                f"A person can look at it: toolcrib servers approve {server}",
            )
        given = self.definitions(server).get(bare)
        if given is None:
            raise ServerFault(server, "not_found", f"Server {server!r} has no tool {bare!r}")
        return given


class ServerGroup:
    """The tools of one server, for search."""

    changes = True

    def __init__(self, tools: ServerTools, server: str) -> None:
        self.name = server
        self.category = CATEGORY
        self._tools = tools
        self._server = server

    @property
    def stamp(self) -> str:
        """What its texts were made from: with the same stamp they are the same."""
        servers = self._tools._servers()
        state = servers.state(self._server)
        key = servers.catalogues.key(state.entry)
        known = state.catalogue.time if state.catalogue is not None else 0
        held = ",".join(sorted(state.held.names)) if not state.held.unreadable else "*"
        return f"{key} {known} {held}"

    @property
    def description(self) -> str:
        """What the entry says, else what the server says of itself."""
        state = self._tools._servers().state(self._server)
        if state.entry.description:
            return state.entry.description
        catalogue = state.catalogue
        if catalogue is None:
            return ""
        if catalogue.instructions and "instructions" not in state.held.names:
            return first_sentence(catalogue.instructions)
        return clean(_text(catalogue.info.get("title") or catalogue.info.get("name")))

    def __len__(self) -> int:
        return len(self._tools.definitions(self._server))

    def __contains__(self, name: object) -> bool:
        server, _, bare = str(name).partition(BETWEEN)
        return server == self._server and bare in self._tools.definitions(server)

    def __iter__(self) -> Iterator[str]:
        return (f"{self._server}{BETWEEN}{name}" for name in self._tools.definitions(self._server))

    def texts(self) -> Iterable[ToolText]:
        """What each tool is found by."""
        labels = self._tools._servers().entries[self._server].labels
        for name, tool in self._tools.definitions(self._server).items():
            properties = input_schema(tool.get("inputSchema")).get("properties")
            arguments = properties if isinstance(properties, dict) else {}
            yield ToolText(
                f"{self._server}{BETWEEN}{name}",
                clean(_text(tool.get("description"))),
                CATEGORY,
                labels,
                [f"{each} {_described(about)}" for each, about in arguments.items()],
            )

    def entry(self, name: str) -> ToolIndexEntry:
        """What there is to say of one tool."""
        import dataclasses

        from toolcrib.discovery.entries import native_entry

        tool = self._tools.get(name)
        if tool is None:
            raise KeyError(name)
        found = native_entry(tool, self._server)
        text = found.description[:LONGEST_DESCRIPTION]
        return dataclasses.replace(found, description=text, category=CATEGORY)


def _withheld_tool(name: str, server: str, why: str) -> Tool:
    """A tool of a server that nobody has trusted: its call says so."""

    async def run(arguments: JSON, context: CallContext) -> ToolOutput:
        return ServerFault(server, "untrusted", f"{name} is withheld: {why}").output()

    return Tool(name, "", {"type": "object"}, run, keeps_time=True, origin=__name__)


def acceptable(tool: JSON) -> bool:
    """Whether a stranger's tool can be served at all."""
    name = tool.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        return False
    if not name.isprintable() or " " in name:
        return False
    return not _deep(tool, 0) and len(dumps(tool)) <= LARGEST_TOOL


def _deep(value: Any, depth: int) -> bool:
    if depth > DEEPEST:
        return True
    if isinstance(value, dict):
        return any(_deep(each, depth + 1) for each in value.values())
    return isinstance(value, list) and any(_deep(each, depth + 1) for each in value)


def _named(catalogue: Any, bare: str) -> bool:
    return any(tool.get("name") == bare for tool in catalogue.tools)


def _annotations(hints: Mapping[str, Any]) -> Annotations:
    def hint(name: str) -> bool | None:
        value = hints.get(name)
        return value if isinstance(value, bool) else None

    return Annotations(
        hint("readOnlyHint"), hint("destructiveHint"), hint("idempotentHint"), hint("openWorldHint")
    )


def _progress(context: CallContext) -> Callable[[JSON], None] | None:
    if context.client is None:
        return None

    def tell(params: JSON) -> None:
        import asyncio

        done, total = params.get("progress"), params.get("total")
        if isinstance(done, int | float) and not isinstance(done, bool):
            message = params.get("message")
            known = total if isinstance(total, int | float) else None
            text = clean(message) if isinstance(message, str) else None
            asyncio.get_running_loop().create_task(context.progress(done, known, text))

    return tell


def _described(about: Any) -> str:
    text = about.get("description") if isinstance(about, dict) else None
    return clean(text) if isinstance(text, str) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _optional(value: Any) -> str | None:
    return clean(value) if isinstance(value, str) and value else None
