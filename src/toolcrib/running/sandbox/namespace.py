"""Bubblewrap: the words that start a supervisor in namespaces of its own.

Inside, everything is read-only but the writable places; what is hidden is covered by an empty
folder or file; what is protected is read-only again. Mounts are made from the outer to the inner
path, so that each of them holds whatever lies above it.
"""

# ruff: noqa: PTH112

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from toolcrib.running.supervisor.walls import settings_of_the_kernel

_SETUP_TIME = 5.0
KEPT_BY_ROOT = 1 << 0 | 1 << 1 | 1 << 3
"""Capabilities of root's commands: its right to its users' files (chown, dac_override, fowner)."""
_RESOLVER = ("resolv.conf", "stub-resolv.conf")


@dataclass(frozen=True, slots=True)
class Mounts:
    """What lies where, in real paths that exist."""

    writable: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    """Paths below hidden ones that can be read all the same."""
    protected: tuple[str, ...] = ()
    emptied: tuple[str, ...] = ()
    """Folders of which only the sockets that are granted are left."""
    sockets: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    """Sockets that must not be reached."""
    anchored: tuple[str, ...] = ()
    """Folders that can be written, and cannot be renamed or removed."""


def words(
    program: str, mounts: Mounts, *, empty: str, own_network: bool, nested: bool
) -> list[str]:
    """The command line up to the supervisor's own words; `empty` is an empty file."""
    line = [
        program, "--die-with-parent", "--new-session", "--as-pid-1",
        "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
    ]  # fmt: skip
    if own_network:
        line.append("--unshare-net")
    if os.geteuid() == 0:
        if not nested:
            line += ["--cap-drop", "ALL", "--cap-add", "CAP_CHOWN"]
            line += ["--cap-add", "CAP_DAC_OVERRIDE", "--cap-add", "CAP_FOWNER"]
    else:
        line.append("--unshare-user")
        if nested:
            line += ["--cap-add", "CAP_SYS_ADMIN"]
    line += ["--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/dev/shm"]  # noqa: S108
    line += ["--remount-ro", "/dev", "--proc", "/proc"]
    for path in settings_of_the_kernel():
        line += ["--ro-bind-try", path, path]
    return [*line, *_mount_words(mounts, empty)]


def _mount_words(mounts: Mounts, empty: str) -> list[str]:
    steps: list[tuple[str, int, list[str]]] = []
    for path in mounts.writable:
        if not path.startswith("/dev/"):  # the sandbox has devices of its own
            steps.append((path, 0, ["--bind", path, path]))
    for path in mounts.anchored:
        steps.append((path, 0, ["--bind", path, path]))  # what is mounted cannot be renamed
    for path in mounts.emptied:
        steps.append((path, 1, ["--tmpfs", path]))
    for path in mounts.hidden:
        if os.path.isdir(path):
            steps.append((path, 1, ["--tmpfs", path]))
        else:
            steps.append((path, 1, ["--ro-bind", empty, path]))
    for path in (*mounts.protected, *mounts.opened):
        steps.append((path, 2, ["--ro-bind", path, path]))
    for path in mounts.sockets:
        steps.append((path, 3, ["--bind", path, path]))
    for path in mounts.blocked:
        steps.append((path, 3, ["--ro-bind", empty, path]))
    for path in (*mounts.emptied, *(path for path in mounts.hidden if os.path.isdir(path))):
        # Only when all that belongs in it has its place, and before anything that lies above it.
        steps.append((path + "/\U0010ffff", 4, ["--remount-ro", path]))
    steps.sort(key=lambda step: (step[0].split("/"), step[1]))
    return [word for _, _, step in steps for word in step]


def resolver_files(folder: str = "/run") -> list[str]:
    """Files below `/run` that tell how names are looked up, where they are."""
    places = [f"{folder}/systemd/resolve/{name}" for name in _RESOLVER]
    return [place for place in places if os.path.exists(place)]  # noqa: PTH110


def problem(program: str, supervisor: Sequence[str], *, nested: bool) -> str | None:
    """Why bubblewrap cannot be used here; None if it can. `supervisor` must end by itself."""
    command = [*words(program, Mounts(), empty=os.devnull, own_network=True, nested=nested)]
    try:
        done = subprocess.run(
            [*command, "--", *supervisor],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SETUP_TIME,
            check=False,
            env={},
            cwd="/",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap does not work: {error}"
    if done.returncode == 0:
        return None
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return f"bwrap does not work: {said[-1] if said else done.returncode}"
