"""Who may open which project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolcrib.server.auth.tokens import Identity, Verifier, hash_of, nameless
from toolcrib.server.projects.entries import ProjectEntry
from toolcrib.server.transports.http_guard import ANONYMOUS, CHALLENGE, bearer
from toolcrib.server.transports.http_headers import Headers
from toolcrib.server.transports.http_visit import RequestRefused

NOT_FOUND: Final = "Not found"


class ProjectAccess:
    """Decides about a request for one project, known or not.

    A project's own tokens open that project alone; the server's tokens open those that have none
    of their own. A JWT whose claim names projects opens these. Unknown and forbidden are one.
    """

    def __init__(
        self, entries: Mapping[str, ProjectEntry], verifier: Verifier | None, claim: str | None
    ) -> None:
        self._entries = entries
        self._verifier = verifier
        self._claim = claim
        self._tokens: dict[str, list[tuple[str, str | None]]] = {}
        for entry in entries.values():
            for hashed, holder in entry.tokens.items():
                self._tokens.setdefault(hashed, []).append((entry.name, holder))

    @property
    def guarded(self) -> bool:
        """Whether anybody is asked for a token."""
        return self._verifier is not None or bool(self._tokens)

    async def caller(self, project: str, headers: Headers) -> str:
        """Who asks for the project; raises `RequestRefused` unless it is theirs."""
        entry = self._entries.get(project)
        if not self.guarded:
            if entry is None:
                raise RequestRefused(404, NOT_FOUND)
            return ANONYMOUS
        return await self.holder(project, bearer(headers))

    async def holder(self, project: str, token: str | None) -> str:
        """Whose token it is; raises `RequestRefused` unless the project is theirs."""
        entry = self._entries.get(project)
        hashed = hash_of(token) if token is not None else ""
        own = self._tokens.get(hashed, [])
        known = await self._known(token) if token is not None else None
        if not own and known is None:
            raise RequestRefused(401, "A valid bearer token is required", CHALLENGE)
        if entry is not None:
            for name, holder in own:
                if name == entry.name:
                    return holder or nameless(hashed)
            if known is not None and self._opens(known, entry):
                return known.name
        raise RequestRefused(404, NOT_FOUND)

    async def _known(self, token: str) -> Identity | None:
        return None if self._verifier is None else await self._verifier.identity(token)

    def _opens(self, known: Identity, entry: ProjectEntry) -> bool:
        """Whether a token of the server's own opens a project."""
        if self._claim is None or not known.claims:
            return not entry.tokens
        named = known.claims.get(self._claim)
        return entry.name in (named if isinstance(named, list) else [named])
