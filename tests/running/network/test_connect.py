"""ssh's way through the proxy: `connect.py` as a program of its own."""

from __future__ import annotations

import asyncio
import shlex
import socket
import sys

import pytest

from toolcrib.running.network import addresses
from toolcrib.running.network.hosts import parse_network
from toolcrib.running.network.proxy import Proxy
from toolcrib.running.network.variables import CONNECT, proxy_variables


def through(grant: list[str], port: int | None = None) -> tuple[int, bytes, bytes]:
    """Speak to an echo through the proxy; `port` to ask for another one than is granted."""

    async def whole() -> tuple[int, bytes, bytes]:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"SSH-2.0-test\n" + await reader.read(-1))
            writer.close()

        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        own = server.sockets[0].getsockname()[1]
        network = parse_network([entry.format(port=own) for entry in grant], private=True)
        proxy = Proxy(network, socket.create_server(("127.0.0.1", 0)), open_to_all=False)
        proxy.start()
        async with server:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-S", str(CONNECT), "127.0.0.1", str(port or own),
                env=proxy.variables(proxy.begin()),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            said, problem = await asyncio.wait_for(process.communicate(b"hello"), 20)
        proxy.close()
        return process.returncode or 0, said, problem

    return asyncio.run(whole())


def test_both_directions_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """T-10: ssh by ProxyCommand."""
    monkeypatch.setattr(addresses, "own_ports", set)
    assert through(["127.0.0.1:{port}"]) == (0, b"SSH-2.0-test\nhello", b"")


def test_a_refusal_is_told_in_words() -> None:
    """T-10: what is not granted fails at once, with the reason."""
    code, said, problem = through(["127.0.0.1:{port}"], port=22)
    assert (code, said) == (1, b"")
    assert b"127.0.0.1:22 is not granted to this tool" in problem


def test_the_variables_name_it_for_git() -> None:
    """T-10: HTTP_PROXY and its kin in both cases, Node, and git's ssh."""
    found = proxy_variables("http://call:x@127.0.0.1:1", local=False)
    for name in ("HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        assert found[name] == "http://call:x@127.0.0.1:1"
    assert found["NODE_USE_ENV_PROXY"] == "1"
    ssh = shlex.split(found["GIT_SSH_COMMAND"])
    assert ssh[0] == "ssh"
    assert ssh[-1].startswith("ProxyCommand=")
    assert ssh[-1].endswith("connect.py %h %p")
    assert proxy_variables("x", local=True)["NO_PROXY"] == ""
