"""Messages out of a stream of bytes: one per line, or behind `Content-Length` headers.

Both are incremental and bounded: a message above the cap is told once, its bytes are thrown
away as they come, and reading goes on with the next message.
"""

from __future__ import annotations

import re
from typing import Protocol

from toolcrib.core.support.records import record

_BOM = b"\xef\xbb\xbf"
_HEADER = b"content-"
_LENGTH = rb"(?im)^content-length[ \t]*:[ \t]*(\d{1,12})[ \t]*$"
_LONGEST_HEADERS = 4096


@record
class RefusedBytes:
    """Bytes that are no message; `reason` says why, in words for the sender."""

    reason: str


Frame = bytes | RefusedBytes


class Framing(Protocol):
    """A way to cut messages out of bytes, and to wrap them."""

    def feed(self, data: bytes) -> list[Frame]:
        """Take bytes as they come; return the messages that are complete by now."""

    def end(self) -> list[Frame]:
        """No more bytes will come: return what is left, whole or torn."""

    def wrap(self, texts: list[str]) -> bytes:
        """Messages as the bytes to send."""


class LineFraming:
    """One message per line; empty lines are nothing."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._begun = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[Frame]:
        """Cut at newlines."""
        if data.find(b"\n") == len(data) - 1 and not (self._begun or self._skipping):
            line = data[:-1]  # as most come: one message, whole
            if 0 < len(line) <= self._cap and not line.isspace():
                return [line]
        *whole, rest = data.split(b"\n")
        if whole and self._skipping:
            self._skipping = False
            del whole[0]
        elif whole and self._begun:
            whole[0] = bytes(self._begun) + whole[0]
            self._begun.clear()
        cap = self._cap
        frames: list[Frame] = [
            line if len(line) <= cap else self._too_large()
            for line in whole
            if line and not line.isspace()
        ]
        if not self._skipping:
            self._begun += rest
            if len(self._begun) > self._cap:
                self._begun.clear()
                self._skipping = True
                frames.append(self._too_large())
        return frames

    def end(self) -> list[Frame]:
        """The last line needs no newline."""
        return self.feed(b"\n")

    def wrap(self, texts: list[str]) -> bytes:
        """Each message and a newline."""
        return "\n".join([*texts, ""]).encode()

    def _too_large(self) -> RefusedBytes:
        return RefusedBytes(f"Message exceeds {self._cap} bytes")


class Headers:
    """Messages behind `Content-Length: N` and an empty line, as older clients send them."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._buffer = bytearray()
        self._wanted: int | None = None
        self._skip = 0

    def feed(self, data: bytes) -> list[Frame]:
        """Cut by length."""
        self._buffer += data
        frames: list[Frame] = []
        while self._step(frames):
            pass
        return frames

    def end(self) -> list[Frame]:
        """Pass on an incomplete message at the end of input: it is reported as malformed."""
        return [bytes(self._buffer)] if self._buffer and not self._skip else []

    def wrap(self, texts: list[str]) -> bytes:
        """Each message behind its header."""
        bodies = [text.encode() for text in texts]
        return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(each), each) for each in bodies)

    def _step(self, frames: list[Frame]) -> bool:
        """Move on by one header or one body; False when more bytes are needed."""
        if self._skip:
            gone = min(self._skip, len(self._buffer))
            del self._buffer[:gone]
            self._skip -= gone
            return self._skip == 0 and bool(self._buffer)
        if self._wanted is None:
            return self._read_headers(frames)
        if len(self._buffer) < self._wanted:
            return False
        frames.append(bytes(self._buffer[: self._wanted]))
        del self._buffer[: self._wanted]
        self._wanted = None
        return True

    def _read_headers(self, frames: list[Frame]) -> bool:
        while self._buffer.startswith((b"\r", b"\n")):
            del self._buffer[:1]
        block = re.search(rb"\r?\n\r?\n", self._buffer)
        if block is None:
            if len(self._buffer) > _LONGEST_HEADERS:
                frames.append(RefusedBytes("No Content-Length header within 4096 bytes"))
                self._resynchronise()
            return False
        length = re.search(_LENGTH, bytes(self._buffer[: block.start()]).replace(b"\r", b""))
        if length is None:
            frames.append(RefusedBytes("Header block without Content-Length"))
            del self._buffer[: block.end()]
            return bool(self._buffer)
        del self._buffer[: block.end()]
        size = int(length.group(1))
        if size > self._cap:
            frames.append(RefusedBytes(f"Message exceeds {self._cap} bytes"))
            self._skip = size
        else:
            self._wanted = size
        return True

    def _resynchronise(self) -> None:
        again = bytes(self._buffer).lower().find(b"content-length", 1)
        del self._buffer[: again if again > 0 else len(self._buffer)]


class Detected:
    """Whichever of the two the first bytes speak."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._opening = b""
        self._framing: Framing | None = None

    def feed(self, data: bytes) -> list[Frame]:
        """Decide the framing once, then pass everything on."""
        if self._framing is not None:
            return self._framing.feed(data)
        self._opening = _begun(self._opening + data)
        if any(_may_become(word, self._opening) for word in (_HEADER, _BOM)):
            return []
        framed = self._opening[: len(_HEADER)].lower() == _HEADER
        self._framing = Headers(self._cap) if framed else LineFraming(self._cap)
        return self._framing.feed(self._opening)

    def end(self) -> list[Frame]:
        """What is left; bytes too few to decide by are a line."""
        if self._framing is not None:
            return self._framing.end()
        return LineFraming(self._cap).feed(self._opening + b"\n")

    def wrap(self, texts: list[str]) -> bytes:
        """Answer in the way we were asked."""
        return (self._framing or LineFraming(self._cap)).wrap(texts)


def _begun(data: bytes) -> bytes:
    """What is left without the marks and empty lines that may stand before the first message."""
    while (rest := data.lstrip().removeprefix(_BOM)) != data:
        data = rest
    return data


def _may_become(word: bytes, begun: bytes) -> bool:
    return len(begun) < len(word) and word.startswith(begun.lower())
