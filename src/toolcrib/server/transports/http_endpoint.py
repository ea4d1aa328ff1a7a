"""The MCP endpoint over HTTP: POST, GET and DELETE of both eras, on top of a `Surface`.

A stateless request (2026-07-28) stands alone: its headers agree with its body, and the client
cancels it by closing the connection. A request of the earlier eras belongs to a session, which
belongs to the caller that opened it. Either is answered with one JSON body, or, when the client
must hear something before the result, with a stream of events.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from time import monotonic
from typing import Any, Final

from toolcrib.core.tool import JSON
from toolcrib.server import tracing
from toolcrib.server.mcp.in_flight import InFlight, Work
from toolcrib.server.mcp.protocol import Request, Session, has_envelope
from toolcrib.server.mcp.subscriptions import METHOD as LISTEN
from toolcrib.server.mcp.subscriptions import notification
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_connection import GONE
from toolcrib.server.transports.http_guard import ANONYMOUS
from toolcrib.server.transports.http_headers import (
    VERSION,
    Headers,
    Mirrored,
    Pairs,
    check_agreement,
    check_mirrored,
    check_notification,
    mirrored_arguments,
)
from toolcrib.server.transports.http_limits import RETRY_AFTER, RequestLimits, TooManyRequests
from toolcrib.server.transports.http_origin import Origins
from toolcrib.server.transports.http_sessions import HttpSession, HttpSessions
from toolcrib.server.transports.http_visit import HttpPeer, RequestRefused, Visit
from toolcrib.server.transports.sse import Accepts, Reply, respond
from toolcrib.wire.eras import LEGACY, MODERN, SUBSCRIPTION_KEY
from toolcrib.wire.messages import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    Malformed,
    RpcError,
    decode,
    encode_call,
    encode_error,
    encode_result,
)
from toolcrib.wire.versions import HANDSHAKE_VERSIONS

PING: Final = 15.0
"""Seconds of silence after which a client is shown that its request is still under way."""
_SESSION: Final = b"mcp-session-id"
_TRACE: Final = b"traceparent"
_HANDSHAKE = frozenset(version.encode() for version in HANDSHAKE_VERSIONS)
_STATUS = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    -32021: 400,  # the client lacks a capability
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}
_MOST_KNOWN: Final = 64
_NO_SESSION: Final = (
    "Bad Request: open a session with initialize and send its Mcp-Session-Id, or send the "
    "envelope and the headers of 2026-07-28"
)
_STATELESS: Final = Session()
"""The empty session of stateless requests. Shared, and never written to."""


class Endpoint:
    """Serves one surface to any number of HTTP clients."""

    def __init__(
        self,
        surface: Surface,
        sessions: HttpSessions,
        limits: RequestLimits,
        origins: Origins,
        *,
        project: str,
        cap: int,
    ) -> None:
        self.surface = surface
        self.sessions = sessions
        self._limits = limits
        self._origins = origins
        self._project = project
        self._cap = cap
        self._answer = tracing.traced(surface.answer)
        self._calls: set[Reply] = set()
        self._streams: set[Reply] = set()
        self._left = False
        self._accepts: dict[bytes, Accepts] = {}
        self._mirrored: dict[str, tuple[Any, tuple[Mirrored, ...]]] = {}
        self._stop_listening = surface.listen(sessions.tell, lambda: len(sessions) > 0)

    @property
    def in_flight(self) -> int:
        """How many requests are being answered; a stream of events is not: it has no end."""
        return len(self._calls)

    @property
    def listeners(self) -> int:
        """How many streams of events are open."""
        return len(self._streams)

    async def serve(self, visit: Visit) -> None:
        """Answer one HTTP request, or raise `RequestRefused` or `Malformed`."""
        method = visit.scope["method"]
        version = visit.headers.get(VERSION)
        if method == "POST":
            await self._post(visit, version)
        elif version is not None and version not in _HANDSHAKE:
            raise RequestRefused(
                405, f"{method} is not served in this version", (b"allow", b"POST")
            )
        elif method == "GET":
            await self._get(visit)
        elif method == "DELETE":
            self.sessions.end(self._session(visit))
            await respond(visit.send, 200, b"", [])
        else:
            allowed = (b"allow", b"GET, POST, DELETE")
            raise RequestRefused(405, f"{method} is not served here", allowed)

    async def ping_late(self) -> None:
        """Show every client that has waited for long that its request is under way."""
        late = monotonic() - PING
        for reply in [*self._calls, *self._streams]:
            if reply.started <= late:
                await reply.ping()

    def end_streams(self) -> None:
        """End every stream of events in the way that tells its client so."""
        self._stop_listening()
        for reply in list(self._streams):
            reply.cancel("leaving")

    def cut(self) -> None:
        """Answer with an error what is still under way, and whatever else comes."""
        self._left = True
        for reply in list(self._calls):
            reply.cancel("leaving")

    async def _post(self, visit: Visit, version: bytes | None) -> None:
        content = visit.headers.get(b"content-type", b"")
        if content != b"application/json" and not _is_json(content):
            raise RequestRefused(415, "Content-Type must be application/json")
        accepts = self._accepted(visit.headers.get(b"accept"))
        message = decode(await visit.body(self._cap))
        params = message.get("params") or {}
        if _TRACE in visit.headers:
            params = _with_trace(params, visit.headers)
        reply = Reply(visit.send, accepts, monotonic())
        modern = version is not None and version not in _HANDSHAKE
        if modern or (message.get("method") != "initialize" and has_envelope(params)):
            await self._post_alone(visit, message, params, reply)
        else:
            await self._post_in_session(visit, message, params, reply)

    async def _post_alone(self, visit: Visit, message: JSON, params: JSON, reply: Reply) -> None:
        """A message of the stateless era."""
        method, id = message.get("method"), message.get("id")
        if method is None:
            raise Malformed(INVALID_REQUEST, "Invalid request: no method", id)
        try:
            if id is None:
                check_notification(visit.headers)
                await respond(visit.send, 202, b"", [])
                return
            check_agreement(visit.headers, visit.pairs, method, params)
            if method == "tools/call":
                self._check_mirrored(visit.pairs, params)
        except RpcError as error:
            await reply.finish(_STATUS[error.code], encode_error(id, error))
            return
        if method == LISTEN:
            if not reply.streams:
                raise RequestRefused(406, "Accept must name text/event-stream")
            await reply.open()
        # In this era whoever closes the connection cancels the request.
        visit.scope[GONE] = lambda: reply.cancel("gone")
        peer = HttpPeer(visit, reply, _STATELESS, None)
        request = Request(method, params, MODERN, peer, id, self._notes(visit, params))
        await self._serve(request, reply, None)

    async def _post_in_session(
        self, visit: Visit, message: JSON, params: JSON, reply: Reply
    ) -> None:
        """A message of the earlier eras."""
        method, id = message.get("method"), message.get("id")
        if method is not None and id is not None and self._needs_no_session(method, visit):
            peer = HttpPeer(visit, reply, Session(), None)
            request = Request(method, params, LEGACY, peer, id, self._notes(visit, params))
            await self._serve(request, reply, None)
            return
        session = self._session(visit)
        if method is None:
            session.in_flight.take_answer(message)
        elif id is not None:
            peer = HttpPeer(visit, reply, session.state, session)
            request = Request(method, params, LEGACY, peer, id, self._notes(visit, params))
            await self._serve(request, reply, session.in_flight)
            return
        elif method == "notifications/cancelled":
            session.in_flight.cancel(params)
        await respond(visit.send, 202, b"", [])

    def _notes(self, visit: Visit, params: JSON) -> JSON:
        """What the record is told of a request beyond what the request says itself."""
        if self.surface.record is None:
            return {}
        notes = self._origins.notes(visit.scope, visit.headers, visit.pairs, params.get("_meta"))
        return {**notes, "project": self._project}

    def _needs_no_session(self, method: str, visit: Visit) -> bool:
        """A pack's own methods need no handshake, over HTTP as little as over a pipe."""
        return method == "initialize" or (
            _SESSION not in visit.headers and self.surface.is_custom(method)
        )

    async def _serve(
        self, request: Request, reply: Reply, in_flight: InFlight[Work] | None
    ) -> None:
        """Answer one request, whatever becomes of it."""
        reply.task = asyncio.current_task()
        status = 200
        try:
            if in_flight is not None:
                in_flight.begin(request.id, reply)
        except RpcError as error:
            await reply.finish(400, encode_error(request.id, error))
            return
        try:
            text = await self._result(request, reply)
        except RpcError as error:
            status = self._refusal(error, request, reply)
            text = encode_error(request.id, error)
        except asyncio.CancelledError:
            if reply.reason is None:
                raise
            status, text = self._cut_short(request, reply)
        finally:
            if in_flight is not None:
                in_flight.end(request.id, reply)
        await reply.finish(status, text)

    async def _result(self, request: Request, reply: Reply) -> str:
        """The result as text, once there is a place for the request."""
        method = request.method
        if method == LISTEN:
            with _within(self._streams, reply):
                return encode_result(request.id, await self._answer(request))
        if self._left:
            raise Leaving
        counted = request.peer.caller if method == "tools/call" else None
        caller = counted if counted != ANONYMOUS else None
        await self._limits.enter(caller)
        self._calls.add(reply)
        try:
            result = await self._answer(request)
        finally:
            self._calls.discard(reply)
            self._limits.leave(caller)
        if reply.reason == "client":  # the tool went on in spite of it
            return ""
        if method == "initialize":
            session = self.sessions.open(request.peer.caller, request.peer.session)
            reply.add_header(_SESSION, session.id.encode())
        return encode_result(request.id, result)

    def _refusal(self, error: RpcError, request: Request, reply: Reply) -> int:
        """The HTTP status of an error; in the earlier eras an error is an answer like any other."""
        if isinstance(error, (TooManyRequests, Leaving)):
            reply.add_header(b"retry-after", b"%d" % RETRY_AFTER)
            return error.status
        if request.era == MODERN or request.method == "initialize":
            return _STATUS.get(error.code, 200)
        return 200

    def _cut_short(self, request: Request, reply: Reply) -> tuple[int, str]:
        """End a cancelled request: no response if the client cancelled it, else an error."""
        if reply.reason != "leaving":
            return 200, ""
        if (
            request.method == LISTEN and reply.told
        ):  # acknowledged; else it never was a subscription
            ended = {"resultType": "complete", "_meta": {SUBSCRIPTION_KEY: request.id}}
            return 200, encode_result(request.id, ended)
        error = Leaving()
        return self._refusal(error, request, reply), encode_error(request.id, error)

    async def _get(self, visit: Visit) -> None:
        """Serve the stream of a session's events, until somebody ends it."""
        if not self._accepted(visit.headers.get(b"accept"))[1]:
            raise RequestRefused(406, "Accept must name text/event-stream")
        session = self._session(visit)
        reply = Reply(visit.send, (False, True), monotonic())
        reply.task = asyncio.current_task()
        visit.scope[GONE] = lambda: reply.cancel("gone")
        if session.stream is not None:  # the client has come back before we saw it go
            session.stream.cancel()
        session.stream = reply
        try:
            with _within(self._streams, reply):
                await reply.open()
                while True:
                    event = await session.news()
                    await reply.event(encode_call(*notification(event)))
        except asyncio.CancelledError:
            if reply.reason is None:
                raise
        finally:
            if session.stream is reply:
                session.stream = None
        await reply.finish(200, "")

    def _session(self, visit: Visit) -> HttpSession:
        """The session that a request names, if it is the caller's own."""
        id = visit.headers.get(_SESSION)
        if id is None:
            raise RequestRefused(400, _NO_SESSION, code=INVALID_REQUEST)
        session = self.sessions.find(id.decode("latin-1"), visit.caller)
        if session is None:
            raise RequestRefused(404, "Session not found", code=INVALID_REQUEST)
        return session

    def _accepted(self, accept: bytes | None) -> Accepts:
        """What the client takes; a client that does not say takes JSON."""
        if accept is None:
            return True, False
        known = self._accepts.get(accept)
        if known is None:
            kinds = {part.partition(b";")[0].strip().lower() for part in accept.split(b",")}
            every = b"*/*" in kinds
            known = (
                every or b"application/json" in kinds or b"application/*" in kinds,
                every or b"text/event-stream" in kinds or b"text/*" in kinds,
            )
            # Headers are untrusted: they must not fill the memory.
            if len(self._accepts) < _MOST_KNOWN:
                self._accepts[accept] = known
        if not any(known):
            raise RequestRefused(406, "Accept must name application/json or text/event-stream")
        return known

    def _check_mirrored(self, pairs: Pairs, params: JSON) -> None:
        """Raise unless arguments that a header repeats agree with it."""
        name, arguments = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return
        schema = self.surface.tool_schema(name)
        if schema is None:
            return
        known = self._mirrored.get(name)
        if known is None or known[0] is not schema:
            known = self._mirrored[name] = (schema, mirrored_arguments(schema))
        if known[1]:
            check_mirrored(known[1], pairs, arguments)


class Leaving(RpcError):
    """The server is going, and the request was not answered."""

    status = 503

    def __init__(self) -> None:
        data: JSON = {"reason": "shutting_down", "retry_after_s": RETRY_AFTER}
        super().__init__(INTERNAL_ERROR, "The server is shutting down", data)


@contextlib.contextmanager
def _within(members: set[Reply], reply: Reply) -> Iterator[None]:
    members.add(reply)
    try:
        yield
    finally:
        members.discard(reply)


def _with_trace(params: JSON, headers: Headers) -> JSON:
    """The params with the client's trace in `_meta`, where a message over a pipe has it."""
    meta = params.get("_meta", {})
    if not isinstance(meta, dict):
        return params
    names = ("traceparent", "tracestate")
    given = {
        name: headers[name.encode()].decode("latin-1") for name in names if name.encode() in headers
    }
    return {**params, "_meta": {**meta, **given}}


def _is_json(content_type: bytes) -> bool:
    return content_type.partition(b";")[0].strip().lower() == b"application/json"
