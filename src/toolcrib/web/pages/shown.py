"""What a page returns: a template with its values, a plain answer, or the nearest names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from toolcrib.web.exchange import Response


class Shown(NamedTuple):
    """A template, what it shows, and the same as JSON, or what works that out."""

    template: str
    values: dict[str, Any]
    json: Any
    status: int = 200
    in_pieces: bool = False
    """Whether its beginning is shown while the rest is worked out."""


class Missing(NamedTuple):
    """There is nothing of that name; `known` are the names that there are."""

    known: list[str]


Found = Shown | Missing | Response


def kept(query: Mapping[str, str], *names: str) -> str:
    """What links of a list add to their address, so that the list stays as it is: its filters."""
    chosen = {name: query[name] for name in names if query.get(name)}
    return f"?{urlencode(chosen)}" if chosen else ""
