"""What is not as it was trusted: diffs that a person can read, with nothing hidden in them."""

from __future__ import annotations

import difflib

from toolcrib.core.support.printable import printable
from toolcrib.core.support.records import record
from toolcrib.policy.trust.project import Trust

LONGEST_LINE = 400
_MOST_COMPARED = 20_000
"""Lines of a file beyond which old and new are not compared line by line."""


@record
class FileDiff:
    """One file that was added, changed or removed, as a unified diff."""

    path: str
    diff: str

    @property
    def lines(self) -> list[str]:
        """The diff, line by line."""
        return self.diff.split("\n")


def changes_of(trust: Trust) -> list[FileDiff]:
    """Every acting file that is not as it was trusted, then those that are gone."""
    present = [(file.path, file.data) for file in trust.withheld()]
    found: list[tuple[str, bytes | None]] = [*present, *((path, None) for path in trust.gone())]
    return [FileDiff(path, _diff(path, trust.trusted_copy(path), data)) for path, data in found]


def capped(changes: list[FileDiff], most: int) -> tuple[list[str], int]:
    """The first lines of all changes, and how many were left out."""
    lines = [line for change in changes for line in change.lines]
    return lines[:most], max(0, len(lines) - most)


def _diff(path: str, old: bytes | None, new: bytes | None) -> str:
    before, after = _lines(old), _lines(new)
    names = ("/dev/null" if old is None else path, "/dev/null" if new is None else path)
    if len(before) + len(after) > _MOST_COMPARED:
        lines = [f"--- {names[0]}", f"+++ {names[1]}"]
        lines += [f"-{each}" for each in before] + [f"+{each}" for each in after]
    else:
        lines = list(difflib.unified_diff(before, after, *names, lineterm=""))
    return "\n".join(map(_shown, lines or [f"--- {names[0]}", f"+++ {names[1]}", " (empty)"]))


def _lines(data: bytes | None) -> list[str]:
    # Only a newline ends a line: a lone carriage return is shown, not obeyed.
    text = (data or b"").decode("utf-8", "surrogateescape")
    return text.removesuffix("\n").split("\n") if text else []


def _shown(line: str) -> str:
    if len(line) > LONGEST_LINE:
        line = f"{line[:LONGEST_LINE]}… [{len(line) - LONGEST_LINE:,} characters more]"
    return printable(line)
