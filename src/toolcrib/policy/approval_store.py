"""Calls that wait for a person, and approvals that a person wants remembered.

They are files of this user on this machine:

    approvals/<digest of the project's identity>/pending/<number>
    approvals/<digest of the project's identity>/remembered

or, where a pack brings a store that several machines share, entries of that store. Only `toolcrib
approve`, which a person runs at a terminal, writes an approval.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from toolcrib.core.errors import ConfigError
from toolcrib.core.expiring import ExpiringEntries
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.core.support.records import record
from toolcrib.core.tool import JSON, Tool
from toolcrib.files.private import private_folder, read_private, write_private
from toolcrib.policy.remembered import Remembered

LIFETIME = 600.0
"""Seconds that a waiting call can be approved, and an approval can be used."""
MOST_WAITING = 1000
_NUMBER = re.compile(r"[0-9a-f]{4,8}")
_PENDING = "approval"
_REMEMBERED = "remembered-approval"
_FOR_GOOD = 20 * 365 * 86400.0
_NOBODY = ""


@record
class PendingApproval:
    """One call as it would run."""

    tool: str
    words: str
    folder: str
    network: str
    key: str
    """What tells this call from every other: the tool, its definition, its arguments."""


Waiting = list[tuple[str, PendingApproval, bool]]
"""Number, call, and whether it is approved."""


class ApprovalStore(ABC):
    """The waiting calls and the remembered approvals of one project."""

    shared = False
    """Whether a call may wait for a database: then it is made in a thread."""

    def wait(self, call: PendingApproval) -> str | None:
        """Store a call that waits for approval; return its number, None if it cannot be stored."""
        known = self.waiting()
        for number, each, _ in known:
            if each.key == call.key:
                return number
        taken = {number for number, _, _ in known}
        number = secrets.token_hex(2)
        while number in taken:
            number = secrets.token_hex(4)
        return number if self._put(number, call, approved=False) else None

    def approve(self, number: str) -> None:
        """Allow a waiting call once; raises `ConfigError` if it no longer waits."""
        for known, call, _ in self.waiting():
            if known == number and self._put(number, call, approved=True):
                return
        raise ConfigError(f"No call waits under the number {number!r} any more")

    def spend(self, key: str) -> bool:
        """Use up an approval; True exactly once for each."""
        return any(
            approved and call.key == key and self._take(number)
            for number, call, approved in self.waiting()
        )

    def remembers(self, tool: Tool, arguments: JSON) -> bool:
        """Whether a call needs no further question."""
        return any(each.allows(tool, arguments) for each in self.all_remembered())

    @abstractmethod
    def waiting(self) -> Waiting:
        """All calls that have not expired."""

    @abstractmethod
    def all_remembered(self) -> list[Remembered]:
        """Every remembered approval."""

    @abstractmethod
    def remember(self, entry: Remembered) -> None:
        """Keep an approval."""

    @abstractmethod
    def forget(self, tool: str) -> int:
        """Revoke what is remembered of a tool; return how much that was."""

    @abstractmethod
    def _put(self, number: str, call: PendingApproval, *, approved: bool) -> bool:
        """Keep a call under its number; whether that was possible."""

    @abstractmethod
    def _take(self, number: str) -> bool:
        """Remove a call; whether it was there: of several who try, one gets it."""


class FileApprovals(ApprovalStore):
    """Approvals of this user on this machine."""

    def __init__(self, identity: str, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._folder: Path | None = None
        with contextlib.suppress(ConfigError):
            self._folder = state_folder() / "approvals" / sha256(os.fsencode(identity))

    def waiting(self) -> Waiting:
        """All calls that have not expired; files of others are removed."""
        found = []
        for path in self._pending_files():
            data = _read(path)
            try:
                call = PendingApproval(*data["call"])
                if 0 <= self._clock() - float(data["time"]) <= LIFETIME:
                    found.append((path.name, call, bool(data["approved"])))
                else:
                    path.unlink(missing_ok=True)
            except (KeyError, TypeError, ValueError):
                continue
        return found

    def all_remembered(self) -> list[Remembered]:
        """Every remembered approval."""
        data = _read(self._folder / "remembered") if self._folder is not None else {}
        return _remembered(data.get("remembered", ()))

    def remember(self, entry: Remembered) -> None:
        """Keep an approval."""
        self._keep([*self.all_remembered(), entry])

    def forget(self, tool: str) -> int:
        """Revoke what is remembered of a tool."""
        before = self.all_remembered()
        kept = [each for each in before if each.tool != tool]
        self._keep(kept)
        return len(before) - len(kept)

    def _keep(self, entries: list[Remembered]) -> None:
        if self._folder is None:
            raise ConfigError("There is no folder to remember approvals in")
        private_folder(self._folder)
        plain = [_plain(each) for each in entries]
        write_private(self._folder / "remembered", json.dumps({"remembered": plain}).encode())

    def _put(self, number: str, call: PendingApproval, *, approved: bool) -> bool:
        if self._folder is None:
            return False
        value = {"call": _fields(call), "time": self._clock(), "approved": approved}
        try:
            private_folder(self._folder)
            private_folder(self._folder / "pending")
            write_private(self._folder / "pending" / number, json.dumps(value).encode())
        except OSError:
            return False
        return True

    def _take(self, number: str) -> bool:
        if self._folder is None:
            return False
        try:
            (self._folder / "pending" / number).unlink()
        except OSError:
            return False
        return True

    def _pending_files(self) -> list[Path]:
        if self._folder is None:
            return []
        try:
            found = sorted((self._folder / "pending").iterdir())
        except OSError:
            return []
        return [path for path in found if _NUMBER.fullmatch(path.name)]


class SharedApprovals(ApprovalStore):
    """Approvals in a store that all replicas of a server share."""

    shared = True

    def __init__(self, entries: ExpiringEntries) -> None:
        self._entries = entries

    def waiting(self) -> Waiting:
        """All calls that have not expired."""
        found = []
        for number, data in self._entries.all(_PENDING).items():
            with contextlib.suppress(KeyError, TypeError):
                found.append((number, PendingApproval(*data["call"]), bool(data["approved"])))
        return found

    def all_remembered(self) -> list[Remembered]:
        """Every remembered approval."""
        return _remembered(self._entries.all(_REMEMBERED).values())

    def remember(self, entry: Remembered) -> None:
        """Keep an approval."""
        self._add(_REMEMBERED, secrets.token_hex(8), _plain(entry), _FOR_GOOD)

    def forget(self, tool: str) -> int:
        """Revoke what is remembered of a tool."""
        kept = self._entries.all(_REMEMBERED).items()
        names = [name for name, value in kept if value[0] == tool]
        return sum(self._entries.drop(_REMEMBERED, name) for name in names)

    def _put(self, number: str, call: PendingApproval, *, approved: bool) -> bool:
        self._add(_PENDING, number, {"call": _fields(call), "approved": approved}, LIFETIME)
        return True

    def _take(self, number: str) -> bool:
        return self._entries.drop(_PENDING, number)

    def _add(self, kind: str, name: str, value: Any, seconds: float) -> None:
        self._entries.add(kind, name, value, owner=_NOBODY, seconds=seconds, most=MOST_WAITING)


def approvals_of(identity: str, entries: ExpiringEntries | None = None) -> ApprovalStore:
    """Where the approvals of a project are kept."""
    if entries is not None and entries.shared:
        return SharedApprovals(entries)
    return FileApprovals(identity)


def _fields(call: PendingApproval) -> list[str]:
    return [call.tool, call.words, call.folder, call.network, call.key]


def _plain(entry: Remembered) -> list[Any]:
    return [entry.tool, dict(entry.arguments), entry.definition]


def _remembered(entries: Iterable[Any]) -> list[Remembered]:
    found = []
    for entry in entries:
        with contextlib.suppress(TypeError, ValueError):
            tool, arguments, definition = entry
            found.append(Remembered(str(tool), dict(arguments), str(definition)))
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_private(path))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
