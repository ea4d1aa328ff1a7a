"""The output of a command: limited, cleaned, and formatted as text."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

from toolcrib.core.support.known_secrets import Redactor

_ESCAPES = re.compile(
    r"\x1b(?:"
    r"\[[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor
    r"|[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # strings: titles, links
    r"|[ -/]*[0-~]"  # everything else
    r")?"
)
_OVERSTRUCK = re.compile(r"[^\n]\x08")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SUSPICIOUS = bytes(each for each in range(32) if each not in b"\t\n\r") + b"\x7f"
_SHORTEST_BINARY = 256
# Pieces below this size are put together: a million of one byte each would weigh 50 MB.
_SMALL = 4096


class Capture:
    """Keeps the beginning and the end of any amount of output."""

    def __init__(self, cap: int, slack: int = 0) -> None:
        """`slack`: bytes that are kept beyond each cut, to recognise what lies across it."""
        self._slack = slack
        self._head_room = cap // 2 + slack
        self._tail_room = cap - cap // 2 + slack
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self.size = 0

    def feed(self, data: bytes) -> None:
        """Take what has just been read."""
        self.size += len(data)
        room = self._head_room - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if not data:
            return
        if self._tail and len(self._tail[-1]) < _SMALL:
            self._tail[-1] += data
        else:
            self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size - len(self._tail[0]) >= self._tail_room:
            self._tail_size -= len(self._tail.popleft())

    @property
    def cut(self) -> int:
        """How many bytes were left out between beginning and end."""
        return max(0, self.size - self._head_room - self._tail_room + 2 * self._slack)

    def parts(self, redactor: Redactor | None = None) -> tuple[bytes, bytes]:
        """The beginning, and the end if something was left out between the two."""
        redactor = redactor or Redactor({})
        tail = b"".join(self._tail)
        if not self.cut:
            return redactor.data(bytes(self._head) + tail), b""
        head = bytes(self._head)
        if len(head) + len(tail) == self.size:
            head = tail = head + tail  # all of it is still here
        tail = tail[-self._tail_room :]
        end, start = self._head_room - self._slack, len(tail) - (self._tail_room - self._slack)
        return redactor.data(head, 0, end), redactor.data(tail, max(0, start))


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream of a command as text, with notes on what was done to it."""

    text: str
    notes: tuple[str, ...] = ()
    truncated: bool = False


def readable(capture: Capture, name: str, redactor: Redactor | None = None) -> Stream:
    """Return the captured output as clean text without secrets."""
    head, tail = capture.parts(redactor)
    if not tail and head.isascii() and len(head) == len(head.translate(None, _SUSPICIOUS)):
        return Stream(head.decode("ascii"))
    if tail:
        head, tail = _without_torn_end(head), _without_torn_start(tail)
    invalid = _invalid_bytes(head) + _invalid_bytes(tail)
    if _looks_binary(head, invalid):
        note = f"{name} is binary and not shown: {capture.size} bytes"
        return Stream(f"(binary data, {capture.size} bytes)", (note,), True)
    notes: list[str] = []
    text = head.decode("utf-8", "replace")
    if tail:
        text += f"\n[… {capture.cut} bytes left out …]\n" + tail.decode("utf-8", "replace")
        notes.append(f"{name} was cut: {capture.cut} of {capture.size} bytes are left out")
    if invalid:
        notes.append(f"{name}: {invalid} bytes that are not UTF-8 were replaced")
    cleaned = without_controls(text)
    if cleaned != text:
        notes.append(f"{name}: control characters and terminal sequences were removed")
    return Stream(cleaned, tuple(notes), bool(tail))


def render(stdout: str, stderr: str, exit_code: int, notes: tuple[str, ...] = ()) -> str:
    """The outcome of a command as one text."""
    parts = []
    if stdout.strip():
        parts.append(_without_blank_end(stdout))
    if stderr.strip():
        parts.append("[stderr]\n" + _without_blank_end(stderr))
    if exit_code != 0:
        parts.append(f"[exit code: {exit_code}]")
    if not parts:
        parts.append("(no output)")
    parts += [f"[note: {note}]" for note in notes]
    return "\n\n".join(parts)


def _without_blank_end(text: str) -> str:
    """Without blank lines at the end; blanks that end the last line are part of it."""
    body = text.rstrip()
    return body + (text[len(body) :].splitlines() or [""])[0]


def without_controls(text: str) -> str:
    """A text without terminal sequences and control characters, letters of any script kept."""
    # Twice is enough for bold and underlined text of a manual page.
    for _ in range(2):
        text = _OVERSTRUCK.sub("", text)
    return _CONTROLS.sub("", _ESCAPES.sub("", text))


def _without_torn_end(data: bytes) -> bytes:
    """Without the first bytes of a character whose rest was cut off."""
    for back in range(1, min(4, len(data)) + 1):
        if data[-back] >= 0xC0:
            return data[:-back] if _invalid_bytes(data[-back:]) else data
        if data[-back] < 0x80:
            break
    return data


def _without_torn_start(data: bytes) -> bytes:
    """Without the last bytes of a character whose beginning was cut off."""
    for start in range(min(4, len(data))):
        if not 0x80 <= data[start] < 0xC0:
            return data[start:]
    return data


def _invalid_bytes(data: bytes) -> int:
    return 0 if data.isascii() else len(data) - len(data.decode("utf-8", "ignore").encode())


def _looks_binary(data: bytes, invalid: int) -> bool:
    nuls = data.count(0)
    return len(data) >= _SHORTEST_BINARY and nuls > 0 and nuls + invalid > len(data) // 10
