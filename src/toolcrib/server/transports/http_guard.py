"""The guard of every HTTP route: host, origin, token, and duplicate headers."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Final

from toolcrib.server.auth.tokens import Verifier
from toolcrib.server.transports.http_headers import Headers, Pairs
from toolcrib.server.transports.http_visit import RequestRefused

ANONYMOUS: Final = "http"
"""The caller where nobody is asked for a token."""
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_AUTHORITY = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^\s:/@\[\]]+))(?::\d{1,5})?")
_MOST_KNOWN: Final = 256
CHALLENGE = (b"www-authenticate", b'Bearer realm="toolcrib"')
_TWICE = {
    b"authorization": 401,
    b"host": 400,
    b"mcp-session-id": 400,
    b"content-length": 400,
}


class HttpGuard:
    """Decides who a request is from, or refuses it."""

    def __init__(
        self, *, hosts: Iterable[str], origins: Iterable[str], verifier: Verifier | None
    ) -> None:
        self._hosts = {host.lower() for host in hosts}
        self._origins = {origin.lower().rstrip("/") for origin in origins}
        self.verifier = verifier
        self._known: set[bytes] = set()

    def check_source(self, headers: Headers, pairs: Pairs) -> None:
        """Raise unless Host and Origin are allowed and no critical header is duplicated."""
        if len(headers) != len(pairs):
            _check_twice(pairs)
        host = headers.get(b"host", b"")
        if host not in self._known:
            self._check_host(host)
        origin = headers.get(b"origin")
        if origin is not None and not self._origin_is_ours(origin.decode("latin-1")):
            raise RequestRefused(403, "Origin not allowed; add it to [http] allowed_origins")

    async def caller(self, headers: Headers) -> str:
        """Who sent the request; raises `RequestRefused` without a token that is known."""
        if self.verifier is None:
            return ANONYMOUS
        token = bearer(headers)
        found = await self.verifier.caller(token) if token is not None else None
        if found is None:
            raise RequestRefused(401, "A valid bearer token is required", CHALLENGE)
        return found

    def is_host(self, host: str) -> bool:
        """Whether a Host header names this server."""
        text = host.lower()
        name = _without_port(text)
        return (
            name in self._hosts or text in self._hosts or ("*ip*" in self._hosts and _is_ip(name))
        )

    def _check_host(self, host: bytes) -> None:
        if not self.is_host(host.decode("latin-1")):
            raise RequestRefused(421, "Host not served here; add it to [http] allowed_hosts")
        if len(self._known) < _MOST_KNOWN:
            self._known.add(host)

    def _origin_is_ours(self, origin: str) -> bool:
        if origin.lower() in self._origins:
            return True
        scheme, _, host = origin.lower().partition("://")
        return (
            scheme in ("http", "https")
            and _without_port(host) in _LOOPBACK
            and any(name in self._hosts for name in _LOOPBACK)
        )


def bearer(headers: Headers) -> str | None:
    """The bearer token of a request, if it has one."""
    kind, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def served_hosts(bound: str, further: Iterable[str]) -> set[str]:
    """The Host headers to accept for a server that is bound to `bound`.

    An address in numbers cannot be re-bound by anybody's DNS, so a server on all interfaces
    takes every such address, its own name, and what the settings add.
    """
    hosts = {*_LOOPBACK, bound, *further}
    if bound in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        hosts |= {"*ip*", socket.gethostname()}
    return hosts


def _check_twice(pairs: Pairs) -> None:
    for name, status in _TWICE.items():
        if sum(key == name for key, _ in pairs) > 1:
            headers = (CHALLENGE,) if status == 401 else ()
            raise RequestRefused(
                status, f"The header {name.decode()} is there more than once", *headers
            )


def _without_port(host: str) -> str:
    """The name or the address in `host`, `host:port` or `[address]:port`; else nothing."""
    match = _AUTHORITY.fullmatch(host)
    return (match[1] or match[2]) if match else ""


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
