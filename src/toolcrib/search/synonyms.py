"""Words that mean the same, or nearly so, to people who work with repositories and programs.

The groups and the reason for each are in `data/synonyms.txt`. They are added to a query with less
weight than its own words.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from toolcrib.search.stem import stem

_FILE: Final = Path(__file__).parent / "data" / "synonyms.txt"
_stem = cache(stem)
Stems = dict[str, tuple[str, ...]]


class Group(NamedTuple):
    """One line of the file: its section, its words, the programs that do it, and the reason."""

    section: str
    words: list[str]
    doers: list[str]
    reason: str


@cache
def groups() -> tuple[Group, ...]:
    """All groups, in the order of the file."""
    found: list[Group] = []
    section = ""
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            meant, _, reason = line.partition(";")
            words, _, doers = meant.partition(":")
            found.append(Group(section, words.split(), doers.split(), reason.strip()))
    return tuple(found)


@cache
def _table(section: str) -> Stems:
    """For each stem of a section, its alternatives; built on first use."""
    table: dict[str, dict[str, None]] = {}
    for group in groups():
        if group.section == section:
            meant = dict.fromkeys(map(_stem, group.doers or group.words))
            for one in map(_stem, group.words):
                table.setdefault(one, {}).update(meant)
    return {one: tuple(each for each in others if each != one) for one, others in table.items()}


def knows(word: str) -> bool:
    """Return whether a stem is a known technical word, and so not a typo."""
    return any(word in _table(section) for section in ("same", "near", "does"))


def same(word: str) -> tuple[str, ...]:
    """Return the stems that mean the same as a stem."""
    return _table("same").get(word, ())


def near(word: str) -> tuple[str, ...]:
    """Return the stems that are often meant along with a stem."""
    return _table("near").get(word, ())


def does(word: str) -> tuple[str, ...]:
    """Return the stems of the programs that perform an action."""
    return _table("does").get(word, ())


def deed(said: Iterable[str]) -> frozenset[str]:
    """Return the verbs that say what the first verb of a query says; none without one."""
    verb = next((word for word in said if word in verbs()), None)
    return frozenset((verb, *same(verb), *near(verb))) & verbs() if verb else frozenset()


@cache
def verbs() -> frozenset[str]:
    """The stems of words for what a command does."""
    return frozenset(
        _stem(word) for group in groups() if group.section == "verbs" for word in group.words
    )


def spelt(word: str) -> str:
    """Return a stem as it is written, if it is a known technical word."""
    return _spellings().get(word, word)


@cache
def _spellings() -> dict[str, str]:
    listed = [word for group in groups() for word in (*group.words, *group.doers)]
    return {_stem(word): word for word in reversed(listed)}
