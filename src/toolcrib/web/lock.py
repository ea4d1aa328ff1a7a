"""Who may look at the page, and which sessions of browsers are open."""

from __future__ import annotations

import hmac
import json
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from toolcrib.core.support.records import bare, record

LIFETIME: Final = 12 * 3600
_MOST_WRONG = 10
_MINUTE = 60.0
_MOST_SESSIONS = 1000
_PURPOSE = "dashboard"


@record
class SignedIn:
    """Who signed in; `only` is the caller whose calls they may see, empty for all of them."""

    name: str
    only: str = ""


@bare
class Visitor:
    """A signed-in visitor; `csrf` is the token of their forms. One with a bearer has no cookie."""

    name: str
    only: str = ""
    csrf: str = ""

    @property
    def by_cookie(self) -> bool:
        """Whether a browser sends who they are by itself, so that its requests can be forged."""
        return bool(self.csrf)


Admission = Callable[[str], Awaitable[SignedIn | None]]
"""Maps a token to its holder; None if the token is not valid here."""


class Sealing(Protocol):
    """Signs what a browser keeps."""

    def close(self, purpose: str, body: bytes, bound: bytes = b"") -> str:
        """`body` as text that only `open` accepts."""

    def open(self, purpose: str, text: str, bound: bytes = b"") -> bytes | None:
        """What was sealed; None where it was not."""


class OwnToken:
    """The token that is made at each start."""

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(32)

    async def __call__(self, token: str) -> SignedIn | None:
        """Compare in constant time."""
        same = hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())
        return SignedIn("dashboard") if same else None


class Lock:
    """Asks for a token once, then identifies each browser by its own session.

    With a seal, a session is in the cookie, and good wherever the seal is known and `place` is the
    same; without one it is kept here.
    """

    def __init__(
        self,
        admission: Admission,
        seal: Sealing | None = None,
        place: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._admission = admission
        self._seal = seal
        self._place = place.encode()
        self._clock = clock
        self._sessions: dict[str, tuple[float, Visitor]] = {}
        self._wrong: deque[float] = deque(maxlen=_MOST_WRONG)

    @property
    def tired(self) -> bool:
        """Whether there were ten wrong tries within a minute."""
        return len(self._wrong) == _MOST_WRONG and self._clock() - self._wrong[0] < _MINUTE

    async def admit(self, token: str) -> SignedIn | None:
        """Whose token this is; a wrong one is counted."""
        found = await self._admission(token)
        if found is None:
            self._wrong.append(self._clock())
        return found

    def sign_in(self, person: SignedIn) -> str:
        """Open a session; returns what the browser keeps of it."""
        visitor = Visitor(person.name, person.only, secrets.token_urlsafe(24))
        expires = self._clock() + LIFETIME
        if self._seal is not None:
            body = json.dumps([expires, visitor.name, visitor.only, visitor.csrf])
            return self._seal.close(_PURPOSE, body.encode(), self._place)
        if len(self._sessions) >= _MOST_SESSIONS:
            self._make_room()
        id = secrets.token_urlsafe(24)
        self._sessions[id] = (expires, visitor)
        return id

    def visitor(self, session: str | None) -> Visitor | None:
        """Who shows a session."""
        if session is None:
            return None
        if self._seal is not None:
            return self._unsealed(self._seal, session)
        expires, visitor = self._sessions.get(session, (0.0, None))
        return visitor if expires > self._clock() else None

    def _unsealed(self, seal: Sealing, session: str) -> Visitor | None:
        body = seal.open(_PURPOSE, session, self._place)
        if body is None:
            return None
        expires, name, only, csrf = json.loads(body)
        return Visitor(name, only, csrf) if expires > self._clock() else None

    def _make_room(self) -> None:
        """Drop sessions that are over; if that is not enough, the oldest half."""
        now = self._clock()
        kept = {id: each for id, each in self._sessions.items() if each[0] > now}
        if len(kept) >= _MOST_SESSIONS:
            kept = dict(list(kept.items())[len(kept) // 2 :])
        self._sessions = kept
