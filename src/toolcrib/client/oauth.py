"""A login at a remote server, by the SDK's OAuth: PKCE, the issuer's name checked.

Who the client is: registered beforehand (`oauth.client_id`), a document at a URL (`client_id` is
one), or registered on the spot, in this order.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from toolcrib.client.addresses import AddressPolicy
from toolcrib.client.http_client import open_client
from toolcrib.client.tokens import Login, TokenStore
from toolcrib.core.support.workers import in_thread

PATIENCE: Final = 300.0
"""Seconds that a person has."""
_PAGE = b"<!doctype html><title>toolcrib</title><p>That is all: this page can be closed."


class LoginFailed(Exception):
    """There is no login; the text says why."""


class Callback:
    """A page on this machine that the browser comes back to."""

    def __init__(self) -> None:
        self.answer: asyncio.Future[Mapping[str, str]] = asyncio.get_running_loop().create_future()
        self.url = ""

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Listen at a port of 127.0.0.1."""
        server = await asyncio.start_server(self._visited, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/callback"
        try:
            yield
        finally:
            server.close()

    def take(self, url: str) -> bool:
        """Take the address that the browser was sent to, wherever it was read."""
        found = {key: values[0] for key, values in parse_qs(urlsplit(url.strip()).query).items()}
        if not ("code" in found or "error" in found) or self.answer.done():
            return False
        self.answer.set_result(found)
        return True

    async def _visited(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError):
            line = (await reader.readline()).decode("latin-1").split(" ")
            known = len(line) == 3 and line[1].startswith("/callback?") and self.take(line[1])
            status = "200 OK" if known else "404 Not Found"
            body = _PAGE if known else b""
            head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nConnection: close\r\n"
            writer.write(head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)
            await writer.drain()
        writer.close()


async def log_in(
    policy: AddressPolicy,
    store: TokenStore,
    oauth: Mapping[str, Any],
    headers: Mapping[str, str],
    show: Callable[[str, Callback], None],
) -> None:
    """Log in and keep what that gives; `show` gets the address that a person has to visit."""
    callback = Callback()
    async with callback.listening():
        provider = await in_thread(_provider, policy.url, oauth, callback, show)
        client = await open_client(policy, lambda _: provider)
        try:
            async with asyncio.timeout(PATIENCE), client:
                await _knock(client, policy.url, headers)
        except TimeoutError:
            raise LoginFailed(f"nobody came back within {PATIENCE:g} s") from None
        except Exception as error:
            raise LoginFailed(_why(error)) from error
    login = _login(policy.url, provider.context)
    if login is None:
        raise LoginFailed("the server asks for no login")
    store.put(login)


async def _knock(client: Any, url: str, headers: Mapping[str, str]) -> None:
    """Send the first request that a server answers only to those who have logged in."""
    from toolcrib.wire.versions import HANDSHAKE_VERSIONS

    params = {
        "protocolVersion": HANDSHAKE_VERSIONS[-1],
        "capabilities": {},
        "clientInfo": {"name": "toolcrib", "version": "0"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    accept = {"accept": "application/json, text/event-stream", **headers}
    for method, given in (("POST", {"json": message}), ("GET", {})):
        async with client.stream(method, url, headers=accept, **given) as response:
            status = response.status_code
        if status in (401, 403):
            raise LoginFailed(f"the server answers HTTP {status} all the same")
        if status not in (404, 405):  # else it knows the stream of events alone
            return


def _provider(
    url: str, oauth: Mapping[str, Any], callback: Callback, show: Callable[[str, Callback], None]
) -> Any:
    import logging

    from mcp.client.auth import OAuthClientProvider
    from mcp.shared.auth import (
        AuthorizationCodeResult,
        OAuthClientInformationFull,
        OAuthClientMetadata,
    )

    # What goes wrong is told in one line by whoever asked; the SDK would add a traceback.
    logging.getLogger("mcp.client.auth").setLevel(logging.CRITICAL)
    given = oauth.get("client_id")
    secret = oauth.get("client_secret")
    document = given if isinstance(given, str) and given.startswith("https://") else None
    scopes = oauth.get("scopes")
    metadata = OAuthClientMetadata.model_validate(
        {
            "redirect_uris": [callback.url],
            "client_name": "toolcrib",
            "scope": " ".join(scopes) if isinstance(scopes, list) else None,
        }
    )

    class Kept:
        """The storage of one login: what was registered beforehand, and nothing older."""

        async def get_tokens(self) -> None:
            return None

        async def set_tokens(self, tokens: Any) -> None:
            return None

        async def get_client_info(self) -> Any:
            if document is not None or not isinstance(given, str):
                return None
            known = {"client_id": given, "redirect_uris": [callback.url]}
            if isinstance(secret, str):
                known |= {"client_secret": secret}
                known |= {"token_endpoint_auth_method": "client_secret_post"}
            return OAuthClientInformationFull.model_validate(known)

        async def set_client_info(self, info: Any) -> None:
            return None

    async def visit(address: str) -> None:
        show(address, callback)

    async def back() -> AuthorizationCodeResult:
        found = await callback.answer
        if "error" in found:
            raise LoginFailed(found.get("error_description") or found["error"])
        return AuthorizationCodeResult(
            code=found["code"], state=found.get("state"), iss=found.get("iss")
        )

    return OAuthClientProvider(url, metadata, Kept(), visit, back, client_metadata_url=document)


def _login(url: str, context: Any) -> Login | None:
    """What the provider has learnt, as it is kept."""
    tokens, client, server = context.current_tokens, context.client_info, context.oauth_metadata
    if tokens is None or client is None:
        return None
    base = context.get_authorization_base_url(url)
    with_resource = context.should_include_resource_param(context.protocol_version)
    return Login(
        url,
        str(server.issuer) if server is not None else base,
        str(server.token_endpoint) if server is not None else f"{base}/token",
        client.client_id,
        tokens.access_token,
        tokens.refresh_token,
        context.token_expiry_time,
        client.client_secret,
        client.token_endpoint_auth_method,
        context.get_resource_url() if with_resource else None,
        tokens.scope,
    )


def _why(error: BaseException) -> str:
    """The cause of a failure in one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(str(error).split())[:300] or type(error).__name__
