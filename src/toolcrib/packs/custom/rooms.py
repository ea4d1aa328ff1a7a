"""Modules of several projects in one process, kept apart although they have the same names.

A project's modules import others from its root by their plain names, and Python has one table of
modules. As long as one project is served that is fine. With a second one, each project's modules
are in that table only while an import of that project runs: its own modules go in, those of the
others stay out, and `import` in a module of a project sees that project alone.

While the code of a project's module runs, its modules stay in the table (a dataclass looks itself
up there), but one that runs for long without importing anything has to make room: a project that is
slow to load, or never ends loading, holds up others for a second at most.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.machinery
import math
import os
import sys
import threading
from collections.abc import Callable, Iterator
from time import monotonic
from types import ModuleType
from typing import Any, Final

_PATIENCE: Final = 1.0
"""Seconds for which code that imports nothing may keep others from the table."""
_rooms: dict[str, Room] = {}
_making = threading.Lock()
_plain_import = builtins.__import__
_locks: dict[str, Any] = getattr(importlib._bootstrap, "_module_locks", {})
"""Python's own: by the names of modules, references to the locks that an import of each takes."""


class _Here(threading.local):
    room: Room | None = None
    """For which project this thread imports something now."""


_here = _Here()


class _Table:
    """Python's table of modules, and whose turn it is to have modules of its own in it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._importing = False
        self._present: Room | None = None
        self._running: list[Room] = []
        """The projects of which a module's code runs, the last one last."""

    def take(self, room: Room) -> None:
        """Return when this project's modules, and no other's, are in the table."""
        with self._changed:
            while (pause := self._pause(room)) > 0:
                self._changed.wait(None if pause == math.inf else pause)
            self._importing = True
            self._show(room)
        room.since = monotonic()
        _here.room = room

    def give(self) -> None:
        """Let others have it; the modules of the only project may stay."""
        _here.room = None
        with self._changed:
            self._importing = False
            if len(_rooms) > 1:
                self._show(self._running[-1] if self._running else None)
            self._changed.notify_all()

    @contextlib.contextmanager
    def running(self, room: Room) -> Iterator[None]:
        """While code of this project runs: others wait a moment for it, and not for ever."""
        self._running.append(room)
        room.since = monotonic()
        self.give()
        try:
            yield
        finally:
            self.take(room)
            self._running.remove(room)

    def _pause(self, room: Room) -> float:
        """How long to wait until there may be a turn."""
        if self._importing:
            return math.inf
        present = self._present
        if present is None or present is room or present not in self._running:
            return 0.0
        return present.since + _PATIENCE - monotonic()

    def _show(self, room: Room | None) -> None:
        before, self._present = self._present, room
        if before is not None and before is not room:
            before.move_out()
        if room is not None:
            room.move_in()


_table = _Table()


class Room:
    """What one project has imported from its own root."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.since = 0.0
        """When it last imported something."""
        self._one_at_a_time = threading.RLock()
        self._modules: dict[str, ModuleType] = {}

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Import as this project: none of another project's modules is to be seen."""
        if _here.room is not None:
            yield
            return
        with self._one_at_a_time:
            _table.take(self)
            try:
                yield
            finally:
                _table.give()

    @contextlib.contextmanager
    def left(self) -> Iterator[None]:
        """While code of this project's modules runs; inside of `entered`."""
        with _table.running(self):
            yield

    def forget(self) -> None:
        """Have modules imported anew, also those that were first imported while a call ran."""
        with self.entered():
            for name in self._own():
                del sys.modules[name]

    def holds(self, module: object) -> bool:
        """Whether a module is one of the project's own."""
        place = getattr(module, "__file__", None)
        if place is None:  # a folder without __init__.py
            with contextlib.suppress(KeyError):
                place = next(iter(getattr(module, "__path__", ())), None)
        if not isinstance(place, str) or not place.startswith(self.root + os.sep):
            return False
        name = str(getattr(module, "__name__", ""))
        return "site-packages" not in place and not name.startswith(("toolcrib", "_toolcrib"))

    def move_in(self) -> None:
        """Put the modules into Python's table."""
        sys.modules.update(self._modules)
        self._modules.clear()
        if self.root not in sys.path:
            # At the end: a repo with a json.py of its own must not replace that of Python.
            sys.path.append(self.root)

    def move_out(self) -> None:
        """Take them along."""
        for name in self._own():
            self._modules[name] = sys.modules.pop(name)
        if self.root in sys.path:
            sys.path.remove(self.root)

    def _own(self) -> list[str]:
        # All are looked at before the first one goes: a part of a package asks for the whole.
        return [name for name, module in list(sys.modules.items()) if self.holds(module)]


def room_of(root: str) -> Room:
    """The room of a project; the second one begins to keep them apart."""
    with _making:
        found = _rooms.get(root)
        if found is None:
            if not _rooms:
                loader: Any = importlib.machinery.SourceFileLoader
                loader.exec_module = _leaving_the_table(loader.exec_module)
            found = _rooms[root] = Room(root)
            if len(_rooms) == 2:
                builtins.__import__ = _import
                _free_begun(next(iter(_rooms.values())))
        return found


def _leaving_the_table(original: Callable[..., None]) -> Callable[..., None]:
    """Python's step that runs the code of a module, without holding up other projects."""

    def exec_module(loader: Any, module: ModuleType) -> None:
        room = _here.room
        if room is None and len(_rooms) > 1:
            _free_begun(_room_with(str(getattr(module, "__file__", ""))))
        if room is None or not room.holds(module):
            original(loader, module)
            return
        _free_names(module.__name__)
        with room.left():
            original(loader, module)

    return exec_module


def _free_names(name: str) -> None:
    """Have modules of this name in other projects not wait for this one.

    Python has one lock for each name that is being imported, those of the packages around it
    included. Threads of the same project wait at their room instead.
    """
    first, me = name.partition(".")[0], threading.get_ident()
    for each, owner in _held_names():
        if each.partition(".")[0] == first and owner == me:
            _locks.pop(each, None)


def _free_begun(room: Room | None) -> None:
    """The same for imports of a project that began before a second one was there."""
    for each, _ in _held_names():
        if room is not None and room.holds(sys.modules.get(each)):
            _locks.pop(each, None)


def _held_names() -> Iterator[tuple[str, int]]:
    """The names that are being imported, and by which threads."""
    for each, reference in list(_locks.items()):
        owner = getattr(reference(), "owner", None)
        if owner is not None:
            yield each, owner


def _import(name: str, globals: Any = None, *rest: Any, **more: Any) -> Any:
    """`import` in a module of a project, also one that runs long after the module was loaded."""
    file = globals.get("__file__") if isinstance(globals, dict) else None
    room = _room_with(file) if isinstance(file, str) and _here.room is None else None
    if room is None:
        return _plain_import(name, globals, *rest, **more)
    with room.entered():
        return _plain_import(name, globals, *rest, **more)


def _room_with(file: str) -> Room | None:
    """The innermost project that a file is in."""
    folder = os.path.dirname(file)  # noqa: PTH120 - for every import statement that runs
    while True:
        found = _rooms.get(folder)
        above = os.path.dirname(folder)  # noqa: PTH120
        if found is not None or above == folder:
            return found
        folder = above
