"""Bytecode of compared sources, kept in the state folder by the digest of the source.

Compiling a repository's modules at every start would cost more than comparing them. Python's own
bytecode cache is in the repository, where commands may write; this one is where only its owner
can.
"""

from __future__ import annotations

import contextlib
import importlib.util
import marshal
import os
import zlib
from pathlib import Path
from types import CodeType

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.files.private import read_private, write_private

_MOST_ENTRIES = 1000
_MAGIC = importlib.util.MAGIC_NUMBER


def compiled(source: bytes, path: str) -> CodeType:
    """The code of a module; `path` is what tracebacks name."""
    kept = _place(source, path)
    code = _load(kept) if kept is not None else None
    if code is None:
        code = compile(source, path, "exec", dont_inherit=True)
        if kept is not None:
            _keep(kept, code)
    return code


def _place(source: bytes, path: str) -> Path | None:
    try:
        folder = state_folder() / "compiled"
    except ConfigError:
        return None
    return folder / sha256(b"\0".join((_MAGIC, os.fsencode(path), source)))


def _load(path: Path) -> CodeType | None:
    try:
        data = read_private(path)
    except OSError:
        return None
    if zlib.crc32(data[4:]).to_bytes(4, "big") != data[:4]:
        return None
    with contextlib.suppress(EOFError, ValueError, TypeError):
        code = marshal.loads(data[4:])  # noqa: S302 - written by us, where nobody else can write
        return code if isinstance(code, CodeType) else None
    return None


def _keep(path: Path, code: CodeType) -> None:
    """Keep the code; a full or read-only disk is no reason to fail."""
    data = marshal.dumps(code)
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_room(path.parent)
        write_private(path, zlib.crc32(data).to_bytes(4, "big") + data)


def _make_room(folder: Path) -> None:
    entries = list(folder.iterdir())
    if len(entries) >= _MOST_ENTRIES:
        entries.sort(key=lambda entry: entry.stat().st_mtime_ns)
        for entry in entries[: _MOST_ENTRIES // 2]:
            entry.unlink(missing_ok=True)
