"""The state that a client carries between two rounds."""

from __future__ import annotations

from typing import Any

import pytest

from toolcrib.server.mcp.protocol import Request, Session
from toolcrib.server.mcp.request_state import LIFETIME, RequestStates
from toolcrib.server.mcp.seal import Seal
from toolcrib.wire.messages import RpcError


class Peer:
    """Whoever asks."""

    def __init__(self, caller: str) -> None:
        self.caller = caller
        self.session = Session()


def asked(caller: str = "me", name: str = "tool", **params: Any) -> Request:
    given = {"name": name, "arguments": {"a": 1}, **params}
    return Request("tools/call", given, "modern", Peer(caller))  # type: ignore[arg-type]


def sealed(states: RequestStates, state: str = "step 2") -> str:
    result = {"resultType": "input_required", "requestState": state}
    states.close(result, asked())
    return result["requestState"]


def test_what_was_sealed_comes_back_and_cannot_be_read_as_it_is() -> None:
    """S-1: the client carries it, and only we say what it means."""
    states = RequestStates(Seal())
    text = sealed(states)
    assert text != "step 2"
    again = asked(requestState=text)
    states.open(again)
    assert again.params["requestState"] == "step 2"


@pytest.mark.parametrize(
    "other",
    [{"caller": "you"}, {"name": "another"}, {"arguments": {"a": 2}}, {"requestState": "x"}],
)
def test_it_is_good_for_the_same_request_alone(other: dict[str, Any]) -> None:
    """S-1: another caller, tool or argument, or a changed text, is refused."""
    states = RequestStates(Seal())
    request = asked(**{"requestState": sealed(states), **other})
    with pytest.raises(RpcError, match="Invalid or expired requestState"):
        states.open(request)


def test_it_expires() -> None:
    """S-1: ten minutes."""
    now = [0.0]
    states = RequestStates(Seal(), clock=lambda: now[0])
    text = sealed(states)
    now[0] = LIFETIME + 1
    with pytest.raises(RpcError, match="expired"):
        states.open(asked(requestState=text))


def test_a_replica_with_the_same_secret_opens_it_and_another_project_does_not() -> None:
    """HOUSE: any replica continues, within one project."""
    text = sealed(RequestStates(Seal(b"s" * 32), "p"))
    RequestStates(Seal(b"s" * 32), "p").open(asked(requestState=text))
    for other in (RequestStates(Seal(b"s" * 32), "q"), RequestStates(Seal(), "p")):
        with pytest.raises(RpcError):
            other.open(asked(requestState=text))
