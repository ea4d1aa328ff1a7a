"""Who may look at the page, and which requests are its own."""

from __future__ import annotations

import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from toolcrib.core.support.digests import sha256
from toolcrib.core.support.records import bare

LIFETIME: Final = 12 * 3600
_MOST_WRONG = 10
_MINUTE = 60.0
_MOST_SESSIONS = 1000


@bare
class Visitor:
    """Somebody who is signed in; `csrf` is what their forms carry. A bearer has no cookie."""

    csrf: str
    by_cookie: bool = True


class Lock:
    """One token per start, or those whose hashes are given; each browser gets its own session."""

    def __init__(
        self, hashes: Sequence[str] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.token = secrets.token_urlsafe(32)
        self._hashes = [text.lower() for text in hashes]
        self._clock = clock
        self._sessions: dict[str, tuple[float, str]] = {}
        self._wrong: deque[float] = deque(maxlen=_MOST_WRONG)

    @property
    def tired(self) -> bool:
        """Whether there were ten wrong tries within a minute."""
        return len(self._wrong) == _MOST_WRONG and self._clock() - self._wrong[0] < _MINUTE

    def opens(self, token: str) -> bool:
        """Whether this is the token; a wrong one is counted."""
        given = token.encode("utf-8", "replace")
        if self._hashes:
            digest = sha256(given)
            if sum(hmac.compare_digest(digest, each) for each in self._hashes):
                return True
        elif hmac.compare_digest(given, self.token.encode()):
            return True
        self._wrong.append(self._clock())
        return False

    def sign_in(self) -> str:
        """A new session; returns its id."""
        now = self._clock()
        if len(self._sessions) >= _MOST_SESSIONS:
            self._sessions = {id: kept for id, kept in self._sessions.items() if kept[0] > now}
        id = secrets.token_urlsafe(24)
        self._sessions[id] = (now + LIFETIME, secrets.token_urlsafe(24))
        return id

    def visitor(self, session: str | None) -> Visitor | None:
        """Who shows a session's id."""
        found = self._sessions.get(session or "")
        if found is None or found[0] < self._clock():
            return None
        return Visitor(found[1])
