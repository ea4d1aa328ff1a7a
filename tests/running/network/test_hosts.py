"""Grants of hosts: what is written, and what it means."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.running.network.hosts import (
    FULL_NETWORK,
    NO_NETWORK,
    Network,
    address_of,
    is_public,
    normalized,
    parse_host,
    parse_network,
    strictest,
)


@pytest.mark.parametrize(
    ("granted", "name", "port", "expected"),
    [
        (["example.com"], "example.com", 443, True),
        (["example.com"], "example.com", 80, True),
        (["example.com"], "example.com", 22, False),
        (["example.com"], "www.example.com", 443, False),
        (["example.com"], "badexample.com", 443, False),
        (["*.example.com"], "a.b.example.com", 443, True),
        (["*.example.com"], "example.com", 443, False),
        (["*.example.com"], "notexample.com", 443, False),
        (["Example.COM."], "example.com", 443, True),
        (["example.com:8443"], "example.com", 8443, True),
        (["example.com:8443"], "example.com", 443, False),
        ("public", "anything.example", 443, True),
        ("public", "anything.example", 22, False),
        (["public", "public:22"], "anything.example", 22, True),
        (["public", "publicity.example:22"], "publicity.example", 22, True),
        (["public", "publicity.example:22"], "anything.example", 22, False),
        ("none", "example.com", 443, False),
    ],
)
def test_a_grant_allows_what_it_names(
    granted: object, name: str, port: int, expected: bool
) -> None:
    """T-10: names exact or `*.name`; ports 80 and 443 unless written."""
    assert parse_network(granted).allows(name, port) is expected


@pytest.mark.parametrize(
    "entry", ["*", "*.com", "", "a b", "ex ample.com", "http://example.com", "a*b.example.com",
              "example.com:0", "example.com:70000", "-x.example", "user@example.com"],
)  # fmt: skip
def test_what_is_too_wide_or_no_host_is_an_error(entry: str) -> None:
    """T-10: `*` and `*.com` are errors."""
    for beside in ([], ["public"]):
        with pytest.raises(ValueError, match=r"host|wide|port"):
            parse_network([*beside, entry])


@pytest.mark.parametrize("entry", ["public:0", "public:99999", "public:x", "public:", "public*.a"])
def test_a_port_of_all_that_is_public_is_a_port(entry: str) -> None:
    """T-10: nothing that is written is passed over, also where it begins with that word."""
    with pytest.raises(ValueError, match=r"host|port"):
        parse_network(["public", entry])


@pytest.mark.parametrize("word", ["all", "hosts", "", "Public", 3, None, {"a": 1}, [1]])
def test_a_word_that_is_none_is_an_error(word: object) -> None:
    """T-10: a grant is none, a list of hosts, public or full."""
    with pytest.raises(ValueError, match="none"):
        parse_network(word)


@pytest.mark.parametrize(
    "text",
    ["127.0.0.1", "2130706433", "0x7f.1", "0x7f000001", "017700000001", "127.1", "0177.0.0.1",
     "::ffff:127.0.0.1", "[::ffff:7f00:1]", "::1"],
)  # fmt: skip
def test_every_form_of_an_address_is_an_address(text: str) -> None:
    """T-10: decimal, octal and mapped forms are addresses, and this one is not public."""
    address = address_of(text)
    assert address is not None
    assert not is_public(address)


@pytest.mark.parametrize(
    "text",
    ["10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
     "224.0.0.1", "255.255.255.255", "fe80::1", "fc00::1", "fd00:ec2::254", "::",
     "64:ff9b::7f00:1", "2002:7f00:1::", "::ffff:10.0.0.1", "192.0.0.192", "168.63.129.16",
     "::ffff:168.63.129.16", "fec0::1"],
)  # fmt: skip
def test_private_link_local_and_metadata_addresses_are_not_public(text: str) -> None:
    """T-10: private, loopback, link-local and metadata addresses."""
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", ["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111"])
def test_addresses_of_the_internet_are_public(text: str) -> None:
    """T-10: and what is public is not refused."""
    assert is_public(ipaddress.ip_address(text))


@given(st.ip_addresses(v=4))
def test_an_address_is_the_same_in_all_its_forms(address: ipaddress.IPv4Address) -> None:
    """T-10: however it is written, it is checked as what it is."""
    number = int(address)
    for text in (str(number), hex(number), f"0{number:o}", f"::ffff:{address}"):
        assert address_of(text) == address


@given(
    st.from_regex(
        r"[A-Za-z]([A-Za-z0-9-]{0,10}[A-Za-z0-9])?(\.[A-Za-z]{2,5}){1,3}\.?", fullmatch=True
    )
)
def test_names_are_compared_in_lower_case_without_a_dot(name: str) -> None:
    """T-10: names in lower case, one trailing dot removed."""
    host = parse_host(name)
    assert host.matches(normalized(name.upper()), 443)
    assert normalized(normalized(name)) == normalized(name)


_NETWORKS = st.sampled_from([
    NO_NETWORK, FULL_NETWORK, parse_network("public"), parse_network(["a.example"]),
    parse_network(["a.example", "*.b.example:22"]), parse_network(["public", "public:22"]),
])  # fmt: skip


@given(
    st.lists(_NETWORKS, min_size=1, max_size=4),
    st.sampled_from(["a.example", "x.b.example", "c.example"]),
    st.sampled_from([22, 80, 443]),
)
def test_the_strictest_allows_only_what_all_allow(
    networks: list[Network], name: str, port: int
) -> None:
    """T-5, T-10: of `network` the strictest of all files holds."""
    together = strictest(networks)
    if together.word not in ("none", "full") and together.allows(name, port):
        for each in networks:
            assert each.word == "full" or each.allows(name, port)


def test_only_the_persons_own_list_opens_private_addresses() -> None:
    """T-10: refused unless the person's own file lists them."""
    assert not parse_network(["db.internal"]).allows_private("db.internal", 443)
    assert parse_network(["db.internal"], private=True).allows_private("db.internal", 443)
    assert not parse_network(["db.internal"], private=True).allows_private("x.internal", 443)
