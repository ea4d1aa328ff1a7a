"""Events of changes, the subscriptions of clients, and the queue of a slow subscriber."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

from toolcrib.core.tool import JSON

METHOD = "subscriptions/listen"
"""The one request that is never answered: its events come until it is cancelled."""
Event = tuple[Literal["tools", "resources", "prompts", "updated"], str]
"""What changed: a whole list, or one resource by its uri."""
Listener = Callable[[Event], None]


class EventFilter:
    """The filter of one `subscriptions/listen`."""

    def __init__(self, given: JSON) -> None:
        self._kinds = {
            kind for kind in ("tools", "prompts", "resources") if given.get(f"{kind}ListChanged")
        }
        uris = given.get("resourceSubscriptions") or []
        known = [uri for uri in uris if isinstance(uri, str)] if isinstance(uris, list) else []
        self.uris = dict.fromkeys(known)
        """The resources that it names."""

    def wants(self, event: Event) -> bool:
        """Whether the client asked for this one."""
        kind, uri = event
        return uri in self.uris if kind == "updated" else kind in self._kinds

    def to_wire(self) -> JSON:
        """The filter as it is acknowledged."""
        wire: JSON = {f"{kind}ListChanged": True for kind in sorted(self._kinds)}
        if self.uris:
            wire["resourceSubscriptions"] = list(self.uris)
        return wire


class PendingEvents:
    """Events that wait for one listener, each of them once.

    So no burst can overflow it, and none is lost.
    """

    def __init__(self, wanted: EventFilter) -> None:
        self._wanted = wanted
        self._events: dict[Event, None] = {}
        self._news = asyncio.Event()

    def put(self, event: Event) -> None:
        """Take note of an event, if the listener wants it."""
        if self._wanted.wants(event):
            self._events[event] = None
            self._news.set()

    async def get(self) -> Event:
        """The oldest event, as soon as there is one."""
        await self._news.wait()
        event = next(iter(self._events))
        del self._events[event]
        if not self._events:
            self._news.clear()
        return event


def notification(event: Event) -> tuple[str, JSON]:
    """An event as the notification that carries it, in either era."""
    kind, uri = event
    if kind == "updated":
        return "notifications/resources/updated", {"uri": uri}
    return f"notifications/{kind}/list_changed", {}
