"""What a page comes to: a template with its values, an answer as it is, or names of others."""

from __future__ import annotations

from typing import Any, NamedTuple

from toolcrib.web.exchange import Response


class Shown(NamedTuple):
    """A template, what it shows, and the same as JSON."""

    template: str
    values: dict[str, Any]
    json: Any
    status: int = 200


class Missing(NamedTuple):
    """There is nothing of that name; `known` are the names that there are."""

    known: list[str]


Found = Shown | Missing | Response
