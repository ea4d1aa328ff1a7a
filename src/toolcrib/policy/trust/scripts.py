"""Files of the project in a command line: with a grant, they act as much as the line itself."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from toolcrib.core.errors import ToolcribError
from toolcrib.files.root import Root
from toolcrib.policy.trust.acting import SCRIPT, ActingFile, code_file
from toolcrib.policy.trust.project import Trust

_BORDERS = re.compile(r"[\s;&|()<>'\"`=,]+")
"""What ends a path in a word: `--config=x.js`, or `-c './x.sh && y'`."""


def named_paths(words: Iterable[str], project: Path, folder: str | None = None) -> list[str]:
    """Paths below the project that words may name, from its root and from a working folder.

    Whether anything is there is not looked at.
    """
    root = os.path.realpath(project)
    found: dict[str, None] = {}
    for part in dict.fromkeys(part for word in words for part in _parts(word)):
        for base in dict.fromkeys((root, os.path.join(root, folder or ""))):  # noqa: PTH118
            path = os.path.normpath(os.path.join(base, part))  # noqa: PTH118
            for start in (root, str(project)):
                if path.startswith(start.rstrip(os.sep) + os.sep):
                    found[os.path.relpath(path, start)] = None
    return list(found)


def script_files(paths: Iterable[str], project: Path) -> list[ActingFile]:
    """Those of the paths that are files of the project, as they are now."""
    root = Root(project)
    try:
        return [code_file(path, SCRIPT, data) for path, data in _contents(root, paths)]
    finally:
        root.close()


def changed_script(trust: Trust, paths: Iterable[str]) -> str | None:
    """The first of the files that is not as a person trusted it; None where all are."""
    if trust.everything:
        return None
    found = script_files(paths, trust.project)
    return next((f.path for f in found if not trust.admits(f.path, SCRIPT, f.data)), None)


def _parts(word: str) -> Iterator[str]:
    for part in (word, *_BORDERS.split(word)):
        if part and not part.startswith("-"):
            yield os.path.expanduser(os.path.expandvars(part))  # noqa: PTH111


def _contents(root: Root, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        try:
            yield path, root.read(path).data
        except ToolcribError:
            continue  # no file, or none of the project
