"""Plan a change of a client's settings, show it, and carry it out with a way back."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolcrib.cli.clients import ledger
from toolcrib.cli.clients.client import PINNED, ClientProgram, Scope, Spot
from toolcrib.cli.clients.entry import ServerEntry, launcher
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.editing import toml
from toolcrib.cli.editing.whole import read_text, real_path, write_text
from toolcrib.core.errors import ConfigError, ToolcribError, UsageError
from toolcrib.files import jsonc

_PATIENCE = 60


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file as it is and as it will be (None: there is none), and the command that does it.

    `own` is the client's own command, tried first where there is one.
    """

    client: ClientProgram
    scope: Scope
    spot: Spot
    name: str
    old: str | None
    new: str | None
    own: tuple[str, ...] = ()
    removes: bool = False
    exact: bool = False
    """Whether `new` is the file as it was before the first install, byte for byte."""

    @property
    def needed(self) -> bool:
        """Whether there is anything to do."""
        return self.old != self.new


@dataclass(frozen=True, slots=True)
class ChangeOutcome:
    """What was done: the file as it is now, by which way, and where the copy of the old one is."""

    text: str | None
    by_command: bool
    backup: Path | None


def entry_for(
    client: ClientProgram, scope: Scope, project: Path, name: str, words: Sequence[str] = ()
) -> ServerEntry:
    """How this client has to start toolcrib for this project."""
    start = launcher(portable=scope == "project")
    folder = client.folder(scope)
    where = [] if folder is None else ["--project", str(project) if folder == PINNED else folder]
    names = ("--names", "safe") if client.safe_names else ()
    return ServerEntry(name, start[0], (*start[1:], "serve", *words, *names, *where))


def plan_install(
    client: ClientProgram, machine: Machine, project: Path, scope: Scope, entry: ServerEntry
) -> FileChange:
    """What installing would change. Keys that a person added to the entry stay."""
    spot = client.spot(machine, project, scope)
    old = read_text(spot.file)
    present = servers_in(spot, old).get(entry.name)
    _refuse_other_project(client, entry, present)
    new = _with_entry(spot, old or "", entry.name, client.shape(entry))
    own: tuple[str, ...] = ()
    if present is None:
        own = _own(machine, client, client.own.add(entry, scope) if client.own else None)
    return FileChange(client, scope, spot, entry.name, old, old if new == old else new, own)


def plan_uninstall(
    client: ClientProgram, machine: Machine, project: Path, scope: Scope, name: str
) -> FileChange:
    """What uninstalling would change: the file is as it was before, or without our entry."""
    spot = client.spot(machine, project, scope)
    old = read_text(spot.file)
    present = servers_in(spot, old).get(name)
    if present is None:
        return FileChange(client, scope, spot, name, old, old)
    key = ledger.way(spot.keys, name)
    record = ledger.find(machine, real_path(spot.file))
    if record is not None and key not in record.entries:
        record = None
    if record is None:
        _refuse_foreign(client, name, present)
    elif set(record.entries) == {key} and record.untouched(_bytes(old)):
        was = None if record.original is None else record.original.decode()
        return FileChange(client, scope, spot, name, old, was, removes=True, exact=True)
    before = record.entries[key] if record else None
    new: str | None = _without_entry(spot, old or "", name, before)
    ours = record is None or record.original is None
    if ours and new is not None and _holds_nothing(spot, new) and not spot.file.is_symlink():
        new = None
    own = _own(machine, client, client.own.remove(name, scope) if client.own else None)
    if record is not None and record.entries[key] is not None:
        own = ()
    return FileChange(client, scope, spot, name, old, new, own, removes=True)


def _without_entry(spot: Spot, text: str, name: str, before: Any) -> str:
    """The text without our entry, or with the one that a person had there."""
    path, file = (*spot.keys, name), str(spot.file)
    if spot.form == "toml":
        text = toml.remove(text, path, file)
        return toml.set_keys(text, path, before, file) if isinstance(before, dict) else text
    if before is not None:
        return jsonc.set_member(text, path, before, file)
    return jsonc.remove_member(text, path, file)


def _refuse_foreign(client: ClientProgram, name: str, present: Any) -> None:
    """An entry that starts something else was not written by us."""
    entry = present if isinstance(present, dict) else {}
    words = [entry.get("command"), *(entry.get("args") or [])]
    if any("toolcrib" in Path(word).name for word in words if isinstance(word, str)):
        return
    raise UsageError(
        f"The server {name!r} of {client.title} does not start toolcrib",
        why="somebody else wrote this entry",
        next="Take it out by hand if it is not wanted; nothing was changed.",
    )


def installed_entry(
    client: ClientProgram, machine: Machine, project: Path, scope: Scope, name: str
) -> dict[str, Any] | None:
    """What a client knows of a server of that name in that scope."""
    spot = client.spot(machine, project, scope)
    found = servers_in(spot, read_text(spot.file)).get(name)
    return found if isinstance(found, dict) else None


def names_only_us(client: ClientProgram, machine: Machine, project: Path) -> bool:
    """Whether the repository's own files lead a client to nothing but this program.

    Then it can be asked before anybody has trusted the repository. A file with anything else in
    it, or with a variable for our entry, might lead elsewhere.
    """
    if any(_may_act(client, project / name) for name in client.acting):
        return False
    if "project" not in client.scopes:
        return True
    spot = client.spot(machine, project, "project")
    text = read_text(spot.file)
    servers = servers_in(spot, text)
    for name, entry in servers.items():
        if not (isinstance(entry, dict) and _is_ours(client, name, entry)):
            return False
    alone = text or ""
    for name in servers:
        alone = _without_entry(spot, alone, name, None)
    return _holds_nothing(spot, alone)


def _may_act(client: ClientProgram, file: Path) -> bool:
    """Whether a file of the repository may have the client start something."""
    if not client.harmless or not file.is_file():
        return file.exists()
    try:
        said = jsonc.load(read_text(file) or "", str(file))
    except ToolcribError:
        return True
    return not (isinstance(said, dict) and client.harmless.issuperset(said))


def _is_ours(client: ClientProgram, name: str, entry: dict[str, Any]) -> bool:
    """Whether an entry has the form of ours and starts this installation's own program."""
    form = client.shape(ServerEntry(name, "", ()))
    words = [entry.get("command"), *(entry.get("args") or [])]
    own = [[*launcher(portable=portable), "serve"] for portable in (True, False)]
    said = {key for key, value in entry.items() if value and key != "enabled"}
    return said <= set(form) and any(words[: len(each)] == each for each in own)


def carry_out(change: FileChange, machine: Machine, project: Path) -> ChangeOutcome:
    """Do it: keep a copy of the file, ask the client's own command, else write the file.

    To be called while no other change of this person's clients is under way (`ledger.alone`).
    """
    file = change.spot.file
    data = _bytes(change.old)
    if _bytes(read_text(file)) != data:
        raise ConfigError(f"{file} was changed meanwhile", next="Try it again.")
    target = real_path(file)
    backup = None if change.old is None else _back_up(file, change.old, machine)
    record = ledger.find(machine, target)
    known = record is not None and record.original != data
    if record is None or not known:
        record = ledger.begin(target, data)
    intact = not known or record.untouched(data)
    if not change.removes:
        _note(change, record, machine)
    by_command = bool(change.own) and _ran(change.own, project) and _done(change)
    emptied = change.new is None and _holds_nothing(change.spot, read_text(file) or "")
    if not by_command or emptied:
        made = record.folders if known else _likely_made(target, project, machine)
        _put(target, change, record.mode, made)
    now = read_text(file)
    _settle(change, record, machine, _bytes(now) if intact else None)
    return ChangeOutcome(now, by_command, backup)


def _note(change: FileChange, record: ledger.FileRecord, machine: Machine) -> None:
    """Keep what stands at the place of our entry, before anything is changed."""
    key = ledger.way(change.spot.keys, change.name)
    record.entries.setdefault(key, servers_in(change.spot, change.old).get(change.name))
    record.written = None
    ledger.keep(machine, record)


def _settle(
    change: FileChange, record: ledger.FileRecord, machine: Machine, data: bytes | None
) -> None:
    """Keep what was written, or drop the record when nothing of ours is left."""
    if change.removes:
        record.entries.pop(ledger.way(change.spot.keys, change.name), None)
    if not record.entries:
        ledger.forget(machine, record.file)
        return
    record.written = None if data is None else ledger.digest(data)
    ledger.keep(machine, record)


def _put(target: Path, change: FileChange, mode: int | None, made: Sequence[str]) -> None:
    """Write the file, or take it away together with the folders that were made for it."""
    if change.new is not None:
        write_text(target, change.new, mode if change.exact else None)
        return
    target.unlink(missing_ok=True)
    for folder in reversed(made):
        with contextlib.suppress(OSError):
            Path(folder).rmdir()


def _likely_made(target: Path, project: Path, machine: Machine) -> list[str]:
    """The client's own folder, where nothing is known of an install."""
    kept = (project, machine.home, machine.settings(), machine.dotconfig())
    own = target.parent.name.startswith(".") and target.parent not in kept
    return [str(target.parent)] if own else []


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def settled(change: FileChange, machine: Machine) -> None:
    """Take the file as it is now for what we wrote.

    To be called after the client was asked: what it writes of its own accord then is undone with
    our entry.
    """
    record = ledger.find(machine, real_path(change.spot.file))
    data = _bytes(read_text(change.spot.file))
    if record is not None and record.written is not None and data is not None:
        record.written = ledger.digest(data)
        ledger.keep(machine, record)


def _refuse_other_project(client: ClientProgram, entry: ServerEntry, present: Any) -> None:
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


def _own(machine: Machine, client: ClientProgram, words: list[str] | None) -> tuple[str, ...]:
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


def _done(change: FileChange) -> bool:
    """Believe the file, not the exit code."""
    try:
        there = change.name in servers_in(change.spot, read_text(change.spot.file))
        wanted = change.new is not None and change.name in servers_in(change.spot, change.new)
    except ToolcribError:
        return False
    return there == wanted


def servers_in(spot: Spot, text: str | None) -> dict[str, Any]:
    """The servers that the text of a client's file names."""
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
    if name not in servers_in(spot, text):
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
