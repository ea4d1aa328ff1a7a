"""What adoption has changed, kept for its owner alone until it is taken back.

A journal is written before the first file is changed and marked when the last one is: one that was
cut short can be undone like any other.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolcrib.cli.adoption.edits import FileEdits, ValueEdit
from toolcrib.cli.clients.machine import Machine
from toolcrib.core.errors import ConfigError
from toolcrib.files.private import private_folder, read_private, write_private

_FORMAT = 1


@dataclass(slots=True)
class ChangedFile:
    """A file as it was, and what was done to it."""

    edits: FileEdits
    old: bytes | None
    """None where there was no file."""
    mode: int | None
    folders: list[str]
    """The folders that were made for it, the outermost first."""
    new: str
    """The digest of what was written."""


@dataclass(slots=True)
class Journal:
    """One adoption."""

    id: str
    project: Path
    servers: list[str]
    """What moved, each as the file of ours and its name there."""
    files: list[ChangedFile] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)
    """Files with secrets that were written, each with its digest."""
    done: bool = False
    time: float = 0.0


def new_id() -> str:
    """An id that sorts by time."""
    seconds, rest = divmod(time.time_ns(), 1_000_000_000)
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(seconds))}-{rest // 1000:06d}"


def keep(machine: Machine, journal: Journal) -> None:
    """Write a journal, in one step."""
    folder = _folder(machine)
    try:
        private_folder(folder)
        write_private(folder / f"{journal.id}.json", json.dumps(_plain(journal)).encode())
    except OSError as error:
        raise ConfigError(
            f"Nothing can be kept in {folder}",
            why=error.strerror,
            next="Set TOOLCRIB_STATE to a folder that can be written.",
        ) from error


def journals(machine: Machine) -> list[Journal]:
    """All that can be undone, the oldest first."""
    found = []
    for path in sorted(_folder(machine).glob("*.json")):
        journal = _read(path)
        if journal is not None:
            found.append(journal)
    return found


def drop(machine: Machine, journal: Journal) -> None:
    """Forget an adoption that was taken back."""
    (_folder(machine) / f"{journal.id}.json").unlink(missing_ok=True)


def _folder(machine: Machine) -> Path:
    return machine.state() / "adoptions"


def _plain(journal: Journal) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "id": journal.id,
        "project": str(journal.project),
        "servers": journal.servers,
        "secrets": journal.secrets,
        "done": journal.done,
        "time": journal.time,
        "files": [
            {
                "path": str(each.edits.path),
                "form": each.edits.form,
                "edits": [[list(edit.keys), edit.before, edit.after] for edit in each.edits.edits],
                "old": None if each.old is None else base64.b64encode(each.old).decode(),
                "mode": each.mode,
                "folders": each.folders,
                "new": each.new,
            }
            for each in journal.files
        ],
    }


def _read(path: Path) -> Journal | None:
    try:
        plain = json.loads(read_private(path))
        if plain["format"] != _FORMAT:
            return None
        return Journal(
            plain["id"],
            Path(plain["project"]),
            list(plain["servers"]),
            [_changed(each) for each in plain["files"]],
            dict(plain["secrets"]),
            plain["done"],
            plain["time"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _changed(plain: dict[str, Any]) -> ChangedFile:
    edits: Iterable[Any] = plain["edits"]
    return ChangedFile(
        FileEdits(
            Path(plain["path"]),
            plain["form"],
            tuple(ValueEdit(tuple(keys), before, after) for keys, before, after in edits),
        ),
        None if plain["old"] is None else base64.b64decode(plain["old"]),
        plain["mode"],
        list(plain["folders"]),
        plain["new"],
    )
