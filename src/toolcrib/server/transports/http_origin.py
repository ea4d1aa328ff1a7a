"""Where an HTTP request came from, as the record of calls tells it."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import socket
from collections.abc import Iterable
from typing import Any, Final

from toolcrib.core.errors import ConfigError
from toolcrib.core.tool import JSON
from toolcrib.server.transports.http_headers import Headers, Pairs

_REQUEST_ID = re.compile(rb"[\x21-\x7e]{1,128}")
_TRACE = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
_FORWARDED: Final = b"x-forwarded-for"

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Origins:
    """Tells of each request its id, the address of its caller, and who answered it."""

    def __init__(self, proxies: Iterable[str], replica: str | None) -> None:
        self._proxies = [_network(each) for each in proxies]
        self._replica = replica or f"{socket.gethostname()}:{os.getpid()}"

    def notes(self, scope: Any, headers: Headers, pairs: Pairs, meta: Any) -> JSON:
        """The keys of the record that only HTTP has."""
        given = headers.get(b"x-request-id", b"")
        known = _REQUEST_ID.fullmatch(given)
        return {
            "request_id": given.decode("ascii") if known else secrets.token_hex(8),
            "address": self.address(scope, pairs),
            "replica": self._replica,
            "trace_id": trace_id(traceparent(headers, meta)),
        }

    def address(self, scope: Any, pairs: Pairs) -> str | None:
        """The caller's address: behind proxies that are trusted, what they say it is."""
        client = scope.get("client")
        if not client:
            return None
        nearest = _address(str(client[0]))
        if nearest is None or not self._is_proxy(nearest):
            return str(client[0])
        lines = [value.decode("latin-1") for name, value in pairs if name == _FORWARDED]
        for entry in reversed(",".join(lines).split(",")):
            found = _address(entry)
            if found is None:
                break
            nearest = found
            if not self._is_proxy(found):
                break
        return str(nearest)

    def _is_proxy(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)


def traceparent(headers: Headers, meta: Any) -> str | None:
    """The trace that the client belongs to, by its header or by `_meta`."""
    given = headers.get(b"traceparent")
    if given is not None:
        return given.decode("latin-1")
    told = meta.get("traceparent") if isinstance(meta, dict) else None
    return told if isinstance(told, str) else None


def trace_id(parent: str | None) -> str | None:
    """The id of a trace, where there is one and it is well formed."""
    match = _TRACE.fullmatch(parent or "")
    return match[1] if match else None


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError as error:
        raise ConfigError(
            f"[http] trusted_proxies: {text!r} is no address and no network",
            next='Write them as "10.0.0.7" or "10.0.0.0/8".',
        ) from error


def _address(text: str) -> Address | None:
    """An address without its port and brackets; None for anything else."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = getattr(found, "ipv4_mapped", None)
    return mapped or found
