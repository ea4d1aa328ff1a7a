"""Which options of a usage take the word behind them, where their list does not tell.

Usage: kiln [-v] pot...
       kiln -c pot...
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolcrib.packs.climax.importer.help_text.usage.variant import Variant
from toolcrib.packs.climax.importer.model import HelpOption


def named_values(usages: Sequence[str], options: Sequence[HelpOption]) -> set[str]:
    """The flags that a usage has before their own long name: `-m mode` of `-m or --mode`."""
    text = " ".join(usages)
    found: set[str] = set()
    for option in options:
        name = next((flag[2:] for flag in option.flags if flag.startswith("--")), "")
        short = next((flag for flag in option.flags if len(flag) == 2), "")
        shown = rf"(?<![\w-]){re.escape(short)} <?{re.escape(name)}>?(?![\w-])"
        # `kiln pot -o plate`: behind what it takes, a switch would have nothing to switch.
        last = rf"[\w>.+] {re.escape(short)} <?[a-z][\w.-]*>?(?: |\Z)"
        at_end = short and any(re.search(rf"{last}\Z", usage) for usage in usages)
        if at_end or (name and short and re.search(shown, text)):
            found |= set(option.flags)
    return found


def shared_by_ways(ways: Sequence[Variant]) -> set[str]:
    """The flags whose value is what another way takes without any: then it is no value."""
    alone = {way.operands()[0].name for way in ways if len(way.operands()) == 1}
    return {
        option.main
        for way in ways
        if not way.operands()
        for option in way.options()[-1:]
        if option.required and option.value in alone and not (option.joined or option.glued)
    }
