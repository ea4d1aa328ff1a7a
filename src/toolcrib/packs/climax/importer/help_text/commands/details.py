"""Lines of a list of commands that are no entries: what is done without one, and what one takes.

Commands:
                    fires the pot
  show              shows all pots
    show <pot>      shows one
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from toolcrib.packs.climax.importer.help_text.text import indent_of
from toolcrib.packs.climax.importer.help_text.usage.words import names_operand
from toolcrib.packs.climax.importer.model import Subcommand

_NAME = re.compile(r"(\s+)([a-z][\w-]*)((?:, ?[\w-]+)*)(?= {2,}\S)")
_WAY = re.compile(
    r"(\s+)(?P<name>[a-z][\w-]*)(?P<usage>(?: (?:<[^<>]+>|\[[^\[\]]+\]|[A-Z]+))+) {2,}"
)


def tidied(lines: Sequence[str]) -> list[str]:
    """The lines of a list with its entries alone; an entry has behind it what is shown below it."""
    return _with_ways(_without_nameless(list(lines)))


def with_operands_apart(commands: Sequence[Subcommand]) -> list[Subcommand]:
    """The commands, where `glaze pot` and `fire pot` both take a pot.

    Of `pot list` and `kiln list`, each first word would come with others behind it.
    """
    pairs = [each.name.split() for each in commands if " " in each.name]
    firsts, seconds = {pair[0] for pair in pairs}, Counter(pair[1] for pair in pairs)
    names = {each.name for each in commands}
    if len(firsts) < len(pairs) or len(pairs) == len(commands) or not firsts.isdisjoint(names):
        return list(commands)
    return [_apart(each) if _takes_rest(each.name, seconds) else each for each in commands]


def _takes_rest(name: str, seconds: Counter[str]) -> bool:
    """Whether the words behind the first are operands: as others have them, or by their names."""
    rest = name.split()[1:]
    shared = len(rest) == 1 and seconds[rest[0]] > 1
    named = (names_operand(word, inside=True, alone=False, dots=False) for word in rest)
    return bool(rest) and (shared or all(named))


def _apart(command: Subcommand) -> Subcommand:
    first, *rest = command.name.split()
    taken = " ".join(f"<{word}>" for word in rest)
    return replace(command, name=first, usage=f"{taken} {command.usage or ''}".strip())


def _without_nameless(lines: list[str]) -> list[str]:
    """The lines without a first one that stands further in: the command that needs no name."""
    places = [at for at, line in enumerate(lines) if line][:2]
    if len(places) < 2:
        return lines
    first, second = (lines[at] for at in places)
    column = indent_of(first)
    aligned = column > indent_of(second) > 0 and second[column - 2 : column] == "  "
    return lines[places[1] :] if aligned and second[column : column + 1].strip() else lines


def _with_ways(lines: list[str]) -> list[str]:
    """The lines, where `show` and `show <pot>` further in are one entry."""
    found: list[str] = []
    for line in lines:
        way = _WAY.match(line)
        above = _NAME.match(found[-1]) if found else None
        same = way is not None and above is not None and way["name"] == above[2]
        if way is not None and above is not None and same and len(way[1]) > len(above[1]):
            told = found[-1][above.end() :].lstrip()
            found[-1] = f"{above[1]}{above[2]}{way['usage']}  {told}"
        else:
            found.append(line)
    return found
