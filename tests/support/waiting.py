"""Waiting for something to happen: the one place where tests look again and again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

_AGAIN = 0.01


def until(condition: Callable[[], object], seconds: float = 10) -> None:
    """Return as soon as it holds; fail if it never does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(_AGAIN)


async def until_async(condition: Callable[[], object], seconds: float = 10) -> None:
    """The same beside other tasks of the loop."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(_AGAIN)
