"""The record of calls, read: all files of it in order, whole lines only, as they come.

A reader keeps the current file open: a rotation renames it, and what was appended to it before is
still read to its end. A torn last line is waited for; any other line that is not JSON is counted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

from toolcrib.core.support.records import bare, record

Line = dict[str, Any]

FAILED: Final = ("failed", "timeout")
TURNED_AWAY: Final = ("invalid", "denied", "refused")
_LONGEST_LINE = 1024 * 1024
_CHUNK = 1024 * 1024
_MOST_FILES = 1000
_KEYS: Final = (
    "time", "caller", "tool", "arguments", "outcome", "duration_ms", "v", "id", "session", "pid",
    "method", "client", "parent", "error", "answer_chars", "answer_tokens", "refused_by", "place",
)  # fmt: skip


class RecordReader:
    """Reads a record from its oldest file on, and goes on where it stopped."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.unread = 0
        """Lines that are no JSON objects."""
        self._current: IO[bytes] | None = None
        self._rest = b""
        self._skipping = False
        self._begun = False

    @property
    def exists(self) -> bool:
        """Whether anything was recorded at all."""
        return self.file.exists() or _rotated(self.file, 1).exists()

    def read(self) -> Iterator[Line]:
        """All lines that are there and were not read before, oldest first."""
        return (line for line, _ in self.read_raw())

    def read_raw(self) -> Iterator[tuple[Line, bytes]]:
        """The same, each with the bytes that it was read from."""
        if not self._begun:
            self._begun = True
            for old in self._older():
                yield from self._whole(old)
        while True:
            if self._current is None and not self._open():
                return
            yield from self._more()
            if not self._replaced():
                return
            # Another file stands at the path: what was still written to the old one comes first.
            yield from self._more()
            yield from self._missed()

    def close(self) -> None:
        """Let go of the file."""
        if self._current is not None:
            self._current.close()
            self._current = None

    def _older(self) -> list[IO[bytes]]:
        """The rotated files, the oldest first, all opened before the first of them is read."""
        found: list[IO[bytes]] = []
        for number in range(1, _MOST_FILES):
            try:
                found.append(_rotated(self.file, number).open("rb"))
            except OSError:
                break
        self._open()
        if self._current is not None:
            # A rotation while we were opening shows one file twice.
            mine = os.fstat(self._current.fileno()).st_ino
            found = [each for each in found if os.fstat(each.fileno()).st_ino != mine]
        return found[::-1]

    def _open(self) -> bool:
        try:
            self._current = self.file.open("rb")
        except OSError:
            return False
        self._rest, self._skipping = b"", False
        return True

    def _replaced(self) -> bool:
        """Whether the path leads to another file by now, or to the same one made shorter."""
        if self._current is None:
            return False
        own = os.fstat(self._current.fileno())
        if own.st_size < self._current.tell():
            self._current.seek(0)
            self._rest, self._skipping = b"", False
            return False
        try:
            there = self.file.stat()
        except OSError:
            return False
        return (there.st_dev, there.st_ino) != (own.st_dev, own.st_ino)

    def _missed(self) -> Iterator[tuple[Line, bytes]]:
        """Go on with the files that came after the one that was open, then with the current one."""
        if self._current is None:
            return
        own = os.fstat(self._current.fileno())
        self.close()
        between: list[IO[bytes]] = []
        for number in range(1, _MOST_FILES):
            try:
                opened = _rotated(self.file, number).open("rb")
            except OSError:
                break
            about = os.fstat(opened.fileno())
            if (about.st_dev, about.st_ino) == (own.st_dev, own.st_ino):
                opened.close()
                break
            between.append(opened)
        else:
            between = []
        for old in between[::-1]:
            yield from self._whole(old)

    def _whole(self, opened: IO[bytes]) -> Iterator[tuple[Line, bytes]]:
        kept, self._current = self._current, opened
        rest, skipping = self._rest, self._skipping
        self._rest, self._skipping = b"", False
        with opened:
            yield from self._more()
        self.unread += bool(self._rest.strip())
        self._current, self._rest, self._skipping = kept, rest, skipping

    def _more(self) -> Iterator[tuple[Line, bytes]]:
        while self._current is not None and (chunk := self._current.read(_CHUNK)):
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            for raw in lines:
                if self._skipping:  # the end of a line that was too long to be one of ours
                    self._skipping = False
                    continue
                line = self._parsed(raw)
                if line is not None:
                    yield line, raw
            if len(self._rest) > _LONGEST_LINE:
                self.unread += not self._skipping
                self._rest, self._skipping = b"", True

    def _parsed(self, raw: bytes) -> Line | None:
        if not raw.strip():
            return None
        try:
            line = json.loads(raw)
        except (ValueError, RecursionError):
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


@bare
class Call:
    """An outer call with the calls that it made."""

    line: Line
    inner: list[Line]

    @property
    def names(self) -> list[str]:
        """The tool of the call, and the tools of those that it made."""
        return [str(each.get("tool")) for each in (self.line, *self.inner)]


class Calls:
    """Recorded calls as rows: inner ones below their outer one, in the order of the file.

    What follows a call whose answer was a question takes that call's place.
    """

    def __init__(self) -> None:
        self._rows: dict[str, Call] = {}
        self._waiting: dict[str, list[Line]] = {}

    def add(self, line: Line) -> Call | None:
        """Take one line in; returns the row that it is, or belongs to, if that one is known."""
        parent = line.get("parent")
        id = str(line.get("id") or f"v1-{len(self._rows)}")
        if parent is None:
            row = self._rows[id] = Call(line, self._waiting.pop(id, []))
            return row
        outer = self._rows.get(parent)
        if outer is not None and outer.line.get("outcome") == "asked":
            outer.line = line
            del self._rows[parent]
            self._rows[id] = outer
            return outer
        if outer is None:
            self._waiting.setdefault(parent, []).append(line)
            return None
        outer.inner.append(line)
        return outer

    def rows(self) -> list[Call]:
        """All outer calls, oldest first."""
        return list(self._rows.values())


@record
class Filter:
    """Which calls are wanted; what is None does not matter."""

    outcome: str | None = None
    tool: str | None = None
    client: str | None = None
    since: str | None = None
    """The earliest time, as lines write it."""
    slower: float | None = None
    words: tuple[str, ...] = ()

    def fits(self, call: Call) -> bool:
        """Whether a call is one of those."""
        line = call.line
        return (
            (self.outcome is None or line.get("outcome") == self.outcome)
            and (self.tool is None or self.tool in call.names)
            and (self.client is None or client_name(line) == self.client)
            and (self.since is None or str(line.get("time")) >= self.since)
            and (self.slower is None or (line.get("duration_ms") or 0) >= self.slower)
            and (not self.words or _has_words(call, self.words))
        )


def client_name(line: Mapping[str, Any]) -> str:
    """Who made a call: the client's name, else the caller."""
    client = line.get("client")
    name = client.get("name") if isinstance(client, dict) else None
    return str(name or line.get("caller") or "")


def calls_of(lines: Iterable[Line]) -> list[Call]:
    """All outer calls of some lines, without events."""
    calls = Calls()
    for line in lines:
        if "event" not in line:
            calls.add(line)
    return calls.rows()


def _has_words(call: Call, words: tuple[str, ...]) -> bool:
    texts = [*call.names, client_name(call.line), str(call.line.get("error") or "")]
    texts += [json.dumps(each.get("arguments"), ensure_ascii=False) for each in call.inner]
    texts.append(json.dumps(call.line.get("arguments"), ensure_ascii=False))
    text = " ".join(texts).lower()
    return all(word.lower() in text for word in words)
