"""The ASGI application: the MCP endpoint, health and metrics, behind the guard."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Final

from toolcrib import __version__
from toolcrib.core.tool import JSON
from toolcrib.server.auth.tokens import verifier_for
from toolcrib.server.metrics import exposition
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_endpoint import Endpoint
from toolcrib.server.transports.http_guard import Guard, served_hosts
from toolcrib.server.transports.http_limits import Limits
from toolcrib.server.transports.http_sessions import HttpSessions
from toolcrib.server.transports.http_visit import Gone, Receive, Refused, Scope, Visit
from toolcrib.server.transports.sse import JSON_TYPE, Send, respond
from toolcrib.settings import Settings
from toolcrib.wire.messages import Malformed, RpcError, encode_error

logger = logging.getLogger("toolcrib.server")

_TEXT_TYPE: Final = (b"content-type", b"text/plain; version=0.0.4; charset=utf-8")
_POLL: Final = 0.02


class HttpApplication:
    """Takes every HTTP request to where it belongs."""

    def __init__(self, surface: Surface, settings: Settings) -> None:
        self._surface = surface
        self._settings = settings
        http = settings.http
        self._guard = Guard(
            hosts=served_hosts(http.host, http.allowed_hosts),
            origins=http.allowed_origins,
            verifier=verifier_for(http, settings.project),
        )
        self._path = http.path
        self._endpoint = Endpoint(
            surface,
            HttpSessions(surface.seal, lifetime=http.session_lifetime),
            Limits(http.max_in_flight, http.max_per_caller),
            cap=settings.server.max_message_bytes,
        )
        self.leaving = False

    @property
    def guarded(self) -> bool:
        """Whether anybody is asked for a token."""
        return self._guard.verifier is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        pairs = scope["headers"]
        headers = dict(pairs)
        try:
            self._guard.check_source(headers, pairs)
            path = scope["path"]
            if path == self._path:
                caller = await self._guard.caller(headers)
                await self._endpoint.serve(Visit(scope, headers, pairs, caller, receive, send))
            elif path == "/healthz":
                await _respond_json(send, {"status": "ok", "version": __version__})
            else:
                await self._guard.caller(headers)
                await self._inside(path, send)
        except Refused as refused:
            await _refuse(send, refused)
        except Malformed as error:
            await respond(send, 400, encode_error(error.id, error).encode(), [JSON_TYPE])
        except Gone:
            pass

    async def keep_alive(self) -> None:
        """Keep open what waits for long; never returns."""
        await self._endpoint.keep_alive()

    def reopen(self) -> None:
        """Read the tokens again, and have files opened anew that somebody has moved away."""

    async def finish(self, grace: float) -> None:
        """Let running calls end within `grace` seconds, then answer the rest with an error."""
        self._endpoint.end_streams()
        end = asyncio.get_running_loop().time() + grace
        # An event would cost every call for the sake of the last one.
        while self._endpoint.in_flight and asyncio.get_running_loop().time() < end:  # noqa: ASYNC110
            await asyncio.sleep(_POLL)
        self._endpoint.cut()

    async def _inside(self, path: str, send: Send) -> None:
        if path != "/metrics":
            raise Refused(404, "Not found")
        text = exposition(self._surface.executor.metrics())
        await respond(send, 200, text.encode(), [_TEXT_TYPE])


async def _respond_json(send: Send, body: JSON, status: int = 200) -> None:
    await respond(send, status, json.dumps(body).encode(), [JSON_TYPE])


async def _refuse(send: Send, refused: Refused) -> None:
    if refused.code is None:
        body = json.dumps({"error": refused.text})
    else:
        body = encode_error(None, RpcError(refused.code, refused.text))
    await respond(send, refused.status, body.encode(), [JSON_TYPE, *refused.headers])
