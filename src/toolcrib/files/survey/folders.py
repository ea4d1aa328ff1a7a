"""`Survey`: which folders of a repository have files of a certain name, found by listing alone.

The search is breadth-first, so that files near the root are found first, down to `DEPTH` levels
and `MOST_ENTRIES` names. Files that git ignores, build and package folders, and nested
repositories are left out. A second search lists only changed folders again.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.support.records import record
from toolcrib.files.beneath import FOLDER
from toolcrib.files.root import Root
from toolcrib.files.survey.gitignore import IgnoreFile, is_ignored, read_ignore_file

DEPTH = 6
MOST_ENTRIES = 50_000
# Folders that a build, a package manager or a cache made: nobody keeps documents of his own there.
MADE = frozenset(
    {
        "node_modules", "bower_components", "vendor", "third_party", "target", "dist", "build",
        "site-packages", "__pycache__", ".venv", "venv", ".tox", ".nox", ".mypy_cache",
        ".ruff_cache", ".pytest_cache", ".hypothesis", ".gradle", ".terraform", ".next", ".cache",
    }
)  # fmt: skip

# What lies in such folders is somebody else's, or there to be tested with.
_NOT_OWN = frozenset(
    {
        "test", "tests", "testdata", "test-data", "fixture", "fixtures", "example", "examples",
        "sample", "samples", "vendored", "third-party", "external", "template", "templates",
    }
)  # fmt: skip
_FOR_TESTS = frozenset({"test", "tests", "testdata", "fixture", "fixtures", "examples", "samples"})

_IGNORE = ".gitignore"
_LARGEST = 256 * 1024
Stamp = tuple[int, int, int]


def is_not_own(folder: str) -> bool:
    """Whether what is in a folder of this name is not the project's: `integration-tests` too."""
    name = folder.lower().strip("_")
    return name in _NOT_OWN or re.split(r"[-_.]", name)[-1] in _FOR_TESTS


@record
class _Folder:
    """The content of one folder when it was listed."""

    stamp: Stamp
    ignore: tuple[int, IgnoreFile] | None
    folders: tuple[str, ...]
    names: tuple[str, ...]
    entries: int


class Survey:
    """Looks for files that are `wanted` by their folder and name.

    Folders whose names `skip` says are not entered.
    """

    def __init__(
        self,
        project: Path,
        wanted: Callable[[str, str], bool],
        *,
        skip: Callable[[str], bool] = lambda _: False,
        limit: int = MOST_ENTRIES,
    ) -> None:
        self._root = Root(project)
        self._wanted = wanted
        self._skip = skip
        self._limit = limit
        self._known: dict[str, _Folder] = {}
        self.complete = True
        """Whether the last look saw everything within its depth."""

    def look(self) -> dict[str, tuple[str, ...]]:
        """The wanted names by folder, `""` for the root; folders without any are left out."""
        before, self._known = self._known, {}
        exclude = self._ignore_file("", ".git/info/exclude")
        above = (exclude[1],) if exclude else ()
        pending: deque[tuple[str, int, tuple[IgnoreFile, ...]]] = deque([("", 0, above)])
        found: dict[str, tuple[str, ...]] = {}
        seen = 0
        self.complete = True
        while pending:
            path, depth, files = pending.popleft()
            if seen >= self._limit:
                self.complete = False
                break
            folder = self._folder(path, before.get(path))
            if folder is None:
                continue
            self._known[path] = folder
            seen += folder.entries
            if folder.ignore is not None:
                files = (*files, folder.ignore[1])
            names = tuple(
                name
                for name, file in zip(folder.names, _joined(path, folder.names), strict=True)
                if not is_ignored(files, file, folder=False)
            )
            if names:
                found[path] = names
            if depth < DEPTH:
                pending.extend(
                    (below, depth + 1, files)
                    for below in _joined(path, folder.folders)
                    if not is_ignored(files, below, folder=True)
                )
        self._root.close()
        return found

    def _folder(self, path: str, known: _Folder | None) -> _Folder | None:
        """The content of a folder; listed again only if it, or its `.gitignore`, has changed."""
        try:
            found = (self._root.path / path).stat(follow_symlinks=not path)
        except OSError:
            return None
        stamp = (found.st_mtime_ns, found.st_ino, found.st_dev)
        if known is not None and known.stamp == stamp and self._same_ignore(path, known):
            return known
        try:
            descriptor = self._root.open(path, FOLDER)
        except (FileRefused, FileUnreadable):
            return None
        try:
            return self._listed(descriptor, path, stamp)
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def _listed(self, descriptor: int, path: str, stamp: Stamp) -> _Folder | None:
        folders: list[str] = []
        names: list[str] = []
        entries, ignores = 0, False
        with os.scandir(descriptor) as items:
            for item in items:
                entries += 1
                name = item.name
                if name == ".git" and path:
                    return None  # a repository of its own: a submodule, a worktree, a copy
                if item.is_dir(follow_symlinks=False):
                    made = name == ".git" or name.lower() in MADE
                    if not made and not self._skip(name) and _is_text(name):
                        folders.append(name)
                elif name == _IGNORE:
                    ignores = True
                elif self._wanted(path, name) and _is_text(name):
                    names.append(name)
                if entries > self._limit:
                    break
        ignore = self._ignore_file(path, _IGNORE) if ignores else None
        return _Folder(stamp, ignore, tuple(sorted(folders)), tuple(sorted(names)), entries)

    def _ignore_file(self, folder: str, name: str) -> tuple[int, IgnoreFile] | None:
        try:
            blob = self._root.read(f"{folder}/{name}" if folder else name, cap=_LARGEST)
        except (FileRefused, FileUnreadable):
            return None
        text = blob.data.decode(errors="replace")
        return blob.entry.mtime_ns, read_ignore_file(folder, text)

    def _same_ignore(self, path: str, known: _Folder) -> bool:
        if known.ignore is None:
            return True
        entry = self._root.stat(f"{path}/{_IGNORE}" if path else _IGNORE)
        return entry is not None and entry.mtime_ns == known.ignore[0]


def _joined(path: str, names: tuple[str, ...]) -> Iterator[str]:
    return (f"{path}/{name}" if path else name for name in names)


def _is_text(name: str) -> bool:
    return name.isascii() or name.isprintable()
