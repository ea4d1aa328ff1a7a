"""The HTTP client for remote servers."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from toolcrib.client.addresses import AddressPolicy
from toolcrib.client.http_client import open_client


async def got(policy: AddressPolicy, url: str) -> int:
    async with await open_client(policy) as client:
        return (await client.get(url)).status_code


def test_what_the_policy_allows_is_reached(url) -> None:
    """X-24: a server on this machine."""
    assert asyncio.run(got(AddressPolicy(url), f"{url}/log")) == 200


def test_what_it_does_not_is_refused_when_it_is_connected_to(url) -> None:
    """X-24: at the time of connecting, whatever led there; nothing is sent."""
    import httpx2

    for bad in ("https://169.254.169.254/latest", "https://10.0.0.1/", "https://192.168.0.1/"):
        with pytest.raises(httpx2.ConnectError, match="allow-private-servers"):
            asyncio.run(got(AddressPolicy("https://x.example/"), bad))


def test_plain_text_leaves_this_machine_nowhere(url) -> None:
    """X-24: whatever names the address, a login's pages included."""
    import httpx2

    with pytest.raises(httpx2.ConnectError, match="only https"):
        asyncio.run(got(AddressPolicy("https://x.example/"), "http://x.example/"))
    with pytest.raises(httpx2.ConnectError, match="only https"):
        asyncio.run(got(AddressPolicy("https://x.example/"), f"{url}/log"))


def test_nothing_is_imported_before_the_first_remote_call() -> None:
    """X-31: neither the SDK nor its HTTP client, on the way to a stdio server."""
    code = (
        "import sys; import toolcrib.packs.gateway.servers;"
        "print([m for m in ('httpx2', 'mcp', 'pydantic', 'anyio') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout.strip() == "[]", ran.stderr


def test_all_that_a_call_needs_is_loaded_in_the_thread(url) -> None:
    """X-24: the loop is not stalled by an import, neither before the first call nor in it."""
    code = """
import asyncio, sys
from toolcrib.client.addresses import AddressPolicy
from toolcrib.client.http_client import open_client
async def main():
    async with await open_client(AddressPolicy(sys.argv[1])) as client:
        before = set(sys.modules)
        await client.post(sys.argv[1], json={"method": "initialize", "id": 1})
        print(*sorted(set(sys.modules) - before))
asyncio.run(main())
"""
    words = [sys.executable, "-c", code, f"{url}/plain"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
