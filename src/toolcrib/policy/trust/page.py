"""Where a person can look at what waits for trust in a browser, told from one process to another.

`toolcrib dashboard` keeps a file with its address in the state folder, locked as long as it runs.
The address has no token in it: whoever follows it signs in as ever, and the page only shows.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.files.private import open_private, private_folder

_LONGEST = 200


@contextlib.contextmanager
def announced_page(identity: str, address: str) -> Iterator[None]:
    """Let servers of a project know of its page while the body runs."""
    path = _place(identity)
    descriptor: int | None = None
    if path is not None:
        import fcntl

        with contextlib.suppress(OSError):
            private_folder(path.parent)
            descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)
            os.write(descriptor, address.encode())
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def running_page(identity: str) -> str | None:
    """The address of the page that runs for a project now; None where none does."""
    path = _place(identity)
    if path is None:
        return None
    import fcntl

    try:
        with open_private(path) as file:
            address = file.read(_LONGEST).decode("ascii")
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return address or None  # somebody holds it
    except (OSError, UnicodeDecodeError):
        return None
    return None


def _place(identity: str) -> Path | None:
    if os.name == "nt":
        return None  # no locks of this kind, and so no way to tell whether one runs
    try:
        return state_folder() / "pages" / sha256(os.fsencode(identity))
    except ConfigError:
        return None
