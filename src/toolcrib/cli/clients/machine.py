"""Where programs keep their settings on this kind of machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toolcrib.running.sandbox.places import outside_program

System = Literal["linux", "macos", "windows"]


@dataclass(frozen=True, slots=True)
class Machine:
    """A kind of system, somebody's home on it, and their environment."""

    system: System
    home: Path
    environ: Mapping[str, str]
    project: Path | None = None
    """The current repository: programs inside it do not count as installed."""

    @classmethod
    def here(cls, project: Path | None = None) -> Machine:
        """The machine that this runs on."""
        kinds: dict[str, System] = {"darwin": "macos", "win32": "windows"}
        return cls(kinds.get(sys.platform, "linux"), _home(), os.environ, project)

    def settings(self) -> Path:
        """The folder below which programs have their settings."""
        if self.system == "windows":
            return Path(self.environ.get("APPDATA") or self.home / "AppData" / "Roaming")
        if self.system == "macos":
            return self.home / "Library" / "Application Support"
        return self.dotconfig()

    def dotconfig(self) -> Path:
        """`~/.config`, or where `XDG_CONFIG_HOME` says."""
        return Path(self.environ.get("XDG_CONFIG_HOME") or self.home / ".config")

    def state(self) -> Path:
        """The folder for what toolcrib keeps for this person: where its flags are kept, too."""
        given = self.environ.get("TOOLCRIB_STATE")
        if given:
            return Path(given).expanduser()
        shared = Path(self.environ.get("XDG_STATE_HOME") or self.home / ".local" / "state")
        return shared / "toolcrib"

    def program(self, name: str) -> str | None:
        """The full path of a program, if it can be started without a shell.

        One that lies in the repository, or where a sandboxed command may write, is not found.
        """
        found = outside_program(name, self.project or Path.cwd(), environment=self.environ)
        # A .cmd file runs in a shell, which would read our arguments as its own language.
        return None if found and found.lower().endswith((".cmd", ".bat")) else found


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")
