"""Lists of subcommands, in whatever way a program prints them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, pairwise, takewhile

from toolcrib.packs.climax.importer.help_text.commands.aliases import (
    is_short_for,
    stand_ins,
    whole_name,
)
from toolcrib.packs.climax.importer.help_text.commands.details import tidied, with_operands_apart
from toolcrib.packs.climax.importer.help_text.commands.inline import is_usage_of_names
from toolcrib.packs.climax.importer.help_text.commands.rows import (
    FEWEST,
    NAME,
    comma_list,
    in_columns,
)
from toolcrib.packs.climax.importer.help_text.layout import (
    HelpEntry,
    HelpSection,
    named_entries,
    option_entries,
    sections,
)
from toolcrib.packs.climax.importer.help_text.text import indent_of, squeezed
from toolcrib.packs.climax.importer.help_text.usage.variant import COMMAND_WORD
from toolcrib.packs.climax.importer.model import Subcommand

_HEADING = re.compile(
    r"\b(?:sub-?)?commands?\b|^(?:available )?(?:services|actions|verbs|operations|applets)\b"
    r"|^(?:available |command )?groups?(?: is one of the following)?:?$"
    r"|^the first argument (?:must|has to|should|can|may) be (?:one of )?the following:$"
    r"|^(?:(?:several|all|the|available) )*(?:tasks|verbs|actions|operations) are available:$",
    re.I,
)
_NOT_HEADING = re.compile(
    r"\b(?:options|flags|arguments|example|usage|run|use|see|type|error|invalid|unknown)\b", re.I
)
# "The most common commands and flags are:" is about commands, whatever it says besides.
_BESIDE = re.compile(r"\(.*\)|(?<=commands )and (?:options|flags)\b", re.I)
_OTHER_LIST = re.compile(r"\b(?:options|flags|arguments|examples?|usage|topics)\b", re.I)
_NAME = NAME
_NAMES = re.compile(rf"{_NAME}(?: {_NAME}){{0,3}}")
_LISTED = re.compile(
    rf"(?P<name>{_NAME}(?: [a-z][a-z0-9_-]{{0,40}}){{0,2}})\*?(?:\[[A-Za-z]{{1,8}}\])*"
    r"(?P<aliases>(?:(?:,\s?| ?\| ?|/)[\w.+:-]{1,40}){0,6})(?:\s\([\w.,+ -]{1,60}\))?"
    r":?(?:\s+(?P<usage>(?:[<\[A-Z({.-]|[a-z-]{1,40}\|).{0,1000}))?"
)
_HEADED = re.compile(rf"({_NAME})((?: (?:[<\[A-Z{{(].*)?)?):")
_BULLET = re.compile(rf"(?:[-*•+]|o)\s+({_NAME})(?:\s*[:–]\s+(\S.*)|\s+-\s+(\S.*))?")
_FLUSH_RIGHT = re.compile(rf"\s*({_NAME})(?:,\s?-\w)?(?: - | {{2,}})(\S.*)")
_DASHED = re.compile(r"(--?[A-Za-z][\w-]*)(?:, --?[A-Za-z][\w-]*)*")
_SYNOPSIS = re.compile(rf"({_NAME})(?: \([\w-]+\))?((?: [\[<(-].*)?)")
# `g[eneral]`: a word of which the beginning is enough.
_UNABBREVIATED = re.compile(r"([a-z]{1,6})\[([a-z]{3,20})\](?=\s|$)")
# "<action> is one of:", or the name of what the usage wants and nothing else: "OBJECT".
_ONE_OF = re.compile(
    r"<?([A-Za-z-]+)>?(?: (?:is|are|may be|can be|must be))?(?: one of)?(?: the following)?:?"
)
# `show: prints what is there`
_COLON = re.compile(rf"({_NAME}):\s+(\(?\w.*)")
# `-c|check <file>`: a command that has a letter for it, too.
_UNDASHED = re.compile(r"^(\s+)-[A-Za-z?]\|(?=[a-z]{2})")
# `addif   <bridge> <device>   adds it`: what it takes, in a column of its own.
_USAGE_COLUMN = re.compile(
    rf"^(\s+{_NAME}) {{2,}}"
    r"((?:(?:\[ ?<?[\w|-]+>? ?\]|<[^<>\s]+>|\{[^{}\s]+\})(?: |(?= {2})))+) +(\S.*)"
)
# `x  extract   takes it out`: a letter, and the name that it is short for.
_SHORT_COLUMN = re.compile(r"(\s+)([a-z]{1,2}) {2,}([a-z]{3,}) {2,}(?=\S)")
# `firing, firings Manages them`: names too long for their column push the sentence to the right.
_PUSHED = re.compile(r"(\s+[a-z][\w-]*(?:, [a-z][\w-]*){1,4}) (?=[A-Z][a-z]+ [a-z])")
# `[time]`: the command that is meant where none is named.
_BARE = re.compile(r"\A\[([a-z][\w-]*)\](?=\s+[<\[A-Z]|\Z)")
# "alias for 'run --attach': joins a process" says more than another name does.
_ALIAS = re.compile(r"alias(?:es)?(?: (?:of|for):? |:? (?!of |for ))(?!'[^']* [^']*':)", re.I)
# `{platform} is replaced` is a sentence.
_CHOICES = re.compile(r"\{([^{}]{1,4000})\}:?(?=\s{2,}|\s*\.\.\.|\s*$)")
_METAVAR = re.compile(r"<[\w -]{0,20}command[\w -]{0,20}>|(?:sub-?)?command|action", re.I)
_POSITIONAL = re.compile(r"positional arguments|commands?\b", re.I)
_DEFINITION = re.compile(r"\b(?P<what>[A-Z][A-Z_-]{1,30})\s*:=\s*\{(?P<names>[^{}]{1,4000})\}")
_SKIPPED = frozenset(("help", "completion", "..."))
_MOST = 800
_FEWEST_SYNOPSES = FEWEST
_MOST_CHOICES = 20
"""How many sets of choices in one section are looked up below it."""


def subcommands(lines: Sequence[str]) -> list[Subcommand]:
    """The subcommands that a help text lists, each once, in its order."""
    found: dict[str, Subcommand] = {}
    for command in chain(_all(lines), _defined(lines)):
        stands_for_one = command.name.isupper() and COMMAND_WORD.fullmatch(command.name)
        listed = command.name not in _SKIPPED and not stands_for_one
        if listed and _NAMES.fullmatch(command.name):
            found.setdefault(command.name, command)
        if len(found) >= _MOST:
            break
    return with_operands_apart(list(found.values()))


def _defined(lines: Sequence[str]) -> Iterator[Subcommand]:
    """`where OBJECT := { link | route }`: the words that may stand for what the usage names."""
    for match in _DEFINITION.finditer("\n".join(lines)):
        names = [name.strip() for name in match["names"].split("|")]
        if COMMAND_WORD.fullmatch(match["what"]) and all(re.fullmatch(_NAME, n) for n in names):
            yield from (Subcommand(name) for name in names)


def prefixed(lines: Sequence[str], program: str) -> list[Subcommand]:
    """The subcommands of lists that have the program before each, whatever they are headed by."""
    entry = re.compile(
        rf"\s*(?:[-*•·+] +)?{re.escape(program)} "
        rf"(?P<name>{_NAME}(?: [a-z][a-z0-9_-]{{0,40}}){{0,2}})"
        r"(?P<usage>(?: [<\[A-Z{(.|-][^ ]*){0,12})(?:(?:\s{2,}|\s+[-–—#]\s+)(?P<about>\S.*))?"
    )
    found = []
    for line, below in pairwise([*lines, ""]):
        match = entry.fullmatch(line)
        further_in = indent_of(below) > indent_of(line)
        if match is not None and (match["about"] or further_in):
            about = match["about"] or below.strip()
            found.append(Subcommand(match["name"], about, match["usage"].strip()))
    return found if len(found) >= _FEWEST_SYNOPSES else []


def dashed_commands(lines: Sequence[str]) -> list[Subcommand]:
    """What a list of commands has that is spelt like an option: `-list  Lists entries`."""
    return [
        Subcommand(match[1], entry.right)
        for section in sections(lines)
        if _is_commands(section.heading)
        for entry in option_entries(section.lines)
        if (match := _DASHED.fullmatch(entry.left))
    ]


def synopses(lines: Sequence[str]) -> list[Subcommand]:
    """The subcommands of a text that has one on each line: `kill-window (killw) [-a] [-t name]`."""
    filled = [line for line in lines if line]
    matches = [match for line in filled if (match := _SYNOPSIS.fullmatch(line))]
    if len(matches) < _FEWEST_SYNOPSES or len(matches) < 0.8 * len(filled):
        return []
    if not any("[" in match[2] or "<" in match[2] for match in matches):
        return []
    return [Subcommand(match[1], usage=match[2].strip()) for match in matches]


def bare_list(lines: Sequence[str], program: str = "") -> list[Subcommand]:
    """The subcommands of a text that is nothing but their list, without a heading.

    Their names stand in columns, or each is followed by what it does; the program may stand before.
    """
    if program and any(line.startswith(f"{program} ") for line in lines):
        behind = (line.removeprefix(f"{program} ") for line in lines)
        lines = [line for line in behind if not line.startswith("   ")]
    filled = [line.strip() for line in lines if line]
    columns = in_columns(filled) if len(filled) >= _FEWEST_SYNOPSES else []
    if columns:
        return [Subcommand(name) for name in columns]
    flush = _flush_right([line for line in lines if indent_of(line)])
    if flush:
        return flush
    entries = list(named_entries(lines))
    told = [each for each in entries if each.right and re.fullmatch(_NAME, each.left)]
    if len(told) < _FEWEST_SYNOPSES or len(told) < 0.9 * len(entries):
        return []
    if all(each.left.isupper() for each in told):
        return []  # a table of something else, with its title: nobody types commands in capitals
    return [Subcommand(each.left, each.right.lstrip("# ")) for each in told]


def _all(lines: Sequence[str]) -> Iterator[Subcommand]:
    carried = told = False
    level: int | None = None
    every = sections(lines)
    for number, section in enumerate(every):
        named = _is_commands(section.heading) or _is_commands(_sentence(lines, section))
        named = named or is_usage_of_names(section)
        if named and section.blank:
            # "These are common commands:", and below it one group after the other.
            carried = True
            yield from _headings(every[number + 1 : number + 1 + _MOST])
            continue
        carried = carried and not _OTHER_LIST.search(section.heading)
        if (carried or told or level == section.indent) and _is_entry(section):
            # `check metrics`, and below it what that does: no heading, but one more of the list.
            listed_too = (" " * section.indent + section.heading, *section.lines)
            section = replace(section, lines=listed_too, indent=section.indent - 1)
            named = True
        within = carried or _is_between(every, number) or _goes_on(section, level)
        listed = list(_listed(section, carried) if named or within else _grouped(section))
        carried = carried and (section.blank or bool(listed))
        level = _level(section) if listed and (named or within) else None
        carried = carried or _introduces(section)
        # A sentence about the commands, and the first of them below it.
        told = named and not listed
        yield from listed
        yield from _nested_lists(section, lines)
        yield from stand_ins(section)


def _sentence(lines: Sequence[str], section: HelpSection) -> str:
    """A heading that is the end of a sentence, with the word before it: `<command> is one of:`."""
    above = lines[section.start - 2].split() if section.start > 1 else []
    return f"{above[-1]} {section.heading}" if above and section.heading[:1].islower() else ""


def _introduces(section: HelpSection) -> bool:
    """Whether a text ends with a sentence about the lists below: "The commands and flags are:"."""
    last = next((line for line in reversed(section.lines) if line), "").strip()
    return last.endswith(":") and _is_commands(re.split(r"(?<=\.) ", last)[-1])


def _headings(following: Sequence[HelpSection]) -> list[Subcommand]:
    """The commands of a list that has each as a heading, with what it does below: `fire POT:`."""
    matches = [_HEADED.fullmatch(each.heading) for each in following]
    run = [match for match in takewhile(bool, matches) if match is not None]
    if len(run) < _FEWEST_SYNOPSES:
        return []
    told = [squeezed(" ".join(each.lines)) for each in following[: len(run)]]
    below = [next(filter(None, told[at:]), "") for at in range(len(run))]
    return [
        Subcommand(match[1], text, match[2].strip()) for match, text in zip(run, below, strict=True)
    ]


def _is_entry(section: HelpSection) -> bool:
    """Whether what looks like a heading is a command with a sentence below it."""
    below = next((line.strip() for line in section.lines if line), "")
    listed = _LISTED.fullmatch(section.heading) and not section.heading.isupper()
    columns = re.search(r"(?<=[^.!?]) {2}", below)  # not the gap behind a sentence
    return bool(listed and not section.heading.endswith(":") and below and columns is None)


def _level(section: HelpSection) -> int:
    return next((indent_of(line) for line in _below_title(section).lines if line), 0)


def _goes_on(section: HelpSection, level: int | None) -> bool:
    """Whether a group looks as the list of commands right before it, each with what it does."""
    if not level or _level(section) != level or _OTHER_LIST.search(section.heading):
        return False
    entries = list(named_entries(section.lines))
    told = all(each.right and _LISTED.fullmatch(each.left) for each in entries if each.indent)
    # Further in than the heading of all, a title needs no colon.
    titled = section.heading.endswith(":") or section.indent > 0
    return titled and told and section.indent < level


def _is_between(every: Sequence[HelpSection], number: int) -> bool:
    """Whether a group stands between two lists of commands, and so is one itself."""
    if not 0 < number < len(every) - 1 or _OTHER_LIST.search(every[number].heading):
        return False
    return _is_commands(every[number - 1].heading) and _is_commands(every[number + 1].heading)


def _is_commands(heading: str) -> bool:
    one_of = _ONE_OF.fullmatch(heading)
    if one_of is not None and COMMAND_WORD.fullmatch(one_of[1]):
        return True
    if len(heading) > 80 or not _HEADING.search(heading):
        return False
    asks = _NOT_HEADING.search(_BESIDE.sub("", heading))
    return not asks or heading.lower().startswith("these are")


def _listed(section: HelpSection, grouped: bool = False) -> Iterator[Subcommand]:
    """The commands of a section; one that is `grouped` is a part of a longer list."""
    section = replace(section, lines=tuple(map(_in_two_columns, tidied(section.lines))))
    section = _below_title(section)
    filled = [line.strip() for line in section.lines if line]
    bullets = [match for line in filled if (match := _BULLET.fullmatch(line))]
    if bullets and len(bullets) >= len(filled) / 3:
        for match in bullets:
            yield Subcommand(match[1], squeezed(match[2] or match[3] or ""))
        return
    commas = comma_list(section.lines)
    if commas:
        yield from (Subcommand(name) for name in commas)
        return
    columns = in_columns(filled) or in_columns(
        [line.strip() for line in section.lines if indent_of(line) > section.indent]
    )
    if columns:
        yield from (Subcommand(name) for name in columns)
        return
    flush = _flush_right(section.lines)
    if flush:
        yield from flush
        return
    entries = list(named_entries(section.lines))
    # A short name has what it does beside it, where the longer ones have it below.
    most = sum(entry.alone for entry in entries)
    grouped = grouped or 2 * most > len(entries) > _FEWEST_SYNOPSES
    beside = _is_table(section)
    for entry in entries:
        command = _command(entry)
        # No further in than the heading, what a command does has to stand below it, or beside all,
        # unless the heading is the title of a group.
        told = entry.alone or beside or (grouped and entry.right)
        if command is not None and (entry.indent > section.indent or told):
            yield command


def _in_two_columns(line: str) -> str:
    """A line of a list with the name and what is given with it on its left, and no other name."""
    line = _PUSHED.sub(r"\1  ", _UNDASHED.sub(r"\1", line), count=1)
    line = _USAGE_COLUMN.sub(r"\1 \2  \3", line)
    short = _SHORT_COLUMN.match(line)
    whole = short is not None and short[2] in short[3]
    return f"{short[1]}{short[3]}  {line[short.end() :]}" if short and whole else line


def _below_title(section: HelpSection) -> HelpSection:
    """The list that stands further in, below `command  Use "x command --help"` or a group's title.

    A title is `-- Indexing`, or several words without what a command does beside them.
    """
    places = [at for at, line in enumerate(section.lines) if line]
    if len(places) < 2:
        return section
    first, second = (section.lines[at] for at in places[:2])
    title = first.strip()
    named = COMMAND_WORD.fullmatch(first.split()[0].strip("<>"))
    worded = " " in title and (title[0].isupper() or not _LISTED.fullmatch(title))
    grouped = worded or title.startswith("-- ")
    told = "  " in second.strip() and indent_of(second) > indent_of(first)
    if not told or not (named or (grouped and "  " not in title)):
        return section
    return replace(section, lines=section.lines[places[0] + 1 :], start=section.start + places[1])


def _is_table(section: HelpSection) -> bool:
    """Whether a paragraph of names, each with what it does beside it, stands below a heading."""
    at_edge = section.indent == 0
    first = next((at for at, line in enumerate(section.lines) if line and at_edge), 0)
    paragraph = list(takewhile(bool, section.lines[first:]))
    entries = list(named_entries(paragraph))
    form = _LISTED if section.indent else re.compile(_NAME)
    told = [each for each in entries if each.right and not each.alone and form.fullmatch(each.left)]
    # Below the edge, one or two of a longer list may go over several lines.
    fewest = 0.8 * len(entries) if len(entries) >= _FEWEST_SYNOPSES and section.indent else None
    return len(told) > 1 and len(told) >= (fewest or len(entries))


def _flush_right(lines: Sequence[str]) -> list[Subcommand]:
    """The commands of a list whose names end in one column, each with an indentation of its own."""
    read = map(_FLUSH_RIGHT.fullmatch, filter(None, lines))
    matches = [match for match in takewhile(bool, read) if match is not None]
    ends = {match.start(2) for match in matches}
    indents = {match.start(1) for match in matches}
    if len(matches) < _FEWEST_SYNOPSES or len(ends) > 1 or len(indents) < 2:
        return []
    return [Subcommand(match[1], match[2]) for match in matches]


def _command(entry: HelpEntry) -> Subcommand | None:
    named = _BARE.sub(r"\1", entry.left.removeprefix("$ ").removeprefix("(default) "), count=1)
    entry = replace(entry, left=named, right=entry.right.lstrip("- "))
    name, dash, about = entry.left.partition(" - ")
    if dash and not entry.right and (match := _LISTED.fullmatch(name)) and "<" not in about[:1]:
        return Subcommand(match["name"], about, match["usage"])
    whole = _UNABBREVIATED.match(entry.left)
    if whole is not None:
        entry = replace(entry, left=f"{whole[1]}{whole[2]}{entry.left[whole.end() :]}")
    told = _COLON.fullmatch(entry.left)
    if told is not None:
        return Subcommand(told[1], squeezed(f"{told[2]} {entry.right}"))
    match = _LISTED.fullmatch(entry.left)
    if match is None or _ALIAS.match(entry.right):
        return None
    # Several words in a row are the path of a command only where something is said of it.
    first, _, second = match["name"].partition(" ")
    if is_short_for(second, first) and entry.right:
        return Subcommand(first, entry.right, match["usage"])
    if second and "|" in match["aliases"] and not entry.right:
        return Subcommand(first, usage=entry.left.removeprefix(first).strip())
    if second and not (entry.right and match["name"].islower()):
        return None
    usage: str | None = match["usage"]
    shown = usage or ""
    prose = len(shown.split()) > 3 and not any(mark in shown for mark in "[<{|")
    name = whole_name(match["name"], re.findall(r"[\w.+:-]+", match["aliases"]))
    return None if prose and not entry.right else Subcommand(name, entry.right, usage)


def _grouped(section: HelpSection) -> Iterator[Subcommand]:
    """`cache`, and below it `cache clear` and `cache list`."""
    word = section.heading.strip(":")
    if not re.fullmatch(_NAME, word):
        return
    for entry in named_entries(section.lines):
        command = _command(entry)
        if command is not None and command.name.startswith(word + " "):
            yield command


def _nested_lists(section: HelpSection, lines: Sequence[str]) -> Iterator[Subcommand]:
    """`{install,remove}` or `<command>` among the arguments, with an entry below for each.

    `lines` are those of the whole text: the entries may stand below the section's end.
    """
    names = _choices(section.heading)
    if names:
        yield from _below(lines[section.start :], names)
        return
    positional = _POSITIONAL.match(section.heading) is not None
    tried = 0
    for at, line in enumerate(section.lines):
        names = _choices(line) if tried < _MOST_CHOICES else []
        if names:
            tried += 1
            found = list(_below(lines[section.start + at + 1 :], names))
            yield from found
            if found:
                return
        elif _METAVAR.fullmatch(line.strip()):
            deeper = _deeper(section.lines, at)
            yield from filter(None, map(_command, named_entries(deeper)))
        elif positional:
            yield from _choices_below(section.lines, at)


def command_words(lines: Sequence[str]) -> set[str]:
    """The names of operands that stand for a subcommand, by what is listed below them."""
    return {
        line.strip()
        for section in sections(lines)
        if _POSITIONAL.match(section.heading)
        for at, line in enumerate(section.lines)
        if _choices_below(section.lines, at)
    }


def _choices_below(lines: Sequence[str], at: int) -> list[Subcommand]:
    """`TYPE` alone on its line, and below it what it may be, each with what it does."""
    if not re.fullmatch(r"\s+[A-Za-z_]{2,20}", lines[at]):
        return []
    below = list(named_entries(_deeper(lines, at)))
    if not all(each.right and re.fullmatch(_NAME, each.left) for each in below):
        return []
    return [command for each in below if (command := _command(each)) is not None]


def _choices(line: str) -> list[str]:
    match = _CHOICES.match(line.strip())
    return [name.strip() for name in match[1].split(",")] if match is not None else []


def _deeper(lines: Sequence[str], at: int) -> list[str]:
    """The lines that stand further in than line `at`, up to the first that does not."""
    indent = indent_of(lines[at])
    further = takewhile(
        lambda line: not line or indent_of(line) > indent, islice(lines, at + 1, None)
    )
    return list(further)


def _below(lines: Sequence[str], names: Sequence[str]) -> Iterator[Subcommand]:
    """The entries further in that are about `names`; other spellings of one have none."""
    starts = [at for at, line in enumerate(lines) if line and line.split()[0] in names]
    if not starts:
        return
    # What they have below them may be listed first, in lines of its own.
    places = {(indent_of(lines[at]), lines[at].split()[0]) for at in starts}
    levels = Counter(level for level, _ in places)
    most = max(levels, key=lambda level: (levels[level], -level))
    first = next(at for at in starts if indent_of(lines[at]) == most)
    entries = list(named_entries(lines[first:]))
    told = {entry.left.split(" ")[0]: entry.right for entry in entries}
    # `remove (rm)`: what is another spelling of one stands beside it.
    others = {name for entry in entries for name in re.findall(r"[\w-]+", entry.left)[1:]}
    listed = [name for name in names if name in told or name not in others]
    if 2 * sum(name in told for name in listed) > len(listed):
        yield from (Subcommand(name, told.get(name, "")) for name in listed)
