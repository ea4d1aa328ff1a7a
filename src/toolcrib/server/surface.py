"""`Surface`: what all chosen packs contribute, as one object that answers MCP methods.

It takes plain params and returns plain objects ready for the wire, in the form of the request's
era. The stdio engine and the HTTP application both use it, so that no behaviour is implemented
twice.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from toolcrib import __version__
from toolcrib.core.errors import ToolcribError, ToolNotFound
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.pack import READER, Changes, Contributions, Method, Pack
from toolcrib.core.support.jsonable import dumps
from toolcrib.core.support.records import bare, record
from toolcrib.core.tool import JSON
from toolcrib.server.blueprint import Blueprint
from toolcrib.server.mcp.calls import call_tool, context_of, texts_of
from toolcrib.server.mcp.catalog import Catalog, Mode, Naming, Offer
from toolcrib.server.mcp.paging import page_of
from toolcrib.server.mcp.prompts import PromptCatalog
from toolcrib.server.mcp.protocol import (
    LOG_LEVELS,
    Request,
    negotiated,
    object_param,
    rpc_error,
    text_param,
)
from toolcrib.server.mcp.request_state import RequestStates
from toolcrib.server.mcp.resources import ResourceCatalog
from toolcrib.server.mcp.seal import Seal
from toolcrib.server.mcp.skills import EXTENSION, SkillCatalog
from toolcrib.server.mcp.subscriptions import METHOD as LISTEN
from toolcrib.server.mcp.subscriptions import (
    Event,
    EventFilter,
    Listener,
    PendingEvents,
    notification,
)
from toolcrib.wire.eras import LEGACY, MODERN, SERVER_KEY, SUBSCRIPTION_KEY, Era
from toolcrib.wire.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Prepared,
    RpcError,
)
from toolcrib.wire.versions import MODERN_VERSIONS

if TYPE_CHECKING:  # loaded only where calls are recorded
    from toolcrib.server.record import CallRecord

logger = logging.getLogger("toolcrib.server")

Handler = Callable[[Request], Awaitable[JSON]]

# Long enough to spare a busy client the question, short enough that nobody sees stale lists.
_TTL = {"tools/list": 60_000, "prompts/list": 60_000, "server/discover": 60_000}
_TTL |= {"resources/list": 30_000, "resources/templates/list": 60_000, "resources/read": 2_000}
_TTL |= {"skills/list": 30_000, "skills/get": 2_000}
_MOST_LISTENERS = 1024
_MOST_PAGES = 64
_NAMED_BY = {"resources/read": "uri", "prompts/get": "name"}
"""Methods besides tools/call that the record has a line for, and what names their target."""


@record
class Options:
    """How the surface presents itself."""

    name: str = "toolcrib"
    title: str = "toolcrib"
    mode: Mode = "default"
    naming: Naming = "exact"
    page_size: int = 1000
    project: str = ""
    """The project's identity, which everything that is sealed is bound to."""


@bare
class _Catalogs:
    """One consistent view of what the packs contribute; swapped as a whole."""

    resources: ResourceCatalog
    prompts: PromptCatalog
    skills: SkillCatalog
    methods: dict[str, Method]
    pages: dict[tuple[Era, str | None], Prepared] = field(default_factory=dict)


class Surface:
    """Answers every MCP method on behalf of the packs."""

    def __init__(
        self,
        packs: Sequence[Pack],
        *,
        executor: ToolExecutor | None = None,
        options: Options | None = None,
        blueprint: Blueprint | None = None,
        seal: Seal | None = None,
    ) -> None:
        self.packs = packs
        self.blueprint = blueprint
        self.executor = executor or ToolExecutor()
        self.options = options or Options()
        self.catalog = Catalog(self.executor, mode=self.options.mode, naming=self.options.naming)
        self.notice: Callable[[], str | None] | None = None
        """What every session is told of the repository as a whole: what is withheld, and why."""
        self.watching: Callable[[], Awaitable[None]] | None = None
        """Returns as soon as every change is noticed; a subscription is acknowledged after that."""
        self._listeners: dict[object, Listener] = {}
        self._active: dict[object, Callable[[], bool]] = {}
        self._stamp = {"name": self.options.name, "version": __version__}
        self.seal = seal or Seal()
        self._states = RequestStates(self.seal, self.options.project)
        self._handlers = self._table()
        self.record: CallRecord | None = None
        self.records = True
        """Whether it may keep a record: what only looks at a repository does not."""
        self.revision: Callable[[], str | None] = lambda: None
        """Tells which revision of the repository is checked out."""
        self.generation = 0
        """How often the packs were asked for what they contribute."""
        self.reload()

    def keep_record(self, record: CallRecord | None) -> None:
        """Record calls and events from now on, or no longer."""
        self.record = self.executor.audit = record
        self.executor.on_breaker = (
            None if record is None else lambda name, state: record.breaker(name, state)
        )

    def reload(self) -> None:
        """Ask the packs again for what they contribute, and show it from now on."""
        for pack in self.packs:
            pack.alone = len(self.packs) == 1
        given = [(pack, pack.contribute()) for pack in self.packs]
        for pack, offer in given:
            pack.find_tool = self.catalog.find
            self.executor.assign(pack.name, offer.tools)
        self._lend_knowledge(given)
        self.catalog.load(
            [Offer(pack.name, pack.about, offer, pack.trusted) for pack, offer in given]
        )
        self._catalogs = self._furnished([offer for _, offer in given])
        self.generation += 1

    def _lend_knowledge(self, given: Sequence[tuple[Pack, Contributions]]) -> None:
        """Give every pack the one search over what all of them offer."""
        from toolcrib.discovery.knowledge import Knowledge

        offers = [offer.searchable for _, offer in given if offer.searchable is not None]
        self.knowledge = Knowledge(offers, self.options.project)
        for pack in self.packs:
            pack.knowledge = self.knowledge

    async def close(self) -> None:
        """Let every pack go."""
        try:
            await asyncio.gather(*(pack.close() for pack in self.packs))
        finally:
            if self.record is not None:
                self.record.stop()

    async def answer(self, request: Request) -> JSON:
        """Answer one request, or raise `RpcError`; nothing else ever comes out of here."""
        try:
            if self.record is not None and request.recorded:
                self._begin_record(self.record, request)
            handler = self._handlers[request.era].get(request.method)
            if handler is not None:
                if "requestState" in request.params:
                    self._states.open(request)
                if self.record is not None and request.method in _NAMED_BY:
                    handler = self._recorded(handler, request.params.get(_NAMED_BY[request.method]))
                result = await handler(request)
                return result if request.era == LEGACY else self._enveloped(result, request)
            method = self._catalogs.methods.get(request.method)
            if method is not None:
                handler = self._custom(method)
                if self.record is not None:
                    handler = self._recorded(handler, request.method)
                return self._enveloped(await handler(request), request)
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {request.method}")
        except (RpcError, asyncio.CancelledError):
            raise
        except ToolcribError as error:
            raise rpc_error(error, request.era) from error
        except Exception as error:  # the shield between a bug and the wire
            logger.exception("%s failed", request.method)
            raise RpcError(INTERNAL_ERROR, "Internal error") from error

    def _begin_record(self, record: CallRecord, request: Request) -> None:
        """Over a pipe the record begins with the first request that is no handshake."""
        if not record.started and request.method not in ("initialize", "ping"):
            record.start("stdio", self.about(), request.client_info)
        if record.transport == "stdio":
            request.peer.session.id = record.session

    def about(self) -> JSON:
        """What is served, for the record."""
        packs = [pack.name for pack in self.packs]
        return {
            "packs": packs,
            "version": __version__,
            "discovery": self.options.mode,
            "revision": self.revision(),
        }

    def inventory(self) -> dict[str, int]:
        """Every tool, prompt and resource by name or uri, with a hash of its definition."""
        catalogs = self._catalogs
        tools = {tool.name: hash(dumps(tool.to_wire())) for tool in self.catalog.every()}
        prompts = {each.name: hash(dumps(each.to_wire())) for each in catalogs.prompts.every()}
        resources = {each.uri: hash(dumps(each.to_wire())) for each in catalogs.resources.every()}
        return {**tools, **prompts, **resources}

    def _custom(self, method: Method) -> Handler:
        async def handle(request: Request) -> JSON:
            return await method({k: item for k, item in request.params.items() if k != "_meta"})

        return handle

    def _recorded(self, handler: Handler, name: object) -> Handler:
        """The same handler, with a line in the record for what came of it."""

        async def handle(request: Request) -> JSON:
            started = time.perf_counter()
            answer: list[str] | BaseException = []
            try:
                result = await handler(request)
                answer = texts_of(result)
                return result
            except (ToolcribError, RpcError, asyncio.CancelledError) as error:
                answer = error
                raise
            finally:
                spent = (time.perf_counter() - started) * 1000
                given = request.params.get("arguments")
                context = context_of(request)
                arguments = given if isinstance(given, dict) else {}
                self.executor.note(str(name), arguments, context, answer, spent)

        return handle

    def is_custom(self, method: str) -> bool:
        """Whether a pack brings this method; such methods need no handshake."""
        return method in self._catalogs.methods

    def is_known(self, method: str) -> bool:
        """Whether any era has this method."""
        return any(method in table for table in self._handlers.values())

    @property
    def live(self) -> bool:
        """Whether any list can change while it is served."""
        growing = self.blueprint is not None and self.blueprint.growing
        return growing or any(pack.live for pack in self.packs)

    def capabilities(self, era: Era) -> JSON:
        """What the packs in use need, and no more."""
        changed: JSON = {"listChanged": True} if self.live else {}
        wire: JSON = {"tools": dict(changed)}
        if self._catalogs.resources:
            wire["resources"] = {"subscribe": True, **changed}
        if self._catalogs.prompts:
            wire["prompts"] = dict(changed)
        if self._catalogs.resources or self._catalogs.prompts:
            wire["completions"] = {}
        if self._catalogs.skills:
            wire["extensions"] = {EXTENSION: {}}
        if era == LEGACY and any(pack.talks for pack in self.packs):
            wire["logging"] = {}
        return wire

    def listen(
        self, listener: Listener, active: Callable[[], bool] = lambda: True
    ) -> Callable[[], None]:
        """Have `listener` told of every event; returns the way to stop it.

        `active` says whether there is anybody behind it who would hear.
        """
        token = object()
        self._listeners[token] = listener
        self._active[token] = active

        def stop() -> None:
            self._listeners.pop(token, None)
            self._active.pop(token, None)

        return stop

    @property
    def listened(self) -> bool:
        """Whether any client is subscribed to events."""
        return any(active() for active in self._active.values())

    def publish(self, changes: Changes) -> None:
        """Tell everybody who listens what a reload has changed."""
        events: list[Event] = []
        for kind in ("tools", "resources", "prompts"):
            if getattr(changes, kind):
                events.append((kind, ""))
        events += [("updated", uri) for uri in changes.updated]
        for event in events:
            for listener in list(self._listeners.values()):
                listener(event)

    def tool_schema(self, name: str) -> JSON | None:
        """The input schema of a listed tool, for transports that mirror arguments."""
        try:
            return self.catalog.resolve(name).input_schema
        except ToolcribError:
            return None

    def _furnished(self, offers: Sequence[Contributions]) -> _Catalogs:
        methods: dict[str, Method] = {}
        for offer in offers:
            methods.update(offer.methods)
        return _Catalogs(
            ResourceCatalog([offer.resources for offer in offers], self.catalog),
            PromptCatalog([offer.prompts for offer in offers]),
            SkillCatalog([offer.skills for offer in offers]),
            methods,
        )

    def _table(self) -> dict[Era, dict[str, Handler]]:
        both: dict[str, Handler] = {
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": lambda each: self._catalogs.resources.page(
                each, self.options.page_size
            ),
            "resources/templates/list": self._list_templates,
            "resources/read": self._read_resource,
            "prompts/list": lambda each: self._catalogs.prompts.page(each, self.options.page_size),
            "prompts/get": self._get_prompt,
            "completion/complete": self._complete,
            "skills/list": lambda each: self._catalogs.skills.page(each, self.options.page_size),
            "skills/get": lambda each: self._catalogs.skills.get(each),
        }
        return {
            LEGACY: {
                **both,
                "initialize": self._initialize,
                "ping": self._ping,
                "logging/setLevel": self._set_level,
                "resources/subscribe": self._subscribe,
                "resources/unsubscribe": self._unsubscribe,
            },
            MODERN: {
                **both,
                "server/discover": self._discover,
                LISTEN: self._listen,
            },
        }

    def _enveloped(self, result: JSON, request: Request) -> JSON:
        """Add what every result of the stateless era carries."""
        if request.era == LEGACY or isinstance(result, Prepared):
            return result
        result.setdefault("resultType", "complete")
        self._states.close(result, request)
        if request.method in _TTL and result["resultType"] == "complete":
            result.setdefault("ttlMs", _TTL[request.method])
            private = request.method in ("resources/read", "skills/get")
            result.setdefault("cacheScope", "private" if private else "public")
        meta = result.get("_meta")
        result["_meta"] = {**(meta or {}), SERVER_KEY: self._stamp}
        return result

    async def _initialize(self, request: Request) -> JSON:
        session = request.peer.session
        session.version = negotiated(request.params.get("protocolVersion"))
        session.capabilities = object_param(request.params, "capabilities")
        session.client = object_param(request.params, "clientInfo")
        session.initialized = True
        return {
            "protocolVersion": session.version,
            "capabilities": self.capabilities(LEGACY),
            "serverInfo": {**self._stamp, "title": self.options.title},
            **self._instructions(),
        }

    async def _discover(self, request: Request) -> JSON:
        return {
            "supportedVersions": list(MODERN_VERSIONS),
            "capabilities": self.capabilities(MODERN),
            **self._instructions(),
        }

    def _instructions(self) -> JSON:
        said = [pack.instructions for pack in self.packs]
        if self.notice is not None:
            said.append(self.notice() or "")
        text = "\n".join(filter(None, said))
        return {"instructions": text} if text else {}

    async def _ping(self, request: Request) -> JSON:
        return {}

    async def _set_level(self, request: Request) -> JSON:
        level = text_param(request.params, "level")
        if level not in LOG_LEVELS:
            raise RpcError(INVALID_PARAMS, f"params.level must be one of: {', '.join(LOG_LEVELS)}")
        request.peer.session.log_level = level
        return {}

    async def _list_tools(self, request: Request) -> JSON:
        cursor = request.params.get("cursor")
        catalogs = self._catalogs
        key = (request.era, cursor if isinstance(cursor, str) else None)
        known = catalogs.pages.get(key)
        if known is not None and (cursor is None or isinstance(cursor, str)):
            return known
        tools = self.catalog.listed()
        page, following = page_of(tools, cursor, self.options.page_size, lambda tool: tool.name)
        result: JSON = {
            "tools": [{**tool.to_wire(), "name": self.catalog.spelled(tool)} for tool in page]
        }
        if following is not None:
            result["nextCursor"] = following
        prepared = Prepared(self._enveloped(result, request))
        # Cursors are untrusted: they must not fill the memory.
        if len(catalogs.pages) < _MOST_PAGES:
            catalogs.pages[key] = prepared
        return prepared

    def _call_tool(self, request: Request) -> Awaitable[JSON]:
        name = request.params.get("name")
        if type(name) is not str:
            name = text_param(request.params, "name")
        try:
            tool = self.catalog.manager.find(name) or self.catalog.resolve(name)
        except ToolNotFound as unknown:
            return self._refuse_call(unknown, request)
        return call_tool(self.executor, tool, request)

    async def _refuse_call(self, unknown: ToolNotFound, request: Request) -> JSON:
        explained = await self.catalog.explained(unknown)
        given = object_param(request.params, "arguments")
        self.executor.note(unknown.name, given, context_of(request), explained)
        raise explained

    async def _list_templates(self, request: Request) -> JSON:
        return await self._catalogs.resources.template_page(request, self.options.page_size)

    async def _read_resource(self, request: Request) -> JSON:
        READER.set(request.peer.session.id or request.peer.caller)
        return await self._catalogs.resources.read(text_param(request.params, "uri"))

    async def _subscribe(self, request: Request) -> JSON:
        if self.watching is not None:
            await self.watching()
        return await self._catalogs.resources.subscribe(request)

    async def _unsubscribe(self, request: Request) -> JSON:
        return await self._catalogs.resources.unsubscribe(request)

    async def _get_prompt(self, request: Request) -> JSON:
        name, given = text_param(request.params, "name"), object_param(request.params, "arguments")
        return await self._catalogs.prompts.get(name, given, context_of(request))

    async def _complete(self, request: Request) -> JSON:
        from toolcrib.server.mcp.completion import completion  # few clients ask

        return await completion(request, self._catalogs.prompts, self._catalogs.resources)

    async def _listen(self, request: Request) -> JSON:
        """Serve one stream of events until the client cancels or the server goes."""
        if len(self._listeners) >= _MOST_LISTENERS:
            raise RpcError(INTERNAL_ERROR, "Too many subscriptions")
        wanted = EventFilter(object_param(request.params, "notifications"))
        pending = PendingEvents(wanted)
        meta = {SUBSCRIPTION_KEY: request.id}
        if self.watching is not None:
            await self.watching()
        stop = self.listen(pending.put)
        try:
            async with self._catalogs.resources.followed(wanted.uris):
                await request.peer.notify(
                    "notifications/subscriptions/acknowledged",
                    {"notifications": wanted.to_wire(), "_meta": meta},
                )
                while True:
                    method, params = notification(await pending.get())
                    await request.peer.notify(method, {**params, "_meta": meta})
        finally:
            stop()
