"""The identity of a project, the same for every path that leads to it.

The identity is the real path of the root. A linked git worktree has that of its main checkout, if
the checkout lists it: a folder cannot claim to be a worktree of another repository. If the project
is given as a link (a checkout that is switched by moving the link), the identity is the path of
the link.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

_LONGEST = 4096


def project_identity(project: Path) -> str:
    """The identity of the project at the path `project`."""
    given = os.path.abspath(project)  # noqa: PTH100 - resolve() would follow the link
    if os.path.islink(given):  # noqa: PTH114
        folder, name = os.path.split(given)
        return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118
    real = os.path.realpath(given)
    return _main_checkout(real) or real


def real_root(project: Path) -> Path:
    """The folder that is served now: the target, if the project is a link."""
    return Path(os.path.realpath(project)) if os.path.islink(project) else project  # noqa: PTH114


def file_stamp(file: Path) -> tuple[int, ...] | None:
    """What changes whenever a file is written; None while it is not there."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def state_identity(project: Path) -> str:
    """The key of the project's flags; each worktree has its own."""
    identity = project_identity(project)
    if os.path.islink(os.path.abspath(project)):  # noqa: PTH100, PTH114
        return identity
    return os.path.realpath(project)


def _main_checkout(folder: str) -> str | None:
    """The main checkout that lists this worktree; None for any other folder."""
    pointer = os.path.join(folder, ".git")  # noqa: PTH118
    text = first_line(pointer)
    if text is None or not text.startswith("gitdir:"):
        return None
    private = os.path.realpath(os.path.join(folder, text.removeprefix("gitdir:").strip()))  # noqa: PTH118
    registry = os.path.dirname(private)  # noqa: PTH120
    if os.path.basename(registry) != "worktrees":  # noqa: PTH119
        return None
    back = first_line(os.path.join(private, "gitdir"))  # noqa: PTH118
    if back is None or os.path.realpath(os.path.join(private, back)) != pointer:  # noqa: PTH118
        return None
    shared = os.path.dirname(registry)  # noqa: PTH120
    # A bare repository has no checkout around it: then the repository itself is the identity.
    return os.path.dirname(shared) if os.path.basename(shared) == ".git" else shared  # noqa: PTH119, PTH120


def first_line(path: str) -> str | None:
    """The first line of a small regular file; None where there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return os.fsdecode(os.read(descriptor, _LONGEST)).partition("\n")[0].rstrip("\r")
    except OSError:
        return None
    finally:
        os.close(descriptor)
