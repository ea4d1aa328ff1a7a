"""The layout of a help text: headings, and entries with their descriptions.

Every library prints two columns, one way or another: a name or an option on the left, and what it
means on the right, or below and further in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolcrib.packs.climax.importer.help_text.text import indent_of, squeezed

_GAP = re.compile(r" {2,}")
_OPTION_START = re.compile(r"(?:\* +)?--?[A-Za-z0-9?#@%*!\[<]")
_FLAGS_ONLY = re.compile(r"\*? *--?[\w?#.-]+(?:(?:,| \|)? +--?[\w?#.-]+)*")
# `    --heat=hot|cold`, and nothing else.
_BARE_OPTION = re.compile(r" +--[a-z][\w-]*(?:=\S+)?")
_FLAG_AND_VALUE = re.compile(r"--?[\w?#.-]+(?:[ =][^\s-]\S*|\[=?[^\[\]\s]+\])")
_VALUE_CELL = re.compile(
    r"(?:#(?:\[[A-Z]+\])?(?:\[?/#\]?)?|<[^<>]+>|\[[A-Z][^\[\]]*\]|[A-Z][A-Z_|]+(?:\.\.\.)?)"
    r"(?= {2}|$)|[A-Z](?= {2,}\S)|<[^<>\s]+>(?= [A-Z][a-z])"
)
# `<user:word> Says who`: the value opens the column of descriptions.
_VALUE_FIRST = re.compile(r"<[^<>\s]+> [A-Z][a-z]")
# `copy <from> <to> [<form>]`: what stands in the column of descriptions by chance.
_LAST_OPERAND = re.compile(r"(?:\[?<[^<>\s]+>\]?|\[[a-z][\w-]*\])(?:\.\.\.)?")
# `--glaze COLOUR`, and what it does below: what its value is called, by chance in that column.
_PLACEHOLDER = re.compile(r"[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)*")
# A long spelling, or a short one with nothing but its value and a gap behind it.
_SPELLED_AGAIN = re.compile(r"--[A-Za-z][\w-]*|-[A-Za-z0-9](?: [A-Z]+| <[^<>]+>)? {2,}\S")
# `-oFILE,     Writes it`: a further spelling has to follow, below.
# `-hot .. as hot as it gets`: dots that lead to the description; three may say that it repeats.
_LEADERS = re.compile(r"\s(?:\.\.|\.{4,})\s*\Z")
_OPEN_SPELLING = re.compile(r" *--?[\w?#.-]+(?:[ =]\S+)?, {2,}(?=[^\s-])")
_BETWEEN_SPELLINGS = re.compile(r"(?<=[^\s,|/*]) {2,}(?=--[A-Za-z]|-[A-Za-z0-9](?: |$))")
_ARROW = re.compile(r" (?:--|=>|->|=|#) ")
# `-q quiet mode : no messages` has its colon in the sentence.
_COLON = re.compile(r"(?<=\S) : ")
_MOST_WORDS_BEFORE_COLON = 2
# A list of names may stand right below its heading, no further in.
_COMMANDS = re.compile(r"(?:[A-Z][\w -]{0,40}c|C)ommands(?: \(.*\))?")
# Titles that need no blank line above them.
_TITLE = re.compile(r"(?:[A-Z][a-z]+ )?(?:Commands|Options|Flags|Arguments|Examples|Usage)")
_SYNOPSIS = re.compile(r"\S+ .*[\[<].*")
_DEEPEST_HEADING = 10
_FEWEST_WORDS_OF_PROSE = 5
_NEAR = 5
_LONGEST_LEFT = 120
_LONGEST_RIGHT = 3_000


@dataclass(slots=True)
class HelpEntry:
    """A left side and its right side."""

    left: str
    right: str
    indent: int
    line: int
    alone: bool = False
    """Whether the left side has its line for itself, so that all of it belongs to it."""


@dataclass(frozen=True, slots=True)
class HelpSection:
    """A heading and the lines below it, up to the next heading."""

    heading: str
    start: int
    lines: tuple[str, ...]
    indent: int = 0

    @property
    def blank(self) -> bool:
        """Whether nothing stands below the heading."""
        return not any(self.lines)


def is_option_line(line: str) -> bool:
    """Whether a line begins like an option."""
    return _OPTION_START.match(line.lstrip(" ")) is not None


def sections(lines: Sequence[str]) -> list[HelpSection]:
    """Cut a text at its headings; what comes before the first has no heading."""
    places = [at for at in range(len(lines)) if _is_heading(lines, at)]
    found = []
    for at, until in zip([-1, *places], [*places, len(lines)], strict=True):
        heading = lines[at].strip() if at >= 0 else ""
        indent = indent_of(lines[at]) if at >= 0 else 0
        found.append(HelpSection(heading, at + 1, tuple(lines[at + 1 : until]), indent))
    return found


def option_entries(lines: Sequence[str]) -> Iterator[HelpEntry]:
    """The options of a text, each with its description."""
    lines = _rejoined(lines)
    columns = _columns([line for line in lines if is_option_line(line)])
    at = 0
    while at < len(lines):
        if is_option_line(lines[at]):
            entry, at = _entry(lines, at, columns)
            yield entry
        else:
            at += 1


def _rejoined(lines: Sequence[str]) -> list[str]:
    """The lines, where spellings that go on behind a comma at a line's end stand on one."""
    found = list(lines)
    for at, line in enumerate(lines[:-1]):
        if not is_option_line(line) or not is_option_line(lines[at + 1]):
            continue
        indent = " " * indent_of(line)
        beside = _OPEN_SPELLING.match(line)
        if beside is not None:
            found[at], found[at + 1] = _beside(line, lines[at + 1], beside)
        elif line.endswith(",") and _split_at_gap(line) is None:
            found[at], found[at + 1] = "", f"{indent}{found[at].strip()} {lines[at + 1].strip()}"
    return found


def _beside(line: str, below: str, spelled: re.Match[str]) -> tuple[str, str]:
    """`-oFILE,   Writes it` and `  --out=FILE where you want` with both spellings on the first.

    What stands in the column of the first description belongs to it.
    """
    column = spelled.end()
    if indent_of(below) <= indent_of(line) or below[column - 1 : column] not in (" ", ""):
        return line, below
    further, told = below[:column].strip(), below[column:].strip()
    return f"{spelled[0].rstrip()} {further}  {line[column:]}", " " * column + told


def named_entries(lines: Sequence[str]) -> Iterator[HelpEntry]:
    """The entries of a list of names, those of the first one's indentation."""
    first = next((line for line in lines if line), None)
    if first is None:
        return
    level = indent_of(first)
    columns = _columns([line for line in lines if line and indent_of(line) == level])
    at = 0
    while at < len(lines):
        if lines[at] and indent_of(lines[at]) == level and not is_option_line(lines[at]):
            entry, at = _entry(lines, at, columns)
            yield entry
        else:
            at += 1


def _is_heading(lines: Sequence[str], at: int) -> bool:
    line = lines[at]
    text = line.strip()
    if not text or is_option_line(line) or len(text) > _LONGEST_LEFT:
        return False
    indent = indent_of(line)
    if at and _goes_on(text, lines[at - 1], indent):
        return False
    if text.endswith(":") and not _GAP.search(text) and indent <= _DEEPEST_HEADING:
        return True
    if indent == 0 and text.isupper() and len(text) > 2:
        return True
    if _COMMANDS.fullmatch(text) and (at == 0 or not lines[at - 1]):
        return True
    if _TITLE.fullmatch(text) and _is_further_out(lines, at):
        return True
    below = _next_filled(lines, at + 1)
    return (
        below is not None
        and below == at + 1
        and indent_of(lines[below]) > indent
        and indent <= 4
        and (at == 0 or not lines[at - 1])
        and not _GAP.search(text)
        and not _SYNOPSIS.fullmatch(text)
        and text[-1] not in ".,;"
    )


def _is_further_out(lines: Sequence[str], at: int) -> bool:
    """Whether a line stands further out than those right above and below it."""
    near = [*lines[at - 1 : at], *lines[at + 1 : at + 2]]
    return len(near) > 1 and all(line and indent_of(line) > indent_of(lines[at]) for line in near)


def _goes_on(text: str, above: str, indent: int) -> bool:
    """Whether a line is the end of a sentence: `…, then run the` and `command in a container:`."""
    whole = text[0].isupper() or len(text.split()) < _FEWEST_WORDS_OF_PROSE
    return not whole and bool(above) and indent_of(above) == indent and above[-1] not in ".:!?]>"


def _next_filled(lines: Sequence[str], at: int) -> int | None:
    return next((place for place in range(at, min(at + 3, len(lines))) if lines[place]), None)


def _columns(lines: Sequence[str]) -> tuple[int, ...]:
    """Where descriptions begin, as most of these lines have it."""
    counted: Counter[int] = Counter()
    for line in lines:
        gap = _split_at_gap(line)
        if gap is not None:
            counted[gap] += 1
    return tuple(column for column, times in counted.most_common(4) if times >= 2)


def _split_at_gap(line: str) -> int | None:
    """The column of what follows the first wide gap that is not between two spellings."""
    start = indent_of(line)
    for match in _GAP.finditer(line, start):
        before = line[start : match.start()]
        after = line[match.end() :]
        # `*  --schema` has a mark before it: this one is required.
        if before == "*" or before.endswith((",", "|", "/")):
            continue
        if _FLAGS_ONLY.fullmatch(before) and (
            _OPTION_START.match(after) or _VALUE_CELL.match(after)
        ):
            continue
        if _FLAG_AND_VALUE.fullmatch(before) and _SPELLED_AGAIN.match(after):
            continue
        return match.end()
    return None


def _entry(lines: Sequence[str], at: int, columns: tuple[int, ...]) -> tuple[HelpEntry, int]:
    """Read the entry that begins in line `at`; return it and the line behind it."""
    line = lines[at]
    indent = indent_of(line)
    column = _split_at_gap(line) or _aligned(line, columns)
    left, first = (line, "") if column is None else (line[:column], line[column:])
    arrow = _arrow(left) if not first else None
    if arrow is not None:
        left, first = left[: arrow.start()], left[arrow.end() :]
    below, until = _description(lines, at + 1, indent, column)
    if not (first or below):
        below, until = _paragraph(lines, at + 1, indent)
    right = squeezed(" ".join([first, *below])[:_LONGEST_RIGHT])
    alone = not first and bool(below)
    left = _LEADERS.sub("", left)
    left = _BETWEEN_SPELLINGS.sub(", ", left)
    return HelpEntry(squeezed(left), right, indent, at, alone), until


def _arrow(left: str) -> re.Match[str] | None:
    """What stands between a name and its description where no wide gap does."""
    colon = _COLON.search(left)
    if colon is not None and len(left[: colon.start()].split()) <= _MOST_WORDS_BEFORE_COLON:
        return colon
    return _ARROW.search(left)


def _paragraph(lines: Sequence[str], at: int, indent: int) -> tuple[list[str], int]:
    """The description that stands below an entry and a blank line, and hardly further in."""
    found: list[str] = []
    place = at + 1
    if at >= len(lines) or lines[at]:
        return [], at
    near = range(max(indent, 1), indent + _NEAR)
    while place < len(lines) and lines[place] and indent_of(lines[place]) in near:
        if is_option_line(lines[place]) or lines[place].endswith(":"):
            return [], at
        found.append(lines[place].strip())
        place += 1
    prose = len(" ".join(found).split()) > 2 and (place >= len(lines) or not lines[place])
    return (found, place) if prose else ([], at)


def _aligned(line: str, columns: tuple[int, ...]) -> int | None:
    """The usual column, where this line has a word beginning there behind a single space."""
    start = indent_of(line)
    for column in columns:
        before, after = line[start:column].rstrip(), line[column:]
        # A further spelling of the option is no description, wherever it stands.
        spelled = before.endswith(",") or _FLAGS_ONLY.fullmatch(before) is not None
        if (spelled and _OPTION_START.match(after)) or before.count("[") > before.count("]"):
            continue
        flags_only = _FLAGS_ONLY.fullmatch(before) is not None
        named = flags_only and (_PLACEHOLDER.fullmatch(after) or _VALUE_FIRST.match(after))
        if named or _LAST_OPERAND.fullmatch(after):
            continue
        if start + 2 < column < len(line) and line[column - 1] == " " and line[column] != " ":
            return column
    return None


def _description(
    lines: Sequence[str], at: int, indent: int, column: int | None
) -> tuple[list[str], int]:
    """The lines that go on with an entry's description, and the line behind them."""
    found: list[str] = []
    while at < len(lines):
        line = lines[at]
        if not line:
            following = _next_filled(lines, at)
            if following is None or column is None or indent_of(lines[following]) < column:
                break
            if _BARE_OPTION.fullmatch(lines[following]) and column < _NEAR + indent:
                break  # one more, which the text above it is about
            at = following
            continue
        here = indent_of(line)
        if here <= indent or (column is None and is_option_line(line)):
            break
        if column is not None and here < column and (is_option_line(line) or here <= indent + 1):
            break
        if column is None:
            column = here
        found.append(line.strip())
        at += 1
    return found, at
