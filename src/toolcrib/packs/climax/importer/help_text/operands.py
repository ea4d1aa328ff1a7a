"""The operands of a command: by its usage lines, and by the list that describes them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import takewhile

from toolcrib.packs.climax.importer.help_text.layout import (
    is_option_line,
    named_entries,
    sections,
)
from toolcrib.packs.climax.importer.help_text.told import (
    ARGUMENTS,
    as_told,
    entry_of,
    may_be_left_out,
    spelled_out,
)
from toolcrib.packs.climax.importer.help_text.usage.synopsis import PLURAL
from toolcrib.packs.climax.importer.help_text.usage.variant import COMMAND_WORD, Variant
from toolcrib.packs.climax.importer.help_text.values import understood_operand
from toolcrib.packs.climax.importer.model import Operand, Style

_MODES = re.compile(r"(?:[a-z]+ )?(mode|action|operation|function)s(?: are)?", re.I)
# `<AF>=Use -4, -6 or '-A <af>'`: what a name in the usage stands for.
_OPTIONS_BY_NAME = re.compile(r"\s*<(\w+)>\s?=\s?(?:[Uu]se )?['\"{ ]*-.*")
# `POT must be exactly one of these:`, and options below it.
_ONE_OF_THESE = re.compile(r"<?[A-Z]{3,}>? (?:must be|is|may be|can be) (?:exactly )?one of\b")
# `  {fire,cool}   what to do`
_CHOICES = re.compile(r"\s+\{([\w-]+(?:,[\w-]+)+)\}(?: {2,}.*)?")
# `pot.clay`: a file of that kind.
_SAMPLE = re.compile(r"[a-z][\w-]*\.[a-z]\w*")
_OPERAND_NAME = re.compile(r"[A-Za-z][\w-]*")
_ASKS = re.compile(r"\s+help\b")
EXACT = frozenset((Style.ARGPARSE, Style.CLICK, Style.CLAP))
"""Styles of libraries that print dots behind whatever repeats."""


def operands_of(
    lines: Sequence[str],
    variants: Sequence[Variant],
    style: Style,
    commands: Collection[str],
    *,
    plain: bool = False,
) -> tuple[Operand, ...]:
    """The operands of the first way to call it, required if every way needs them.

    With `plain`, the usage is a program's: its words are no command's, where it has only them.
    """
    if commands:
        variants = [variant for variant in variants if not variant.takes_command(commands)]
    if not variants:
        return tuple(map(understood_operand, _of_library(lines, commands)))
    described = _described(lines)
    worded = [variant for variant in variants if variant.words]
    late = bool(worded) and all(variant.late for variant in worded)
    named = {word for variant in worded for word in variant.words}
    # `kiln command [options]`, and no command is listed: whatever the caller names.
    stands_for_one = len(named) == 1 and all(map(COMMAND_WORD.fullmatch, named)) and not commands
    literal = style is Style.ARGPARSE or late or stands_for_one
    literal = literal or (plain and _is_plain_way(variants, commands))
    by_hand = style is Style.ARGPARSE and not any("[-h" in each.text for each in variants)
    plural = style not in EXACT or by_hand
    if len(variants) == 1 and not literal:
        variants = [variants[0].with_late_words()]
    ways = [variant.operands(literal=literal, plural=plural) for variant in variants]
    # `or: timeout [OPTION]` is there for --help and --version alone, unless it stands first.
    ways = [
        way
        for at, (way, each) in enumerate(zip(ways, variants, strict=True))
        if way
        or each.required
        or each.redirected
        or each.names_options
        or not (at or each.asks_about_itself)
    ]
    if _commands_are_told(lines):
        # Of `kiln [options] <command>`, the commands are options that are listed as such.
        ways = [[each for each in way if not _is_command(each)] for way in ways]
    if commands:
        ways = [list(takewhile(lambda each: not _is_command(each), way)) for way in ways]
    shown = _longest(ways)
    whole = _by_place(ways) or _growing_at_front(ways)
    shown, ways = (whole, [whole]) if whole else (shown, ways)
    if not commands and style not in (Style.ARGPARSE, Style.CLICK):
        spelled = spelled_out(shown, lines)
        shown, ways = (shown, ways) if spelled == shown else (spelled, [spelled])
    # Who writes a usage by hand calls things otherwise than the list, but not more of them.
    matched = by_hand and len(_unshown(lines)) == len(shown) and not _are_samples(shown)
    if style is Style.ARGPARSE and described and not matched:
        shown, ways = _as_listed(shown, ways, variants, lines, set(described), by_hand=by_hand)
        if not shown and not commands:
            shown, ways = _of_the_list(ways, lines, by_hand=by_hand)
    if not (shown or any(variant.takes_command() for variant in variants)):
        shown = _of_library(lines, commands)
        ways = [shown]
    shown = _with_choices(shown, lines) if by_hand and not commands else shown
    found = []
    prose = " ".join(" ".join(lines).split())
    for number, operand in enumerate(shown):
        always = all(_needs(way, operand.name, number) for way in ways)
        always = always and not may_be_left_out(operand.name, prose)
        key = _key(operand.name)
        # `-c [FILE]` and `-t [PATTERNS...]`: one word or several, whatever it is called.
        alone = all(len(way) <= 1 for way in ways)
        again = operand.repeats or any(
            each.repeats for way in ways for each in way if alone or _key(each.name) == key
        )
        description = operand.description or described.get(_key(operand.name), "")
        operand = replace(operand, required=always, repeats=again, description=description)
        if style not in EXACT:
            operand = as_told(operand, description or entry_of(operand.name, lines))
        found.append(understood_operand(operand))
    return tuple(found)


def _of_library(lines: Sequence[str], commands: Collection[str]) -> list[Operand]:
    """The operands of a list that marks the kind of each, where the usage is silent about them.

    pot   Which one to fire  [string] [required]
    """
    if commands:
        return []
    entries = [
        entry
        for section in sections(lines)
        if section.heading == "Positionals:"
        for entry in named_entries(section.lines)
    ]
    marks = [re.findall(r"\[(\w+)\]", entry.right) for entry in entries]
    return [
        Operand(entry.left, "required" in kinds, "array" in kinds)
        for entry, kinds in zip(entries, marks, strict=True)
        if _OPERAND_NAME.fullmatch(entry.left)
    ]


def _with_choices(shown: list[Operand], lines: Sequence[str]) -> list[Operand]:
    """The operands, where the `<command>` of a usage by hand is one of the choices of the list."""
    first = shown[0] if shown else None
    if first is None or first.enum or not _is_command(first):
        return shown
    listed = [match[1] for line in lines if (match := _CHOICES.fullmatch(line))]
    one = len(listed) == 1
    return [replace(first, enum=tuple(listed[0].split(","))), *shown[1:]] if one else shown


def _has_all_of(shown: Sequence[Operand], lines: Sequence[str]) -> bool:
    """Whether a usage has all that the list of positional arguments has, and something besides."""
    listed = {_key(each.name) for each in _unshown(lines)}
    return bool(listed) and listed < {_key(each.name) for each in shown}


def _names_flags(variant: Variant) -> bool:
    """Whether a way to call has an option by its name, of which a word may be the value."""
    return any(not option.is_switch or len(option.main) > 2 for option in variant.options())


def _as_listed(
    shown: list[Operand],
    ways: list[list[Operand]],
    variants: Sequence[Variant],
    lines: Sequence[str],
    described: Collection[str],
    *,
    by_hand: bool,
) -> tuple[list[Operand], list[list[Operand]]]:
    """The operands that a list has: it is complete, and values of options look like some."""
    complete = by_hand and _has_all_of(shown, lines) and not any(map(_names_flags, variants))
    shown = [
        each
        for each in shown
        if complete
        or each.enum
        or {_key(each.name), _key(each.name.replace("_or_", ""))} & set(described)
    ]
    first = {_key(each.name): each for each in reversed(shown)}
    shown = [each for each in shown if first[_key(each.name)] is each]
    whole = _with_remainder(shown, variants, lines)
    return (whole, [whole]) if whole != shown else (shown, ways)


def _of_the_list(
    ways: list[list[Operand]], lines: Sequence[str], *, by_hand: bool
) -> tuple[list[Operand], list[list[Operand]]]:
    """The operands of the list, where a usage by hand is silent about them or has samples.

    One that has as many by other names tells which of them may be left out.
    """
    listed, called = _unshown(lines), next(filter(None, ways), [])
    if _are_samples(called) and listed:
        return listed, [listed]
    return (called if by_hand and len(listed) in (0, len(called)) else listed), ways


def _is_plain_way(variants: Sequence[Variant], commands: Collection[str]) -> bool:
    """Whether the one way to call has nothing but plain words: `kiln pot plate`.

    Of a program that knows one command alone nobody would have to name it.
    """
    return not commands and len(variants) == 1 and variants[0].is_plain


def _longest(ways: Sequence[list[Operand]]) -> list[Operand]:
    """The operands of the first way that has some, or of one that goes on behind the same."""
    first = next(filter(None, ways), [])
    names = [_key(each.name) for each in first]
    if first and first[-1].repeats and not first[-1].required:
        return first  # `[POT]...` takes all that there is; what another way has behind is its own
    further = [way for way in ways if [_key(each.name) for each in way[: len(names)]] == names]
    return max(further, key=len, default=first)


def _are_samples(operands: Sequence[Operand]) -> bool:
    """Whether all of them are files that somebody might have: `pot.clay`."""
    return bool(operands) and all(_SAMPLE.fullmatch(each.name) for each in operands)


def _by_place(ways: Sequence[list[Operand]]) -> list[Operand]:
    """Of `pot.clay`, and `pot1.clay pot2.clay`, the longest: as samples, names tell nothing."""
    told = [way for way in ways if way]
    longest = max(told, key=len, default=[])
    if not all(map(_are_samples, told)) or len(longest) < 2 or len({len(way) for way in ways}) < 2:
        return []
    fewest = min(map(len, ways))
    return [
        replace(each, required=each.required and at < fewest) for at, each in enumerate(longest)
    ]


def _growing_at_front(ways: Sequence[list[Operand]]) -> list[Operand]:
    """Of `HEAT`, `POT HEAT` and `POT PLATE HEAT`, the longest, with what every way has required.

    Empty, where the shorter ways are no part of the longest, or only its beginning.
    """
    told = [way for way in ways if way]
    longest = max(told, key=len, default=[])
    names = [_key(each.name) for each in longest]
    every = [[_key(each.name) for each in way] for way in told]
    if len(set(names)) < len(names) or all(way == names[: len(way)] for way in every):
        return []
    for way in every:
        rest = iter(names)
        if not all(key in rest for key in way):
            return []
    kept = [{_key(each.name): each.required for each in way} for way in ways]
    return [
        replace(each, required=all(way.get(key, False) for way in kept))
        for key, each in zip(names, longest, strict=True)
    ]


def _with_remainder(
    shown: list[Operand], variants: Sequence[Variant], lines: Sequence[str]
) -> list[Operand]:
    """The operands with the one that takes the rest of the line: `[script-file] ...`.

    Behind a blank, dots are an operand of their own, which only the list has a name for.
    """
    known = {_key(each.name) for each in shown}
    rest = [each for each in _unshown(lines) if _key(each.name) not in known]
    if len(rest) != 1 or not all(each.text.endswith((" ...", "] ...")) for each in variants):
        return shown
    return [*(replace(each, repeats=False) for each in shown), replace(rest[0], repeats=True)]


def _unshown(lines: Sequence[str]) -> list[Operand]:
    """The operands that the list of positional arguments has, where no usage does."""
    entries = [
        entry
        for section in sections(lines)
        if section.heading.lower().startswith("positional")
        for entry in named_entries(section.lines)
    ]
    names = [entry.left for entry in entries if re.fullmatch(r"[A-Za-z][\w-]*", entry.left)]
    return [Operand(name, False, PLURAL.fullmatch(name) is not None) for name in names]


def option_lists(lines: Sequence[str]) -> set[str]:
    """The headings of lists of options: `[WARNINGS]` in the usage is whatever stands below it."""
    headings = {
        section.heading.rstrip(":")
        for section in sections(lines)
        if is_option_line(next(filter(None, section.lines), ""))
    }
    # `[mode]` is what stands below "Modes:".
    modes = {
        match[1].lower()
        for section in sections(lines)
        if (match := _MODES.fullmatch(section.heading.rstrip(":")))
        and any(map(is_option_line, section.lines))
    }
    headings |= {heading.split()[0] for heading in headings if _ONE_OF_THESE.match(heading)}
    named = {match[1] for line in lines if (match := _OPTIONS_BY_NAME.fullmatch(line))}
    several = {f"{mode}s" for mode in modes}
    return {each.lower() for each in headings | modes | several | named}


def _is_command(operand: Operand) -> bool:
    """Whether an operand stands for a subcommand."""
    return COMMAND_WORD.fullmatch(operand.name) is not None


def _commands_are_told(lines: Sequence[str]) -> bool:
    """Whether there is a list of what is called a command: of options, as `dpkg -i`, or of help."""
    return any(
        re.fullmatch(r"(?:[\w ]+ )?commands:?", section.heading, re.I)
        and any(is_option_line(line) or _ASKS.match(line) for line in section.lines)
        for section in sections(lines)
    )


def _needs(way: Sequence[Operand], name: str, number: int) -> bool:
    """Whether a way to call needs an operand, or one in its place by another name."""
    named = [operand for operand in way if _key(operand.name) == _key(name)]
    if named:
        return named[0].required
    return sum(operand.required for operand in way) > number


def _described(lines: Sequence[str]) -> dict[str, str]:
    """What the section about positional arguments says of each."""
    found: dict[str, str] = {}
    for section in sections(lines):
        if ARGUMENTS.match(section.heading):
            for entry in named_entries(section.lines):
                found.setdefault(_key(entry.left.strip("<>[].")), entry.right)
    return found


def _key(name: str) -> str:
    """A name as it is compared: `FILES` in the usage is `files` in the list."""
    return re.sub(r"[^a-z0-9]+", "", name.lower()).rstrip("s")
