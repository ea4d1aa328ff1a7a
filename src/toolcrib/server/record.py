"""The record of calls: one JSON line per call and per event, appended to a file.

Several processes may append to the same file. Each line is one write, so that lines never mix; a
stat of the path before each line shows whether the file was rotated, removed or is full. Within a
second it is a stat of the name in its folder: to walk the whole path takes twice as long.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import socket
import stat
import time
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any, Final

from toolcrib.core.audit import FinishedCall, new_id
from toolcrib.core.errors import ConfigError, ToolcribError
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.folders import state_folder
from toolcrib.core.support.jsonable import dumps, quickly
from toolcrib.core.support.redact import masked
from toolcrib.core.tool import JSON, CallContext
from toolcrib.discovery.answer_budget import estimate
from toolcrib.files.identity import project_identity
from toolcrib.settings import ServerSettings

logger = logging.getLogger("toolcrib.audit")

VERSION: Final = 2
AUTO: Final = "auto"
STANDARD_OUTPUT: Final = "-"
ROTATE: Final = 16 * 1024 * 1024
KEEP: Final = 4
_LONGEST_LINE = 64 * 1024
_LONGEST_ERROR = 300
_LONGEST_NAME = 200
_LONGEST_CLIENT = 100
_MOST_NAMES = 50
_LONGEST_KEPT = 64
_MOST_CALLERS = 256
_SMOOTH = '"error":null,"refused_by":null,"place":null'
"""The part of a line about what went wrong, where nothing did."""
# Controls, and what turns the direction of writing or hides: no error text needs them.
_CONTROLS = "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"


def automatic_file(project: Path) -> Path:
    """The file of `audit = "auto"`: one per project, in the user's state folder."""
    key = sha256(os.fsencode(project_identity(project)))[:32]
    return state_folder() / "audit" / f"{key}.jsonl"


def opened_record(project: Path, settings: ServerSettings) -> CallRecord | None:
    """The record that `[server] audit` asks for; None where `auto` cannot be opened."""
    rotate = size_of(settings.audit_rotate) if settings.audit_rotate else None
    if settings.audit == STANDARD_OUTPUT:
        return CallRecord(None)
    if settings.audit != AUTO:
        from toolcrib.files.private import keep_from_commands, opener_for  # not for `auto`

        file, opener = project / str(settings.audit), opener_for(project)
        keep_from_commands(file)
        return CallRecord(file, rotate=rotate, keep=settings.audit_keep, opener=opener)
    try:
        file = automatic_file(project)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return CallRecord(file, rotate=rotate or ROTATE, keep=settings.audit_keep)
    except (OSError, ToolcribError) as error:
        logger.error("not audited: %s", error)
        return None


def size_of(text: str) -> int:
    """A size as the settings write it, in bytes: `16MiB`, `512 KiB`, `1GiB`."""
    found = re.fullmatch(r"\s*(\d{1,9})\s*(KiB|MiB|GiB)\s*", text)
    if found is None or not int(found[1]):
        raise ConfigError(
            f"[server] audit_rotate = {text!r} is no size", next='Write it as "16MiB".'
        )
    return int(found[1]) * {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}[found[2]]


class CallRecord:
    """Appends to a file that only its owner can read; whatever fails, no call does.

    With `rotate` the file is renamed to `.1` before it would exceed that many bytes, and `keep`
    old ones stay. `file` None is standard output.
    """

    def __init__(
        self,
        file: Path | None,
        *,
        rotate: int | None = None,
        keep: int = KEEP,
        opener: Callable[[str, int], int] = lambda path, flags: os.open(path, flags, 0o600),
    ) -> None:
        self.file = file
        self._path = str(file)
        self._name = file.name if file is not None else ""
        self._folder = -1
        self._looked = 0
        self._opener = opener
        self.session = new_id()
        self.started = False
        self.transport = ""
        self._rotate = rotate
        self._keep = keep
        self._descriptor = -1
        self._opened: tuple[int, int] | None = None
        self._torn = False
        self._complained = False
        self._second = 0
        self._clock = ""
        self._callers: dict[Any, str] = {}
        self._pid = os.getpid()
        if file is None:
            self._descriptor = os.dup(1)
        else:
            self._open(file)

    def __call__(self, done: FinishedCall) -> None:
        """Write the line of a finished call."""
        arguments = quickly(done.arguments)
        line = self._line(done, arguments)
        if len(line) > _LONGEST_LINE:
            size = {"arguments": len(done.arguments), "characters": len(arguments)}
            line = self._line(done, dumps(size))
        self._append(line, done.name, done.outcome)

    def event(self, kind: str, *, session: str | None = None, **more: Any) -> None:
        """Write the line of something that happened besides calls."""
        line = {
            "v": VERSION,
            "event": kind,
            "time": self._now(),
            "session": session,
            "pid": self._pid,
            **more,
        }
        self._append(dumps(line), kind)

    def start(
        self, transport: str, about: Mapping[str, Any], client: Mapping[str, Any] | None = None
    ) -> None:
        """Write that this process serves from now on, once."""
        if self.started:
            return
        self.started = True
        self.transport = transport
        self.event(
            "start",
            session=self.session if transport == "stdio" else None,
            client=shown_client(client),
            transport=transport,
            **about,
            host=socket.gethostname(),
            started=process_start(self._pid),
        )

    def session_event(
        self, session: str | None, caller: str, client: Mapping[str, Any], state: str
    ) -> None:
        """Write that a session over HTTP was opened, taken over or closed."""
        self.event(
            "session", session=session, caller=caller, client=shown_client(client), state=state
        )

    def stop(self) -> None:
        """Write that this process serves no longer, and close the file."""
        if self.started:
            self.started = False
            self.event("stop", session=self.session if self.transport == "stdio" else None)
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor, self._opened = -1, None
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1

    def changed(
        self,
        added: list[str],
        changed: list[str],
        removed: list[str],
        revision: str | None = None,
    ) -> None:
        """Write what a reload has brought."""
        groups = {"added": added, "changed": changed, "removed": removed}
        self.event(
            "reload",
            session=self.session if self.transport == "stdio" else None,
            **{name: sorted(names)[:_MOST_NAMES] for name, names in groups.items()},
            counts={name: len(names) for name, names in groups.items()},
            revision=revision,
        )

    def refused_config(self, error: str) -> None:
        """Write that a changed file was refused, and why."""
        self.event("refused_config", error=one_line(error, _LONGEST_ERROR))

    def breaker(self, tool: str, state: str) -> None:
        """Write that a tool's circuit breaker has changed."""
        session = self.session if self.transport == "stdio" else None
        self.event("breaker", session=session, tool=tool, state=state)

    def reopen(self) -> None:
        """Open the file anew by its path, as after a rotation by somebody else."""
        if self.file is not None:
            with contextlib.suppress(OSError):
                self._open(self.file)

    def _line(self, done: FinishedCall, arguments: str) -> str:
        text = done.answer[0] if len(done.answer) == 1 else "".join(done.answer)
        smooth = done.error is None and done.refused_by is None and done.place is None
        line = (
            f'{{"time":"{self._now()}",{self._who(done.context, done.name)},'
            f'"arguments":{arguments},"outcome":"{done.outcome}",'
            f'"duration_ms":{done.milliseconds:.1f},"id":"{done.id}",'
            f'"parent":{_optional(done.parent)},{_SMOOTH if smooth else _trouble(done)},'
            f'"answer_chars":{len(text)},"answer_tokens":{estimate(text)}'
        )
        for key, value in done.context.notes.items():
            told = encode_basestring(value) if type(value) is str else dumps(value)
            line = f"{line},{encode_basestring(key)}:{told}"
        return line + "}"

    def _who(self, context: CallContext, tool: str) -> str:
        """The part of a line that stays the same for all calls of a tool by one caller."""
        info = context.client_info
        client = (str(info.get("name")), str(info.get("version"))) if info else None
        key = (tool, context.caller, context.session, context.method, client)
        known = self._callers.get(key)
        if known is None:
            plain = len(tool) <= _LONGEST_KEPT and tool.isprintable()
            who = {
                "caller": context.caller,
                "v": VERSION,
                "session": context.session,
                "pid": self._pid,
                "client": shown_client(info),
                "tool": tool if plain else one_line(tool, _LONGEST_NAME),
                "method": context.method,
            }
            known = dumps(who)[1:-1]
            if len(self._callers) >= _MOST_CALLERS:
                self._callers.clear()
            if plain:  # a uri may be as long as it likes
                self._callers[key] = known
        return known

    def _now(self) -> str:
        now = time.time()
        second = int(now)
        if second != self._second:
            self._second = second
            self._clock = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        return f"{self._clock}.{int((now - second) * 1000):03d}+00:00"

    def _append(self, line: str, *what: str) -> None:
        data = f"{line}\n".encode("utf-8", "replace")
        if self._torn:
            data = b"\n" + data
        try:
            if self.file is not None:
                self._prepare(self.file, len(data))
            # Before the answer is sent: who has it can read the line, also after a kill -9.
            written = os.write(self._descriptor, data)
            self._torn = written < len(data)
            self._complained = False
        except OSError as error:
            if not self._complained:
                logger.error("not audited: %s (%s)", " ".join(what), error.strerror)
            self._complained = True

    def _prepare(self, file: Path, more: int) -> None:
        """Make sure that the descriptor is that of the path, and has room for `more` bytes."""
        try:
            there = self._there()
        except FileNotFoundError:
            self._open(file)
            return
        if (there.st_dev, there.st_ino) != self._opened:
            self._open(file)
        elif self._rotate is not None and there.st_size + more > self._rotate and there.st_size:
            self._rotated(file, more)

    def _there(self) -> os.stat_result:
        """What the path leads to now; a folder that was moved is noticed in the next second."""
        if self._looked == self._second and self._folder >= 0:
            return os.stat(self._name, dir_fd=self._folder)
        self._looked = self._second
        return os.stat(self._path)  # noqa: PTH116 - a call waits for it

    def _open(self, file: Path) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
        opened = self._opener(str(file), flags)
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = opened
        about = os.fstat(opened)
        self._opened = (about.st_dev, about.st_ino)
        if not stat.S_ISREG(about.st_mode):
            self._rotate = None
        self._open_folder(file)

    def _open_folder(self, file: Path) -> None:
        """Open the folder of the file, where a name can be looked up in an open folder."""
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1
        if os.stat in os.supports_dir_fd:
            with contextlib.suppress(OSError):
                flags = os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
                self._folder = os.open(file.parent, flags)

    def _rotated(self, file: Path, more: int) -> None:
        """Rename the files by one, unless another process has done so in the meantime."""
        import fcntl

        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):
            there = os.stat(file)  # noqa: PTH116 - a call waits for it
            same = (there.st_dev, there.st_ino) == self._opened
            if same and self._rotate is not None and there.st_size + more > self._rotate:
                for number in range(self._keep, 0, -1):
                    older = rotated_name(file, number - 1)
                    with contextlib.suppress(FileNotFoundError):
                        older.replace(rotated_name(file, number))
                if not self._keep:
                    file.unlink()
        self._open(file)  # closes the locked one


def rotated_name(file: Path, number: int) -> Path:
    """The name of the file after `number` rotations."""
    return file.with_name(f"{file.name}.{number}") if number else file


def shown_client(info: Mapping[str, Any] | None) -> JSON | None:
    """Name and version of a client, as the record shows them."""
    if not info:
        return None
    return {
        key: one_line(value, _LONGEST_CLIENT) if isinstance(value := info.get(key), str) else None
        for key in ("name", "version")
    }


def one_line(text: str, longest: int) -> str:
    """Untrusted text for the record: without secrets and control characters, shortened."""
    return re.sub(_CONTROLS, " ", masked(text[: longest * 8]))[:longest]


def process_start(pid: int) -> str | None:
    """When a process began, as the kernel tells it; None where it does not, or it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes().decode(errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in ("Z", "X") else fields[19]


def _trouble(done: FinishedCall) -> str:
    """The part of a line about what went wrong."""
    error = None if done.error is None else one_line(done.error, _LONGEST_ERROR)
    told = {"error": error, "refused_by": done.refused_by, "place": done.place}
    return dumps(told)[1:-1]


def _optional(text: str | None) -> str:
    return "null" if text is None else encode_basestring(text)
