"""How far a command is shut in: bubblewrap, else Landlock, else limits alone.

Inside, everything can be read, and only the repo, temporary folders and what the settings name can
be written. With bubblewrap a command also has processes of its own to see and to signal, and
nothing of it outlives the call.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from toolcrib.core.errors import ConfigError

Mode = Literal["off", "auto", "required"]
Level = Literal["off", "rlimits", "landlock", "bubblewrap", "docker"]

_SETUP_TIME = 5.0
_LANDLOCK_CREATE_RULESET = 444
_OLDEST_ABI = 2
_WRITE_FILE, _TRUNCATE, _REFER = 1 << 1, 1 << 14, 1 << 13
_MAKE_AND_REMOVE = sum(1 << bit for bit in range(4, 13))
_SCOPE_SIGNAL = 1 << 1
# Caches of package managers and the like: without them the programs are of little use.
_CACHES = (
    "~/.cache/gh", "~/.cache/go-build", "~/.cache/pip", "~/.cargo/registry", "~/.kube/cache",
    "~/.npm",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Confinement:
    """What is done to one command before it runs."""

    level: Level
    argv: tuple[str, ...]
    program: str
    landlock: Mapping[str, Any] | None = None
    cleanup: tuple[str, ...] | None = None

    @property
    def wrapped(self) -> bool:
        """Whether the first process is the sandbox's, not the command's."""
        return self.level == "bubblewrap"


class Sandbox:
    """Picks the highest rung of the ladder that holds on this machine, once."""

    def __init__(self, mode: Mode, project: Path, writable: Sequence[str] = ()) -> None:
        self._mode = mode
        self._writable = [str(project), *_temporary(), *map(_absolute(project), writable)]
        self._level: Level | None = None
        self._bwrap: str | None = None
        self._landlock_abi = 0
        self.reason: str | None = None
        """Why it is not bubblewrap, where it is not."""

    @property
    def decided(self) -> bool:
        """Whether it is known on which rung commands stand."""
        return self._level is not None

    @property
    def level(self) -> Level:
        """The rung that commands stand on."""
        return self.decide()

    def decide(self) -> Level:
        """Find out what holds on this machine; that takes some milliseconds the first time."""
        if self._level is None:
            self._level = self._chosen()
        return self._level

    def check(self) -> None:
        """Raise `ConfigError` if what is required cannot be had."""
        if self._mode == "required" and self.level != "bubblewrap":
            raise ConfigError(
                'sandbox = "required", but bubblewrap cannot be used here',
                why=self.reason,
                next='Install bubblewrap, or set [climax] sandbox = "auto".',
            )

    def confine(self, argv: Sequence[str], program: str, cwd: str, home: str | None) -> Confinement:
        """Shut a command in."""
        self.check()
        if self.level == "bubblewrap" and self._bwrap is not None:
            words = [*_bwrap_words(self._bwrap), *_binds(self._places(home)), "--chdir", cwd, "--"]
            return Confinement("bubblewrap", (*words, program, *argv[1:]), self._bwrap)
        if self.level == "landlock":
            rules = _landlock_rules(self._landlock_abi, self._places(home))
            return Confinement("landlock", tuple(argv), program, rules)
        return Confinement(self.level, tuple(argv), program)

    def _places(self, home: str | None) -> list[str]:
        caches = [cache.replace("~", home, 1) for cache in _CACHES] if home else []
        return [*self._writable, *caches]

    def _chosen(self) -> Level:
        if self._mode == "off":
            return "off"
        self._bwrap = self._working_bwrap()
        if self._bwrap is not None:
            return "bubblewrap"
        self._landlock_abi = self._landlock()
        return "landlock" if self._landlock_abi >= _OLDEST_ABI else "rlimits"

    def _working_bwrap(self) -> str | None:
        import shutil
        import subprocess

        program = shutil.which("bwrap")
        if program is None:
            self.reason = "bwrap is not installed"
            return None
        words = [*_bwrap_words(program), "--", "/bin/sh", "-c", ":"]
        try:
            done = subprocess.run(words, capture_output=True, timeout=_SETUP_TIME, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            self.reason = f"bwrap does not work: {error}"
            return None
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            self.reason = f"bwrap does not work: {said[-1] if said else done.returncode}"
            return None
        return program

    def _landlock(self) -> int:
        """The version of Landlock that this kernel speaks; 0 for none."""
        if sys.platform != "linux":
            return 0
        import ctypes  # 5 ms that only the first command of a session pays

        libc = ctypes.CDLL(None)
        return int(libc.syscall(_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def _bwrap_words(program: str) -> list[str]:
    words = [
        program, "--die-with-parent", "--new-session",
        "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
        "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
    ]  # fmt: skip
    if os.geteuid() == 0:
        # Root keeps the right to its users' files, and none of those that undo a sandbox.
        words += ["--cap-drop", "ALL"]
        for capability in ("CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FOWNER"):
            words += ["--cap-add", capability]
    else:
        words += ["--unshare-user"]
    return words


def _binds(places: Iterable[str]) -> list[str]:
    words: list[str] = []
    for place in dict.fromkeys(map(os.path.realpath, places)):
        if not place.startswith("/dev/"):  # the sandbox has devices of its own
            words += ["--bind-try", place, place]
    return words


def _landlock_rules(abi: int, places: Sequence[str]) -> dict[str, Any]:
    truncate = _TRUNCATE if abi >= 3 else 0
    every = _WRITE_FILE | _MAKE_AND_REMOVE | _REFER | truncate
    return {
        "handled": every,
        "scoped": _SCOPE_SIGNAL if abi >= 6 else 0,
        "size": 24 if abi >= 6 else 8,
        "allowed": [[every, list(places)], [_WRITE_FILE | truncate, ["/dev"]]],
        # Rules are about folders, not about names: a folder that was made anew needs new ones.
        "identity": [_identity(place) for place in places],
    }


def _identity(place: str) -> list[int]:
    try:
        found = os.stat(place)  # noqa: PTH116 - a hundred times for each that a person reads
    except OSError:
        return []
    return [found.st_dev, found.st_ino]


def _temporary() -> list[str]:
    named = os.environ.get("TMPDIR")
    return ["/tmp", "/var/tmp", "/dev/shm", *([named] if named else [])]  # noqa: S108


def _absolute(project: Path) -> Any:
    return lambda place: str(project / os.path.expanduser(place))  # noqa: PTH111
