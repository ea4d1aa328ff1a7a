"""Carry an adoption out, and take it back.

Our own files are written before those of clients, and taken back after them: whatever stops us in
between, each server stands in at least one file.
"""

from __future__ import annotations

import contextlib
import glob
import time
from collections.abc import Sequence
from pathlib import Path

from toolcrib.cli.adoption import journal as journals
from toolcrib.cli.adoption.edits import FileEdits, applied, taken_back, value_at
from toolcrib.cli.adoption.journal import ChangedFile, Journal
from toolcrib.cli.adoption.plan import GROUP, Plan, Targets
from toolcrib.cli.clients.ledger import begin, digest
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.editing.whole import read_text, real_path, write_text
from toolcrib.core.errors import ConfigError, UsageError
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.files.private import private_folder, write_private


def carry_out(
    plan: Plan, changes: Sequence[FileEdits], targets: Targets, machine: Machine
) -> Journal:
    """Move the servers of a plan; to be called while nobody else changes clients' files."""
    texts = [_texts(change) for change in changes]
    journal = Journal(
        journals.new_id(),
        plan.project,
        [server_key(move.file, move.name) for move in plan.moves],
        [_record(change, old, new) for change, (old, new) in zip(changes, texts, strict=True)],
        {str(plan.secrets.file(n)): digest(v.encode()) for n, v in plan.secrets.values.items()},
        time=time.time(),
    )
    journals.keep(machine, journal)
    _write_secrets(plan)
    for change, (old, new) in zip(changes, texts, strict=True):
        private = old is None and change.path != targets.repo
        write_text(real_path(change.path), new, 0o600 if private else None)
    journal.done = True
    journals.keep(machine, journal)
    return journal


def previews(changes: Sequence[FileEdits]) -> list[tuple[Path, str, str]]:
    """Each file with its text now and afterwards."""
    return [(change.path, old or "", new) for change in changes for old, new in [_texts(change)]]


def server_key(file: Path, name: str) -> str:
    """What a journal calls a server."""
    return f"{file}:{name}"


def chosen(machine: Machine, id: str | None) -> Journal | None:
    """The adoption to undo: the one of that id, else the last; None where there is none."""
    every = journals.journals(machine)
    if id is None:
        return every[-1] if every else None
    found = next((each for each in every if each.id == id), None)
    if found is None:
        hint = did_you_mean(id, [each.id for each in every])
        raise UsageError(f"There is no adoption {id!r}{hint}", next="See: toolcrib adopt --list")
    later = [each for each in every if each.id > id and set(each.servers) & set(found.servers)]
    if later:
        raise UsageError(
            f"The adoption {later[-1].id} moved the same servers later",
            next=f"Undo that one first: toolcrib adopt --undo {later[-1].id}",
        )
    return found


def undo(journal: Journal, machine: Machine) -> list[str]:
    """Put everything back; returns what differs from how it was, in words."""
    remarks: list[str] = []
    for changed in reversed(journal.files):
        remarks += _restore(changed)
    for path, kept in journal.secrets.items():
        _forget_secret(Path(path), kept)
    journals.drop(machine, journal)
    return remarks


def _texts(change: FileEdits) -> tuple[str | None, str]:
    file = str(change.path)
    old = read_text(change.path)
    for edit in change.edits:
        if edit.before is not None and value_at(old or "", change.form, edit.keys, file) is None:
            raise ConfigError(f"{file} was changed meanwhile", next="Try it again.")
    return old, applied(old or "", change.form, change.edits, file)


def _record(change: FileEdits, old: str | None, new: str) -> ChangedFile:
    before = begin(real_path(change.path), None if old is None else old.encode())
    return ChangedFile(change, before.original, before.mode, before.folders, digest(new.encode()))


def _write_secrets(plan: Plan) -> None:
    if plan.secrets.values:
        private_folder(plan.secrets.folder)
    for name, value in plan.secrets.values.items():
        write_private(plan.secrets.file(name), value.encode())


def _forget_secret(path: Path, kept: str) -> None:
    """Remove a secret that is still what was kept, and what a kill left of its writing."""
    with contextlib.suppress(OSError):
        if digest(path.read_bytes()) == kept:
            path.unlink()
    for half in path.parent.glob(f".{glob.escape(path.name)}.*"):
        with contextlib.suppress(OSError):
            half.unlink()


def _restore(changed: ChangedFile) -> list[str]:
    path = changed.edits.path
    target = real_path(path)
    text = read_text(path)
    now = None if text is None else text.encode()
    if now == changed.old:
        return []
    if now is not None and digest(now) == changed.new:
        _put_back(target, changed)
        return []
    if text is None:
        if changed.old is None:
            return []
        text = ""
    new, remarks = taken_back(text, changed.edits.form, changed.edits.edits, str(path))
    if changed.old is None and _holds_nothing(new, changed.edits):
        _remove(target, changed)
    else:
        write_text(target, new, None)
        remarks.append(f"{path} was changed since: it was put back entry by entry")
    return remarks


def _put_back(target: Path, changed: ChangedFile) -> None:
    if changed.old is None:
        _remove(target, changed)
    else:
        write_text(target, changed.old.decode(), changed.mode)


def _remove(target: Path, changed: ChangedFile) -> None:
    target.unlink(missing_ok=True)
    for folder in reversed(changed.folders):
        with contextlib.suppress(OSError):
            Path(folder).rmdir()


def _holds_nothing(text: str, edits: FileEdits) -> bool:
    if "//" in text or "/*" in text or "#" in text:
        return False
    value = value_at(text, edits.form, ())
    return value in ({}, {GROUP: {}}) or all(each == {} for each in value.values())
