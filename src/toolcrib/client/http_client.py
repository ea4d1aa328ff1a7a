"""The HTTP client for remote servers: imported in a thread when the first of them is called."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from toolcrib import __version__
from toolcrib.client.addresses import AddressPolicy, AddressRefused
from toolcrib.core.support.workers import beside_the_loop, in_thread

if TYPE_CHECKING:
    import httpx2

_MOST: Final = 100
"""Connections to one server."""
_LOADED_LATE: Final = (
    "anyio._backends._asyncio",
    "anyio._core._sockets",
    "anyio._core._streams",
    "anyio._core._testing",
    "anyio.lowlevel",
)
"""What would be loaded by the first connection, on the loop."""
CONNECT: Final = 10.0
"""Seconds for a connection; an answer has all the time of its call."""


async def open_client(
    policy: AddressPolicy, auth: Callable[[httpx2.AsyncClient], Any] | None = None
) -> httpx2.AsyncClient:
    """A client that connects to what the policy allows, and follows no redirect by itself.

    `auth` makes of it what signs its requests, an `httpx2.Auth`.
    """
    return await in_thread(_made, policy, auth)


def _made(
    policy: AddressPolicy, auth: Callable[[httpx2.AsyncClient], Any] | None
) -> httpx2.AsyncClient:
    with beside_the_loop():
        for name in _LOADED_LATE:
            import_module(name)
        import httpcore2
        import httpx2
        from httpcore2._backends.anyio import AnyIOBackend

    class Checked(AnyIOBackend):
        """Connects to addresses that were checked, and to no name."""

        async def connect_tcp(
            self, host: str, port: int, *args: Any, **more: Any
        ) -> httpcore2.AsyncNetworkStream:
            try:
                addresses = await policy.addresses(host, port)
            except AddressRefused as error:
                raise httpcore2.ConnectError(error) from error
            except OSError as error:
                raise httpcore2.ConnectError(error.strerror or str(error)) from error
            failure: Exception | None = None
            for address in addresses:
                try:
                    return await super().connect_tcp(address, port, *args, **more)
                except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                    failure = error
            raise failure or httpcore2.ConnectError("the name has no address")

    async def check(request: httpx2.Request) -> None:
        try:
            policy.check_way(request.url.scheme, request.url.host)
        except AddressRefused as error:
            raise httpx2.ConnectError(str(error), request=request) from error

    certificates = httpx2.create_ssl_context()  # those that the environment names are honoured
    transport = httpx2.AsyncHTTPTransport(verify=certificates)
    # The one way to say how it connects.
    transport._pool = httpcore2.AsyncConnectionPool(
        ssl_context=certificates,
        max_connections=_MOST,
        network_backend=Checked(),
    )
    client = httpx2.AsyncClient(
        transport=transport,
        follow_redirects=False,
        event_hooks={"request": [check]},
        timeout=httpx2.Timeout(None, connect=CONNECT),
        headers={"User-Agent": f"toolcrib/{__version__}"},
    )
    if auth is not None:
        client.auth = auth(client)
    return client
