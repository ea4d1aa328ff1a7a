"""Which addresses a remote server may have; checked when a connection is made.

A name is resolved once, all its addresses are checked, and the connection goes to one of those, so
that DNS rebinding has no effect.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from toolcrib.running.network.addresses import HostRefused as NotReachable
from toolcrib.running.network.addresses import checked_addresses
from toolcrib.running.network.hosts import (
    Address,
    address_of,
    innermost,
    is_public,
    normalized,
)

_METADATA: Final = frozenset(
    map(
        ipaddress.ip_address,
        ("100.100.100.200", "fd00:ec2::254", "192.0.0.192", "168.63.129.16"),
    )
)
"""Where clouds answer questions of their machines, but for those that are link-local."""
OPTION: Final = '--allow-private-servers, or [gateway] private = ["{host}"]'


class AddressRefused(Exception):
    """An address that may not be connected to; the text says why, and what would allow it."""


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """What one server may be reached at."""

    url: str
    own: bool = False
    """Whether the user's own file names the url: then the addresses that it leads to are meant."""
    private: Collection[str] = ()
    """Hosts that may have private addresses; `*` for all."""

    @property
    def host(self) -> str:
        """The host of the url."""
        return normalized(urlsplit(self.url).hostname or "")

    def check_url(self) -> None:
        """Raise `AddressRefused` unless the url is `https`, or `http` on this machine."""
        try:
            parts = urlsplit(self.url)
        except ValueError as error:
            raise AddressRefused(f"this is no URL: {error}") from error
        if parts.scheme == "https" and parts.hostname:
            return
        if parts.scheme == "http" and (is_loopback(self.host) or self._allowed(self.host)):
            return
        raise AddressRefused(
            f"{parts.scheme or 'no scheme'}: only https is used beyond this machine"
        )

    def check_way(self, scheme: str, host: str) -> None:
        """Raise `AddressRefused` for a request in plain text, but between two on this machine."""
        plain = scheme == "http" and (
            (is_loopback(normalized(host)) and is_loopback(self.host)) or self._allowed(host)
        )
        if scheme != "https" and not plain:
            raise AddressRefused(f"{scheme}://{host}: only https is used beyond this machine")

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host, all of them checked; raises `AddressRefused`, `OSError`."""
        name = normalized(host)
        try:
            found = await checked_addresses(name, port, private=True)
        except NotReachable as error:
            raise AddressRefused(str(error)) from error
        plain = [str(address[0]).partition("%")[0] for _, address in found]
        for each in plain:
            self._check(name, ipaddress.ip_address(each))
        return plain

    def _check(self, name: str, address: Address) -> None:
        meant = innermost(address)
        special = meant.is_link_local or meant in _METADATA
        if self._allowed(name) or (is_public(meant) and not special):
            return
        kind = "a private address"
        if special:
            kind = "an address of this machine's own network or of its cloud"
        elif name == self.host and (self.own or (is_loopback(name) and address.is_loopback)):
            return
        elif is_loopback(name) and address.is_loopback and is_loopback(self.host):
            return  # a login beside a server on this machine
        option = OPTION.format(host=name)
        raise AddressRefused(f"{name} leads to {kind}; {option} would allow it")

    def _allowed(self, name: str) -> bool:
        return "*" in self.private or name in {normalized(each) for each in self.private}


def is_loopback(name: str) -> bool:
    """Whether a host's name says that it is this machine."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = address_of(name)
    return address is not None and address.is_loopback
