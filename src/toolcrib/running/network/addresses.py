"""Addresses of names, looked up once and checked before any of them is used."""

# ruff: noqa: PTH208

from __future__ import annotations

import asyncio
import ipaddress
import os
import socket
import stat
from typing import Any

from toolcrib.running.network.hosts import Address, address_of, is_public


class HostRefused(Exception):
    """A host that may not be reached; the text says why."""


async def checked_addresses(name: str, port: int, *, private: bool) -> list[tuple[int, Any]]:
    """Families and addresses of a name, all of them checked; raises `HostRefused`.

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
        raise HostRefused("it leads to an address that is not public")
    if _is_here(address) and port in own_ports():
        raise HostRefused("it leads to this server")


def own_ports() -> set[int]:
    """The TCP ports at which this process itself listens.

    Found by its own descriptors, since the kernel's tables can be long on a busy machine.
    """
    ports: set[int] = set()
    for name in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():  # noqa: PTH112
        try:
            if not stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                continue
            with socket.socket(fileno=os.dup(int(name))) as held:
                tcp = held.family in (socket.AF_INET, socket.AF_INET6)
                if tcp and held.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    ports.add(held.getsockname()[1])
        except OSError:
            continue
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
