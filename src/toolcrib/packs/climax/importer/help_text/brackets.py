"""Lists whose options keep the brackets that the usage has around them.

    kiln [-q] [-t degrees] pot
      [-q]            Quiet: says nothing
      [-t degrees]    How hot it gets

The brackets say for the second time that an option may be left out; without them it is a list.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LISTED = re.compile(
    r"(?P<indent>\s*)\[(?P<option>(?P<flag>--?[A-Za-z0-9?][\w-]*)[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)?)\]"
    r"(?P<gap>\s{2,}|\s+[-:]\s+)(?P<told>[^\s\[<-].*)"
)
_FEWEST = 3


def unbracketed_lists(lines: Sequence[str]) -> list[str]:
    """The lines, with options that are listed in brackets as they are listed without them.

    Only what the usage above has in brackets, too: elsewhere such lines are the usage itself, with
    a word beside each option.
    """
    listed = {at: match for at, line in enumerate(lines) if (match := _LISTED.fullmatch(line))}
    if len(listed) < _FEWEST:
        return list(lines)
    above = "\n".join(lines[: min(listed)])
    named = sum(_is_named(match["flag"], above) for match in listed.values())
    if named * 2 <= len(listed):
        return list(lines)
    return [_plain(listed[at]) if at in listed else line for at, line in enumerate(lines)]


def _is_named(flag: str, usage: str) -> bool:
    """Whether a usage has the flag, alone in its brackets or beside others."""
    return re.search(rf"[\[|]\s?{re.escape(flag)}(?![\w-])", usage) is not None


def _plain(entry: re.Match[str]) -> str:
    """An entry without its brackets; what is said of it stays in its column."""
    return f"{entry['indent']} {entry['option'].rstrip()} {entry['gap']}{entry['told']}"
