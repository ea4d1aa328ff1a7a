"""Who may look at the page of a server over HTTP, by the tokens that it knows."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from typing import Any

from toolcrib.server.auth.tokens import Verifier, hash_of, named_hash, nameless
from toolcrib.settings import HttpSettings
from toolcrib.web.lock import OwnToken, SignedIn

Holder = Callable[[str], Awaitable[str | None]]
"""From a token to the name of its holder; None where it opens nothing here."""


class HttpAdmission:
    """The page's own tokens and the claim of a JWT open all of it, other tokens one's own calls.

    Where neither is configured, a token is made at each start.
    """

    def __init__(self, settings: HttpSettings, verifier: Callable[[], Verifier | None]) -> None:
        self._tokens = dict(named_hash(text) for text in settings.dashboard_tokens)
        self._claim = settings.dashboard_claim
        self._verifier = verifier
        self.own = None if self._tokens or self._claim is not None else OwnToken()

    def of(self, project: str, holder: Holder) -> Callable[[str], Awaitable[SignedIn | None]]:
        """What is asked about a token for one project's page."""

        async def admit(token: str) -> SignedIn | None:
            if self.own is not None and (person := await self.own(token)) is not None:
                return person
            given = hash_of(token)
            known = [each for each in self._tokens if hmac.compare_digest(each, given)]
            if known:
                return SignedIn(self._tokens[known[0]] or nameless(given))
            name = await self._claimed(token, project)
            if name is not None:
                return SignedIn(name)
            name = await holder(token)
            return SignedIn(name, only=name) if name is not None else None

        return admit

    async def verified(self, token: str) -> str | None:
        """Whose token it is at the server itself."""
        verifier = self._verifier()
        return await verifier.caller(token) if verifier is not None else None

    async def _claimed(self, token: str, project: str) -> str | None:
        verifier = self._verifier()
        if verifier is None or self._claim is None:
            return None
        identity = await verifier.identity(token)
        opened = identity is not None and _opens(identity.claims.get(self._claim), project)
        return identity.name if identity is not None and opened else None


def _opens(said: Any, project: str) -> bool:
    """Whether a claim means this page: it is true, or names the project."""
    return said is True or project in (said if isinstance(said, list) else [said])
