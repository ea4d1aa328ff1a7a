"""A machine with a home of its own, and candidates as clients write them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolcrib.cli.adoption.candidates import ServerCandidate
from toolcrib.cli.clients import registry
from toolcrib.cli.clients.machine import Machine


@pytest.fixture
def machine(home: Path) -> Machine:
    """A machine with an empty home."""
    return Machine("linux", home, dict(os.environ))


@pytest.fixture
def candidate(machine: Machine, repo: Path) -> Callable[..., ServerCandidate]:
    """A server of a client, in a scope."""

    def make(
        client: str, written: dict[str, Any], scope: str = "user", name: str = "github"
    ) -> ServerCandidate:
        own = registry.get(client)
        chosen = registry.scope_of(own, scope)
        return ServerCandidate(own, chosen, own.spot(machine, repo, chosen), name, written)

    return make
