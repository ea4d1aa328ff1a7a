"""The guard in front of every HTTP route."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.server.transports.http_guard import HttpGuard, bearer, is_loopback, served_hosts
from toolcrib.server.transports.http_visit import RequestRefused

HOST = (b"host", b"127.0.0.1:8321")


def guard(*hosts: str, origins: tuple[str, ...] = ()) -> HttpGuard:
    return HttpGuard(hosts=served_hosts("127.0.0.1", hosts), origins=origins, verifier=None)


def status(checked: HttpGuard, *pairs: tuple[bytes, bytes]) -> int:
    try:
        checked.check_source(dict(pairs), list(pairs))
    except RequestRefused as refused:
        return refused.status
    return 200


@pytest.mark.parametrize(
    ("host", "answer"),
    [
        ("localhost", 200), ("LOCALHOST:1", 200), ("[::1]:8321", 200), ("127.0.0.1", 200),
        ("tools.example:443", 200), ("evil.example", 421), ("localhost.evil.example", 421),
        ("localhost@evil.example", 421), ("127.0.0.1:80:80", 421), ("", 421), ("10.0.0.1", 421),
    ],
)  # fmt: skip
def test_only_our_own_names_are_served(host: str, answer: int) -> None:
    """S-6, FAULTS: a name that somebody's DNS leads here is not ours."""
    assert status(guard("tools.example"), (b"host", host.encode())) == answer


def test_on_all_interfaces_every_address_in_numbers_is_ours() -> None:
    """S-6: such an address cannot be re-bound."""
    everywhere = HttpGuard(hosts=served_hosts("0.0.0.0", ()), origins=(), verifier=None)
    assert status(everywhere, (b"host", b"10.1.2.3:80")) == 200
    assert status(everywhere, (b"host", b"[fe80::1]:80")) == 200
    assert status(everywhere, (b"host", b"evil.example")) == 421


@pytest.mark.parametrize(
    ("origin", "answer"),
    [
        ("http://localhost:3000", 200), ("http://127.0.0.1", 200), ("https://app.example", 200),
        ("https://app.example.evil", 403), ("null", 403), ("file://", 403),
        ("http://evil.example", 403), ("http://localhost.evil.example", 403), ("", 403),
    ],
)  # fmt: skip
def test_a_page_of_another_site_is_refused(origin: str, answer: int) -> None:
    """S-6: loopback and what the settings allow."""
    checked = guard(origins=("https://app.example/",))
    assert status(checked, HOST, (b"origin", origin.encode())) == answer


@pytest.mark.parametrize(
    ("name", "answer"),
    [(b"authorization", 401), (b"host", 400), (b"mcp-session-id", 400), (b"content-length", 400),
     (b"accept", 200)],
)  # fmt: skip
def test_a_header_that_decides_is_there_once(name: bytes, answer: int) -> None:
    """S-6 amended: of two, a proxy might have looked at the other one."""
    twice = [(name, b"127.0.0.1"), (name, b"127.0.0.1")]
    assert status(guard(), *twice, *(() if name == b"host" else (HOST,))) == answer


@given(st.text(max_size=30))
def test_whatever_a_host_says_it_is_decided(text: str) -> None:
    """FAULTS: every HTTP header is untrusted."""
    header = (b"host", text.encode("utf-8", "replace"))
    assert status(guard(), header) in (200, 421)


def test_a_bearer_token_is_read_whatever_the_case_of_the_word() -> None:
    """S-6: and nothing else is taken for one."""
    assert bearer({b"authorization": b"bEARER  abc "}) == "abc"
    assert bearer({b"authorization": b"Basic abc"}) is None and bearer({}) is None
    assert asyncio.run(guard().caller({})) == "http"


def test_loopback_is_told_from_other_addresses() -> None:
    """S-6: all of 127/8, ::1 and the name."""
    assert all(map(is_loopback, ("localhost", "127.3.2.1", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "localhost.example", "10.0.0.1", "")))
