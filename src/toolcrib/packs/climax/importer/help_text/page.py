"""From a help text to a page: options, operands, subcommands, and what they are for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from toolcrib.packs.climax.importer.help_text.columns import uncolumned
from toolcrib.packs.climax.importer.help_text.commands import (
    command_words,
    prefixed,
    subcommands,
)
from toolcrib.packs.climax.importer.help_text.inline import inline_commands
from toolcrib.packs.climax.importer.help_text.layout import (
    HelpEntry,
    is_option_line,
    named_entries,
    option_entries,
    sections,
)
from toolcrib.packs.climax.importer.help_text.options import read_option
from toolcrib.packs.climax.importer.help_text.style import style_of
from toolcrib.packs.climax.importer.help_text.tables import unruled
from toolcrib.packs.climax.importer.help_text.text import indent_of, plain_lines, squeezed
from toolcrib.packs.climax.importer.help_text.usage.synopsis import PLURAL
from toolcrib.packs.climax.importer.help_text.usage.ways import (
    COMMAND_WORD,
    Variant,
    fragments,
    read_variant,
    usage_texts,
)
from toolcrib.packs.climax.importer.help_text.values import (
    understood,
    understood_operand,
    with_told_value,
)
from toolcrib.packs.climax.importer.model import (
    HelpOption,
    HelpPage,
    Known,
    Note,
    Operand,
    Style,
    Subcommand,
)

_EXAMPLES = re.compile(r"\bexamples?\b", re.I)
_ARGUMENTS = re.compile(r"(?:positional )?(?:arguments|args|operands|parameters)\b", re.I)
_PATTERN_LONG = re.compile(r"--(?:no-)?[A-Z]{2,}\Z")
_PLACEHOLDER = re.compile(r"-[A-Za-z]?[A-Z]{3,}\Z")
# `-layout`: one dash, and a word.
_ONE_DASH_WORD = re.compile(r"-[a-z]{4,}(?![\w=])")
_FEWEST_WORDS = 4
_FEWEST_SILENT = 4
_EXACT = frozenset((Style.ARGPARSE, Style.CLICK, Style.CLAP))
"""Styles of libraries that print dots behind whatever repeats."""
# `-e  "command; command"`: what stands in quotes is given as it is.
_QUOTED_VALUE = re.compile(r"\"[^\"]{3,80}\"")
# `[ -c ] [ -d ]`: options in brackets, on a line of their own.
_FRAGMENT = re.compile(r"\[ ?(?:[\[{(] ?)?-")
# `-o -  output file name`: a dash where others name the value.
_DASH_FOR_VALUE = re.compile(r"^(-[A-Za-z]) -$")
_MOST_WORDS_OF_A_VALUE = 4
_SYNOPSIS = re.compile(
    r"^synopsis\b|\[(?:options?|flags|-)|\]\.\.\.|^[\w./-]+ (?:<|\[)|^aliases:", re.I
)
_IMPRINT = re.compile(
    r"^(?:see|run|use|type|for|try) |^\W|copyright|warranty"
    r"|^\S+,? (?:version:? )?(?:\S+/)?v?\d+\.\d|^report (?:any )?bugs|^[A-Z_-]+ ?:=",
    re.I,
)
_COMPLAINT = re.compile(
    r"(?:^|: )(?:error|fatal|warning|unknown|unrecogni[sz]ed|invalid|illegal|bad|no such|cannot"
    r"|can't|could not|missing|too (?:few|many)|unexpected|expected|not found|permission denied)\b"
    r"|\b(?:error|traceback|exception)\b:? ?\(?|\b(?:not|no)\b.{0,80} (?:found|recogni[sz]ed)\b"
    r"|(?:^|\s)(?:/\w[\w.-]*){2,}|^NAME\b.* -$",
    re.I,
)
_HEADED = re.compile(
    r"(?:positional |optional )?(?:arguments|args|options|flags|commands|topics)(?: are)?:", re.I
)
_USAGE = re.compile(r"\s*(?:usage\b|or:?\s)", re.I)
_LABEL = re.compile(r"(?:description:?|name \S+ -) ", re.I)
# Justified text has several wide gaps in a line, two columns have one.
_COLUMNS = re.compile(r"\S {3,}\S|^(?:\S| (?! ))* {2}(?:\S| (?! ))*$|\w, \w+, \w+, \w+, ")

ONE_FOR_MANY = "stands for many options, which a config cannot say"


def parse_help(text: str, path: Sequence[str]) -> HelpPage:
    """Read the help of the command `path` (its program first)."""
    lines = uncolumned(unruled(plain_lines(text)))
    style = style_of(lines)
    shown = _without_examples(lines)
    usages = usage_texts(lines, path[0], path[-1] if len(path) > 1 else "")
    printed = list(option_entries(shown))
    words = sum(_ONE_DASH_WORD.match(entry.left) is not None for entry in printed)
    entries = [_read(entry, style, words=words >= _FEWEST_WORDS) for entry in printed]
    switches = _switches(entries)
    variants = [each for line in usages if (each := read_variant(line, path, switches)) is not None]
    named = (_below_path(sub, path) for sub in subcommands(shown))
    listed = [sub for sub in named if sub is not None]
    known = {sub.name for sub in listed}
    listed += [sub for sub in prefixed(shown, " ".join(path)) if sub.name not in known]
    listed = listed or inline_commands(shown)
    own, below = _by_first_word(variants, path, style, listed)
    # What only a subcommand takes is no option of the program.
    called = own if below and len(path) == 1 else own or variants
    options, notes = _options(shown, entries, called, style)
    names = {each.name for each in (*listed, *below)} | command_words(shown)
    lists = _option_lists(shown)
    found = _operands(shown, own, style, names)
    operands = tuple(each for each in found if each.name not in lists)
    return HelpPage(
        description=_description(lines, usages),
        options=options,
        operands=operands,
        subcommands=tuple(listed) + below,
        runnable=_runnable(own, variants, listed),
        style=style,
        notes=notes,
    )


def narrowed(page: HelpPage, text: str, path: Sequence[str], word: str) -> HelpPage | None:
    """The part of a page that is about one subcommand, where the subcommand has no page itself.

    None if the page does not speak of it.
    """
    lines = plain_lines(text)
    variants = [read_variant(line, path) for line in usage_texts(lines)]
    own = [variant for variant in variants if variant is not None and word in variant.words]
    if not own and not any(sub.name == word and sub.description for sub in page.subcommands):
        return None
    operands = _operands(lines, own, page.style, ())
    return replace(
        page,
        description="",
        operands=operands,
        subcommands=(),
        runnable=True,
        notes=(),
    )


def _below_path(sub: Subcommand, path: Sequence[str]) -> Subcommand | None:
    """A subcommand by its own words, where the list has the program before each: `lerna clean`."""
    words = sub.words
    if words[0] != path[0]:
        return sub
    own = words[len(path) :]
    # `kiln help fire` in a list says how to ask, and is no command of its own.
    if words[: len(path)] != tuple(path) or not own or own[0] == "help":
        return None
    return replace(sub, name=" ".join(own))


@lru_cache(maxsize=4)
def shared_operands(text: str, program: str) -> tuple[Operand, ...]:
    """What every subcommand takes by a page that is about all of them: `<command> <archive>`."""
    lines = plain_lines(text)
    variants = [read_variant(line, (program,)) for line in usage_texts(lines, program)]
    own = [variant.behind_command() for variant in variants if variant and variant.takes_command()]
    return _operands(lines, own, Style.UNKNOWN, ())


@lru_cache(maxsize=4)
def shared_options(text: str, program: str) -> tuple[HelpOption, ...]:
    """What every subcommand takes by a usage that has it behind them: `<command> [-d folder]`."""
    lines = plain_lines(text)
    variants = [read_variant(line, (program,)) for line in usage_texts(lines, program)]
    own = [variant for variant in variants if variant and variant.takes_command()]
    found = [replace(each, required=False) for way in own for each in way.options_behind_command]
    return tuple({each.main: each for each in found}.values())


def _without_examples(lines: Sequence[str]) -> list[str]:
    shown = list(lines)
    for section in sections(lines):
        if _EXAMPLES.search(section.heading) and len(section.heading) < 40 and section.indent <= 4:
            for at, line in enumerate(section.lines, section.start):
                if line and indent_of(line) <= section.indent:
                    break
                shown[at] = ""
            if section.indent:
                shown[section.start - 1] = ""  # below an entry, it heads nothing but examples
    return shown


def _by_first_word(
    variants: Sequence[Variant], path: Sequence[str], style: Style, listed: Sequence[Subcommand]
) -> tuple[list[Variant], tuple[Subcommand, ...]]:
    """Tell the ways to call the command itself from those that name a subcommand of it."""
    if style is Style.ARGPARSE:
        return list(variants), ()
    words = dict.fromkeys(word for variant in variants for word in variant.words)
    if len(words) > 1:
        # Beside `pass find NAME`, the word of `pass [ls] [FOLDER]` is one that may be left out.
        variants = [variant.with_bare_word() for variant in variants]
        words = dict.fromkeys(word for variant in variants for word in variant.words)
    # `rand [options] num`: one word behind the options is what it takes.
    late = all(variant.late for variant in variants if variant.words)
    if len(words) == 0 or (len(words) == 1 and (len(path) < 2 or late)):
        return list(variants), ()
    own = [variant for variant in variants if not variant.words]
    known = {command.name for command in listed}
    usages = {each.words[0]: each.behind_words() for each in reversed(variants) if each.words}
    return own, tuple(Subcommand(word, usage=usages[word]) for word in words if word not in known)


def _runnable(
    own: Sequence[Variant], variants: Sequence[Variant], listed: Sequence[Subcommand]
) -> bool:
    if not variants:
        return not listed
    if not own:
        return any(variant.bare for variant in variants)
    return not (listed and all(variant.needs_command for variant in own))


_Entry = tuple[list[HelpOption], list[Note]]
"""The options that one entry of a list is about, and what is to be said of it."""


def _switches(entries: Sequence[_Entry]) -> set[str]:
    """The flags that the list has without a value, and nowhere with one."""
    plain = {
        flag for found, _ in entries for each in found if each.is_switch for flag in each.flags
    }
    valued = {
        flag for found, _ in entries for each in found if not each.is_switch for flag in each.flags
    }
    return plain - valued


def _options(
    lines: Sequence[str], entries: Sequence[_Entry], variants: Sequence[Variant], style: Style
) -> tuple[tuple[HelpOption, ...], tuple[Note, ...]]:
    known = Known()
    notes: list[Note] = []
    for found, problems in entries:
        known.extend(found, listed=True)
        notes += problems
    letters = not any(map(_is_long_word, known.options))
    known.extend(fragments(line for line in lines if _FRAGMENT.match(line)))
    for variant in variants:
        several = len(variants) > 1
        for option in variant.options():
            for each in _unclustered(option, known, letters=letters):
                # The list knows better what takes a value: `--args <filter>` may be two things.
                known.add(replace(each, required=each.required and not several), names_only=True)
    usable = [option for option in known.options if not _stands_for_many(option)]
    notes += [
        Note(option.main, ONE_FOR_MANY) for option in known.options if _stands_for_many(option)
    ]
    if len(usable) >= _FEWEST_SILENT and all(option.is_switch for option in usable):
        # A text that shows the value of no option tells of values in words.
        usable = [with_told_value(option) for option in usable]
    # Some programs lay out their help as a manual, without its first line.
    manual = next(filter(None, lines), "") == "NAME"
    style = Style.MAN if manual else style
    return tuple(understood(option, style) for option in usable), tuple(notes)


def _read(
    entry: HelpEntry, style: Style, *, words: bool = False
) -> tuple[list[HelpOption], list[Note]]:
    """The options of an entry; with `words`, the program writes words behind one dash."""
    divided = bool(entry.right) or entry.alone
    spelling = read_option(_DASH_FOR_VALUE.sub(r"\1 VALUE", entry.left), tail_is_value=divided)
    if spelling is None:
        return [], [Note(entry.left[:40], "is not written like an option")]
    description = squeezed(f"{spelling.rest} {entry.right}").lstrip(":;=- ")
    notes = [Note(pattern, ONE_FOR_MANY) for pattern in spelling.patterns]
    most = 1 if style is Style.MAN else _MOST_WORDS_OF_A_VALUE
    options = []
    for option in spelling.options:
        option = option if words else _with_glued_word(option, description)
        if option.is_switch and _QUOTED_VALUE.fullmatch(description):
            option = replace(option, value=description.strip('"'))
        if len((option.value or "").split()) > most and not option.joined:
            prose = squeezed(f"{option.value} {description}")
            option = replace(option, value=None, value_optional=False, description=prose)
        options.append(replace(option, description=option.description or description))
    return options, notes


def _with_glued_word(option: HelpOption, description: str) -> HelpOption:
    """`-Idirectory  adds a directory` is `-I` with its value, which the description speaks of."""
    match = re.fullmatch(r"(-[A-Za-z])([a-z]{3,}|[A-Z]{3,})", option.flags[0])
    if match is None or len(option.flags) > 1 or option.value is not None:
        return option
    told = re.search(rf"\b{match[2]}\b", description)
    return replace(option, flags=(match[1],), value=match[2], glued=True) if told else option


def _is_long_word(option: HelpOption) -> bool:
    """`-name`: a program that writes its options so has no clusters of letters."""
    return any(re.fullmatch(r"-[a-z][a-z0-9_-]+", flag) for flag in option.flags)


def _unclustered(option: HelpOption, known: Known, *, letters: bool) -> list[HelpOption]:
    """`[-46AaCf]` are as many options as it has letters.

    Where an option may be a word behind one dash (not `letters`), all of them have to be known.
    """
    flag = option.flags[0]
    each = [f"-{letter}" for letter in flag[1:]]
    one_by_one = len(option.flags) == 1 and re.fullmatch(r"-[A-Za-z0-9?#@]{2,}", flag) is not None
    if not one_by_one or len(set(each)) < len(each) or flag in known:
        return [option]
    if all(one in known for one in each):
        return []
    mixed = (not flag.islower() and not flag[1:].isalpha()) or flag.lower() != flag
    if not letters or option.value is not None or not (mixed or each == sorted(each)):
        return [option]
    return [HelpOption((one,)) for one in each]


def _stands_for_many(option: HelpOption) -> bool:
    """`--no-OPTION`, `-NUM`."""
    named = _PLACEHOLDER.match(option.main) and not option.joined
    return bool(_PATTERN_LONG.match(option.main) or named)


def _operands(
    lines: Sequence[str], variants: Sequence[Variant], style: Style, commands: Collection[str]
) -> tuple[Operand, ...]:
    """The operands of the first way to call it, required if every way needs them."""
    if commands:
        variants = [variant for variant in variants if not variant.takes_command(commands)]
    if not variants:
        return ()
    described = _described(lines)
    worded = [variant for variant in variants if variant.words]
    late = bool(worded) and all(variant.late for variant in worded)
    literal = style is Style.ARGPARSE or late
    by_hand = style is Style.ARGPARSE and not any("[-h" in each.text for each in variants)
    plural = style not in _EXACT or by_hand
    ways = [variant.operands(literal=literal, plural=plural) for variant in variants]
    # `or: timeout [OPTION]` is there for --help and --version alone, unless it stands first.
    ways = [
        way
        for at, (way, each) in enumerate(zip(ways, variants, strict=True))
        if way or each.required or each.redirected or not (at or each.asks_about_itself)
    ]
    shown = _longest(ways)
    if style is Style.ARGPARSE and described:
        # The list is complete; in the usage, values of options look like operands.
        shown = [each for each in shown if each.enum or _key(each.name) in described]
        first = {_key(each.name): each for each in reversed(shown)}
        shown = [each for each in shown if first[_key(each.name)] is each]
        whole = _with_remainder(shown, variants, lines)
        shown, ways = (whole, [whole]) if whole != shown else (shown, ways)
        if not shown and not commands:
            # A usage that somebody wrote by hand may be silent about them, or name them otherwise.
            listed, called = _unshown(lines), next(filter(None, ways), [])
            shown = called if by_hand and len(listed) in (0, len(called)) else listed
    found = []
    for number, operand in enumerate(shown):
        always = all(_needs(way, operand.name, number) for way in ways)
        key = _key(operand.name)
        again = operand.repeats or any(
            each.repeats for way in ways for each in way if _key(each.name) == key
        )
        description = operand.description or described.get(_key(operand.name), "")
        operand = replace(operand, required=always, repeats=again, description=description)
        if not (COMMAND_WORD.fullmatch(operand.name) and _commands_are_options(lines)):
            found.append(understood_operand(operand))
    return tuple(found)


def _longest(ways: Sequence[list[Operand]]) -> list[Operand]:
    """The operands of the first way that has some, or of one that goes on behind the same."""
    first = next(filter(None, ways), [])
    names = [_key(each.name) for each in first]
    further = [way for way in ways if [_key(each.name) for each in way[: len(names)]] == names]
    return max(further, key=len, default=first)


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


def _option_lists(lines: Sequence[str]) -> set[str]:
    """The headings of lists of options: `[WARNINGS]` in the usage is whatever stands below it."""
    return {
        section.heading.rstrip(":")
        for section in sections(lines)
        if is_option_line(next(filter(None, section.lines), ""))
    }


def _commands_are_options(lines: Sequence[str]) -> bool:
    """Whether what is called a command is an option: `dpkg -i`."""
    return any(
        re.fullmatch(r"(?:[\w ]+ )?commands:?", section.heading, re.I)
        and any(is_option_line(line) for line in section.lines)
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
        if _ARGUMENTS.match(section.heading):
            for entry in named_entries(section.lines):
                found.setdefault(_key(entry.left.strip("<>[].")), entry.right)
    return found


def _key(name: str) -> str:
    """A name as it is compared: `FILES` in the usage is `files` in the list."""
    return re.sub(r"[^a-z0-9]+", "", name.lower()).rstrip("s")


def _description(lines: Sequence[str], usages: Sequence[str]) -> str:
    """The first paragraph of prose that comes before the options."""
    paragraph: list[str] = []
    for line in [*lines[:80], ""]:
        if line and not is_option_line(line) and not _USAGE.match(line):
            paragraph.append(line)
            continue
        text = squeezed(" ".join(paragraph))
        ended = not is_option_line(line)
        if ended and paragraph and _is_prose(paragraph) and not text.startswith(tuple(usages)):
            return _LABEL.sub("", text)
        paragraph = []
    return ""


def _is_prose(paragraph: Sequence[str]) -> bool:
    text = squeezed(" ".join(paragraph))
    if indent_of(paragraph[0]) > 8 or len(text.split()) < 2 or text.endswith((":", ",")):
        return False
    if _COMPLAINT.search(text) or _HEADED.match(text):
        return False
    listed = any(_COLUMNS.search(line.strip()) for line in paragraph)
    listed = listed or text.startswith(("- ", "* "))
    return not (listed or _SYNOPSIS.search(text) or _IMPRINT.search(text))
