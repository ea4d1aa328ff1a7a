"""Requests under way in both directions."""

from __future__ import annotations

import asyncio

import pytest

from toolcrib.server.mcp.in_flight import InFlight, new_id
from toolcrib.wire.messages import RpcError


class Work:
    """Something that can be cancelled."""

    cancelled = 0

    def cancel(self) -> None:
        self.cancelled += 1


def test_an_id_that_is_in_use_is_refused_and_free_again_afterwards() -> None:
    """S-8: two requests under one id cannot be told apart."""
    flying, one, two = InFlight(), Work(), Work()
    flying.begin(1, one)
    with pytest.raises(RpcError, match="already in flight"):
        flying.begin(1, two)
    flying.end(1, two)  # not its own
    assert flying.running == {1: one}
    flying.end(1, one)
    flying.begin(1, two)


def test_a_cancellation_of_nothing_is_ignored() -> None:
    """S-8: it may cross with the answer."""
    flying, work = InFlight(), Work()
    flying.begin(1, work)
    for params in ({"requestId": 2}, {"requestId": None}, {"requestId": [1]}, {}):
        flying.cancel(params)
    assert work.cancelled == 0
    flying.cancel({"requestId": 1})
    assert work.cancelled == 1


def test_the_clients_answer_reaches_whoever_asked() -> None:
    """S-1: a result, an error in its words, and answers that nobody waits for."""

    async def story() -> None:
        flying = InFlight()
        sent: list[str] = []
        ids = [new_id(), new_id()]
        asked = [
            asyncio.ensure_future(flying.ask(id, lambda id=id: sent.append(id)))  # type: ignore[misc]
            for id in ids
        ]
        await asyncio.sleep(0)
        assert sent == ids and ids[0] != ids[1]
        flying.take_answer({"id": "unknown", "result": {}})
        flying.take_answer({"id": ids[0], "result": {"a": 1}})
        flying.take_answer({"id": ids[0], "result": {"a": 2}})
        flying.take_answer({"id": ids[1], "error": {"message": "rather not"}})
        assert await asked[0] == {"a": 1}
        with pytest.raises(RpcError, match="The client refused: rather not"):
            await asked[1]

    asyncio.run(story())
