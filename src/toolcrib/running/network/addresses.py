"""Addresses of names, looked up once and checked before any of them is used."""

# ruff: noqa: PTH115, PTH123, PTH208

from __future__ import annotations

import asyncio
import ipaddress
import os
import re
import socket
from typing import Any

from toolcrib.running.network.hosts import Address, address_of, is_public

_LISTENING = "0A"


class Refused(Exception):
    """A host that may not be reached; the text says why."""


async def checked_addresses(name: str, port: int, *, private: bool) -> list[tuple[int, Any]]:
    """Families and addresses of a name, all of them checked; raises `Refused`.

    `private`: whether addresses that are not public are fine. This server's own ports never are.
    """
    literal = address_of(name)
    if literal is not None:
        family = socket.AF_INET6 if literal.version == 6 else socket.AF_INET
        found: list[tuple[int, Any]] = [(family, (str(literal), port))]
    else:
        loop = asyncio.get_running_loop()
        try:
            answers = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
        except (socket.gaierror, UnicodeError) as error:
            raise OSError(0, "the name cannot be resolved") from error
        found = [(family, address) for family, _, _, _, address in answers]
    for _, address in found:
        _check(ipaddress.ip_address(address[0].partition("%")[0]), port, private=private)
    return found


def _check(address: Address, port: int, *, private: bool) -> None:
    if not is_public(address) and not private:
        raise Refused("it leads to an address that is not public")
    if port in own_ports() and _is_here(address):
        raise Refused("it leads to this server")


def own_ports() -> set[int]:
    """The TCP ports at which this process itself listens."""
    inodes = set()
    for name in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():  # noqa: PTH112
        try:
            match = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(f"/proc/self/fd/{name}"))
        except OSError:
            continue
        if match:
            inodes.add(match[1])
    ports: set[int] = set()
    for table in ("tcp", "tcp6"):
        try:
            with open(f"/proc/net/{table}") as file:
                lines = [line.split() for line in file.readlines()[1:]]
        except OSError:
            continue
        for words in lines:
            if words[3] == _LISTENING and words[9] in inodes:
                ports.add(int(words[1].rpartition(":")[2], 16))
    return ports


def _is_here(address: Address) -> bool:
    """Whether an address is one of this machine's own."""
    if address.is_loopback or address.is_unspecified:
        return True
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True
