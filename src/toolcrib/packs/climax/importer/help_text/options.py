"""One option as it is spelled: `-o, --output=FILE`, `-n <num>`, `--color[=WHEN]`, `-S|--save`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolcrib.packs.climax.importer.help_text.text import unbracketed
from toolcrib.packs.climax.importer.model import HelpOption

_FLAG = re.compile(r"--?(?:\[no[-_]?\])?[A-Za-z0-9?#@%*!][A-Za-z0-9_.:+@?#-]*")
_PATTERN_FLAG = re.compile(r"--?<[^<>\s]{1,40}>|-\[(?!no)[^\[\]\s]{1,20}\]\S{0,20}")
_SEPARATOR = re.compile(r"\s*(?:,|\||/|\b(?:or|OR)\b)\s*(?=-)")
_BRACKETS = {"<": ">", "[": "]", "{": "}", "(": ")"}
_BARE = re.compile(r"[^\s,\[\]]+")
_UPPER = re.compile(r"[A-Z0-9][A-Z0-9_.:/=|,+*-]*(?:\s(?:RANGE|NAME))?(?![a-z])")
# `-f progfile, --file=progfile`: a word between two spellings is the value of the first.
_BETWEEN = re.compile(r"'?[A-Za-z][\w.,=-]*'?(?=, *--[A-Za-z])")
# `-T#`: a number stands right behind it.
_NUMBERED = re.compile(r"--?[A-Za-z][\w-]*#")
# `(default: x)`; but `(default|quiet|json)` are values.
_REMARK = re.compile(
    r"[\[(]?\s*(?:default|possible values|required|env|deprecated)\b(?!\s*\|)", re.I
)
_NEGATIONS = {"[no-]": "no-", "[no]": "no", "[no_]": "no_"}
_NEGATION = r"(?:\[no[-_]?\])?"
# `-PS/PA/PU`, `-v|vv|vvv`: further spellings without their dash.
_DASHLESS = re.compile(r"(?<=[\w])[/|](?P<word>[A-Za-z]{1,3})(?=[/|,:\s\[<]|$)")
# `--version,-version,/V`: spellings for other systems.
_SLASHED = re.compile(r"(?:,\s*/[\w?]+)+")
_TWO_SHORT = re.compile(r"(-[A-Za-z0-9])\s*/\s*(?=-[A-Za-z0-9](?:[\s:,]|$))")


# `--region (string)`: the kind stands where others have the name of the value.
_KINDS_OF_VALUES = frozenset(
    ("string", "int", "integer", "long", "float", "double", "number", "boolean", "bool", "list",
     "map", "structure", "blob", "timestamp", "path", "file")
)  # fmt: skip


_WORD_FLAG = re.compile(r"-[A-Za-z][\w-]+")
_FEWEST_IN_A_ROW = 3


@dataclass(frozen=True, slots=True)
class Spelling:
    """What was read of an option, and the text behind it."""

    options: tuple[HelpOption, ...]
    rest: str
    patterns: tuple[str, ...] = ()
    """Flags that stand for many, such as `-<number>`."""


def read_option(text: str, *, tail_is_value: bool = False) -> Spelling | None:
    """Read the flags at the beginning of `text`; None if there are none.

    With `tail_is_value` all that follows the flags is the name of the value (the description has
    been cut off already); otherwise only what looks like one is, and the rest is returned.
    """
    reader = _Reader(text, tail_is_value)
    reader.read()
    if not reader.flags and not reader.patterns:
        return None
    return Spelling(tuple(reader.options()), reader.rest, tuple(reader.patterns))


@dataclass(slots=True)
class _Value:
    name: str
    optional: bool = False
    joined: bool = False
    glued: bool = False


class _Reader:
    def __init__(self, text: str, tail_is_value: bool) -> None:
        self._text = text.strip()
        self._at = 0
        self._tail_is_value = tail_is_value
        self.flags: list[tuple[str, _Value | None]] = []
        self.siblings: list[tuple[str, _Value | None]] = []
        """Options of their own that one line prints together."""
        self.patterns: list[str] = []
        self._commas = False
        self._whole = False
        """Whether each spelling is written whole, as in `--mode=a OR -m`."""

    @property
    def rest(self) -> str:
        return self._text[self._at :].strip()

    def read(self) -> None:
        while True:
            pattern = _PATTERN_FLAG.match(self._text, self._at)
            flag = None if pattern else _FLAG.match(self._text, self._at)
            if pattern is not None:
                self._at = pattern.end()
                self.patterns.append(pattern[0])
            elif flag is not None:
                numbered = _NUMBERED.fullmatch(flag[0])
                self._at = flag.end() - (1 if numbered else 0)
                if flag[0].endswith(":"):
                    self.flags.append((flag[0].rstrip(".:"), None))
                    return
                slashed = _SLASHED.match(self._text, self._at)
                self._at = slashed.end() if slashed else self._at
                self._take_group(flag[0].rstrip("#" if numbered else "."))
            else:
                return
            separator = _SEPARATOR.match(self._text, self._at)
            if separator is not None:
                self._commas = True
                self._whole = self._whole or separator[0].strip() == "OR"
                self._at = separator.end()
            elif (not self._commas or self._last_is_short()) and self._alias_follows():
                self._at += 1
            else:
                return

    def options(self) -> list[HelpOption]:
        """The options that the flags are: one for each long flag, with the short ones before it.

        `--ours, --theirs` are opposites and `--get, --extract` are one; nobody can tell from the
        text, and as two options nothing is lost.
        """
        if self._is_a_row() or self._are_words_with_values():
            return [_option([each]) for each in self.flags]
        if self._whole:
            # What takes another value, or none, is not the same option.
            alike: dict[str | None, list[tuple[str, _Value | None]]] = {}
            for flag, value in self.flags:
                alike.setdefault(value.name if value else None, []).append((flag, value))
            return [_option(group) for group in alike.values()]
        groups: list[list[tuple[str, _Value | None]]] = []
        waiting: list[tuple[str, _Value | None]] = []
        for flag, value in self.flags:
            waiting.append((flag, value))
            if flag.startswith("--"):
                groups.append(waiting)
                waiting = []
        if waiting and groups:
            groups[-1] += waiting
        elif waiting:
            groups.append(waiting)
        if self._commas and groups:
            _share_value(groups)
        found = [_option(group) for group in [*groups, *([each] for each in self.siblings)]]
        return [each for option in found for each in _both_ways(option)]

    def _is_a_row(self) -> bool:
        """Whether the line has one option after the other: `-amin N -empty -name PATTERN`."""
        words = all(_WORD_FLAG.fullmatch(flag) for flag, _ in self.flags)
        return words and not self._commas and len(self.flags) >= _FEWEST_IN_A_ROW

    def _are_words_with_values(self) -> bool:
        """Whether each is a word behind one dash, with its value: `-cup-file F, -pot-file F`."""
        words = all(_WORD_FLAG.fullmatch(flag) and value for flag, value in self.flags)
        return words and len(self.flags) > 1

    def _take_group(self, flag: str) -> None:
        """A flag, with the spellings that share its dash: each of them is an option of its own."""
        sharing = [flag]
        while not flag.startswith("--") and (more := _DASHLESS.match(self._text, self._at)):
            self._at = more.end()
            sharing.append("-" + more["word"])
        self._take(sharing[0])
        self.siblings += [(each, self.flags[-1][1]) for each in sharing[1:]]
        two = _TWO_SHORT.match(self._text, self._at - len(flag)) if len(sharing) == 1 else None
        if two is not None and self.flags[-1][1] is None and len(self.flags) == 1:
            other = _FLAG.match(self._text, two.end())
            if other is not None:
                self._at = other.end()
                self.siblings.append((other[0].rstrip(".:"), None))

    def _take(self, flag: str) -> None:
        glued = self._at < len(self._text) and self._text[self._at] in "<[{("
        if self._peek() == "#":
            self._at += 1
            value: _Value | None = _Value("#", glued=True)
        elif glued or self._peek() == "=":
            value = self._glued_value()
            if value is not None:
                value.glued = not value.joined
        else:
            value = self._spaced_value(long=flag.startswith("--"))
        self.flags.append((flag, value))

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _glued_value(self) -> _Value | None:
        """`=VALUE`, `=<value>`, `[=VALUE]`, `[<value>]`, `<value>`."""
        if self._peek() == "=":
            self._at += 1
            return _Value(self._word() or "value", joined=True)
        if self._peek() != "[":
            return _Value(self._group() or "value")
        inside = self._group()
        while self._peek() == "[":
            self._group()
        name = unbracketed(inside.lstrip("=")) or "value"
        return _Value(name, optional=True, joined=inside.startswith("="))

    def _spaced_value(self, *, long: bool) -> _Value | None:
        rest = self._text[self._at :]
        name = rest.strip()
        if not name or _SEPARATOR.match(rest) or _REMARK.match(name):
            return None
        if rest.startswith("..."):
            self._at += 3
            return None
        # Behind `-i, --interval`, another dash begins the name of the value.
        if name.startswith("-") and not (self._tail_is_value and self.flags and long):
            return None
        self._at += len(rest) - len(rest.lstrip())
        return self._named_value()

    def _named_value(self) -> _Value | None:
        first = self._peek()
        if first in _BRACKETS and first:
            start = self._at
            inside = self._group()
            if first == "[" and self._peek() not in ("", " ", ",", "|", "."):
                self._at = start
                return _Value(self._word() or "value")
            self._skip_dots()
            if first == "(" and inside.lower() in _KINDS_OF_VALUES:
                return None if inside.lower().startswith("bool") else _Value(inside)
            if first == "(" and "|" not in inside:
                self._at = start
                return None
            return _Value(
                inside or "value", optional=first == "[" and "|" not in inside.strip("<>")
            )
        if self._tail_is_value:
            end = _next_alias(self._text, self._at)
            name = self._text[self._at : end].strip(" ,")
            self._at = end
            return _Value(name or "value")
        between = _BETWEEN.match(self._text, self._at)
        if between is not None:
            self._at = between.end()
            return _Value(between[0].strip("'"))
        upper = _UPPER.match(self._text, self._at)
        if upper is None:
            return None
        self._at = upper.end()
        if self._peek() == "[" and not self._text.startswith("[,", self._at):
            self._group()
        self._skip_dots()
        return _Value(upper[0].rstrip(",:."))

    def _word(self) -> str:
        """A word with whatever brackets are in it."""
        start = self._at
        while self._at < len(self._text):
            character = self._text[self._at]
            if character in "<[{(":
                if not self._group():
                    break
            else:
                bare = _BARE.match(self._text, self._at)
                if bare is None:
                    break
                stop = next((i for i, c in enumerate(bare[0]) if c in "<{("), len(bare[0]))
                self._at += max(stop, 1)
        return _stripped(self._text[start : self._at])

    def _group(self) -> str:
        """What is in the brackets that begin here; leaves the place behind them."""
        opening = self._text[self._at]
        closing, depth = _BRACKETS[opening], 0
        for at in range(self._at, len(self._text)):
            depth += (self._text[at] == opening) - (self._text[at] == closing)
            if depth == 0:
                inside = self._text[self._at + 1 : at]
                self._at = at + 1
                return unbracketed(inside)
        # `-p <ports, --ports <ports>`: a bracket that nobody closed ends before the next spelling.
        spelling = re.compile(r", (?=--?[A-Za-z])").search(self._text, self._at)
        if spelling is not None and opening == "<":
            inside = self._text[self._at + 1 : spelling.start()]
            self._at = spelling.start()
            return inside
        self._at = len(self._text)
        return ""

    def _skip_dots(self) -> None:
        if self._text.startswith("...", self._at):
            self._at += 3

    def _last_is_short(self) -> bool:
        return bool(self.flags) and not self.flags[-1][0].startswith("--")

    def _alias_follows(self) -> bool:
        return bool(re.match(r"\s--?[A-Za-z0-9]", self._text[self._at : self._at + 4]))


def _stripped(word: str) -> str:
    return unbracketed(word.rstrip(":"))


def _next_alias(text: str, start: int) -> int:
    """Where the name of a value ends: at the comma or ` / ` before another flag, or at the end."""
    match = re.compile(r"(?:,| [/|])\s*(?=--?[A-Za-z0-9])").search(text, start)
    return match.start() if match else len(text)


def _share_value(groups: list[list[tuple[str, _Value | None]]]) -> None:
    """Give all spellings of one list the value behind the last one: `--format, --driver TEXT`.

    One that turns something off takes none, and `--a, --b=VALUE` says which of them it is for.
    """
    *others, (_, value) = [each for group in groups for each in group]
    if value is None or value.joined or value.glued or any(known for _, known in others):
        return
    for group in groups[:-1]:
        if not any(each.startswith("--no-") for each, _ in group):
            group.append((group[-1][0], value))


def _option(group: list[tuple[str, _Value | None]]) -> HelpOption:
    flags = tuple(dict.fromkeys(flag for flag, _ in group))
    values = [value for _, value in group if value is not None]
    if not values:
        return HelpOption(flags)
    best = next((value for value in values if value.joined), values[-1])
    return HelpOption(
        flags,
        value=best.name,
        value_optional=any(value.optional for value in values),
        joined=any(value.joined for value in values),
        glued=all(value.glued for value in values)
        and not any(flag.startswith("--") for flag in flags),
    )


def _both_ways(option: HelpOption) -> list[HelpOption]:
    """`--[no-]color` is `--color` and `--no-color`."""
    mark = next((each for each in _NEGATIONS if any(each in flag for flag in option.flags)), None)
    if mark is None:
        return [option]
    plain = tuple(flag.replace(mark, "") for flag in option.flags)
    negated = tuple(flag.replace(mark, _NEGATIONS[mark]) for flag in option.flags if mark in flag)
    return [
        HelpOption(plain, option.value, option.value_optional, option.joined),
        HelpOption(negated),
    ]
