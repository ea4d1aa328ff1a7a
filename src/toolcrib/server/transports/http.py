"""Streamable HTTP: the SDK keeps sessions and streams, the surface gives every answer.

One middleware of the SDK's server hands each message to the surface and returns its wire-ready
result, so that what differs from stdio is transport alone. Nothing else imports `mcp`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from typing import Any

import uvicorn
from mcp import MCPError
from mcp.server.context import CallNext, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import BaseModel, ConfigDict
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from toolcrib import __version__
from toolcrib.core.errors import ConfigError, ToolcribError
from toolcrib.core.tool import JSON
from toolcrib.server.auth.tokens import verifier_for
from toolcrib.server.mcp.protocol import Request, Session
from toolcrib.server.mcp.subscriptions import Event, notification
from toolcrib.server.metrics import exposition
from toolcrib.server.reload import Reloader
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_guard import (
    CALLER,
    App,
    Gate,
    Scope,
    is_loopback,
    served_hosts,
)
from toolcrib.server.transports.shutdown import on_signals, run
from toolcrib.settings import Settings
from toolcrib.wire.eras import LEGACY, MODERN, Era
from toolcrib.wire.messages import RpcError, encode_error, encode_result
from toolcrib.wire.versions import MODERN_VERSIONS

logger = logging.getLogger("toolcrib.server")

_MOST_SESSIONS = 10_000
Context = ServerRequestContext[Any, Any]


class _Message(BaseModel):
    """Any notification or request, as the SDK's session wants to be given one."""

    method: str
    params: JSON | None = None


class _Reply(BaseModel):
    """Any answer of a client."""

    model_config = ConfigDict(extra="allow")


class _Peer:
    """The client behind one HTTP request."""

    def __init__(self, context: Context, session: Session, caller: str) -> None:
        self.session = session
        self.caller = caller
        self._context = context

    async def notify(self, method: str, params: JSON) -> None:
        await self._context.session.send_notification(
            _Message(method=method, params=params),  # type: ignore[arg-type]
            related_request_id=self._context.request_id,
        )

    async def request(self, method: str, params: JSON) -> JSON:
        from mcp.shared.message import ServerMessageMetadata

        reply = await self._context.session.send_request(
            _Message(method=method, params=params),  # type: ignore[arg-type]
            _Reply,
            metadata=ServerMessageMetadata(related_request_id=self._context.request_id),
        )
        return reply.model_dump()


class _Sessions:
    """What clients of the earlier eras have told us, and the way to tell them something."""

    def __init__(self, surface: Surface) -> None:
        self._known: OrderedDict[str, tuple[Session, ServerSession]] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        surface.listen(self._on_event)

    def of(self, context: Context) -> Session:
        """The state behind a request; a handshake has none yet."""
        request = context.request
        id = request.headers.get("mcp-session-id") if isinstance(request, HttpRequest) else None
        if id is None:
            return Session()
        if id not in self._known:
            capabilities = context.session.client_capabilities
            given = (
                capabilities.model_dump(by_alias=True, exclude_none=True) if capabilities else {}
            )
            session = Session(True, context.protocol_version, given)
            self._known[id] = (session, context.session)
            while len(self._known) > _MOST_SESSIONS:
                self._known.popitem(last=False)
        self._known.move_to_end(id)
        return self._known[id][0]

    def _on_event(self, event: Event) -> None:
        kind, uri = event
        for id, (session, channel) in list(self._known.items()):
            if kind != "updated" or uri in session.subscriptions:
                task = asyncio.get_running_loop().create_task(self._tell(id, channel, event))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _tell(self, id: str, channel: ServerSession, event: Event) -> None:
        method, params = notification(event)
        try:
            message = _Message(method=method, params=params or None)
            await channel.send_notification(message)  # type: ignore[arg-type]
        except Exception as error:  # noqa: BLE001 - a session that ended may fail in any way
            logger.debug("session %s is gone: %s", id, error)
            self._known.pop(id, None)


class HttpApplication:
    """The ASGI application: the MCP endpoint, `/healthz` and `/metrics`, behind the gate."""

    def __init__(self, surface: Surface, settings: Settings) -> None:
        self._surface = surface
        self._sessions = _Sessions(surface)
        self._reloader = Reloader(surface)
        self._inner = self._starlette(settings)
        http = settings.http
        self.app: App = Gate(
            self._inner,
            hosts=served_hosts(http.host, http.allowed_hosts),
            origins=http.allowed_origins,
            verifier=verifier_for(http, settings.project),
            cap=settings.server.max_message_bytes,
            patience=http.body_timeout,
            answer=self._answer_without_session,
        )

    def _starlette(self, settings: Settings) -> Starlette:
        options = self._surface.options
        server: Server[Any] = Server(
            options.name, version=__version__, get_tool_input_schema=self._surface.tool_schema
        )
        server.middleware.append(self._answer)
        app = server.streamable_http_app(
            streamable_http_path=settings.http.path,
            max_request_body_size=settings.server.max_message_bytes,
            # Host and Origin were checked at the gate, on this route as on every other.
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            custom_starlette_routes=[
                Route("/healthz", self._health),
                Route("/metrics", self._metrics),
            ],
        )
        inner = app.router.lifespan_context

        @contextlib.asynccontextmanager
        async def lifespan(starlette: Starlette) -> AsyncIterator[Any]:
            self._reloader.wake()
            async with inner(starlette) as state:
                yield state
            await self._reloader.close()
            await self._surface.close()

        app.router.lifespan_context = lifespan
        return app

    async def _answer(self, ctx: Context, call_next: CallNext) -> Any:
        """Every message of the SDK's server comes by here; requests are answered here."""
        if ctx.request_id is None:
            if ctx.protocol_version not in MODERN_VERSIONS:
                self._sessions.of(ctx)
            return await call_next(ctx)
        era: Era = MODERN if ctx.protocol_version in MODERN_VERSIONS else LEGACY
        session = Session() if era == MODERN else self._sessions.of(ctx)
        peer = _Peer(ctx, session, _caller(ctx))
        params = dict(ctx.params or {})
        try:
            return await self._surface.answer(
                Request(ctx.method, params, era, peer, ctx.request_id)
            )
        except RpcError as error:
            raise MCPError(error.code, error.message, error.data) from error

    async def _answer_without_session(self, message: JSON, scope: Scope) -> str | None:
        """A pack's own methods need no handshake, over HTTP as little as over a pipe."""
        method, id = message.get("method"), message.get("id")
        if not isinstance(method, str) or id is None or not self._surface.is_custom(method):
            return None
        if any(name == b"mcp-session-id" for name, _ in scope["headers"]):
            return None
        peer = _Detached(scope[CALLER])
        request = Request(method, message.get("params") or {}, LEGACY, peer, id)
        try:
            return encode_result(id, await self._surface.answer(request))
        except RpcError as error:
            return encode_error(id, error)

    async def _health(self, request: HttpRequest) -> Response:
        return JSONResponse({"status": "ok", "version": __version__})

    async def _metrics(self, request: HttpRequest) -> Response:
        text = exposition(self._surface.executor.metrics())
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


class _Detached:
    """A caller without a session: nobody to notify, nobody to ask."""

    def __init__(self, caller: str) -> None:
        self.session = Session()
        self.caller = caller

    async def notify(self, method: str, params: JSON) -> None:
        """Nobody listens."""

    async def request(self, method: str, params: JSON) -> JSON:
        raise RpcError(-32600, "There is no session to ask the client in")


def serve_http(surface: Surface, settings: Settings, *, insecure: bool = False) -> int:
    """Serve over HTTP until a signal says stop; returns the exit code."""
    http = settings.http
    application = HttpApplication(surface, settings)
    if not is_loopback(http.host) and not insecure and verifier_for(http, settings.project) is None:
        raise ConfigError(
            f"Refusing to serve {http.host} without authentication",
            why="anybody who can reach the address could call every tool",
            next="Add --token-file FILE, or --insecure-no-auth if that is really meant.",
        )
    listener = _bound(http.host, http.port)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    logger.warning("serving on http://%s:%s%s", shown, port, http.path)
    config = uvicorn.Config(
        application.app,
        log_level="critical",
        access_log=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
        ws="none",
    )
    run(_Uvicorn(config).serve_until_signal(listener))
    return 0


class _Uvicorn(uvicorn.Server):
    """Uvicorn that takes a signal for a polite goodbye, not for a way to die."""

    async def serve_until_signal(self, listener: socket.socket) -> None:
        on_signals(self._stop)
        await self.serve(sockets=[listener])

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def _stop(self) -> None:
        self.should_exit = True


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio switches off the delay of small packets.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except OSError as error:
        listener.close()
        raise ToolcribError(
            f"Cannot listen on {host}:{port}: {error.strerror}",
            next="Choose another with --http HOST:PORT (port 0 picks a free one).",
        ) from error
    listener.setblocking(False)
    return listener


def _caller(context: Context) -> str:
    request = context.request
    if isinstance(request, HttpRequest):
        return str(request.scope.get(CALLER, "http"))
    return "http"
