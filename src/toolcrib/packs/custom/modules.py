"""Which files the configuration names: paths and patterns, relative to the project."""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolcrib.core.errors import ConfigError
from toolcrib.files.globs import BadGlob, compile_all
from toolcrib.files.root import Root

_WILD = re.compile(r"[*?\[{]")


def find_modules(root: Root, patterns: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the named files, sorted, and the patterns that name none.

    A pattern skips files that begin with `_`: those are helpers of the others.
    """
    found: set[str] = set()
    unmatched: list[str] = []
    for pattern in patterns:
        matches = _matches(root, pattern.removeprefix("./"))
        found.update(matches)
        if not matches:
            unmatched.append(pattern)
    return sorted(found), unmatched


def watched_paths(patterns: Sequence[str]) -> list[str]:
    """The files that are named, and the folders in which patterns may find more.

    A pattern at the root itself has none: that would be a watch over the whole repo.
    """
    paths = {fixed_folder(each) if _WILD.search(each) else each for each in patterns}
    return sorted(path.removeprefix("./") for path in paths if path)


def fixed_folder(pattern: str) -> str:
    """The part of a pattern before its first wildcard: the folder to list."""
    parts = pattern.removeprefix("./").split("/")
    fixed = next((i for i, part in enumerate(parts) if _WILD.search(part)), len(parts) - 1)
    return "/".join(parts[:fixed])


def _matches(root: Root, pattern: str) -> list[str]:
    if not _WILD.search(pattern):
        entry = root.stat(pattern)
        return [entry.path] if entry else []
    try:
        wanted = compile_all(pattern)
    except BadGlob as error:
        raise ConfigError(f"[custom] modules: {pattern!r} is no pattern: {error.reason}") from None
    entries = root.walk(fixed_folder(pattern), suffixes=(".py",))
    return [
        entry.path
        for entry in entries
        if any(glob.matches(entry.path) for glob in wanted)
        and not entry.path.rpartition("/")[2].startswith("_")
    ]
