"""Combines settings of organisation, user and repository: the strictest wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from toolcrib.core.errors import ConfigError, Place
from toolcrib.policy.person import OwnFile
from toolcrib.policy.trust.acting import Tables
from toolcrib.policy.trust.project import Trust

SANDBOX = ("off", "auto", "required")
APPROVE = ("never", "destructive", "changes", "always")
_WORDS = (("sandbox", SANDBOX, "auto"), ("approve", APPROVE, "never"))
"""Keys of `[climax]`, their words from loose to strict, and what holds when nobody says one."""


def strictest(words: Iterable[str], order: Sequence[str]) -> str:
    """The one that stands last in `order`."""
    return max(words, key=order.index)


def with_floors(tables: dict[str, dict[str, Any]], trust: Trust, given: Tables) -> None:
    """Put the strictest value of all files into the settings.

    `given` are values from options and the environment, which replace the user's own file.
    """
    present = trust.verdict.present.tables.get("climax", {})
    for key, words, default in _WORDS:
        floor = _word(trust.person.organisation, key, words)
        chosen = given.get("climax", {}).get(key)
        if chosen is None:
            chosen = _word(trust.person.user, key, words)
        elif floor is not None and chosen in words and strictest([floor, chosen], words) != chosen:
            raise ConfigError(
                f"{key} = {chosen} is below what this organisation asks for: {floor}",
                where=Place(str(trust.person.organisation.path)),
                next=f"Leave it out, or say {floor}.",
            )
        said = [floor, chosen, tables.get("climax", {}).get(key)]
        known = [str(word) for word in said if word in words]
        if present.get(key) in words:  # what nobody has trusted may tighten, and never loosen
            known = [strictest(known or [default], words), present[key]]
        if known and not (chosen is not None and chosen not in words):
            tables.setdefault("climax", {})[key] = strictest(known, words)


def _word(file: OwnFile, key: str, words: Sequence[str]) -> str | None:
    value = file.value("climax", key)
    if value is None:
        return None
    if value in words:
        return str(value)
    raise ConfigError(
        f"[climax] {key} must be one of: {', '.join(words)}, got {value!r}",
        where=Place(str(file.path)),
    )
