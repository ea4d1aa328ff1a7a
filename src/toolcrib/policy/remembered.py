"""Calls that wait for a person, and approvals that a person wants remembered: kept on disk.

    approvals/<digest of the project's identity>/pending/<number>
    approvals/<digest of the project's identity>/remembered

Only `toolcrib approve`, which a person runs at a terminal, writes an approval.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.core.support.records import record
from toolcrib.core.tool import JSON, Tool
from toolcrib.files.private import private_folder, read_private, write_private

LIFETIME = 600.0
"""Seconds that a waiting call can be approved, and an approval can be used."""
_NUMBER = re.compile(r"[0-9a-f]{4,8}")


@record
class Pending:
    """One call as it would run."""

    tool: str
    words: str
    folder: str
    network: str
    key: str
    """What tells this call from every other: the tool, its definition, its arguments."""


@record
class Remembered:
    """A tool, and what its arguments have to be like, that need no further question."""

    tool: str
    arguments: Mapping[str, str]
    definition: str

    def allows(self, tool: Tool, arguments: JSON) -> bool:
        """Whether a call is one of those that were meant."""
        if tool.name != self.tool or fingerprint(tool) != self.definition:
            return False
        properties = tool.input_schema.get("properties", {})
        given = {name: value for name, value in arguments.items() if value is not None}
        for name, pattern in self.arguments.items():
            if name not in given or not like(_text(given.pop(name)), pattern):
                return False
        return all(
            "default" in properties.get(name, {}) and value == properties[name]["default"]
            for name, value in given.items()
        )


class ApprovalStore:
    """The waiting calls and the remembered approvals of one project."""

    def __init__(self, identity: str, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._folder: Path | None = None
        with contextlib.suppress(ConfigError):
            self._folder = state_folder() / "approvals" / sha256(os.fsencode(identity))

    def wait(self, call: Pending) -> str | None:
        """Have a call wait for a person; return its number, None where none can be kept."""
        if self._folder is None:
            return None
        known = next((n for n, each, _ in self.waiting() if each.key == call.key), None)
        if known is not None:
            return known
        number = secrets.token_hex(2)
        while (self._folder / "pending" / number).exists():
            number = secrets.token_hex(4)
        try:
            self._write(number, call, approved=False)
        except OSError:
            return None
        return number

    def waiting(self) -> list[tuple[str, Pending, bool]]:
        """Number, call, and whether it is approved, of all that have not expired."""
        found = []
        for path in self._pending_files():
            data = _read(path)
            try:
                call = Pending(*data["call"])
                if self._clock() - float(data["time"]) <= LIFETIME:
                    found.append((path.name, call, bool(data["approved"])))
                else:
                    path.unlink(missing_ok=True)
            except (KeyError, TypeError, ValueError):
                continue
        return found

    def approve(self, number: str) -> None:
        """Let a waiting call pass once."""
        call = next(each for n, each, _ in self.waiting() if n == number)
        self._write(number, call, approved=True)

    def spend(self, key: str) -> bool:
        """Use up an approval; True exactly once for each."""
        for number, call, approved in self.waiting():
            if approved and call.key == key and self._folder is not None:
                try:
                    (self._folder / "pending" / number).unlink()
                except OSError:
                    return False
                return True
        return False

    def all_remembered(self) -> list[Remembered]:
        """Every remembered approval."""
        data = _read(self._folder / "remembered") if self._folder is not None else {}
        found = []
        for entry in data.get("remembered", ()):
            with contextlib.suppress(TypeError, ValueError):
                tool, arguments, definition = entry
                found.append(Remembered(str(tool), dict(arguments), str(definition)))
        return found

    def remembers(self, tool: Tool, arguments: JSON) -> bool:
        """Whether a call needs no further question."""
        return any(each.allows(tool, arguments) for each in self.all_remembered())

    def remember(self, entry: Remembered) -> None:
        """Keep an approval."""
        self._keep([*self.all_remembered(), entry])

    def forget(self, tool: str) -> int:
        """Revoke what is remembered of a tool; return how much that was."""
        before = self.all_remembered()
        kept = [each for each in before if each.tool != tool]
        self._keep(kept)
        return len(before) - len(kept)

    def _keep(self, entries: list[Remembered]) -> None:
        if self._folder is None:
            raise ConfigError("There is no folder to remember approvals in")
        private_folder(self._folder)
        plain = [[each.tool, dict(each.arguments), each.definition] for each in entries]
        write_private(self._folder / "remembered", json.dumps({"remembered": plain}).encode())

    def _write(self, number: str, call: Pending, *, approved: bool) -> None:
        if self._folder is None:
            return
        private_folder(self._folder)
        private_folder(self._folder / "pending")
        fields = [call.tool, call.words, call.folder, call.network, call.key]
        value = {"call": fields, "time": self._clock(), "approved": approved}
        write_private(self._folder / "pending" / number, json.dumps(value).encode())

    def _pending_files(self) -> list[Path]:
        if self._folder is None:
            return []
        try:
            found = sorted((self._folder / "pending").iterdir())
        except OSError:
            return []
        return [path for path in found if _NUMBER.fullmatch(path.name)]


def fingerprint(tool: Tool) -> str:
    """What changes when a tool would do something else."""
    defined = tool.definition() if tool.definition is not None else tool.origin
    return sha256(json.dumps([tool.name, tool.input_schema, defined], default=repr).encode())


def like(text: str, pattern: str) -> bool:
    """Whether all of `text` is like a pattern in which `*` stands for anything but a slash."""
    wanted = "[^/]*".join(re.escape(part) for part in re.sub(r"\*+", "*", pattern).split("*"))
    return re.fullmatch(wanted, text, re.DOTALL) is not None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_private(path))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
