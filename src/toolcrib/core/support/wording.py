"""Numbers with their nouns and lists of names, for lines that people read."""

from __future__ import annotations

from collections.abc import Sequence

_LONGEST_NAME = 100
_MOST_NAMES = 20


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 document`, `2 documents`; `plural` where it is not the noun with an `s`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def ignored_line(names: Sequence[str]) -> str:
    """`[ignored: a, b]`: the arguments that a tool does not have, shortened."""
    shown = ", ".join(name[:_LONGEST_NAME] for name in names[:_MOST_NAMES])
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"[ignored: {shown}{more}]"
