"""One server at a URL: connected by the first call that needs it, disconnected when idle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from toolcrib.client.addresses import AddressPolicy, AddressRefused
from toolcrib.client.connection import (
    BrokenAnswer,
    Connection,
    ConnectionLost,
    ServerRefused,
)
from toolcrib.client.http import HttpError, HttpWire
from toolcrib.client.http_client import open_client
from toolcrib.client.oauth import Callback, LoginFailed, log_in
from toolcrib.client.pipes import Pipes
from toolcrib.client.session import ServerSession
from toolcrib.client.sse import SseWire
from toolcrib.client.tokens import TokenStore, kept_login
from toolcrib.core.tool import JSON
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.life.running import Running, Started
from toolcrib.packs.gateway.references import SECRET, Resolved
from toolcrib.packs.gateway.server import Server, Unusable
from toolcrib.running.pool import KeptSandbox
from toolcrib.running.service import Service
from toolcrib.wire.eras import LEGACY, MODERN, Era
from toolcrib.wire.messages import RpcError

_NO_SUCH_WAY = (404, 405)
"""What a server says to a POST that knows the stream of events alone."""


class _Nothing:
    """What stands for the process of a server that has none here."""

    def __init__(self) -> None:
        self.ended: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()

    def stop(self) -> None:
        """There is nothing to wait for."""
        if not self.ended.done():
            self.ended.set_result({})

    terminate = kill = leave = stop


class RemoteServer(Server):
    """A server that others run; see the module."""

    async def log_in(self, show: Callable[[str, Callback], None]) -> None:
        """Have a person log in; raises `LoginFailed`, `ServerFault` for what is not set."""
        resolved = await self._launcher.resolved(self.entry)
        oauth = dict(self.entry.oauth)
        secret = oauth.get("client_secret")
        if isinstance(secret, str) and secret.startswith(SECRET):
            oauth["client_secret"] = await self._launcher.secret(self.entry, secret)
        policy = AddressPolicy(resolved.url, self.entry.source == "user", self.private)
        try:
            policy.check_url()
        except AddressRefused as error:
            raise LoginFailed(str(error)) from error
        await log_in(policy, self._store(resolved), oauth, resolved.headers, show)

    async def log_out(self) -> bool:
        """Forget its login; whether there was one."""
        return self._store(await self._launcher.resolved(self.entry)).forget()

    def _store(self, resolved: Resolved) -> TokenStore:
        return TokenStore(self.entry.name, resolved.url)

    async def _begun(self, limit: float) -> Running:
        resolved = await self._launcher.resolved(self.entry)
        self._mask = resolved.masked
        try:
            async with asyncio.timeout(limit):
                return await self._greeted(resolved)
        except TimeoutError:
            why = f"no answer within {limit:g} s"
            raise self._failed("start_timeout", why) from None
        except ServerRefused as error:
            raise self._refusal(error) from error
        except HttpError as error:
            raise self._fault_of(error) from error
        except (RpcError, BrokenAnswer, ConnectionLost) as error:
            raise self._failed("start_failed", str(error)) from error

    async def _greeted(self, resolved: Resolved) -> Running:
        """Greet it over HTTP, and where it knows no POST over the stream of events."""
        if self.entry.kind != "sse":
            try:
                return await self._over(HttpWire, resolved)
            except HttpError as error:
                if error.status not in _NO_SUCH_WAY:
                    raise
                first = error
            try:
                return await self._over(SseWire, resolved)
            except (HttpError, BrokenAnswer, ConnectionLost):
                raise first from None
        return await self._over(SseWire, resolved)

    async def _over(self, kind: type[HttpWire | SseWire], resolved: Resolved) -> Running:
        policy = AddressPolicy(resolved.url, self.entry.source == "user", self.private)
        try:
            policy.check_url()
        except AddressRefused as error:
            raise ServerRefused("unreachable", str(error)) from error
        client = await open_client(policy, self._auth(resolved))
        wire = kind(client, resolved.url, resolved.headers, self._largest)
        hear = resolved.redacting(self._hear)
        connection = Connection(wire, notified=hear, asked=self.questions.asked)
        wire.open(connection)
        newest = kind is HttpWire and self.era != LEGACY
        try:
            era: Era = MODERN if newest else LEGACY
            session = await ServerSession.open(connection, era=era, capabilities=self._unasked())
        except BaseException:
            wire.close()
            raise
        nothing = _Nothing()
        started = Started(cast("Service", nothing), cast("KeptSandbox", nothing))
        return Running(started, cast("Pipes", wire), session, resolved.redacted)

    def _auth(self, resolved: Resolved) -> Callable[[Any], Any] | None:
        """What signs its requests: a kept login, unless the entry says how by itself."""
        if any(name.lower() == "authorization" for name in resolved.headers):
            return None
        return partial(kept_login, self._store(resolved))

    async def _how_it_ended(self, running: Running) -> str:
        """One request that broke is no reason to give up the others."""
        if running.session.connection.lost:
            await super()._how_it_ended(running)
            return "its session has ended"
        return "the connection broke"

    def _reads(self, running: Running) -> bool:
        """Each request has a connection of its own."""
        return True

    def _fault_of(self, error: Unusable) -> ServerFault:
        if isinstance(error, ServerRefused):
            return self._refusal(error)
        if isinstance(error, HttpError):
            reason = "unreachable" if error.status >= 500 else "server_error"
            return self._failed(reason, error.message, server_code=error.status)
        return super()._fault_of(error)

    def _refusal(self, error: ServerRefused) -> ServerFault:
        if error.reason == "login_needed":
            name = self.entry.name
            text = f"Server {name!r} needs a login: run toolcrib servers login {name}"
            return ServerFault(name, error.reason, text)
        return self._failed(error.reason, str(error))

    def _failed(self, reason: str, why: str, **data: Any) -> ServerFault:
        text = f"Server {self.entry.name!r} could not be reached ({self._shown(why)})"
        return ServerFault(self.entry.name, reason, text, **data)
