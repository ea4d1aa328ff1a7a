"""Modules of several projects in one process, kept apart although they have the same names.

A project's modules import others from its root by their plain names, and Python has one table of
modules. As long as one project is served that is fine. With a second one, each project's modules
are in that table only while an import of that project runs: its own modules go in, those of the
others stay out, and `import` in a module of a project sees that project alone.
"""

from __future__ import annotations

import builtins
import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

_lock = threading.RLock()
_rooms: dict[str, Room] = {}
_plain_import = builtins.__import__


class Room:
    """What one project has imported from its own root."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._modules: dict[str, ModuleType] = {}
        self._inside = 0

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Import as this project: none of another project's modules is to be seen."""
        with _lock:
            outermost = not self._inside
            self._inside += 1
            if outermost:
                self._move_in()
            try:
                yield
            finally:
                self._inside -= 1
                if outermost:
                    self._move_out()

    def forget(self) -> None:
        """Have modules imported anew, also those that were first imported while a call ran."""
        with _lock:
            for name in self._own():
                del sys.modules[name]
            self._modules.clear()

    def _move_in(self) -> None:
        for other in _rooms.values():
            if other is not self:
                other._move_out()
        sys.modules.update(self._modules)
        if self.root not in sys.path:
            # At the end: a repo with a json.py of its own must not replace that of Python.
            sys.path.append(self.root)

    def _move_out(self) -> None:
        """Take the own modules along, unless this is the only project."""
        if len(_rooms) == 1:
            return
        for name in self._own():
            self._modules[name] = sys.modules.pop(name)
        if self.root in sys.path:
            sys.path.remove(self.root)

    def _own(self) -> list[str]:
        # All are looked at before the first one goes: a part of a package asks for the whole.
        return [name for name, module in list(sys.modules.items()) if self._is_own(module)]

    def _is_own(self, module: object) -> bool:
        place = getattr(module, "__file__", None)
        if place is None:  # a folder without __init__.py
            with contextlib.suppress(KeyError):
                place = next(iter(getattr(module, "__path__", ())), None)
        if not isinstance(place, str) or not place.startswith(self.root + os.sep):
            return False
        name = str(getattr(module, "__name__", ""))
        return "site-packages" not in place and not name.startswith(("toolcrib", "_toolcrib"))


def room_of(root: str) -> Room:
    """The room of a project; the second one begins to keep them apart."""
    with _lock:
        found = _rooms.get(root)
        if found is None:
            found = _rooms[root] = Room(root)
            if len(_rooms) == 2:
                builtins.__import__ = _import
        return found


def _import(name: str, globals: Any = None, *rest: Any, **more: Any) -> Any:
    """`import` in a module of a project, also one that runs long after the module was loaded."""
    file = globals.get("__file__") if isinstance(globals, dict) else None
    if isinstance(file, str):
        for root, room in _rooms.items():
            if file.startswith(root + os.sep):
                with room.entered():
                    return _plain_import(name, globals, *rest, **more)
    return _plain_import(name, globals, *rest, **more)
