"""Values that are known to be secret, and their removal from text, in every form they may take.

A value is found as it is, percent-encoded, JSON-escaped, and in Base64 at each of its three
offsets, and becomes `***NAME***`. This catches accidents only: a program that wants to leak a
value can write it in another form.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

SHORTEST = 8
"""Shorter values are left alone: they would be found in ordinary words."""
_MEMORY = 64 << 20
_BEGINNING = 64
"""Characters, or letters of Base64, by which a long value is found: larger patterns are refused."""
_MOST_KNOWN = 1000
_SKIPPED = (0, 2, 3)
_BREAK = rb"(?:\r?\n)?"
_ALSO = {
    '"': ('\\"',), "\\": ("\\\\",), "/": ("\\/",), " ": ("+",), "\b": ("\\b",), "\f": ("\\f",),
    "\n": ("\\n", "\r\n"), "\r": ("\\r",), "\t": ("\\t",),
}  # fmt: skip
"""Other spellings of a character: in JSON, in a form, at the end of a line."""


class Redactor:
    """Removes some values from text."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = {name: value for name, value in values.items() if len(value) >= SHORTEST}
        self._pattern: Any = None
        self._grouped: Any = None
        self._known: dict[bytes, str] = {}
        self._forms: dict[str, list[tuple[bytes, Rest]]] = {}
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
            if first >= end:
                break
            if first < at and last <= at:
                continue  # within a long value
            name = self._name(data[first:last])
            last = self._whole(name, data, last)
            if last > start:
                pieces += [data[at : max(at, first)], b"***%s***" % name.encode()]
                at = last
        if not pieces:
            return data if (start, end) == (0, len(data)) else data[start:end]
        return b"".join([*pieces, data[at:end]])

    def _name(self, found: bytes) -> str:
        """Whose value was found; what comes again is known."""
        name = self._known.get(found)
        if name is None:
            groups = self._grouped.fullmatch(found).groups()
            name = next(name for name, group in zip(self._values, groups, strict=True) if group)
            if len(self._known) < _MOST_KNOWN:
                self._known[found] = name
        return name

    def _whole(self, name: str, data: bytes, end: int) -> int:
        """Where a value ends whose beginning ends there; a beginning alone counts as well."""
        if len(self._values[name]) <= _BEGINNING // 2:
            return end  # short enough in every form
        return max(_end_of(rest, data, end) for _, rest in self._forms[name])

    def _compiled(self) -> Any:
        if self._pattern is None:
            import re2  # only where there are secrets

            options = re2.Options()
            options.max_mem = _MEMORY
            options.encoding = re2.Options.Encoding.LATIN1
            options.log_errors = False
            self._forms = {name: list(_forms(value)) for name, value in self._values.items()}
            begins = [b"|".join(begin for begin, _ in each) for each in self._forms.values()]
            # Without groups it is several times as fast where there is much to find.
            self._pattern = re2.compile(b"|".join(begins), options)
            self._grouped = re2.compile(b"|".join(b"(%s)" % each for each in begins), options)
        return self._pattern


Rest = tuple[str, Callable[[str], Sequence[bytes]]]
"""What follows the beginning of a value, and how each of its characters may be spelled."""


def _forms(value: str) -> Iterable[tuple[bytes, Rest]]:
    """A pattern for the beginning of each form of a value, and the rest of that form: as it is or
    escaped, and in Base64."""
    begin = b"".join(map(_character, value[:_BEGINNING]))
    rest = value[_BEGINNING:]
    yield begin, (rest, _spellings)
    data = value.encode()
    for offset, skipped in enumerate(_SKIPPED):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            whole = encode(b"\0" * offset + data)
            stable = whole[skipped : 8 * (offset + len(data)) // 6]
            # Programs break long lines.
            begin = _BREAK.join(_literal(bytes([letter])) for letter in stable[:_BEGINNING])
            yield begin, (stable[_BEGINNING:].decode(), _broken)


def _end_of(rest: Rest, data: bytes, at: int) -> int:
    """Where the rest of a value ends that begins there, as far as it goes."""
    text, spelled = rest
    plain = text.encode()
    if data.startswith(plain, at):
        return at + len(plain)
    for character in text:
        found = next((each for each in spelled(character) if data.startswith(each, at)), None)
        if found is None:
            break
        at += len(found)
    return at


def _character(character: str) -> bytes:
    """A character as it is, percent-encoded or JSON-escaped."""
    data = character.encode()
    forms = [_literal(data)]
    forms.append(b"".join(b"%%(?i:%02x)" % byte for byte in data))
    units = character.encode("utf-16-be")
    pairs = [units[at : at + 2].hex() for at in range(0, len(units), 2)]
    forms.append("".join(rf"\\u(?i:{pair})" for pair in pairs).encode())
    forms += [_literal(other.encode()) for other in _ALSO.get(character, ())]
    return b"(?:" + b"|".join(forms) + b")"


def _spellings(character: str) -> list[bytes]:
    """A character as it is, percent-encoded or JSON-escaped, without patterns."""
    data, units = character.encode(), character.encode("utf-16-be").hex()
    found = [*_ALSO.get(character, ()), character]
    for case in (str.lower, str.upper):
        found.append("".join(f"%{case(f'{byte:02x}')}" for byte in data))
        found.append("".join(f"\\u{case(units[at : at + 4])}" for at in range(0, len(units), 4)))
    return [spelling.encode() for spelling in found]


def _broken(letter: str) -> list[bytes]:
    """A letter of Base64, with an end of line before it or without."""
    return [end + letter.encode() for end in (b"", b"\n", b"\r\n")]


def _literal(data: bytes) -> bytes:
    return b"".join(b"\\x%02x" % byte for byte in data)


class KnownSecrets:
    """The secret values that this process knows at the moment."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._redactor = Redactor({})

    def remember(self, name: str, value: str) -> None:
        """Remove this value from now on."""
        if self._values.get(name) != value:
            self._values[name] = value
            self._redactor = Redactor(self._values)

    def forget(self, name: str, value: str) -> None:
        """Stop removing this value."""
        if self._values.get(name) == value:
            del self._values[name]
            self._redactor = Redactor(self._values)

    def names_of(self, value: str) -> list[str]:
        """The names by which a value is known."""
        return [name for name, known in self._values.items() if known == value]

    def redactor(self, more: Mapping[str, str] | None = None) -> Redactor:
        """A redactor for all of them, and `more`."""
        if not more or all(self._values.get(name) == value for name, value in more.items()):
            return self._redactor
        return Redactor({**self._values, **more})


KNOWN = KnownSecrets()
"""Those of this process: logs, the record and errors ask it too."""
