"""Which hosts a command may reach: the values of a `network` grant."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Word = Literal["none", "hosts", "public", "full"]
WORDS: tuple[Word, ...] = ("none", "hosts", "public", "full")
"""From the strictest to the widest."""
DEFAULT_PORTS: tuple[int, ...] = (80, 443)
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII)
_ENTRY = re.compile(
    r"(?P<name>\[[^\]]+\]|[^:\s]+|[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*)(?::(?P<port>\d+))?"
)
_LONGEST_NAME = 253


@dataclass(frozen=True, slots=True)
class Host:
    """One entry of a list: a name, `*.name` or an address, and the ports that go with it."""

    name: str
    ports: tuple[int, ...] = DEFAULT_PORTS
    private: bool = False
    """Whether it may lead to an address that is not public: the person's own file says so."""

    def matches(self, name: str, port: int) -> bool:
        """Whether it matches this name, which must be `normalized`."""
        if port not in self.ports:
            return False
        if self.name.startswith("*."):
            return name.endswith(self.name[1:])
        return name == self.name

    def __str__(self) -> str:
        if self.ports == DEFAULT_PORTS:
            return self.name
        return ",".join(f"{self.name}:{port}" for port in self.ports)


@dataclass(frozen=True, slots=True)
class Network:
    """What of the network a command may reach.

    `hosts` are those of a list, or what `public` allows beyond ports 80, 443 and `ports`. `also`:
    grants of other files, all of which have to allow a host too.
    """

    word: Word = "none"
    hosts: tuple[Host, ...] = ()
    ports: tuple[int, ...] = ()
    also: tuple[Network, ...] = ()

    def allows(self, name: str, port: int) -> bool:
        """Whether this name and port may be reached, if its address may."""
        if self.word == "none" or not all(each.allows(name, port) for each in self.also):
            return False
        if self.word == "full":
            return True
        if self.word == "public" and port in (*DEFAULT_PORTS, *self.ports):
            return True
        return any(host.matches(name, port) for host in self.hosts)

    def allows_private(self, name: str, port: int) -> bool:
        """Whether this name may lead to an address that is not public."""
        return any(host.private and host.matches(name, port) for host in self._every_host())

    @property
    def names_this_machine(self) -> bool:
        """Whether a host of the lists is the machine itself."""
        names = [host.name for host in self._every_host()]
        return any(name == "localhost" or _is_loopback(name) for name in names)

    def shown(self) -> str | list[str]:
        """The grant as it is written: a word or a list of hosts."""
        if self.word != "hosts":
            return self.word
        return sorted(map(str, self.hosts))

    def _every_host(self) -> list[Host]:
        return [*self.hosts, *(host for each in self.also for host in each.hosts)]

    def __str__(self) -> str:
        shown = self.shown()
        return shown if isinstance(shown, str) else ", ".join(shown)


NO_NETWORK = Network()
FULL_NETWORK = Network("full")


def strictest(networks: Sequence[Network]) -> Network:
    """What all of them allow."""
    least, *others = sorted(networks, key=lambda network: WORDS.index(network.word))
    if least.word == "none":
        return NO_NETWORK
    return replace(least, also=tuple(each for each in others if each.word != "full"))


def parse_network(value: object, *, private: bool = False) -> Network:
    """Read a grant: a word, or a list of hosts; raises `ValueError` with what is wrong.

    `private`: whether its hosts may lead to addresses that are not public. An entry `public:22` in
    a list is all that is public, on that port too.
    """
    if isinstance(value, str):
        if value in ("none", "public", "full"):
            return Network(value)  # type: ignore[arg-type]
        raise ValueError(f"{value!r} is none of none, public, full, and not a list of hosts")
    if not isinstance(value, list | tuple) or not all(isinstance(entry, str) for entry in value):
        raise ValueError("it must be none, public, full or a list of hosts")
    if not value:
        return NO_NETWORK
    # Other names may begin like the word.
    public = [entry for entry in value if entry == "public" or entry.startswith("public:")]
    if public:
        ports = [parse_host(entry).ports[0] for entry in public if entry != "public"]
        rest = [entry for entry in value if entry not in public]
        return Network("public", _hosts(rest, private), tuple(ports))
    return Network("hosts", _hosts(value, private))


def _hosts(entries: Iterable[str], private: bool) -> tuple[Host, ...]:
    return tuple(parse_host(entry, private=private) for entry in entries)


def parse_host(text: str, *, private: bool = False) -> Host:
    """Read `name`, `*.name`, an address, each with `:port` or without."""
    match = _ENTRY.fullmatch(text.strip().lower())
    if match is None:
        raise ValueError(f"{text!r} is not a host; write example.com, *.example.com or host:port")
    name = normalized(match["name"].strip("[]"))
    ports: tuple[int, ...] = DEFAULT_PORTS
    if match["port"] is not None:
        if not 0 < int(match["port"]) < 65536:
            raise ValueError(f"{text!r}: a port is a number from 1 to 65535")
        ports = (int(match["port"]),)
    bare = name.removeprefix("*.")
    if name in ("*", "") or (name.startswith("*.") and "." not in bare):
        raise ValueError(f'{text!r} is too wide: write the hosts, or "public" for all of them')
    if address_of(name) is None:
        labels = bare.split(".")
        if "*" in bare or len(bare) > _LONGEST_NAME or not all(map(_LABEL.fullmatch, labels)):
            raise ValueError(
                f"{text!r} is not a host; write example.com, *.example.com or host:port"
            )
    return Host(name, ports, private)


def normalized(name: str) -> str:
    """A host's name in lower case, without one trailing dot; an address in its usual form."""
    name = name.lower().removesuffix(".")
    address = address_of(name)
    if address is not None:
        return str(address)
    try:
        return name.encode("ascii").decode() if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        return name


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def address_of(name: str) -> Address | None:
    """The address that a text stands for in any of its forms, if it is not a name.

    Programs accept `2130706433`, `0x7f.1` and `017700000001` as addresses; so do we, so that such
    a text is never looked up or allowed as a name.
    """
    text = name.strip("[]").partition("%")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return _old_form(text)
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _old_form(text: str) -> ipaddress.IPv4Address | None:
    """An IPv4 address as `inet_aton` reads it: one to four numbers, also octal or hexadecimal."""
    parts = text.split(".")
    if not 1 <= len(parts) <= 4:
        return None
    numbers: list[int] = []
    for part in parts:
        if not re.fullmatch(r"0x[0-9a-f]*|[0-9]+", part, re.ASCII):
            return None
        try:
            base = 16 if part.startswith("0x") else 8 if part.startswith("0") else 10
            numbers.append(int(part.removeprefix("0x") or "0", base))
        except ValueError:
            return None
    *front, last = numbers
    if any(number > 255 for number in front) or last >= 256 ** (5 - len(numbers)):
        return None
    value = last
    for place, number in enumerate(front):
        value += number << (24 - 8 * place)
    return ipaddress.IPv4Address(value)


def _is_loopback(name: str) -> bool:
    address = address_of(name)
    return address is not None and address.is_loopback


def is_public(address: Address) -> bool:
    """Whether an address is one of the open internet, and not of this machine or network."""
    address = innermost(address)
    if any(address in network for network in _NEAR):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def innermost(address: Address) -> Address:
    """The IPv4 address that an IPv6 address stands for or leads to, if any; else itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    inner = address.ipv4_mapped or address.sixtofour
    if inner is None and any(address in network for network in _CARRY_IPV4):
        inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    if inner is None and address.teredo is not None:
        inner = address.teredo[1]
    return inner or address


_NEAR = (
    ipaddress.ip_network("192.0.0.0/24"),  # among them Oracle's metadata
    ipaddress.ip_network("168.63.129.16/32"),  # Azure's, though the address is a public one
    ipaddress.ip_network("fec0::/10"),
)
"""Not of the open internet, though Python takes some of them for it."""
_CARRY_IPV4 = (
    ipaddress.IPv6Network("64:ff9b::/96"),
    ipaddress.IPv6Network("64:ff9b:1::/48"),
    ipaddress.IPv6Network("::ffff:0:0:0/96"),
)
"""Translated addresses: the last four bytes are those of IPv4."""
