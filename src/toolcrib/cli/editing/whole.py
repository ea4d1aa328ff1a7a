"""A whole file of another program: read it as text, and replace it in one step."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from toolcrib.core.errors import ConfigError

_LARGEST = 16 * 1024 * 1024


def real_path(file: Path) -> Path:
    """The file that a path leads to, through whatever links."""
    return Path(os.path.realpath(file))


def read_text(file: Path) -> str | None:
    """The text of a file with its line ends as they are; None where there is none."""
    try:
        if file.stat().st_size > _LARGEST:
            raise ConfigError(f"{file} is larger than {_LARGEST // 2**20} MiB")
        with file.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{file} cannot be read",
            why=getattr(error, "strerror", None) or "it is not UTF-8",
            next="Nothing was changed.",
        ) from error


def write_text(target: Path, text: str, mode: int | None) -> None:
    """Replace a file in one step; one that has several names is changed in place to keep them."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        was = target.stat() if target.exists() else None
        if mode is None:
            mode = 0o644 if was is None else was.st_mode & 0o7777
        if was is not None and was.st_nlink > 1:
            target.write_bytes(text.encode())
            target.chmod(mode)
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(text.encode())
                stream.flush()
                os.fsync(stream.fileno())
            if was is not None and hasattr(os, "chown"):
                with contextlib.suppress(OSError):
                    os.chown(name, was.st_uid, was.st_gid)
            Path(name).chmod(mode)
            Path(name).replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise ConfigError(
            f"{target} cannot be written", why=error.strerror, next="Nothing was changed."
        ) from error
