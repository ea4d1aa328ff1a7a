"""How the process of a server ended, in words."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from toolcrib.packs.gateway.life.ending import how_it_ended


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"status": 3}, "exit code 3"),
        ({"status": -9}, "signal SIGKILL"),
        ({"status": -99}, "signal -99".replace("-", "")),
        ({"status": 1, "limit": "memory"}, "it exceeded its limit of memory"),
        ({"failed": True, "errno": 13}, "Permission denied"),
        ({}, "it closed its output"),
        (None, "it closed its output"),
    ],
)
def test_an_end_has_its_words(answer: dict[str, Any] | None, words: str) -> None:
    """FAULTS: signal or code; errno; output closed while the process lives on."""

    async def ended() -> str:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if answer is not None:
            future.set_result(answer)
        return await how_it_ended(SimpleNamespace(ended=future))  # type: ignore[arg-type]

    assert asyncio.run(ended()) == words
