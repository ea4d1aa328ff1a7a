"""The HTTP client for remote servers: imported in a thread when the first of them is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from toolcrib import __version__
from toolcrib.client.addresses import AddressPolicy, AddressRefused
from toolcrib.core.support.workers import in_thread

if TYPE_CHECKING:
    import httpx2

CONNECT: Final = 10.0
"""Seconds for a connection; an answer has all the time of its call."""


async def open_client(policy: AddressPolicy, auth: Any = None) -> httpx2.AsyncClient:
    """A client that connects to what the policy allows, and follows no redirect by itself."""
    return await in_thread(_made, policy, auth)


def _made(policy: AddressPolicy, auth: Any) -> httpx2.AsyncClient:
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

    transport = httpx2.AsyncHTTPTransport()
    # The one way to say how it connects; certificates that the environment names are honoured.
    transport._pool = httpcore2.AsyncConnectionPool(
        ssl_context=httpx2.create_ssl_context(), network_backend=Checked()
    )
    return httpx2.AsyncClient(
        transport=transport,
        auth=auth,
        follow_redirects=False,
        timeout=httpx2.Timeout(None, connect=CONNECT),
        headers={"User-Agent": f"toolcrib/{__version__}"},
    )
