"""One HTTP request and the client behind it, as the endpoint sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.server.mcp.protocol import Session
from toolcrib.server.transports.http_visit import ClientGone, HttpPeer, RequestRefused, Visit
from toolcrib.wire.messages import RpcError


def visit(events: Sequence[dict[str, Any]], **headers: str) -> Visit:
    rest = iter(events)

    async def receive() -> dict[str, Any]:
        return next(rest)

    async def send(event: object) -> None:
        return None

    named = {name.replace("_", "-").encode(): text.encode() for name, text in headers.items()}
    return Visit({}, named, list(named.items()), "ann", receive, send)  # type: ignore[arg-type]


def pieces(*bodies: bytes) -> list[dict[str, Any]]:
    return [
        {"type": "http.request", "body": body, "more_body": n < len(bodies) - 1}
        for n, body in enumerate(bodies)
    ]


@given(st.lists(st.binary(max_size=20), min_size=1, max_size=6))
def test_a_body_is_whole_however_it_is_cut(bodies: list[bytes]) -> None:
    """S-6: what the pieces hold, in their order."""
    assert asyncio.run(visit(pieces(*bodies)).body(1000)) == b"".join(bodies)


@pytest.mark.parametrize(
    ("bodies", "declared"),
    [([b"x" * 11], "0"), ([b"x" * 6, b"x" * 6], "0"), ([b""], "11"), ([b""], "ten"), ([b""], "-1")],
)
def test_a_body_above_the_cap_is_refused(bodies: list[bytes], declared: str) -> None:
    """FAULTS: 413, by what is declared or by what comes, and the connection closes."""
    with pytest.raises(RequestRefused) as refused:
        asyncio.run(visit(pieces(*bodies), content_length=declared).body(10))
    assert refused.value.status == 413 and refused.value.headers == ((b"connection", b"close"),)


def test_a_client_that_goes_in_the_midst_is_noticed() -> None:
    """FAULTS: half a body is no message."""
    events = [*pieces(b"half", b"")[:1], {"type": "http.disconnect"}]
    with pytest.raises(ClientGone):
        asyncio.run(visit(events).body(10))


def test_a_stateless_client_cannot_be_asked() -> None:
    """S-1: without a session there is no way for an answer to come back."""

    class Reply:
        streams = True

    peer = HttpPeer(visit([]), Reply(), Session(), None)  # type: ignore[arg-type]
    assert peer.caller == "ann"
    with pytest.raises(RpcError, match="no way to ask"):
        asyncio.run(peer.request("roots/list", {}))
