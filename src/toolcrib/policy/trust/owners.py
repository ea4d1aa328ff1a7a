"""Whose a file is: what another user could write is not trusted by a record."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from toolcrib.core.support.records import record


@record
class Foreign:
    """A file or a folder that somebody else could have written, and the line that allows it."""

    path: str
    owner: str
    """The owner's name; empty where everybody may write it."""
    line: str

    def __str__(self) -> str:
        if self.owner:
            return f"{self.path} belongs to {self.owner}"
        return f"{self.path} may be written by every user"

    @property
    def cure(self) -> str:
        """What a person can do about it."""
        where = "your own ~/.config/toolcrib/config.toml"
        repair = "chown or chmod it" if self.owner else f"chmod o-w {self.path}"
        return f"{repair}, or allow it in {where}: [trust] {self.line}"


class Owners:
    """Who may own what is trusted: oneself, root, and whom a person's own file names."""

    def __init__(self, names: Collection[str] = (), any_mode: Collection[str] = ()) -> None:
        self._names = frozenset(names)
        self._any_mode = frozenset(map(os.path.realpath, map(os.path.expanduser, any_mode)))

    def foreign(self, project: Path, paths: Collection[str]) -> Foreign | None:
        """The first file, or folder on the way to one, that somebody else could have written."""
        root = os.path.realpath(project)
        seen: dict[str, bool] = {}
        for path in ("", *paths):
            literal = os.path.join(root, path) if path else root  # noqa: PTH118
            found, linked = self._on_the_way(root, literal, seen)
            if found is None and linked:
                found, _ = self._on_the_way(root, os.path.realpath(literal), seen)
            if found is not None:
                return found
        return None

    def _on_the_way(
        self, root: str, path: str, seen: dict[str, bool]
    ) -> tuple[Foreign | None, bool]:
        """What is wrong between the root and a file, and whether a link is among the steps.

        `seen` has what was found to be right before, each with whether it is a link.
        """
        linked = False
        for each in _steps(root, path):
            if each not in seen:
                try:
                    state = os.lstat(each)
                except OSError:
                    seen[each] = False
                    continue
                seen[each] = stat.S_ISLNK(state.st_mode)
                found = self.examine(each) if seen[each] else self._wrong(each, state)
                if found is not None:
                    return Foreign(_shown(each, root), found.owner, found.line), False
            linked = linked or seen[each]
        return None, linked

    def examine(self, path: str) -> Foreign | None:
        """What is wrong with one file or folder; None where nothing is, or it is not there."""
        try:
            return self._wrong(path, os.stat(path))  # noqa: PTH116 - at every start
        except OSError:
            return None

    def _wrong(self, path: str, found: os.stat_result) -> Foreign | None:
        if found.st_uid not in (0, os.geteuid()) and _name(found.st_uid) not in self._names:
            owner = _name(found.st_uid)
            return Foreign(path, owner, f'owners = ["{owner}"]')
        open_to_all = found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX
        if open_to_all and os.path.realpath(path) not in self._any_mode:
            return Foreign(path, "", f'any_mode = ["{os.path.realpath(path)}"]')
        return None


def _steps(root: str, path: str) -> Iterator[str]:
    """The folders from the root to a file, and the file; of one elsewhere, that alone."""
    if path == root:
        yield root
        return
    below = _below(path, root)
    if below is None:
        yield path
        return
    here = root
    for step in below.split("/"):
        here = f"{here}/{step}"
        yield here


def _below(path: str, root: str) -> str | None:
    """A path from the root on; None for one that lies elsewhere, or may lead there."""
    beginning = root if root.endswith("/") else f"{root}/"
    below = path.removeprefix(beginning)
    if below == path or ".." in below.split("/"):
        below = os.path.relpath(path, root)
    return None if below.startswith("..") else below


def _shown(path: str, root: str) -> str:
    below = _below(path, root) if path != root else None
    return path if below is None or below == "." else below


def _name(uid: int) -> str:
    """The name of a user; the number of one that has none here."""
    import pwd  # only where a file belongs to somebody else

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
