"""Serving over HTTP with uvicorn, from opening the port to shutdown."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import uvicorn

from toolcrib.core.errors import ConfigError, ToolcribError
from toolcrib.server import tracing
from toolcrib.server.auth.secret import VARIABLE
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_app import HttpApplication, PageRoutes
from toolcrib.server.transports.http_connection import HttpConnection, close_late
from toolcrib.server.transports.http_guard import is_loopback
from toolcrib.server.transports.shutdown import Loop, on_signals, run
from toolcrib.settings import HttpSettings, Settings

logger = logging.getLogger("toolcrib.server")

_CLEAN_UP: Final = 0.3
"""Seconds for the answers of calls that were cut, and for their children to go."""
_FIRST_WORDS: Final = 0.2
_MOST_FILES: Final = 65_536
_TICK: Final = 1.0
_MARGIN: Final = 0.6
"""Seconds after the grace period at which the process ends in any case."""


def serve_http(
    surface: Surface | None,
    settings: Settings,
    *,
    insecure: bool = False,
    warm: bool = False,
    projects: Path | None = None,
    page: Callable[[HttpApplication, int], PageRoutes] | None = None,
) -> int:
    """Serve over HTTP until a signal says stop; returns the exit code.

    `page` makes the page for people, given what is served and the port.

    Served is one surface, or the `projects` of a file or folder. With `warm` the port opens after
    the first index of each pack is built.
    """
    http = settings.http
    application = HttpApplication(surface, settings, projects)
    _check_exposure(settings, application.sites.guarded, insecure)
    if surface is not None:
        _tell_what_is_not_shared(surface)
    if warm:
        application.sites.warm()
    _allow_many_connections()
    listener = _bound(http.host, http.port)
    if page is not None:
        application.page = page(application, listener.getsockname()[1])
    server = HttpServer(application, http)
    run(server.serve_until_signal(listener), _loop_factory())
    tracing.flush()
    return 0


class HttpServer(uvicorn.Server):
    """Uvicorn with our own shutdown: drain, grace period, an error for calls that are cut."""

    def __init__(self, application: HttpApplication, http: HttpSettings) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                http=HttpConnection,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # who is believed is for `Origins` to say
                timeout_keep_alive=30,
            )
        )
        self._application = application
        self._http = http
        self._beside: list[asyncio.Task[None]] = []
        self._going = asyncio.Event()

    async def serve_until_signal(self, listener: socket.socket) -> None:
        """Serve until SIGTERM or SIGINT; SIGHUP reopens what is read from files."""
        within = self._http.drain + self._http.grace + _MARGIN
        on_signals(self._leave, within=within, reopen=self._application.reopen)
        loop = asyncio.get_running_loop()
        connections: Any = self.server_state.connections
        self._beside = [
            loop.create_task(close_late(connections, self._http.body_timeout)),
            loop.create_task(self._application.beside()),
        ]
        self._application.sites.begin()
        host, port = listener.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        # Whoever reads this line may send signals and requests from now on.
        logger.warning("serving on http://%s:%s%s", shown, port, self._http.path)
        await self.serve(sockets=[listener])

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """No handlers of uvicorn's: ours set `should_exit`."""
        yield

    def _leave(self) -> None:
        """Stop being ready, and shut down after the drain period; at once at a second signal."""
        if self._application.health.leaving:
            self._stop()
            return
        self._application.health.leaving = True
        asyncio.get_running_loop().call_later(self._http.drain, self._stop)

    def _stop(self) -> None:
        self.should_exit = True
        self._going.set()

    async def main_loop(self) -> None:
        """Renew the date header each second until it is time to go, which is noticed at once."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_TICK):
                    await self._going.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let running calls end within the grace, answer the rest, close everything."""
        await self._stop_listening(sockets or [])
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await self._hear_out()
        await self._application.finish(self._http.grace)
        tasks = set(self.server_state.tasks)
        if tasks:
            await asyncio.wait(tasks, timeout=_CLEAN_UP)
        for task in self._beside:
            task.cancel()
        await self._flush()
        await self._application.close()

    async def _stop_listening(self, sockets: list[socket.socket]) -> None:
        """Close the port, and take the connections that the kernel had accepted before.

        Closed with it they would be reset, and a proxy cannot send their calls a second time.
        """
        spare = [each.dup() for each in sockets]
        for server in self.servers:
            server.close()
        for each in sockets:
            each.close()
        loop = asyncio.get_running_loop()
        for listener in spare:
            with listener, contextlib.suppress(OSError):
                listener.setblocking(False)
                while True:
                    accepted, _ = listener.accept()
                    accepted.setblocking(False)
                    await loop.connect_accepted_socket(self._connection, accepted)

    def _connection(self) -> HttpConnection:
        return HttpConnection(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def _hear_out(self) -> None:
        """Wait a moment for the first request of new connections."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _FIRST_WORDS
        connections: Any = self.server_state.connections
        # Rare and short: nothing tells of a first byte.
        while any(each.is_fresh for each in connections) and loop.time() < end:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def _flush(self) -> None:
        """Wait a moment until the last bytes of each connection are sent."""
        for connection in list(self.server_state.connections):
            connection.transport.close()
        loop = asyncio.get_running_loop()
        end = loop.time() + _CLEAN_UP
        # Rare and short: uvicorn offers no event for the last connection.
        while self.server_state.connections and loop.time() < end:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def _check_exposure(settings: Settings, guarded: bool, insecure: bool) -> None:
    """Refuse a public address without tokens, and warn about a loopback address without any."""
    host = settings.http.host
    if guarded or insecure:
        return
    if not is_loopback(host):
        raise ConfigError(
            f"Refusing to serve {host} without authentication",
            why="anybody who can reach the address could call every tool",
            next="Add --token-file FILE, or --insecure-no-auth if that is really meant.",
        )
    logger.warning(
        "no token is configured: every process of this machine may call every tool "
        "(--token-file FILE, or [http] tokens)"
    )


def _tell_what_is_not_shared(surface: Surface) -> None:
    """With a store that replicas share, say what else they would have to share."""
    if surface.executor.workflows.entries is None:
        return
    if not surface.seal.shared:
        logger.warning(
            "no secret is shared with other replicas: sessions and requestState are good here "
            "alone (%s, or [server] secret_file)",
            VARIABLE,
        )
    for pack in surface.packs:
        for text in pack.not_shared():
            logger.warning("%s", text)


def _allow_many_connections() -> None:
    """Raise our own limit of open files as far as we may: each stream of a client is one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft < most and soft != resource.RLIM_INFINITY:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _loop_factory() -> Loop | None:
    """uvloop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    factory: Loop = uvloop.new_event_loop
    return factory


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
