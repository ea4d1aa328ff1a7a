"""The import guard: a project file is imported only as it was trusted.

Every way of importing ends at one of four loaders of Python (source, bytecode, compiled extension,
zip archive). Their last step is replaced once per process: for a file of a guarded project the
bytes are read once, compared with what was trusted, and compiled from those very bytes; bytecode,
extensions and archives of a project cannot be compared and are refused. All other files are loaded
as ever.
"""

from __future__ import annotations

import importlib.machinery
import os
import site
import sys
import zipimport
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType
from typing import Any

from toolcrib.packs.custom.compiled import compiled
from toolcrib.policy.trust.acting import IMPORT
from toolcrib.policy.trust.project import COMMAND, Trust

_guarded: dict[str, Trust] = {}
"""The projects whose files are guarded, by real path."""


def guard(trust: Trust) -> None:
    """Guard the files of a project from now on; the latest trust of a project counts."""
    if not _guarded:
        _install()
    _guarded[os.path.realpath(trust.project)] = trust


def _install() -> None:
    machinery = importlib.machinery
    source: Any = machinery.SourceFileLoader
    bytecode: Any = machinery.SourcelessFileLoader
    extension: Any = machinery.ExtensionFileLoader
    archive: Any = zipimport.zipimporter
    source.get_code = _guarded_source(source.get_code)
    bytecode.get_code = _refusing(bytecode.get_code, lambda loader, *_: loader.path)
    extension.create_module = _refusing(extension.create_module, lambda loader, *_: loader.path)
    archive.get_code = _refusing(archive.get_code, lambda loader, *_: loader.archive)


def _guarded_source(original: Callable[..., Any]) -> Callable[..., Any]:
    def get_code(loader: Any, fullname: str) -> CodeType | None:
        path = loader.get_filename(fullname)
        found = _project_of(path)
        if found is None:
            code: CodeType | None = original(loader, fullname)
            return code
        trust, relative = found
        data: bytes = loader.get_data(path)
        if not trust.admits(relative, IMPORT, data):
            raise _refusal(relative, fullname)
        return compiled(data, path)

    return get_code


def _refusing(original: Callable[..., Any], place: Callable[..., str]) -> Callable[..., Any]:
    def load(loader: Any, *args: Any) -> Any:
        found = _project_of(place(loader, *args))
        if found is not None and not found[0].everything:
            raise _refusal(found[1], None)
        return original(loader, *args)

    return load


def _refusal(path: str, name: str | None) -> ImportError:
    return ImportError(f"{path} is not trusted: {COMMAND}", name=name, path=path)


def _project_of(path: str) -> tuple[Trust, str] | None:
    """The guarded project that a file belongs to, and its path there; None for all others."""
    literal = os.path.abspath(path)  # noqa: PTH100 - a link counts by where it lies, too
    real = os.path.realpath(literal)
    for each in (literal, _through_real_folder(literal), real):
        root = _innermost(each, _guarded)
        # A project may lie below the environment (/usr/src/app), and the other way round (.venv).
        if root and not all(len(_innermost(p, _ENVIRONMENT)) > len(root) for p in (real, literal)):
            return _guarded[root], Path(os.path.relpath(each, root)).as_posix()
    return None


def _through_real_folder(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118


def _innermost(path: str, places: Iterable[str]) -> str:
    """The longest of the places that a path lies below; empty where it lies below none."""
    holding = [place for place in places if path.startswith(place.rstrip(os.sep) + os.sep)]
    return max(holding, key=len, default="")


def _environment() -> tuple[str, ...]:
    import toolcrib

    places = [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(toolcrib.__file__)]  # noqa: PTH120
    # Where a project is itself the prefix, these are not files of the project either.
    places += [os.path.dirname(os.__file__), *site.getsitepackages()]  # noqa: PTH120
    found = {os.path.abspath(place) for place in places} | {os.path.realpath(p) for p in places}  # noqa: PTH100
    return tuple(sorted(place.rstrip(os.sep) for place in found))


_ENVIRONMENT = _environment()
