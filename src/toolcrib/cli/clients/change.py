"""Plan a change of a client's settings, show it, and carry it out with a way back."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolcrib.cli.clients.client import PINNED, Client, Scope, Spot
from toolcrib.cli.clients.entry import Entry, launcher
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.editing import toml
from toolcrib.core.errors import ConfigError, ToolcribError, UsageError
from toolcrib.files import jsonc

_PATIENCE = 60
_LARGEST = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Change:
    """A file as it is and as it will be (None: there is none), and the command that does it.

    `own` is the client's own command, tried first where there is one.
    """

    client: Client
    scope: Scope
    spot: Spot
    name: str
    old: str | None
    new: str | None
    own: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        """Whether there is anything to do."""
        return self.old != self.new


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done: the file as it is now, by which way, and where the copy of the old one is."""

    text: str | None
    by_command: bool
    backup: Path | None


def entry_for(
    client: Client, scope: Scope, project: Path, name: str, words: Sequence[str] = ()
) -> Entry:
    """How this client has to start toolcrib for this project."""
    start = launcher(portable=scope == "project")
    folder = client.folder(scope)
    where = [] if folder is None else ["--project", str(project) if folder == PINNED else folder]
    return Entry(name, start[0], (*start[1:], "serve", *words, *where))


def plan_install(
    client: Client, machine: Machine, project: Path, scope: Scope, entry: Entry
) -> Change:
    """What installing would change. Keys that a person added to the entry stay."""
    spot = client.spot(machine, project, scope)
    old = _read(spot.file)
    present = _servers(spot, old).get(entry.name)
    _refuse_other_project(client, entry, present)
    new = _with_entry(spot, old or "", entry.name, client.shape(entry))
    own: tuple[str, ...] = ()
    if present is None:
        own = _own(machine, client, client.own.add(entry, scope) if client.own else None)
    return Change(client, scope, spot, entry.name, old, old if new == old else new, own)


def plan_uninstall(
    client: Client, machine: Machine, project: Path, scope: Scope, name: str
) -> Change:
    """What uninstalling would change; a file that only held our entry goes with it."""
    spot = client.spot(machine, project, scope)
    old = _read(spot.file)
    if name not in _servers(spot, old):
        return Change(client, scope, spot, name, old, old)
    path = (*spot.keys, name)
    edit = toml.remove_table if spot.form == "toml" else jsonc.remove_member
    new: str | None = edit(old or "", path, str(spot.file))
    if new is not None and _holds_nothing(spot, new):
        new = None
    own = _own(machine, client, client.own.remove(name, scope) if client.own else None)
    return Change(client, scope, spot, name, old, new, own)


def installed_entry(
    client: Client, machine: Machine, project: Path, scope: Scope, name: str
) -> dict[str, Any] | None:
    """What a client knows of a server of that name in that scope."""
    spot = client.spot(machine, project, scope)
    found = _servers(spot, _read(spot.file)).get(name)
    return found if isinstance(found, dict) else None


def carry_out(change: Change, machine: Machine, project: Path) -> Outcome:
    """Do it: keep a copy of the file, ask the client's own command, else write the file."""
    file = change.spot.file
    backup = None if change.old is None else _back_up(file, change.old, machine)
    if change.own and _ran(change.own, project) and _done(change):
        now = _read(file)
        if change.new is not None or not _holds_nothing(change.spot, now or ""):
            return Outcome(now, True, backup)
        file.unlink(missing_ok=True)
        return Outcome(None, True, backup)
    if change.new is None:
        file.unlink(missing_ok=True)
    else:
        _write(file, change.new)
    return Outcome(change.new, False, backup)


def _refuse_other_project(client: Client, entry: Entry, present: Any) -> None:
    """Two repositories under one name would silently replace each other."""
    args = present.get("args") if isinstance(present, dict) else None
    if not isinstance(args, list) or "--project" not in args or "--project" not in entry.args:
        return
    theirs = args[args.index("--project") + 1 :][:1]
    ours = entry.args[entry.args.index("--project") + 1]
    if theirs and theirs[0] != ours:
        raise UsageError(
            f"{client.title} already has a server {entry.name!r}, for {theirs[0]}",
            next=f"Give this one a name: toolcrib install {client.name}"
            f" --name {entry.name}-{Path(ours).name}",
        )


def _own(machine: Machine, client: Client, words: list[str] | None) -> tuple[str, ...]:
    program = machine.program(client.own.program) if client.own and words else None
    return (program, *words) if program and words else ()


def _ran(argv: tuple[str, ...], project: Path) -> bool:
    try:
        done = subprocess.run(
            argv, cwd=project, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _done(change: Change) -> bool:
    """Believe the file, not the exit code."""
    try:
        there = change.name in _servers(change.spot, _read(change.spot.file))
        wanted = change.new is not None and change.name in _servers(change.spot, change.new)
    except ToolcribError:
        return False
    return there == wanted


def _servers(spot: Spot, text: str | None) -> dict[str, Any]:
    read = toml.load if spot.form == "toml" else jsonc.load
    value = read(text or "", str(spot.file))
    for key in spot.keys:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return value if isinstance(value, dict) else {}


def _with_entry(spot: Spot, text: str, name: str, shape: dict[str, Any]) -> str:
    path = (*spot.keys, name)
    file = str(spot.file)
    if spot.form == "toml":
        return toml.set_keys(text, path, shape, file)
    if name not in _servers(spot, text):
        return jsonc.set_member(text, path, shape, file)
    for key, value in shape.items():
        text = jsonc.set_member(text, (*path, key), value, file)
    return text


def _holds_nothing(spot: Spot, text: str) -> bool:
    if spot.form == "toml":
        return not text.strip()
    empty: dict[str, Any] = {}
    for key in reversed(spot.keys):
        empty = {key: empty}
    return "//" not in text and "/*" not in text and jsonc.load(text) in ({}, empty)


def _read(file: Path) -> str | None:
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


def _back_up(file: Path, text: str, machine: Machine) -> Path:
    """Keep a copy: outside of the repository, so that nobody commits it, for its owner alone."""
    folder = machine.state() / "backups"
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{time.time_ns() % 1_000_000_000:09d}"
    copy = folder / f"{stamp}-{file.name}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(text.encode())
    except OSError as error:
        raise ConfigError(
            f"No copy of {file} can be kept in {folder}",
            why=error.strerror,
            next="Set TOOLCRIB_STATE to a folder that can be written; nothing was changed.",
        ) from error
    return copy


def _write(file: Path, text: str) -> None:
    """Replace a file in one step; where it is a link into somebody's dotfiles, it stays one."""
    target = Path(os.path.realpath(file))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o644)
            Path(name).replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be written", why=error.strerror, next="Nothing was changed."
        ) from error
