"""The list of files, read once and kept until a change is reported."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections.abc import Callable
from typing import Generic, TypeVar

from toolcrib.files.root import FileEntry, Root, RootUnavailable
from toolcrib.files.survey.folders import MADE

T = TypeVar("T")

# Without a watcher, nothing is believed for longer than this many seconds.
FRESH = 2.0


class Kept(Generic[T]):
    """A value that is costly to make: made once, and again when it is stale or thrown away.

    While it is made again, the old one is served; where that fails because the folder is
    away, the old one stays.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._value: T | None = None
        self._made = 0.0
        self._cost = 0.0
        self._stale = True

    def get(self, *, watched: bool) -> T:
        """The value; computed again when it is stale and no watcher is active."""
        # A walk that takes long is not repeated every two seconds.
        age = time.monotonic() - self._made
        old = not watched and age > max(FRESH, 20 * self._cost)
        if self._value is None or self._stale or old:
            with self._lock:
                if self._value is None or self._stale or time.monotonic() - self._made >= age:
                    self._renew()
        assert self._value is not None  # noqa: S101 - `_renew` has set it, or raised
        return self._value

    @property
    def known(self) -> T | None:
        """The value as it was last made, if it ever was."""
        return self._value

    def forget(self) -> None:
        """Make it anew at the next use."""
        self._stale = True

    def _renew(self) -> None:
        started = time.monotonic()
        self._stale = False
        try:
            self._value = self._make()
        except RootUnavailable:
            if self._value is None:
                self._stale = True
                raise
        self._made = time.monotonic()
        self._cost = self._made - started


class Tree:
    """The files below the folders that categories name."""

    def __init__(self, root: Root, content: str) -> None:
        self.root = root
        self.content = content
        self.watched = False
        self._walks: dict[str, Kept[list[FileEntry]]] = {}
        self._parts: dict[str, tuple[list[FileEntry], list[FileEntry]]] = {}
        self._lock = threading.Lock()

    def files(self, folder: str) -> list[FileEntry]:
        """The files below a folder, sorted by path: the same list until it was walked again."""
        if folder.startswith(f"{self.content}/"):
            return self._part(folder)
        with self._lock:
            walk = self._walks.get(folder)
            if walk is None:
                walk = self._walks[folder] = Kept(lambda: self._walk(folder))
        return walk.get(watched=self.watched)

    def forget(self) -> None:
        """Walk again at the next use."""
        with self._lock:
            for walk in self._walks.values():
                walk.forget()

    def _part(self, folder: str) -> list[FileEntry]:
        """The guide folder is walked once, for all the categories in it."""
        whole = self.files(self.content)
        known = self._parts.get(folder)
        if known is None or known[0] is not whole:
            known = self._parts[folder] = (whole, below(whole, folder))
        return known[1]

    def _walk(self, folder: str) -> list[FileEntry]:
        entries = self.root.walk(folder, skip=MADE)
        return sorted(entries, key=lambda entry: entry.path)


def below(entries: list[FileEntry], folder: str) -> list[FileEntry]:
    """Of entries that are sorted by path, those below a folder."""
    start = bisect_left(entries, f"{folder}/", key=lambda entry: entry.path)
    end = bisect_left(entries, f"{folder}0", key=lambda entry: entry.path)  # "0" follows "/"
    return entries[start:end]
