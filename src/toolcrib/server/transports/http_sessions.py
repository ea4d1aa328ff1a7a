"""Sessions of the earlier eras over HTTP: who opened them, what they know, when they end."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Final, Literal

from toolcrib.core.tool import JSON
from toolcrib.server.mcp.in_flight import InFlight, Work
from toolcrib.server.mcp.protocol import Session
from toolcrib.server.mcp.seal import Seal
from toolcrib.server.mcp.subscriptions import Event
from toolcrib.wire.versions import HANDSHAKE_VERSIONS

MOST: Final = 10_000
"""Sessions that are kept; above, the one longest unused goes."""
_USED = ("elicitation", "roots", "sampling")
"""The client's capabilities that this server makes use of: no others are sealed."""
_PURPOSE: Final = "session"
_LONGEST: Final = 1024
_LONGEST_NAME: Final = 100


class HttpSession:
    """One client of the earlier eras, from its `initialize` on."""

    __slots__ = (
        "_news",
        "_told",
        "caller",
        "id",
        "in_flight",
        "opened",
        "state",
        "stream",
    )

    def __init__(self, id: str, caller: str, state: Session, opened: float) -> None:
        self.id = id
        self.caller = caller
        self.state = state
        # What the record calls it: equal at every replica, and never the id itself.
        state.id = hashlib.sha256(id.encode()).hexdigest()[:12]
        self.opened = opened
        self.in_flight: InFlight[Work] = InFlight()
        self.stream: Work | None = None
        """What serves the GET stream, while there is one."""
        self._news: dict[Event, None] | None = None
        self._told: asyncio.Event | None = None

    @property
    def busy(self) -> bool:
        """Whether a request or a stream is open."""
        return self.stream is not None or bool(self.in_flight.running)

    def tell(self, event: Event) -> None:
        """Keep an event until the client's stream has taken it; each is kept once."""
        kind, uri = event
        if kind == "updated" and uri not in self.state.subscriptions:
            return
        if self._news is None:
            self._news = {}
        self._news[event] = None
        if self._told is not None:
            self._told.set()

    async def news(self) -> Event:
        """The next event, as soon as there is one."""
        while not self._news:
            self._told = told = asyncio.Event()
            try:
                await told.wait()
            finally:
                if self._told is told:
                    self._told = None
        event = next(iter(self._news))
        del self._news[event]
        return event


Tell = Callable[[HttpSession, Literal["opened", "taken_over", "closed"]], None]


class HttpSessions:
    """All sessions of one endpoint.

    With a seal that is shared between replicas an id carries what a session needs, so that a
    replica that has never seen it takes it over; lost are its subscriptions and log level, of
    which the client is told by `resources/list_changed`. Without one, an id is a random name.
    """

    def __init__(
        self,
        seal: Seal,
        *,
        lifetime: float,
        project: str = "",
        most: int = MOST,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._seal = seal
        self.on_change: Tell = lambda session, state: None
        """Told when a session is opened, taken over or closed."""
        self._lifetime = lifetime
        self._project = project
        self._most = most
        self._clock = clock
        self._known: OrderedDict[str, HttpSession] = OrderedDict()
        self._ended: OrderedDict[str, None] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[HttpSession]:
        return iter(list(self._known.values()))

    def open(self, caller: str, state: Session) -> HttpSession:
        """A new session for the client that has just been initialized."""
        now = self._clock()
        id = secrets.token_urlsafe(24)
        if self._seal.shared:
            id = self._seal.close(_PURPOSE, _packed(state, now, id), self._bound(caller))
        session = self._keep(HttpSession(id, caller, state, now))
        self.on_change(session, "opened")
        return session

    def find(self, id: str, caller: str) -> HttpSession | None:
        """The caller's session of that id; None for one that is unknown, foreign or expired."""
        session = self._known.get(id)
        if session is None:
            session = self._taken_over(id, caller)
            if session is None:
                return None
        if session.caller != caller:
            return None
        if self._clock() - session.opened > self._lifetime:
            self._forget(session)
            return None
        self._known.move_to_end(id)
        return session

    def end(self, session: HttpSession) -> None:
        """End a session for good: its stream, its requests, its id."""
        self._forget(session)
        self._ended[session.id] = None
        if len(self._ended) > self._most:
            self._ended.popitem(last=False)

    def tell(self, event: Event) -> None:
        """Queue an event for every session."""
        for session in self._known.values():
            session.tell(event)

    def _keep(self, session: HttpSession) -> HttpSession:
        self._known[session.id] = session
        if len(self._known) > self._most:
            self._forget(self._longest_unused())
        return session

    def _longest_unused(self) -> HttpSession:
        for session in self._known.values():
            if not session.busy:
                return session
        return next(iter(self._known.values()))

    def _forget(self, session: HttpSession) -> None:
        self._known.pop(session.id, None)
        self.on_change(session, "closed")
        if session.stream is not None:
            session.stream.cancel()
        for work in list(session.in_flight.running.values()):
            work.cancel()

    def _taken_over(self, id: str, caller: str) -> HttpSession | None:
        if not self._seal.shared or id in self._ended or len(id) > _LONGEST:
            return None
        body = self._seal.open(_PURPOSE, id, self._bound(caller))
        if body is None:
            return None
        state, opened = _unpacked(body)
        if self._clock() - opened > self._lifetime:
            return None
        session = self._keep(HttpSession(id, caller, state, opened))
        session.tell(("resources", ""))
        self.on_change(session, "taken_over")
        return session

    def _bound(self, caller: str) -> bytes:
        return json.dumps([caller, self._project]).encode()


def _packed(state: Session, opened: float, nonce: str) -> bytes:
    """What another replica needs to know of a session, in few bytes."""
    capabilities = {
        name: _brief(state.capabilities[name]) for name in _USED if name in state.capabilities
    }
    client = [_cut(state.client.get(key)) for key in ("name", "version")]
    version = HANDSHAKE_VERSIONS.index(state.version)
    body = [version, capabilities, client, round(opened), nonce[:16]]
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()


def _unpacked(body: bytes) -> tuple[Session, float]:
    version, capabilities, (name, release), opened, _ = json.loads(body)
    client: JSON = {"name": name, "version": release} if name is not None else {}
    return Session(True, HANDSHAKE_VERSIONS[version], capabilities, client), float(opened)


def _brief(capability: object) -> JSON:
    """The first level of a capability: what kinds of it the client has."""
    known = ("form", "url", "tools", "context", "listChanged")
    return {name: {} for name in known if isinstance(capability, dict) and name in capability}


def _cut(text: object) -> str | None:
    """At most what fits into an id beside all else, whatever its characters take in UTF-8."""
    if not isinstance(text, str):
        return None
    shown = "".join(filter(str.isprintable, text[:_LONGEST_NAME]))
    return shown.encode()[:_LONGEST_NAME].decode("utf-8", "ignore")
