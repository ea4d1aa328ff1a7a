"""Protected files that appear during a call: they are moved to the state folder before the answer.

An existing file can be made read-only, a missing one cannot. So protected files that a command
created are moved away, and the answer says where they are.
"""

# ruff: noqa: PTH103, PTH104, PTH114, PTH118, PTH119, PTH120

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass

from toolcrib.running.sandbox import places
from toolcrib.running.sandbox.layout import Layout
from toolcrib.running.sandbox.profile import Access

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Before:
    """Which protected paths were there when a call began, and in which folders."""

    access: Access
    present: frozenset[str]
    folders: dict[str, tuple[int, int]]
    stamps: list[object]


class ProtectedFiles:
    """Compares the protected files of a repository before and after a call."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._count = 0
        self._known: dict[bool, Before] = {}

    def before(self, access: Access) -> Before:
        """Record which protected files exist; usually the same as at the last call."""
        known = self._known.get(access.changes_work_tree)
        if known is not None and places.stamps(known.folders) == known.stamps:
            return known
        paths = self._layout.protected(access)
        folders = self._folders(paths)
        stamps = places.stamps(folders)
        present = frozenset(path for path in paths if os.path.lexists(path))
        known = self._known[access.changes_work_tree] = Before(access, present, folders, stamps)
        return known

    def after(self, before: Before) -> list[str]:
        """Move away new files; returns a sentence for each."""
        return [] if self.unchanged(before) else self.take(self.appeared(before))

    def unchanged(self, before: Before) -> bool:
        """Whether nothing can have appeared; quick, with occasional false alarms."""
        return places.stamps(before.folders) == before.stamps

    def again(self, before: Before) -> Before:
        """The same as before, to be compared with from now on.

        To be asked for before one looks for what has appeared: what comes meanwhile is found then.
        """
        folders = self._folders(self._layout.protected(before.access))
        return Before(before.access, before.present, folders, places.stamps(folders))

    def appeared(self, before: Before) -> list[str]:
        """The protected paths that were not there before."""
        found: list[str] = []
        for path in dict.fromkeys((*self._layout.protected(before.access), *before.present)):
            folder = os.path.dirname(path)
            same = before.folders.get(folder, (0, 0)) == _identity(folder)
            if not (path in before.present and same) and os.path.lexists(path):
                found.append(path)
        return found

    def acting(self, paths: Iterable[str]) -> list[str]:
        """Of some paths the acting files."""
        every = frozenset(self._layout.acting())
        return [path for path in paths if path in every]

    def take(self, paths: Iterable[str]) -> list[str]:
        """Move files to the state folder; returns a sentence for each."""
        outermost = dict.fromkeys(map(self._outermost_link, paths))
        moved = [self._move(path) for path in outermost if os.path.lexists(path)]
        if len(moved) > _SHOWN:
            moved = [*moved[:_SHOWN], f"and {len(moved) - _SHOWN} more protected files"]
        return moved

    def _folders(self, paths: Iterable[str]) -> dict[str, tuple[int, int]]:
        return {folder: _identity(folder) for folder in map(_nearest, paths)}

    def _outermost_link(self, path: str) -> str:
        """The path, or the first link on the way to it: what lies behind one is not the repo's."""
        root = self._layout.project.rstrip("/") + "/"
        if not path.startswith(root):
            return path
        here = root.rstrip("/")
        for part in path[len(root) :].split("/"):
            here = f"{here}/{part}"
            if os.path.islink(here):
                return here
        return path

    def _move(self, path: str) -> str:
        self._count += 1
        state = places.own_folders()[0]
        folder = f"{state}/taken/{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{self._count}"
        name = os.path.relpath(path, self._layout.project)
        target = os.path.join(folder, os.path.basename(path))
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            _rename(path, target)
        except OSError as error:
            return f"protected: {name} appeared during the call and stays: {error.strerror}"
        return f"protected: {name} appeared during the call and was moved to {target}"


def _rename(path: str, target: str) -> None:
    try:
        os.rename(path, target)
    except OSError:
        shutil.move(path, target)  # to another file system


def _nearest(path: str) -> str:
    """The folder of a path, or the first one above that is there: it changes if that one comes."""
    folder = os.path.dirname(path)
    while folder != "/" and not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    return folder


def _identity(folder: str) -> tuple[int, int]:
    try:
        found = os.lstat(folder)
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino
