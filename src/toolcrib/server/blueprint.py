"""How the packs of a server are made again after a change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from toolcrib.core.pack import Pack
from toolcrib.core.support.records import record


@record
class Blueprint:
    """How to make the packs again when the settings, or what the repository has, have changed.

    `build` is given the packs that are served and returns those to serve from now on, or None
    where nothing has changed. With `growing`, a pack joins as soon as the repo has files for it;
    `grown` tells, at little cost, whether that is so for the packs that it is given.
    """

    files: tuple[Path, ...]
    """What it is made of: files, and folders with all that is in them."""
    build: Callable[[Sequence[Pack]], Sequence[Pack] | None]
    grown: Callable[[Sequence[Pack]], bool]
    growing: bool = False
    root: Callable[[], Path] | None = None
    """The folder that is served now, where a link leads there."""

    def made_of(self, changed: Iterable[Path]) -> bool:
        """Whether one of some paths is among its files, or in one of its folders."""
        files = set(self.files)
        return any(path in files or not files.isdisjoint(path.parents) for path in changed)
