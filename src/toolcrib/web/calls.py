"""The record of calls, read: all files of it in order, whole lines only, as they come.

A reader keeps every file open that it has read: a rotation renames it, and what was appended to it
before is still read to its end. A torn last line is waited for; any other line that is no JSON
object is counted.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic_core import from_json

Line = dict[str, Any]

_LONGEST_LINE = 1024 * 1024
_CHUNK = 1024 * 1024
_COMPARED = 64
"""How many bytes before the end are compared, to see that a file is still the same."""
_MOST_FILES = 1000
_MOST_LEFT = 4
_KEYS: Final = (
    "time", "caller", "tool", "arguments", "outcome", "duration_ms", "v", "id", "session", "pid",
    "method", "client", "parent", "error", "answer_chars", "answer_tokens", "refused_by", "place",
)  # fmt: skip


class RecordFile:
    """One open file of the record."""

    def __init__(self, path: Path) -> None:
        self.was_cut = False
        """Whether it was made shorter since it was read: what was known of it is there no more."""
        self._end = b""
        # A pipe of that name must not make anybody wait.
        self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        about = os.fstat(self._descriptor)
        self.key = (about.st_dev, about.st_ino)
        self.at = 0
        """How far it was read."""
        if not stat.S_ISREG(about.st_mode):
            self.close()
            raise IsADirectoryError(21, "It is not a file", str(path))

    @property
    def is_gone(self) -> bool:
        """Whether what was read of it is there no more: no name leads to it, or it was cut."""
        return self.was_cut or os.fstat(self._descriptor).st_nlink == 0

    def read(self) -> bytes:
        """The next piece."""
        found = self.read_at(self.at, _CHUNK)
        self.at += len(found)
        self._end = (self._end + found)[-_COMPARED:] if found else self._end
        return found

    def back(self, count: int) -> None:
        """Take back the last bytes that were read: they come again."""
        if count:
            self.at -= count
            self._end = self._end[:-count]

    @property
    def is_another(self) -> bool:
        """Whether it does not go on what was read: it was emptied, and perhaps filled again."""
        return self.read_at(self.at - len(self._end), len(self._end)) != self._end

    def read_at(self, offset: int, length: int) -> bytes:
        """A piece of it."""
        if hasattr(os, "pread"):
            return os.pread(self._descriptor, length, offset)
        os.lseek(self._descriptor, offset, os.SEEK_SET)
        return os.read(self._descriptor, length)

    def close(self) -> None:
        """Let go of it; the number of its descriptor may be another file's from now on."""
        descriptor, self._descriptor = self._descriptor, -1
        os.close(descriptor)


class Recorded(NamedTuple):
    """A line, and where it stands."""

    line: Line
    file: RecordFile
    offset: int
    length: int


class RecordReader:
    """Reads a record from its oldest file on, and goes on where it stopped."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unread = 0
        """Lines that are no JSON objects."""
        self.problem: str | None = None
        """Why the file cannot be read, where it is there."""
        self.files: list[RecordFile] = []
        """Every file that was read, the current one last."""
        self._current: RecordFile | None = None
        self._left: deque[RecordFile] = deque(maxlen=_MOST_LEFT)
        """The files before it: a process that has not seen the rotation may still write to them."""
        self._rest = b""
        self._skipping = False
        self._begun = False

    @property
    def exists(self) -> bool:
        """Whether anything was recorded at all."""
        return self.path.exists() or _rotated(self.path, 1).exists()

    @property
    def is_gone(self) -> bool:
        """Whether the file that was read last was removed, or emptied; a renamed one was not."""
        return self._current is not None and self._current.is_gone

    def read(self) -> Iterator[Recorded]:
        """All lines that are there and were not read before, oldest first."""
        if not self._begun:
            self._begun = True
            yield from self._take_up(self._opened(self.path))
        for file in tuple(self._left):
            yield from self._belated(file)
        while True:
            if self._current is None:
                yield from self._take_up(self._opened(self.path))
            if self._current is None:
                return
            yield from self._more(self._current)
            following = self._following(self._current)
            if following is None:
                return
            # Another file stands at the path: what was still written to the old one comes first.
            yield from self._more(self._current)
            yield from self._take_up(following)

    def drop(self, file: RecordFile) -> None:
        """Forget a file that is gone, and everything that is kept of it."""
        self.files.remove(file)
        if file in self._left:
            self._left.remove(file)
        if file is self._current:
            self._current = None
            self._rest, self._skipping = b"", False
        file.close()

    def _take_up(self, current: RecordFile | None) -> Iterator[Recorded]:
        """Read the rotated files that were not read before, then go on with the current one."""
        known = {file.key for file in self.files}
        if current is not None:
            known.add(current.key)
        older: list[RecordFile] = []
        for number in range(1, _MOST_FILES):
            opened = self._opened(_rotated(self.path, number))
            if opened is None:
                break
            if opened.key in known:
                opened.close()
            else:
                known.add(opened.key)
                older.append(opened)
        for file in reversed(older):
            self._begin(file)
            yield from self._more(file)
            self.unread += bool(self._rest.strip())
        self._leave()
        if current is not None:
            self._begin(current)

    def _leave(self) -> None:
        if self._current is not None:
            self._current.back(len(self._rest))
            self._left.append(self._current)
            self._current = None

    def _belated(self, file: RecordFile) -> list[Recorded]:
        """The whole lines that were written to a file after another one had taken its place."""
        kept = self._rest, self._skipping
        self._rest, self._skipping = b"", False
        found = list(self._more(file))
        file.back(len(self._rest))
        self._rest, self._skipping = kept
        return found

    def _begin(self, file: RecordFile) -> None:
        self._leave()
        self.files.append(file)
        self._current = file
        self._rest, self._skipping = b"", False

    def _opened(self, path: Path) -> RecordFile | None:
        try:
            opened = RecordFile(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            self.problem = f"{path} cannot be read: {error.strerror}"
            return None
        self.problem = None
        return opened

    def _following(self, current: RecordFile) -> RecordFile | None:
        """The file at the path, where it is another by now, or was emptied in between.

        The current file is open, so no other one can have its number.
        """
        opened = self._opened(self.path)
        if opened is not None and opened.key == current.key:
            if current.was_cut:
                return opened
            opened.close()
            return None
        return opened

    def _more(self, file: RecordFile) -> Iterator[Recorded]:
        file.was_cut = file.was_cut or file.is_another
        while not file.was_cut and (chunk := file.read()):
            offset = file.at - len(chunk) - len(self._rest)
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            for raw in lines:
                if self._skipping:  # the end of a line that was too long to be one of ours
                    self._skipping = False
                elif (line := self._parsed(raw)) is not None:
                    yield Recorded(line, file, offset, len(raw))
                offset += len(raw) + 1
            if len(self._rest) > _LONGEST_LINE:
                self.unread += not self._skipping
                self._rest, self._skipping = b"", True

    def _parsed(self, raw: bytes) -> Line | None:
        if not raw.strip():
            return None
        try:
            line = from_json(raw)
        except ValueError:
            line = None
        if not isinstance(line, dict) or not ("event" in line or "tool" in line):
            self.unread += 1
            return None
        return line


def _rotated(file: Path, number: int) -> Path:
    return file.with_name(f"{file.name}.{number}")


def completed(line: Line) -> Line:
    """A recorded call with every key of the present version."""
    return {**dict.fromkeys(_KEYS), **line}


def client_name(line: Mapping[str, Any]) -> str:
    """Who made a call: the client's name, else the caller."""
    client = line.get("client")
    name = client.get("name") if isinstance(client, dict) else None
    return str(name or line.get("caller") or "")
