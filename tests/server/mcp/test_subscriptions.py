"""Events of changes, and who wants them."""

from __future__ import annotations

import asyncio

from toolcrib.server.mcp.subscriptions import EventFilter, PendingEvents, notification


def test_a_filter_lets_through_what_was_asked_for() -> None:
    """S-5: kinds of lists, and resources by uri; what is no text is ignored."""
    wanted = EventFilter({"toolsListChanged": True, "resourceSubscriptions": ["a://x", 3]})
    assert wanted.wants(("tools", "")) and wanted.wants(("updated", "a://x"))
    assert not wanted.wants(("prompts", "")) and not wanted.wants(("updated", "a://y"))
    assert wanted.to_wire() == {"toolsListChanged": True, "resourceSubscriptions": ["a://x"]}
    assert EventFilter({"resourceSubscriptions": "a://x"}).to_wire() == {}


def test_a_burst_is_one_event_each_and_none_is_lost() -> None:
    """S-5: a slow client cannot fill the memory."""

    async def story() -> list[object]:
        pending = PendingEvents(
            EventFilter({"toolsListChanged": True, "resourceSubscriptions": ["a"]})
        )
        for _ in range(1000):
            pending.put(("tools", ""))
            pending.put(("updated", "a"))
            pending.put(("prompts", ""))
        found: list[object] = [await pending.get(), await pending.get()]
        waiting = asyncio.ensure_future(pending.get())
        await asyncio.sleep(0)
        assert not waiting.done()
        pending.put(("tools", ""))
        return [*found, await waiting]

    assert asyncio.run(story()) == [("tools", ""), ("updated", "a"), ("tools", "")]


def test_an_event_is_a_notification_of_either_era() -> None:
    """S-5: the names of the specification."""
    assert notification(("tools", "")) == ("notifications/tools/list_changed", {})
    assert notification(("updated", "a")) == ("notifications/resources/updated", {"uri": "a"})
