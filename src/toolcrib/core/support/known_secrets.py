"""Values that are known to be secret, and their removal from text, in every form they may take.

A value is found as it is, percent-encoded, JSON-escaped, and in Base64 at each of its three
offsets, and becomes `***NAME***`. It is a net, not a wall: a program that wants to smuggle a value
out can always write it in another way.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

SHORTEST = 8
"""Shorter values are left alone: they would be found in ordinary words."""
_MEMORY = 64 << 20
_SKIPPED = (0, 2, 3)
_ESCAPED = {
    '"': '\\"', "\\": "\\\\", "/": "\\/",
    "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
}  # fmt: skip


class Redactor:
    """Removes some values from text."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = {name: value for name, value in values.items() if len(value) >= SHORTEST}
        self._names = tuple(self._values)
        self._pattern: Any = None
        longest = max((len(value.encode()) for value in self._values.values()), default=0)
        self.slack = 12 * longest + 2 if self._values else 0
        """The longest piece of output, in bytes, that stands for one value."""

    def __bool__(self) -> bool:
        return bool(self._values)

    def text(self, text: str) -> str:
        """Return `text` without the values."""
        if not self._values:
            return text
        data = text.encode("utf-8", "surrogatepass")
        found = self.data(data)
        return text if found is data else found.decode("utf-8", "surrogatepass")

    def data(self, data: bytes, start: int = 0, end: int | None = None) -> bytes:
        """Return the part from `start` to `end` without the values, also those across its ends."""
        end = len(data) if end is None else end
        pieces: list[bytes] = []
        at = start
        for match in self._compiled().finditer(data) if self._values else ():
            first, last = match.span()
            if last <= start:
                continue
            if first >= end:
                break
            pieces += [data[at : max(at, first)], self._mask(match)]
            at = last
        if not pieces:
            return data if (start, end) == (0, len(data)) else data[start:end]
        return b"".join([*pieces, data[at:end]])

    def _mask(self, match: Any) -> bytes:
        number = next(at for at, group in enumerate(match.groups()) if group is not None)
        return f"***{self._names[number]}***".encode()

    def _compiled(self) -> Any:
        if self._pattern is None:
            import re2  # only where there are secrets

            options = re2.Options()
            options.max_mem = _MEMORY
            options.encoding = re2.Options.Encoding.LATIN1
            groups = [b"(" + b"|".join(_forms(value)) + b")" for value in self._values.values()]
            self._pattern = re2.compile(b"|".join(groups), options)
        return self._pattern


def _forms(value: str) -> Iterable[bytes]:
    """Patterns for the forms of a value: as it is or escaped, and in Base64."""
    yield b"".join(map(_character, value))
    data = value.encode()
    for offset, skipped in enumerate(_SKIPPED):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            whole = encode(b"\0" * offset + data)
            stable = whole[skipped : 8 * (offset + len(data)) // 6]
            # Programs break long lines.
            yield rb"(?:\r?\n)?".join(_literal(bytes([byte])) for byte in stable)


def _character(character: str) -> bytes:
    """A character as it is, percent-encoded or JSON-escaped."""
    data = character.encode()
    forms = [_literal(data)]
    forms.append(b"".join(b"%%(?i:%02x)" % byte for byte in data))
    units = character.encode("utf-16-be")
    pairs = [units[at : at + 2].hex() for at in range(0, len(units), 2)]
    forms.append("".join(rf"\\u(?i:{pair})" for pair in pairs).encode())
    if character in _ESCAPED:
        forms.append(_literal(_ESCAPED[character].encode()))
    if character == " ":
        forms.append(rb"\+")
    if character == "\n":
        forms.append(rb"\r\n")
    return b"(?:" + b"|".join(forms) + b")"


def _literal(data: bytes) -> bytes:
    return b"".join(b"\\x%02x" % byte for byte in data)


class KnownSecrets:
    """The secret values that this process knows at the moment."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._redactor = Redactor({})

    def remember(self, name: str, value: str) -> None:
        """From now on, this value is removed."""
        if self._values.get(name) != value:
            self._values[name] = value
            self._redactor = Redactor(self._values)

    def forget(self, name: str, value: str) -> None:
        """The value is not kept any longer."""
        if self._values.get(name) == value:
            del self._values[name]
            self._redactor = Redactor(self._values)

    def names_of(self, value: str) -> list[str]:
        """The names by which a value is known."""
        return [name for name, known in self._values.items() if known == value]

    def redactor(self, more: Mapping[str, str] | None = None) -> Redactor:
        """What removes all of them, and `more`."""
        if not more or all(self._values.get(name) == value for name, value in more.items()):
            return self._redactor
        return Redactor({**self._values, **more})


KNOWN = KnownSecrets()
"""Those of this process: logs, the record and errors ask it too."""
