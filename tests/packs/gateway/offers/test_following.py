"""Subscriptions to resources of servers, in each pair of eras."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sys
from pathlib import Path
from typing import Any

import pytest

from support.pipe import ENVELOPE, PATIENCE, Pipe
from support.waiting import until_async

ERAS = ("legacy", "modern")
OFFERING = Path(__file__).parents[3] / "support" / "offering_server.py"
URI = "mcp://srv/note://a"


def told_of(pipe: Pipe, method: str, timeout: float = PATIENCE) -> Any:
    """The parameters of the next notification of a kind."""
    while True:
        for message in pipe.notifications:
            if message.get("method") == method:
                pipe.notifications.remove(message)
                return message.get("params", {})
        pipe.notifications.append(pipe.receive(timeout))


def told_of_touch(pipe: Pipe, modern: bool) -> Any:
    """What is told of a touched resource; a server hears of a subscription after its client."""
    for _ in range(10):
        touch(pipe, modern)
        with contextlib.suppress(queue.Empty):
            return told_of(pipe, "notifications/resources/updated", timeout=2)
    raise AssertionError("nobody was told")


def touch(pipe: Pipe, modern: bool) -> None:
    pipe.call("climax_call", {"tool_name": "srv__touch", "args": {}}, modern=modern)


@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_a_change_is_passed_on_to_those_who_subscribed(serving, client, server) -> None:
    """X-16, X-25: by the uri that is known here, in the way of each era."""
    modern = client == "modern"
    with serving(server) as pipe:
        if modern:
            params = {"notifications": {"resourceSubscriptions": [URI]}, "_meta": ENVELOPE}
            post = {"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params}
            pipe.post(post)
            told_of(pipe, "notifications/subscriptions/acknowledged")
        else:
            pipe.initialize()
            pipe.result("resources/subscribe", {"uri": URI})
        assert told_of_touch(pipe, modern)["uri"] == URI


@pytest.mark.parametrize("server", ERAS)
def test_nobody_is_told_after_unsubscribing(serving, server) -> None:
    """X-16: and the lists of a server are followed while it is up, whatever its era."""
    with serving(server) as pipe:
        pipe.initialize()
        pipe.result("resources/subscribe", {"uri": URI})
        told_of_touch(pipe, False)
        told_of(pipe, "notifications/resources/list_changed")  # it was seen for the first time
        pipe.result("resources/unsubscribe", {"uri": URI})
        touch(pipe, False)
        pipe.call("climax_call", {"tool_name": "srv__more", "args": {}})
        told_of(pipe, "notifications/resources/list_changed")
        assert not [m for m in pipe.notifications if "resources/updated" in str(m)]


def test_a_subscription_keeps_the_server_up(project) -> None:
    """X-13: beyond its idle time; the last one who goes lets it rest."""
    words = {"command": sys.executable, "args": [str(OFFERING), "legacy"], "sandbox": "off"}
    project.write(srv={**words, "idle": 0.05})

    async def work(pack: Any) -> None:
        source = pack.contribute().resources
        await source.subscribe(URI)
        await source.read(URI)
        server = pack.servers.server("srv")
        await asyncio.sleep(0.3)  # no event: a server that stays up does nothing
        assert server.up
        await source.unsubscribe(URI)
        await until_async(lambda: not server.up)

    project.run(work)
