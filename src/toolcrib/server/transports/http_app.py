"""The ASGI application: the MCP endpoint, health and metrics, behind the guard."""

from __future__ import annotations

import json
from typing import Final

from toolcrib import __version__
from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.logs import get_logger, reopen_files
from toolcrib.core.tool import JSON
from toolcrib.server.auth.tokens import verifier_for
from toolcrib.server.metrics import exposition
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_guard import Guard, served_hosts
from toolcrib.server.transports.http_health import LIVE, READY, Health
from toolcrib.server.transports.http_limits import Limits
from toolcrib.server.transports.http_origin import Origins
from toolcrib.server.transports.http_site import Site
from toolcrib.server.transports.http_visit import Gone, Receive, Refused, Scope, Visit
from toolcrib.server.transports.sse import JSON_TYPE, Send, respond
from toolcrib.settings import Settings
from toolcrib.wire.messages import Malformed, RpcError, encode_error

_TEXT_TYPE: Final = (b"content-type", b"text/plain; version=0.0.4; charset=utf-8")
_GET = ("GET", "HEAD")

logger = get_logger("server")


class HttpApplication:
    """Takes every HTTP request to where it belongs."""

    def __init__(self, surface: Surface, settings: Settings) -> None:
        http = settings.http
        self._settings = settings
        self._path = http.path
        self._guard = Guard(
            hosts=served_hosts(http.host, http.allowed_hosts),
            origins=http.allowed_origins,
            verifier=verifier_for(http, settings.project),
        )
        self.site = Site(
            surface,
            settings,
            Limits(http.max_in_flight, http.max_per_caller),
            Origins(http.trusted_proxies, settings.server.replica),
        )
        self.health = Health(self.site.checks, self.site.revision, http.ready_needs_store)

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
                visit = Visit(scope, headers, pairs, caller, receive, send)
                await self.site.endpoint.serve(visit)
                self.site.readiness.answered()
            else:
                await self._beside(Visit(scope, headers, pairs, "", receive, send), path)
        except Refused as refused:
            await _refuse(send, refused)
        except Malformed as error:
            await respond(send, 400, encode_error(error.id, error).encode(), [JSON_TYPE])
        except Gone:
            pass

    def warm(self) -> None:
        """Build the indexes here and now."""
        self.site.readiness.build()

    def begin(self) -> None:
        """The port is open: start what runs beside the requests."""
        self.site.begin()

    async def keep_alive(self) -> None:
        """Show clients that wait for long that their requests are under way; never returns."""
        await self.site.endpoint.keep_alive()

    async def finish(self, grace: float) -> None:
        """Let calls end within `grace` seconds, and answer the rest."""
        await self.site.finish(grace)

    async def close(self) -> None:
        """Let go of everything."""
        await self.site.close()

    def reopen(self) -> None:
        """Read the tokens again, and open files anew that somebody may have moved away."""
        reopen_files()
        self.site.reopen()
        try:
            self._guard.verifier = verifier_for(self._settings.http, self._settings.project)
        except ToolcribError as error:
            logger.error("kept the tokens as they were: %s", error)

    async def _beside(self, visit: Visit, path: str) -> None:
        """Health, metrics, and nothing else."""
        if path in LIVE:
            _check_get(visit)
            await _respond_json(visit.send, {"status": "ok", "version": __version__})
        elif path == READY:
            _check_get(visit)
            status, body = self.health.ready()
            known = await self._is_known(visit)
            await _respond_json(visit.send, body if known else {"status": body["status"]}, status)
        else:
            await self._guard.caller(visit.headers)
            if path != "/metrics":
                raise Refused(404, "Not found")
            _check_get(visit)
            revision = self.site.revision()
            text = exposition([self.site.measured()], version=__version__, revision=revision)
            await respond(visit.send, 200, text.encode(), [_TEXT_TYPE])

    async def _is_known(self, visit: Visit) -> bool:
        try:
            await self._guard.caller(visit.headers)
        except Refused:
            return False
        return True


def _check_get(visit: Visit) -> None:
    if visit.scope["method"] not in _GET:
        raise Refused(405, "Only GET is served here", (b"allow", b"GET, HEAD"))


async def _respond_json(send: Send, body: JSON, status: int = 200) -> None:
    await respond(send, status, json.dumps(body).encode(), [JSON_TYPE])


async def _refuse(send: Send, refused: Refused) -> None:
    if refused.code is None:
        body = json.dumps({"error": refused.text})
    else:
        body = encode_error(None, RpcError(refused.code, refused.text))
    await respond(send, refused.status, body.encode(), [JSON_TYPE, *refused.headers])
