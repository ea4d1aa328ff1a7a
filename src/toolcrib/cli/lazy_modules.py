"""Modules of the standard library that are loaded when something of them is used.

`asyncio` imports TLS and `pathlib` imports internet addresses. A server on a pipe uses neither, and
they would be a tenth of its start.
"""

from __future__ import annotations

import sys
import threading
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # it imports `pathlib`, and what that imports
    from importlib.abc import Loader

_UNUSED = ("ssl", "asyncio.sslproto", "ipaddress")
_LOCK = threading.RLock()
"""Held by the thread that loads: another one that asks meanwhile waits for the whole module."""


def import_asyncio() -> None:
    """Import `asyncio` without the modules that a server on a pipe does not use.

    They are in place and load themselves with the first use. Without effect where somebody has
    imported them already.
    """
    for name in _UNUSED:
        spec = None if name in sys.modules else _found(name)
        if spec is not None and spec.loader is not None:
            sys.modules[name] = _Module(spec, spec.loader)
    import asyncio

    if not hasattr(asyncio, "sslproto"):  # an import that found it in place has not set it
        setattr(asyncio, "sslproto", sys.modules["asyncio.sslproto"])  # noqa: B010


class _Module(ModuleType):
    """A module that is empty until an attribute is asked for that it does not have."""

    def __init__(self, spec: ModuleSpec, loader: Loader) -> None:
        super().__init__(spec.name)
        self.__spec__ = spec
        self.__loader__ = loader
        self.__file__ = spec.origin
        self.__package__ = spec.parent
        self._load_with: Loader | None = loader

    def __getattr__(self, name: str) -> Any:
        with _LOCK:
            if type(self) is _Module:  # no other thread has loaded it meanwhile
                self._load()
        return ModuleType.__getattribute__(self, name)

    def _load(self) -> None:
        loader, self._load_with = self._load_with, None
        if loader is None:
            return  # it asks itself while it is being loaded: what it lacks then, it lacks
        try:
            loader.exec_module(self)
        except BaseException:
            self._load_with = loader
            raise
        del self._load_with
        self.__class__ = ModuleType  # type: ignore[assignment] # from now on like any other


def _found(name: str) -> ModuleSpec | None:
    """Where a module is, without importing the package around it."""
    package = name.rpartition(".")[0]
    around = PathFinder.find_spec(package) if package else None
    return PathFinder.find_spec(name, around.submodule_search_locations if around else None)
