"""Tokens of remote servers: private files, refreshed by one process at a time."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolcrib.client.connection import ServerRefused
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.files.private import private_folder, read_private, write_private

if TYPE_CHECKING:
    import httpx2

EARLY: Final = 60.0
"""Seconds before its end at which a token is refreshed."""
_PATIENCE = 30.0
"""Seconds for one refresh."""
_LOOK_AGAIN = 0.02


@dataclass(frozen=True, slots=True)
class Login:
    """What a login gave, and all that is needed to refresh it."""

    url: str
    """The server that it is for."""
    issuer: str
    token_endpoint: str
    client_id: str
    access_token: str
    refresh_token: str | None = None
    expires_at: float | None = None
    client_secret: str | None = None
    auth_method: str | None = None
    resource: str | None = None
    scope: str | None = None

    @property
    def ended(self) -> bool:
        """Whether it is of no use any more."""
        return self.expires_at is not None and time.time() > self.expires_at

    @property
    def stale(self) -> bool:
        """Whether it has ended, or is about to."""
        return self.expires_at is not None and time.time() > self.expires_at - EARLY


class TokenStore:
    """The login of one server, by its name and url."""

    def __init__(self, server: str, url: str, folder: Path | None = None) -> None:
        self._url = url
        name = sha256(f"{server}\0{url}".encode())[:32]
        self._path = (folder or state_folder() / "logins") / f"{name}.json"

    def get(self) -> Login | None:
        """What is kept; None for nothing, and for what is damaged or of another url."""
        try:
            kept = json.loads(read_private(self._path))
            names = {each.name for each in fields(Login)}
            found = Login(**{key: value for key, value in kept.items() if key in names})
        except (OSError, ValueError, TypeError, AttributeError):
            return None
        return found if found.url == self._url else None

    def put(self, login: Login) -> None:
        """Keep a login; raises `OSError`."""
        private_folder(self._path.parent)
        write_private(self._path, json.dumps(asdict(login)).encode())

    def forget(self) -> bool:
        """Drop it; whether there was one."""
        try:
            self._path.unlink()
        except OSError:
            return False
        return True

    @contextlib.asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Hold off every other process that would refresh the same login."""
        private_folder(self._path.parent)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(self._path.with_suffix(".lock"), flags, 0o600)
        try:
            # Not in a thread that waits: one that nobody waits for any more would keep the lock.
            while not _locked(descriptor):  # noqa: ASYNC110 - another process has it
                await asyncio.sleep(_LOOK_AGAIN)
            yield
        finally:
            os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def kept_login(store: TokenStore, client: httpx2.AsyncClient) -> Any:
    """What signs the requests of one server with its kept login; an `httpx2.Auth`."""
    import httpx2

    class KeptLogin(httpx2.Auth):
        """Adds the token, and refreshes it before its end and once after it was refused."""

        def __init__(self) -> None:
            self._one_at_a_time = asyncio.Lock()

        async def async_auth_flow(
            self, request: httpx2.Request
        ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
            login = store.get()
            if login is not None and login.stale and login.refresh_token:
                login = await self._in_time(login)
            if login is None:
                yield request
                return
            request.headers["Authorization"] = f"Bearer {login.access_token}"
            response = yield request
            if response.status_code != 401 or not login.refresh_token:
                return
            await response.aread()  # else it would keep a connection while others refresh
            login = await self._refreshed(login)
            # Without a login, too: the last answer counts, and that must be the server's own.
            del request.headers["Authorization"]
            if login is not None:
                request.headers["Authorization"] = f"Bearer {login.access_token}"
            yield request

        async def _in_time(self, login: Login) -> Login | None:
            """The login, refreshed; as it is where that fails, and it is still good."""
            try:
                return await self._refreshed(login)
            except ServerRefused:
                if login.ended:
                    raise
                return login

        async def _refreshed(self, login: Login) -> Login | None:
            """The login that comes after one; None where a person has to log in again."""
            # A call that is cancelled must not lose a token that was made for it.
            task = asyncio.get_running_loop().create_task(self._refresh(login))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            return await asyncio.shield(task)

        async def _refresh(self, login: Login) -> Login | None:
            async with self._one_at_a_time, store.alone():
                now = store.get()
                if now is None or now.access_token != login.access_token:
                    return now
                try:
                    async with asyncio.timeout(_PATIENCE):
                        answer = await client.send(refreshing(login), auth=None)
                except (httpx2.HTTPError, TimeoutError) as error:
                    why = str(error) or "no answer in time"
                    raise ServerRefused(
                        "unreachable", f"its login cannot be refreshed: {why}"
                    ) from error
                return renewed(store, login, answer.status_code, answer.content)

    return KeptLogin()


def refreshing(login: Login) -> httpx2.Request:
    """The request for a new token."""
    import httpx2

    data = {
        "grant_type": "refresh_token",
        "refresh_token": login.refresh_token or "",
        "client_id": login.client_id,
    }
    if login.resource:
        data["resource"] = login.resource
    auth = None
    if login.client_secret and login.auth_method == "client_secret_basic":
        auth = (login.client_id, login.client_secret)
    elif login.client_secret:
        data["client_secret"] = login.client_secret
    request = httpx2.Request("POST", login.token_endpoint, data=data)
    if auth is not None:
        import base64
        from urllib.parse import quote

        pair = ":".join(quote(each, safe="") for each in auth).encode()
        request.headers["Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
    return request


def renewed(store: TokenStore, login: Login, status: int, body: bytes) -> Login | None:
    """The login with what a refresh gave; None where it was refused, and the login is over.

    Raises `ServerRefused` for an answer that says nothing of the login.
    """
    if status in (400, 401):
        store.forget()
        return None
    try:
        given = json.loads(body) if status == 200 else {}
        token = given["access_token"]
    except (ValueError, TypeError, KeyError):
        why = f"its login cannot be refreshed: HTTP {status}"
        raise ServerRefused("unreachable", why) from None
    seconds = given.get("expires_in")
    fresh = replace(
        login,
        access_token=str(token),
        refresh_token=given.get("refresh_token") or login.refresh_token,
        expires_at=time.time() + seconds if isinstance(seconds, int | float) else None,
        scope=given.get("scope") or login.scope,
    )
    store.put(fresh)
    return fresh
