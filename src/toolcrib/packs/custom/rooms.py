"""Modules of several projects in one process, kept apart although they have the same names.

A project's modules import others from its root by their plain names, and Python has one table of
modules. As long as one project is served that is fine. With a second one, each project's modules
are in that table only while an import of that project runs: its own modules go in, those of the
others stay out, and `import` in a module of a project sees that project alone.

The table is left to others while the code of a project's module runs: one that takes its time, or
never ends, holds up its own project alone.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.machinery
import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

_table = threading.Lock()
"""Held by the thread whose project's modules are in Python's table."""
_rooms: dict[str, Room] = {}
_making = threading.Lock()
_plain_import = builtins.__import__


class _Here(threading.local):
    room: Room | None = None
    """For which project this thread holds the table."""


_here = _Here()


class Room:
    """What one project has imported from its own root."""

    present: Room | None = None
    """Whose modules are in Python's table now; of all rooms, changed under its lock."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._one_at_a_time = threading.RLock()
        self._modules: dict[str, ModuleType] = {}

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Import as this project: none of another project's modules is to be seen."""
        if _here.room is not None:
            yield
            return
        with self._one_at_a_time:
            self._come_in()
            try:
                yield
            finally:
                self._go_out()

    @contextlib.contextmanager
    def left(self) -> Iterator[None]:
        """Leave the table to other projects while code of this one runs; inside of `entered`."""
        self._go_out()
        try:
            yield
        finally:
            self._come_in()

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

    def _come_in(self) -> None:
        _table.acquire()
        _here.room = self
        if Room.present is not self and Room.present is not None:
            Room.present._move_out()
        Room.present = self
        sys.modules.update(self._modules)
        self._modules.clear()
        if self.root not in sys.path:
            # At the end: a repo with a json.py of its own must not replace that of Python.
            sys.path.append(self.root)

    def _go_out(self) -> None:
        if len(_rooms) > 1:  # the only project's modules may stay
            self._move_out()
        _here.room = None
        _table.release()

    def _move_out(self) -> None:
        for name in self._own():
            self._modules[name] = sys.modules.pop(name)
        if self.root in sys.path:
            sys.path.remove(self.root)
        Room.present = None

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
        return found


def _leaving_the_table(original: Callable[..., None]) -> Callable[..., None]:
    """Python's step that runs the code of a module, without holding up other projects."""

    def exec_module(loader: Any, module: ModuleType) -> None:
        room = _here.room
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
    locks: dict[str, Any] = getattr(importlib._bootstrap, "_module_locks", {})
    for each, reference in list(locks.items()):
        if each.partition(".")[0] == first and getattr(reference(), "owner", None) == me:
            locks.pop(each, None)


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
