"""Folders of decision records that are not configured, recognised by their files.

Names are checked first, then the beginning of files with a matching name. The result is kept, so
that the next start need not wait for another search.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.support.digests import short_digest
from toolcrib.core.support.folders import cache_folder
from toolcrib.core.support.records import record
from toolcrib.files.private import private_folder, read_private, write_private

if TYPE_CHECKING:
    from toolcrib.files.root import Root
    from toolcrib.files.survey.folders import Survey

# Below a folder of such a name every record belongs together, whatever sub-folders there are.
_HOME = re.compile(r"(?:.*[-_. ])?(?:adrs?|decisions|decision[-_. ]?(?:records?|log))", re.I)
# What stands between a part of a repository and its decisions.
_ON_THE_WAY = frozenset({"doc", "docs", "documentation", "architecture", "arch", "design"})
_MOST_FINDS = 500
_MOST_READ = 40
"""Of one folder's files, so many show what the folder is."""
WHOLE = "."
_LARGEST = 256 * 1024
_REST = 12.0
"""Seconds between two looks of a server, so that a new folder is found within thirty."""


@record
class Find:
    """A folder of records below the project, `""` for the root; `deep` with its sub-folders."""

    folder: str
    deep: bool

    @property
    def scope(self) -> str:
        """The part of the repository that its records are about; `.` for all of it."""
        parts = self.folder.split("/")
        while parts and (parts[-1].lower() in _ON_THE_WAY or _HOME.fullmatch(parts[-1])):
            parts.pop()
        return "/".join(parts) or self.folder or WHOLE


class Finder:
    """Finds the folders of one project, at most every few seconds."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._survey: Survey | None = None
        self._known: tuple[Find, ...] | None = None
        self._judged: dict[str, tuple[tuple[tuple[str, int, int], ...], bool]] = {}
        self._looked = 0.0
        self._cost = 0.0
        self._lock = threading.Lock()

    def known(self) -> tuple[Find, ...]:
        """What was found last, by this process or by an earlier one; nothing is looked for."""
        if self._known is None:
            self._known = _kept(self._project)
        return self._known

    def look(self, *, now: bool = False) -> tuple[Find, ...]:
        """Look again, unless that was done a moment ago; `now` in any case."""
        with self._lock:
            age = time.monotonic() - self._looked
            if now or not self._looked or age > max(_REST, 20 * self._cost):
                began = time.monotonic()
                found = tuple(self._found())
                if found != self.known():
                    _keep(self._project, found)
                self._known, self._looked = found, time.monotonic()
                self._cost = self._looked - began
            return self.known()

    def _found(self) -> list[Find]:
        from toolcrib.files.root import Root
        from toolcrib.files.survey.folders import Survey, is_not_own

        if self._survey is None:
            self._survey = Survey(self._project, _may_show_records, skip=is_not_own)
        candidates = self._survey.look()
        root = Root(self._project)
        found = [folder for folder, names in candidates.items() if self._holds(root, folder, names)]
        root.close()
        self._judged = {folder: self._judged[folder] for folder in candidates}
        return _gathered(found)[:_MOST_FINDS]

    def _holds(self, root: Root, folder: str, names: Sequence[str]) -> bool:
        """Whether at least half of the files with a record's name are records.

        In a folder that is called after decisions any name will do where none has such a name.
        """
        some = [f"{folder}/{name}" if folder else name for name in _likeliest(names)]
        entries = [entry for path in some if (entry := root.stat(path)) is not None]
        stamps = tuple((each.path, each.mtime_ns, each.size) for each in entries)
        judged = self._judged.get(folder)
        if judged is None or judged[0] != stamps:
            right = sum(_is_record(root, entry.path) for entry in entries)
            judged = self._judged[folder] = (stamps, 0 < len(entries) <= 2 * right)
        return judged[1]


@lru_cache(maxsize=16)
def finder_of(project: Path) -> Finder:
    """The one finder of a project in this process."""
    return Finder(project)


def _may_show_records(folder: str, name: str) -> bool:
    """Whether a file is looked at to find out what its folder holds."""
    from toolcrib.packs.architecture.reading.metadata import is_decision
    from toolcrib.packs.architecture.reading.recognition import may_be_record

    if may_be_record(name):
        return True
    return name.endswith(".md") and _is_home(folder) and is_decision(f"{folder}/{name}")


@lru_cache(maxsize=64)
def _is_home(folder: str) -> bool:
    """Whether a folder, or one around it, is called after decisions."""
    return any(_HOME.fullmatch(part) for part in folder.split("/"))


def _likeliest(names: Sequence[str]) -> Sequence[str]:
    """The names that are given to records, or all where there is none."""
    from toolcrib.packs.architecture.reading.recognition import may_be_record

    return ([name for name in names if may_be_record(name)] or names)[:_MOST_READ]


def _is_record(root: Root, path: str) -> bool:
    from toolcrib.packs.architecture.reading.recognition import BEGINNING, is_record

    try:
        beginning = root.read_beginning(path, BEGINNING)
    except (FileRefused, FileUnreadable):
        return False
    return is_record(path.rpartition("/")[2], beginning)


def _gathered(folders: Iterable[str]) -> list[Find]:
    """The folders nearest to the root first; those below one home are that home."""
    found: dict[str, Find] = {}
    for folder in sorted(folders, key=lambda each: (each.count("/"), each)):
        parts = folder.split("/")
        at = next((n for n, part in enumerate(parts) if _HOME.fullmatch(part)), None)
        home = folder if at is None else "/".join(parts[: at + 1])
        found.setdefault(home, Find(home, deep=at is not None))
    return list(found.values())


def _file(project: Path) -> Path | None:
    folder = cache_folder()
    name = short_digest(os.fsencode(project.absolute()))
    return None if folder is None else folder / "finds" / f"{name}.json"


def _kept(project: Path) -> tuple[Find, ...]:
    """What an earlier process found; nothing where there is nothing to rely on."""
    file = _file(project)
    with suppress(OSError, ValueError, TypeError, KeyError):
        if file is not None:
            kept = json.loads(read_private(file, _LARGEST))
            if kept["project"] == str(project.absolute()):
                return tuple(Find(str(folder), bool(deep)) for folder, deep in kept["folders"])
    return ()


def _keep(project: Path, found: Sequence[Find]) -> None:
    """Write down what was found; a disk that is full or read-only is no reason to fail."""
    file = _file(project)
    if file is None:
        return
    folders = [[each.folder, each.deep] for each in found]
    data = json.dumps({"project": str(project.absolute()), "folders": folders}).encode()
    with suppress(OSError):
        private_folder(file.parent)
        write_private(file, data)
