"""Run a module of the repository under a unique name, and collect its declared tools."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import linecache
import os
import re
import sys
import threading
import traceback
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from toolcrib.core.declare.prefix import prefixed
from toolcrib.core.errors import (
    ConfigError,
    FileRefused,
    FileUnreadable,
    Place,
    ToolcribError,
)
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.records import record
from toolcrib.core.support.redact import presentable
from toolcrib.core.tool import Tool
from toolcrib.files.root import Root
from toolcrib.packs.custom.compiled import compiled
from toolcrib.packs.custom.rooms import room_of
from toolcrib.policy.trust.acting import MODULE
from toolcrib.policy.trust.project import Trust

PRIVATE = "_toolcrib_custom"


@record
class Module:
    """A module that has run: its tools, and what was wrong with those that cannot be served."""

    path: str
    tools: tuple[Tool, ...]
    refused: tuple[ToolcribError, ...]
    raw: str = ""
    """The digest of the bytes that it was made from."""


class Untrusted(ToolcribError):
    """A file of the repository is not as a person trusted it, or was never trusted.

    `toolcrib trust` shows it, and asks.
    """

    code = "untrusted"


class Loader:
    """Runs modules of one project; each round gets names of its own, so that none is stale."""

    def __init__(
        self,
        root: Root,
        *,
        prefix: str = "",
        descriptions: Literal["concise", "full"] = "concise",
        trust: Trust | None = None,
    ) -> None:
        self._root = root
        self._trust = trust
        self._prefix = prefix
        self._descriptions: Literal["concise", "full"] = descriptions
        self._room = room_of(str(root.path))
        self._round = 0
        self._imported: set[str] = set()
        self._names: dict[str, str] = {}
        self.files: set[str] = set()
        """Files of the project, beyond the modules themselves, that a change may matter in."""

    def begin(self, keep: Collection[str] = ()) -> None:
        """Begin a round: what was imported from the project before is imported anew.

        Modules in `keep` stay as they are, and so does what they have imported.
        """
        self._round += 1
        if self._trust is not None:
            from toolcrib.packs.custom.guard import guard

            guard(self._trust)
        if keep:
            return
        self._room.forget()
        self._imported.clear()
        self.files.clear()
        importlib.invalidate_caches()
        linecache.checkcache()

    def load(self, path: str) -> Module:
        """Run one file; raises `ConfigError` with the place where it failed."""
        with self._room.entered():
            return self._load(path)

    def _load(self, path: str) -> Module:
        from toolcrib.core.declare.arguments import (
            ToolArguments,  # pydantic: only where there are tools
        )

        data = self._root.read(path).data
        if self._trust is not None and not self._trust.admits(path, MODULE, data):
            raise Untrusted(f"{path} is not trusted", next="toolcrib trust")
        key = sha256(os.fsencode(self._root.path))[:8]
        name = f"{PRIVATE}_{key}_{self._round}_{re.sub(r'[^0-9A-Za-z]', '_', path)}"
        module = ModuleType(name)
        module.__file__ = str(self._root.path / path)
        before = set(sys.modules)
        sys.modules[name] = module
        failure = self._run(module, path, data)
        fresh = self._imported_since(before)
        declared = [ToolArguments.get_declared_tools(under=each) for each in (name, *fresh)]
        if failure is not None:
            del sys.modules[name]
            raise failure
        sys.modules.pop(self._names.get(path, ""), None)
        self._names[path] = name
        functions = [function for group in declared for function in group.values()]
        tools, refused = self._tools(functions, module, path)
        return Module(path, tuple(tools), tuple(refused), sha256(data))

    def admits(self, path: str) -> bool:
        """Whether a module, and everything that it imports, may run as it is now."""
        trust = self._trust
        if trust is None or trust.everything:
            return True
        for each in (path, *trust.imports_of(path)):
            try:
                data = self._root.read(each).data
            except (FileRefused, FileUnreadable):
                data = None
            if data is None or not trust.admits(each, MODULE, data):
                return False
        return True

    def _run(self, module: ModuleType, path: str, source: bytes) -> ConfigError | None:
        """Run a module to its end, or say where it failed: it may raise anything at all."""
        try:
            code = compiled(source, str(module.__file__))
            with _QUIET, self._room.left():
                exec(code, module.__dict__)  # noqa: S102 - the configuration names this file
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the module is a stranger's
            return self._failure(error, module.__name__, path)
        except KeyboardInterrupt as error:
            if threading.current_thread() is threading.main_thread():  # a person's own
                raise
            return self._failure(error, module.__name__, path)
        return None

    def _failure(self, error: BaseException, name: str, path: str) -> ConfigError:
        self.files |= self._concerned(error)
        place = self._place(error, path)
        # The text of a syntax error repeats its place, which is reported already.
        text = f"SyntaxError: {error.msg}" if isinstance(error, SyntaxError) else presentable(error)
        return ConfigError(
            text.replace(name, path),
            where=place,
            why=None if place.file == path else f"imported by {path}",
        )

    def _concerned(self, error: BaseException) -> set[str]:
        """The files in which the cause may be corrected; a missing one may be written next."""
        frames = traceback.extract_tb(error.__traceback__)
        names = [self._inside(frame.filename) for frame in frames]
        if isinstance(error, SyntaxError):
            names.append(self._inside(error.filename))
        if isinstance(error, ModuleNotFoundError) and error.name:
            wanted = error.name.replace(".", "/")
            names += [wanted, f"{wanted}.py"]
        return {name for name in names if name}

    def _place(self, error: BaseException, path: str) -> Place:
        """The deepest place in a file of the project."""
        if isinstance(error, SyntaxError) and error.filename and error.lineno:
            file = self._inside(error.filename)
            if file:
                return Place(file, error.lineno, error.offset, (error.text or "").rstrip("\n"))
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            file = self._inside(frame.filename)
            if file:
                return Place(file, frame.lineno, None, frame.line)
        return Place(path)

    def _inside(self, file: str | None) -> str | None:
        """The path of a file of the project below its root; None for all others."""
        try:
            path = Path(file or "").relative_to(self._root.path)
        except ValueError:
            return None
        strange = any(part.startswith(".") or part == "site-packages" for part in path.parts)
        return None if strange else path.as_posix()

    def _imported_since(self, before: set[str]) -> list[str]:
        """The modules of the project that were imported meanwhile."""
        found: list[str] = []
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            path = self._inside(file) if isinstance(file, str) and file.endswith(".py") else None
            # A checkout of toolcrib itself must not import itself twice.
            if path and not name.startswith(("toolcrib", PRIVATE)):
                found.append(name)
                self.files.add(path)
        self._imported.update(found)
        return sorted(found)

    def _tools(
        self, functions: Iterable[Any], module: ModuleType, path: str
    ) -> tuple[list[Tool], list[ToolcribError]]:
        tools: list[Tool] = []
        refused: list[ToolcribError] = []
        for value in vars(module).values():
            if isinstance(value, Tool):
                origin = path if value.origin == "unknown" else value.origin
                tools.append(replace(value, name=self._named(value.name), origin=origin))
        for function in functions:
            try:
                tools.append(self._tool(function, path))
            except ToolcribError as error:
                refused.append(error)
        return tools, refused

    def _tool(self, function: Any, path: str) -> Tool:
        from toolcrib.core.declare.functions import to_tool

        code = inspect.unwrap(function).__code__
        tool = to_tool(
            function,
            wire_name=self._named(function.__name__),
            descriptions=self._descriptions,
            origin=f"{self._inside(code.co_filename) or path}:{code.co_firstlineno}",
        )
        return replace(tool, failures="envelope")

    def _named(self, name: str) -> str:
        return prefixed(name, self._prefix)


class _Quiet:
    """What modules print while they load goes to stderr; no bytecode is left in the repo.

    Several may load at the same time: the first one begins it, and the last one ends it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loading = 0
        self._before = contextlib.ExitStack()

    def __enter__(self) -> None:
        with self._lock:
            self._loading += 1
            if self._loading == 1:
                self._before.callback(setattr, sys, "dont_write_bytecode", sys.dont_write_bytecode)
                self._before.enter_context(contextlib.redirect_stdout(sys.stderr))
                sys.dont_write_bytecode = True

    def __exit__(self, *exc: object) -> None:
        with self._lock:
            self._loading -= 1
            if not self._loading:
                self._before.close()


_QUIET = _Quiet()
