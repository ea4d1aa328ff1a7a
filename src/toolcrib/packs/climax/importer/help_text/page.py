"""From a help text to a page: options, operands, subcommands, and what they are for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache

from toolcrib.packs.climax.importer.help_text.clusters import (
    is_long_word,
    unclustered,
    without_clustered_values,
)
from toolcrib.packs.climax.importer.help_text.columns import uncolumned
from toolcrib.packs.climax.importer.help_text.commands.inline import inline_commands, usage_commands
from toolcrib.packs.climax.importer.help_text.commands.lists import (
    command_words,
    prefixed,
    subcommands,
)
from toolcrib.packs.climax.importer.help_text.layout import (
    HelpEntry,
    is_option_line,
    option_entries,
    sections,
)
from toolcrib.packs.climax.importer.help_text.operands import (
    EXACT,
    operands_of,
    option_lists,
)
from toolcrib.packs.climax.importer.help_text.options import read_option
from toolcrib.packs.climax.importer.help_text.style import style_of
from toolcrib.packs.climax.importer.help_text.tables import unruled
from toolcrib.packs.climax.importer.help_text.text import indent_of, plain_lines, squeezed
from toolcrib.packs.climax.importer.help_text.usage.notation import without_listed
from toolcrib.packs.climax.importer.help_text.usage.samples import shown_usages
from toolcrib.packs.climax.importer.help_text.usage.switches import named_values, shared_by_ways
from toolcrib.packs.climax.importer.help_text.usage.variant import (
    COMMAND_WORD,
    Variant,
    with_commands,
)
from toolcrib.packs.climax.importer.help_text.usage.ways import (
    defined_options,
    fragments,
    read_variant,
    usage_texts,
)
from toolcrib.packs.climax.importer.help_text.values import (
    marked,
    says_required,
    understood,
    with_list,
    with_shown_value,
    with_told_value,
    with_untold_values,
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
_PATTERN_LONG = re.compile(r"--(?:no-)?[A-Z]{2,}\Z")
_PLACEHOLDER = re.compile(r"-[A-Za-z]?[A-Z]{3,}\Z")
# `-layout`: one dash, and a word.
_ONE_DASH_WORD = re.compile(r"-[a-z]{4,}(?![\w=])")
_LONG_ROW = re.compile(r"(?:--[a-z][\w-]*(?:=\S+)?(?: |$)){2,}")
_FEWEST_WORDS = 4
_FEWEST_SILENT = 4
_FEWEST_OF_A_LIST = 4
_FEWEST_LONG_WORDS = 3
# `-e  "command; command"`: what stands in quotes is given as it is.
_QUOTED_VALUE = re.compile(r"\"[^\"]{3,80}\"")
# `[ -c ] [ -d ]`: options in brackets, on a line of their own.
_FRAGMENT = re.compile(r"\[ ?(?:[\[{(] ?)?-")
# `Common options: [-q] [-t degrees]`: what the usage has a name for.
_NAMED_FRAGMENT = re.compile(r"\s{0,8}(?:[A-Za-z][\w-]* ){0,3}(?:options|flags):\s+(?=\[ ?-)", re.I)
# `-q <n> ....... how hot`: dots that lead to what it does.
_LEADERS = re.compile(r"\A\.(?:\.+ *| )(?=[A-Za-z])")
_BARE_ENTRY = re.compile(r"\s+\[([a-z][\w-]*)\](?= {2}|$)")
# `-o -  output file name`: a dash where others name the value.
_DASH_FOR_VALUE = re.compile(r"^(-[A-Za-z]) -$")
# `-<, --less-than=NUMBER`: a sign that no shell passes on by itself.
_ANGLE = re.compile(r"^-[<>], (?=--[a-z])")
_MOST_WORDS_OF_A_VALUE = 4
_SYNOPSIS = re.compile(
    r"^synopsis\b|\[(?:options?|flags|-)|\]\.\.\.|^[\w./-]+ (?:<|\[)|^aliases:", re.I
)
_IMPRINT = re.compile(
    r"^(?:see|use|type|for|try) |^run .*(?:help|manual|\bman\b|--)|^\W|copyright|warranty"
    r"|online help:|^\S+,? (?:version:? )?(?:\S+/)?v?\d+\.\d|^report (?:any )?bugs|^[A-Z_-]+ ?:=",
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
_USAGE = re.compile(r"\s*(?:(?:[\w-]+: )?usage\b|or:?\s)", re.I)
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
    printed = [each for each in option_entries(shown) if not _is_part_of_usage(each)]
    dashed = [entry for entry in printed if _ONE_DASH_WORD.match(entry.left)]
    words = len(dashed) if sum(map(_is_one_dash_word, dashed)) * 2 > len(dashed) else 0
    read = [_read(entry, style, words=words >= _FEWEST_WORDS) for entry in printed]
    entries = _without_headings(printed, read)
    switches = _switches(entries, style)
    if not usages and len(path) == 1 and len(printed) >= _FEWEST_OF_A_LIST:
        usages = shown_usages(lines, path[0])
    usages = [without_listed(line, _lists(entries)) for line in usages]
    switches -= named_values(usages, [option for found, _ in entries for option in found])
    ways = [each for line in usages if (each := read_variant(line, path, switches)) is not None]
    ways = ways or _without_own_word(usages, path, switches, style)
    bare = shared_by_ways(ways) - {option.main for found, _ in entries for option in found}
    if bare:
        again = (read_variant(line, path, {*switches, *bare}) for line in usages)
        ways = [each for each in again if each is not None]
    variants = with_commands(ways)
    named = (_below_path(sub, path) for sub in subcommands(shown))
    taken = _default_commands(shown, usages)
    listed = [sub for sub in named if sub is not None and sub.name not in taken]
    known = {sub.name for sub in listed}
    listed += [sub for sub in prefixed(shown, " ".join(path)) if sub.name not in known]
    listed = listed or inline_commands(shown) or usage_commands(shown, path[-1])
    listed = [_with_usage(sub, variants) for sub in listed]
    own, below = _by_first_word(variants, path, style, listed)
    # What only a subcommand takes is no option of the program.
    called = own if below and len(path) == 1 else own or variants
    options, notes = _options(shown, entries, called, style)
    names = {each.name for each in (*listed, *below)} | command_words(shown)
    lists = option_lists(shown)
    found = operands_of(shown, own, style, names, plain=len(path) == 1)
    operands = tuple(each for each in found if each.name.lower() not in lists)
    return HelpPage(
        description=_description(lines, usages),
        options=options,
        operands=operands,
        subcommands=tuple(listed) + below,
        runnable=_runnable(own, variants, listed),
        style=style,
        notes=notes,
        options_first=all(way.options_first for way in own or variants if way.operands()),
        options_last=any(way.options_last for way in own or variants),
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
    operands = operands_of(lines, own, page.style, ())
    return replace(
        page,
        description="",
        operands=operands,
        subcommands=(),
        runnable=True,
        notes=(),
    )


def _without_own_word(
    usages: Sequence[str], path: Sequence[str], switches: Collection[str], style: Style
) -> list[Variant]:
    """The ways to call a command by usages that leave its name out: `kiln [-h] [pot ...]`."""
    if len(path) < 2 or any(word in usage.split() for usage in usages for word in path[1:]):
        return []
    ways = [each for line in usages if (each := read_variant(line, path[:1], switches))]
    worded = style is not Style.ARGPARSE and any(way.words for way in ways)
    return [] if worded or any(way.takes_command() for way in ways) else ways


def _below_path(sub: Subcommand, path: Sequence[str]) -> Subcommand | None:
    """A subcommand by its own words, where the list has the program before each: `lerna clean`."""
    words, above = sub.words, tuple(path[1:])
    if above and words[: len(above)] == above and len(words) > len(above):
        # On the page of `kiln glaze`, `glaze mix` is below it.
        return replace(sub, name=" ".join(words[len(above) :]))
    if words[0] != path[0]:
        return sub
    own = words[len(path) :]
    # `kiln help fire` in a list says how to ask, and is no command of its own.
    if words[: len(path)] != tuple(path) or not own or own[0] == "help":
        return None
    return replace(sub, name=" ".join(own))


def _default_commands(lines: Sequence[str], usages: Sequence[str]) -> set[str]:
    """What a list of commands has as the usage does, `[mode]`: what is taken without a command."""
    bare = {match[1] for line in lines if (match := _BARE_ENTRY.match(line))}
    return {name for name in bare if any(f" [{name}]" in usage for usage in usages)}


@lru_cache(maxsize=4)
def shared_operands(text: str, program: str) -> tuple[Operand, ...]:
    """What every subcommand takes by a page that is about all of them: `<command> <archive>`."""
    lines = plain_lines(text)
    variants = [read_variant(line, (program,)) for line in usage_texts(lines, program)]
    own = [variant.behind_command() for variant in variants if variant and variant.takes_command()]
    return operands_of(lines, own, Style.UNKNOWN, ())


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
    if len(words) == 1 and not listed and len(variants) == 1 and variants[0].ends_with_word:
        # `kiln [options] fire pot`, on the page of `fire`: nothing is below the pot.
        return [replace(variants[0], words=(), late=True).with_word_as_operand()], ()
    own = [variant for variant in variants if not variant.words]
    known = {command.name for command in listed}
    if listed:
        words = {word: None for word in words if not COMMAND_WORD.fullmatch(word)}
    usages = {word: each.behind_words() for each in reversed(variants) for word in each.words}
    return own, tuple(Subcommand(word, usage=usages[word]) for word in words if word not in known)


def _with_usage(sub: Subcommand, variants: Sequence[Variant]) -> Subcommand:
    """A subcommand of a list with what a usage line has behind its name: `kiln [-q] show POT`."""
    if sub.usage:
        return sub
    own = (each.behind_words() for each in variants if each.words == (sub.name,))
    return replace(sub, usage=next(filter(None, own), sub.usage))


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


def _switches(entries: Sequence[_Entry], style: Style) -> set[str]:
    """The flags that the list has without a value, and nowhere with one.

    Who prints the default behind each option, `-quiet=false:`, prints so that it is a switch.
    """
    # `-o, --output  where to write  [string]` is told behind it all.
    options = [marked(each) for found, _ in entries for each in found]
    if _is_silent(options):
        options = [with_told_value(each) for each in with_untold_values(options)]
    off = [each for each in options if style is Style.KUBECTL and each.value == "false"]
    plain = {flag for each in options if each.is_switch or each in off for flag in each.flags}
    valued = {flag for each in options if not each.is_switch for flag in each.flags}
    return plain - (valued - {flag for each in off for flag in each.flags})


def _without_headings(printed: Sequence[HelpEntry], read: Sequence[_Entry]) -> list[_Entry]:
    """The entries without those that only head a text about an option that is listed as well.

    `--heat:` above a paragraph is no way to give it without a value.
    """
    headed = [entry.left.endswith(":") for entry in printed]
    valued = {
        flag
        for found, _ in read
        for option in found
        for flag in option.flags
        if not option.is_switch
    }
    return [
        (found, notes)
        for (found, notes), alone in zip(read, headed, strict=True)
        if not (alone and all(each.is_switch and valued.issuperset(each.flags) for each in found))
    ]


def _is_silent(options: Sequence[HelpOption]) -> bool:
    """Whether a text shows the value of no option: then it tells of values in words."""
    return len(options) >= _FEWEST_SILENT and all(option.is_switch for option in options)


def _lists(entries: Sequence[_Entry]) -> set[str]:
    """The flags that take as many words as there are: `--pots  what to fire  [array]`."""
    options = [marked(each) for found, _ in entries for each in found if each.is_switch]
    return {flag for each in options if each.repeats for flag in each.flags}


def _options(
    lines: Sequence[str], entries: Sequence[_Entry], variants: Sequence[Variant], style: Style
) -> tuple[tuple[HelpOption, ...], tuple[Note, ...]]:
    known = Known()
    notes: list[Note] = []
    for found, problems in entries:
        known.extend(found, listed=True)
        notes += problems
    letters = not any(map(is_long_word, known.options))
    unnamed = (_NAMED_FRAGMENT.sub("", line, count=1) for line in lines)
    fragmented = fragments(line for line in unnamed if _FRAGMENT.match(line))
    known.extend(one for each in fragmented for one in unclustered(each, known, letters=letters))
    known.extend(defined_options(lines))
    # Where the list says which options are required, a usage that names more is an example.
    told = any(says_required(option) for option in known.options)
    for variant in variants:
        # Where `--help` stands as bare as the others, brackets are not used at all.
        several = told or len(variants) > 1 or variant.needs_help
        # What somebody wrote by hand beside `[options]` is the usual call, and not the only one.
        several = several or (variant.promises_options and style not in EXACT)
        for option in variant.options():
            for each in unclustered(known.unglued(option), known, letters=letters):
                # The list knows better what takes a value: `--args <filter>` may be two things.
                known.add(replace(each, required=each.required and not several), names_only=True)
    known.options = without_clustered_values(known.options, variants)
    worded = sum(map(is_long_word, known.options)) >= _FEWEST_LONG_WORDS
    many = [each for each in known.options if _stands_for_many(each, worded=worded)]
    usable = [option for option in known.options if option not in many]
    notes += [Note(option.main, ONE_FOR_MANY) for option in many]
    if _is_silent(usable):
        usable = [with_told_value(option) for option in with_untold_values(usable)]
    usable = [with_list(with_shown_value(option)) for option in usable]
    # Some programs lay out their help as a manual, without its first line.
    manual = next(filter(None, lines), "") == "NAME"
    style = Style.MAN if manual else style
    return tuple(understood(option, style) for option in usable), tuple(notes)


def _read(
    entry: HelpEntry, style: Style, *, words: bool = False
) -> tuple[list[HelpOption], list[Note]]:
    """The options of an entry; with `words`, the program writes words behind one dash."""
    divided = bool(entry.right) or entry.alone
    spelled = _DASH_FOR_VALUE.sub(r"\1 VALUE", _ANGLE.sub("", entry.left.removeprefix("* ")))
    spelling = read_option(spelled, tail_is_value=divided)
    if spelling is None:
        return [], [Note(entry.left[:40], "is not written like an option")]
    description = squeezed(f"{spelling.rest} {entry.right}").lstrip(":;=- ")
    description = _LEADERS.sub("", description)
    notes = [Note(pattern, ONE_FOR_MANY) for pattern in spelling.patterns]
    most = 1 if style is Style.MAN else _MOST_WORDS_OF_A_VALUE
    options = []
    for option in spelling.options:
        option = option if words else _with_glued_word(option, description)
        if option.is_switch and _QUOTED_VALUE.fullmatch(description):
            option = replace(option, value=description.strip('"'))
        enclosed = re.search(r" [\[<{]" + re.escape(option.value or "") + r"[\]>}]", entry.left)
        if len((option.value or "").split()) > most and not (option.joined or enclosed):
            prose = squeezed(f"{option.value} {description}")
            option = replace(option, value=None, value_optional=False, description=prose)
        options.append(replace(option, description=option.description or description))
    return options, notes


def _is_part_of_usage(entry: HelpEntry) -> bool:
    """`--in=<name> --out=<name>`: one option after the other, and nothing said of them."""
    return _LONG_ROW.fullmatch(f"{entry.left} {entry.right}".strip()) is not None


def _is_one_dash_word(entry: HelpEntry) -> bool:
    """`-layout`, but not `-Tdev  use device dev`, which is a letter with its value."""
    value = re.escape(entry.left.split()[0][2:])
    return not re.search(rf"\b{value}\b", entry.right)


def _with_glued_word(option: HelpOption, description: str) -> HelpOption:
    """`-Idirectory  adds a directory` is `-I` with its value, which the description speaks of.

    Of `-rREV`, the capitals say it.
    """
    match = re.fullmatch(r"(-[A-Za-z])([a-z]{3,}|[A-Z]{3,})", option.flags[0])
    if match is None or len(option.flags) > 1 or option.value is not None:
        return option
    apart = match[1].islower() and match[2].isupper()
    told = apart or re.search(rf"\b{match[2]}\b", description)
    return replace(option, flags=(match[1],), value=match[2], glued=True) if told else option


def _stands_for_many(option: HelpOption, *, worded: bool = False) -> bool:
    """`--no-OPTION`, `-NUM`; nothing is called `-MMD`, which no mouth can say.

    Where options are words behind one dash (`worded`), so is `-ALL`, if something is said of it.
    """
    named = _PLACEHOLDER.match(option.main) and not option.joined
    named = named and not (worded and option.description and option.is_switch)
    named = named and re.search(r"[AEIOUY]", option.main) is not None
    spelled = any(len(flag) == 2 for flag in option.flags)  # `-C CCN, --CCN CCN` is one option
    pattern = _PATTERN_LONG.match(option.main) and re.search(r"[AEIOUY]", option.main)
    return bool((pattern and not spelled) or named)


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
    # Below "Examples", what is typed begins with the prompt of a shell.
    listed = listed or text.startswith(("- ", "* "))
    listed = listed or any(line.lstrip().startswith("$ ") for line in paragraph)
    return not (listed or _SYNOPSIS.search(text) or _IMPRINT.search(text))
