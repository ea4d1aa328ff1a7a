"""A server as a client has to start it: a name, a program, its words."""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolcrib.core.errors import UsageError
from toolcrib.running.sandbox.places import outside_program

DEFAULT_NAME = "toolcrib"

# What every client accepts, and nothing that a command line could take for an option.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """The entry of a server in a client's configuration."""

    name: str
    command: str
    args: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The part that all clients write alike."""
        return {"command": self.command, "args": list(self.args)}


def check_name(name: str) -> str:
    """Return a name that every client accepts, or raise `UsageError`."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a server",
            why="it has to be 1 to 64 of A-Z a-z 0-9 _ - and begin with a letter or digit",
            next=f"Try --name {re.sub(r'[^A-Za-z0-9_-]+', '-', name).strip('-_')[:64] or 'mine'}",
        )
    return name


def launcher(*, portable: bool) -> tuple[str, ...]:
    """The words that start toolcrib.

    `portable` words mean the same on a colleague's machine; they need `toolcrib` on the PATH.
    A client with windows often has another PATH than a shell: it is given the full path.
    """
    if portable and shutil.which("toolcrib"):
        return ("toolcrib",)
    beside = Path(sys.executable).parent / (
        "toolcrib.exe" if sys.platform == "win32" else "toolcrib"
    )
    if beside.is_file():
        return (str(beside),)
    own = outside_program("toolcrib", Path.cwd())
    return (own,) if own else (sys.executable, "-m", "toolcrib")
