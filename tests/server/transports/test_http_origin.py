"""Where a request came from."""

from __future__ import annotations

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.server.transports.http_origin import Origins, trace_id


def address(forwarded: list[str], client: str = "10.0.0.1", trusted: str = "10.0.0.0/8") -> object:
    pairs = [(b"x-forwarded-for", each.encode()) for each in forwarded]
    return Origins([trusted], None).address({"client": (client, 5)}, pairs)


def test_the_right_most_address_that_is_no_proxy_is_the_caller_s() -> None:
    """R-13: behind `trusted_proxies` the right-most entry that is none of them, without a port."""
    assert address(["1.1.1.1, 2.2.2.2, 10.9.9.9"]) == "2.2.2.2"
    assert address(["1.1.1.1", "2.2.2.2:80", "10.9.9.9"]) == "2.2.2.2"
    assert address(["[2001:db8::1]:443"]) == "2001:db8::1"
    assert address(["::ffff:2.2.2.2"]) == "2.2.2.2"
    assert address(["10.1.1.1"]) == "10.1.1.1", "all are proxies: the first of them"
    assert address([]) == "10.0.0.1"


def test_whoever_is_no_proxy_is_not_believed() -> None:
    """FAULTS: X-Forwarded-For from a stranger is ignored; so is what is no address."""
    assert address(["1.1.1.1"], client="192.0.2.1") == "192.0.2.1"
    assert address(["1.1.1.1, <script>"]) == "10.0.0.1"
    assert address(["1.1.1.1, unknown, 10.2.2.2"]) == "10.2.2.2"


def test_an_id_is_taken_only_if_it_is_one() -> None:
    """R-13: `X-Request-Id` at most 128 visible ASCII characters, else one is made."""
    origins = Origins([], "r")
    scope = {"client": ("192.0.2.1", 5)}
    for good in (b"a", b"x" * 128):
        assert (
            origins.notes(scope, {b"x-request-id": good}, (), None)["request_id"] == good.decode()
        )
    for bad in (b"", b"x" * 129, b"a b", "é".encode()):
        made = origins.notes(scope, {b"x-request-id": bad}, (), None)["request_id"]
        assert made.isalnum() and made != bad.decode()


def test_a_trace_is_told_by_header_or_meta_and_must_be_well_formed() -> None:
    """R-13, R-14: `traceparent` is taken from the header or `_meta`."""
    parent = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"
    origins = Origins([], "r")
    assert origins.notes({}, {b"traceparent": parent.encode()}, (), None)["trace_id"] == "a" * 32
    assert origins.notes({}, {}, (), {"traceparent": parent})["trace_id"] == "a" * 32
    assert trace_id("00-short") is None and trace_id(None) is None


def test_a_proxy_that_is_no_address_is_a_mistake_of_the_settings() -> None:
    """R-13: the message names the value."""
    with pytest.raises(ConfigError, match=r"proxy\.example"):
        Origins(["proxy.example"], None)
