"""Which lines of which files a change touches, as git tells it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from toolcrib.core.errors import UsageError

_PATIENCE = 60
_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
# A repository's own settings must not make reading it run anything.
_GIT = (
    "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
    "-c", "core.quotePath=off",
)  # fmt: skip

Lines = dict[str, list[range] | None]
"""Ranges of lines by file, relative to the project; None for a file that is new as a whole."""


def changed_lines(project: Path, ref: str) -> Lines:
    """What differs between `ref` and the files as they are now, untracked ones included."""
    if ref.startswith("-"):
        raise UsageError(f"{ref!r} is no revision", next="toolcrib architecture check --diff=HEAD")
    diff = _git(
        project, "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv",
        "--no-renames", "--relative", "--diff-filter=AM", ref, "--",
    )  # fmt: skip
    found: Lines = {}
    ranges: list[range] = []
    for line in diff.split("\n"):
        if line.startswith("+++ b/"):
            ranges = []
            found[line[6:].rstrip("\t\r")] = ranges
        elif hunk := _HUNK.match(line):
            start, length = int(hunk[1]), int(hunk[2] or 1)
            ranges.append(range(start, start + length))
    for path in _git(project, "ls-files", "--others", "--exclude-standard", "-z").split("\0"):
        if path:
            found[path] = None
    return found


def touches(lines: Lines, file: str, first: int | None) -> bool:
    """Whether a finding in that line belongs to the change; one without a place always does."""
    if file not in lines:
        return False
    ranges = lines[file]
    return ranges is None or first is None or any(first in each for each in ranges)


def _git(project: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            (*_GIT, *words), cwd=project, capture_output=True, text=True, errors="replace",
            stdin=subprocess.DEVNULL, timeout=_PATIENCE,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError("git cannot be asked what has changed", why=str(error)) from error
    if done.returncode:
        reason = done.stderr.strip().split("\n")[0]
        raise UsageError(
            "git cannot tell what has changed", why=reason,
            next="Name a revision: toolcrib architecture check --diff=HEAD",
        )  # fmt: skip
    return done.stdout
