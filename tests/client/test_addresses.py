"""Which addresses a remote server may lead to."""

from __future__ import annotations

import asyncio

import pytest

from toolcrib.client.addresses import AddressPolicy, AddressRefused, is_loopback


def reach(policy: AddressPolicy, host: str) -> list[str]:
    return asyncio.run(policy.addresses(host, 443))


@pytest.mark.parametrize(
    "url", ["https://x.example/mcp", "http://127.0.0.1:3/mcp", "http://localhost/", "http://[::1]/"]
)
def test_https_and_this_machine_may_be_named(url) -> None:
    """X-24: `https`, or `http` on loopback only."""
    AddressPolicy(url).check_url()


@pytest.mark.parametrize(
    "url", ["http://x.example/", "ftp://x/", "file:///etc/passwd", "x", "", "http://[::1"]
)
def test_anything_else_may_not(url) -> None:
    """X-24: no plain text beyond this machine."""
    with pytest.raises(AddressRefused):
        AddressPolicy(url).check_url()


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "fe80::1",
        "100.100.100.200",
        "2852039166",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::",
        "::ffff:0:169.254.169.254",
        "168.63.129.16",
    ],
)
@pytest.mark.parametrize("own", [True, False])
def test_a_clouds_own_addresses_are_refused_whoever_names_them(host, own) -> None:
    """X-24: link-local and metadata, in any spelling; the option is named."""
    shown = f"[{host}]" if ":" in host else host
    with pytest.raises(AddressRefused, match="allow-private-servers"):
        reach(AddressPolicy(f"https://{shown}/", own=own), host)


@pytest.mark.parametrize("host", ["10.0.0.1", "192.168.1.1", "172.16.0.9", "fd00::1", "100.64.0.1"])
def test_a_private_address_is_for_whoever_wrote_it_himself(host) -> None:
    """X-24: the user's own entry is meant as it is written; a repository's is refused."""
    shown = f"https://[{host}]/" if ":" in host else f"https://{host}/"
    assert reach(AddressPolicy(shown, own=True), host) == [host]
    with pytest.raises(AddressRefused, match="private address"):
        reach(AddressPolicy(shown), host)
    assert reach(AddressPolicy(shown, private=[host]), host) == [host]
    assert reach(AddressPolicy(shown, private=["*"]), host) == [host]
    with pytest.raises(AddressRefused):
        reach(AddressPolicy("https://x.example/", own=True), host)


def test_a_name_that_leads_to_this_machine_is_not_this_machine(monkeypatch) -> None:
    """X-24: a name of the internet that resolves to loopback is refused when it is connected to."""
    found = [(2, 1, 6, "", ("127.0.0.1", 443))]

    async def looked_up(self, *args, **more):
        return found

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", looked_up)
    with pytest.raises(AddressRefused):
        reach(AddressPolicy("https://rebound.example/"), "rebound.example")
    assert reach(AddressPolicy("http://localhost/"), "localhost") == ["127.0.0.1"]
    assert reach(AddressPolicy("http://127.0.0.1/"), "localhost") == ["127.0.0.1"]
    found[:] = [(2, 1, 6, "", ("8.8.8.8", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
    with pytest.raises(AddressRefused):
        reach(AddressPolicy("https://half.example/"), "half.example")


@pytest.mark.parametrize(
    "address", ["::ffff:169.254.169.254", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]
)
def test_an_address_inside_an_address_is_the_one_that_counts(monkeypatch, address) -> None:
    """X-24: what a name resolves to is looked into, whoever wrote the name."""
    found = [(10, 1, 6, "", (address, 443, 0, 0))]

    async def looked_up(self, *args, **more):
        return found

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", looked_up)
    own = "169" in address or "a9fe" in address
    with pytest.raises(AddressRefused):
        reach(AddressPolicy("https://far.example/", own=own), "far.example")


def test_a_public_address_is_fine() -> None:
    """X-24: nothing is refused that is not named."""
    assert reach(AddressPolicy("https://8.8.8.8/"), "8.8.8.8") == ["8.8.8.8"]
    assert is_loopback("a.localhost") and not is_loopback("localhost.example")
