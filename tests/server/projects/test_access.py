"""Who may open which project."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from toolcrib.server.auth.tokens import Identity
from toolcrib.server.projects.access import ProjectAccess
from toolcrib.server.projects.entries import ProjectEntry
from toolcrib.server.transports.http_visit import RequestRefused


class Known:
    """A verifier that knows one operator and one JWT."""

    async def identity(self, token: str) -> Identity | None:
        known = {"operator": Identity("operator", {}), "jwt": Identity("ann", {"repos": ["two"]})}
        return known.get(token)


def entry(name: str, tokens: Mapping[str, str | None]) -> ProjectEntry:
    return ProjectEntry(name, Path(name), tokens, None, {})


def access(*, verifier: bool = True, claim: str | None = "repos") -> ProjectAccess:
    from toolcrib.server.auth.tokens import hash_of

    entries = {
        "one": entry("one", {hash_of("alice"): "alice", hash_of("bob"): None}),
        "two": entry("two", {}),
    }
    return ProjectAccess(entries, Known() if verifier else None, claim)  # type: ignore[arg-type]


def ask(guard: ProjectAccess, project: str, token: str | None) -> str:
    headers = {} if token is None else {b"authorization": f"Bearer {token}".encode()}
    return asyncio.run(guard.caller(project, headers))


def refused(guard: ProjectAccess, project: str, token: str | None) -> tuple[int, str]:
    with pytest.raises(RequestRefused) as caught:
        ask(guard, project, token)
    return caught.value.status, caught.value.text


def test_a_token_opens_its_own_project_alone() -> None:
    """R-10: unknown and forbidden are the same answer, in the same words."""
    guard = access()
    assert ask(guard, "one", "alice") == "alice"
    assert ask(guard, "one", "bob") not in ("alice", "bob", "")
    assert refused(guard, "two", "alice") == refused(guard, "nowhere", "alice")
    assert refused(guard, "two", "alice")[0] == 404


def test_the_operator_opens_what_has_no_tokens_of_its_own() -> None:
    """R-10: an entry without `tokens` opens to the server's own."""
    guard = access()
    assert ask(guard, "two", "operator") == "operator"
    assert refused(guard, "one", "operator")[0] == 404


def test_a_claim_names_the_projects_of_a_jwt() -> None:
    """R-10: `project_claim` opens only its own."""
    assert ask(access(), "two", "jwt") == "ann"
    assert refused(access(), "one", "jwt")[0] == 404


@pytest.mark.parametrize("token", [None, "wrong"])
def test_without_a_known_token_every_project_is_the_same_401(token: str | None) -> None:
    """R-10: also one that does not exist."""
    guard = access()
    assert refused(guard, "one", token) == refused(guard, "nowhere", token)
    assert refused(guard, "one", token)[0] == 401


def test_where_no_token_is_configured_every_project_is_open() -> None:
    """R-10: on loopback; an unknown one is 404 all the same."""
    guard = ProjectAccess({"two": entry("two", {})}, None, None)
    assert not guard.guarded and ask(guard, "two", None) == "http"
    assert refused(guard, "nowhere", None)[0] == 404
