"""How many requests are served at once."""

from __future__ import annotations

import asyncio
import hashlib
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.serving import Serving, until
from toolcrib.server.transports.http_limits import RequestLimits, TooManyRequests


def test_a_place_that_is_given_back_goes_to_whoever_waits() -> None:
    """R-15: a request waits for a place, and is served when there is one."""

    async def story() -> None:
        limits = RequestLimits(1, None)
        await limits.enter(None)
        waiting = asyncio.create_task(limits.enter(None))
        while not limits.waiting:
            await asyncio.sleep(0)
        limits.leave(None)
        await waiting
        assert limits.waiting == 0

    asyncio.run(story())


def test_callers_do_not_take_each_other_s_places() -> None:
    """R-15: `max_per_caller` counts one caller's calls; nobody is remembered for nothing."""

    async def story() -> None:
        limits = RequestLimits(10, 1)
        await limits.enter("ann")
        await limits.enter("bob")
        with pytest.raises(TooManyRequests) as refused:
            await limits.enter("ann")
        assert refused.value.status == 429
        assert refused.value.data == {"reason": "busy", "retry_after_s": 1}
        for name in ("ann", "bob"):
            limits.leave(name)
        assert not limits._callers
        await limits.enter("ann")

    asyncio.run(story())


def test_above_the_limit_the_answer_is_busy_and_says_when(tmp_path: Path) -> None:
    """R-15: 503 (server) or 429 (caller) within 1.2 s, Retry-After, -32603 with the request's id;
    streams and health routes count for nothing."""
    hashed = hashlib.sha256(b"ann").hexdigest()
    toml = f'[http]\nmax_in_flight = 2\nmax_per_caller = 1\ntokens = ["{hashed}"]\n'
    with Serving(tmp_path, toml) as server, ThreadPoolExecutor(3) as pool:
        ann = ("Authorization", "Bearer ann")
        notes = [tmp_path / name for name in ("one", "two")]
        listen = {"notifications": {"toolsListChanged": True}}
        pool.submit(server.modern, "subscriptions/listen", listen, ann)
        first = pool.submit(server.call, "wait", {"note": str(notes[0])}, ann)
        until(notes[0].exists)
        begun = time.monotonic()
        refused = server.call("echo", {"text": "x"}, ann)
        assert (refused.status, refused.headers["retry-after"]) == (429, "1")
        assert refused.json["error"]["data"] == {"reason": "busy", "retry_after_s": 1}
        assert (refused.json["id"], refused.json["error"]["code"]) == (1, -32603)
        assert time.monotonic() - begun > 0.9
        assert server.modern("tools/list", {}, ann).status == 200, "no tool call, one place left"
        server.process.terminate()
        assert first.result().status == 503

    with Serving(tmp_path, "[http]\nmax_in_flight = 1\n") as server, ThreadPoolExecutor(1) as pool:
        pool.submit(server.call, "wait", {"note": str(notes[1])})
        until(notes[1].exists)
        refused = server.modern("tools/list", {})
        assert (refused.status, refused.json["error"]["data"]["reason"]) == (503, "busy")
        assert server.ask("GET", "/livez").status == 200
        server.process.terminate()
