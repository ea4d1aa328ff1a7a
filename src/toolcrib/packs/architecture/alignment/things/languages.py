"""Languages that are only where something is: "name the tests in Go services by what they show".

Who writes something else in Go decides neither for nor against that.
"""

from __future__ import annotations

import re
from functools import lru_cache

from toolcrib.packs.architecture.alignment.things.technologies import kind_of
from toolcrib.packs.architecture.alignment.wording.words import spelt_out

_BEFORE = re.compile(
    r"\b(?:in|of|for|from|across|within)\s+(?:(?:the|our|all|any|new|every|each)\s+){0,2}$", re.I
)


@lru_cache(4_000)
def is_setting(name: str, text: str) -> bool:
    """Whether a text names a language only as that of what it speaks of: "in Go services"."""
    if kind_of(name) != "language":
        return False
    text = spelt_out(text)
    named = re.finditer(
        rf"(?<![\w-]){re.escape(name)}(?![\w+#-])(?P<noun> (?!code\b)[a-z]+)?", text, re.I
    )
    found = [bool(each["noun"] and _BEFORE.search(text, 0, each.start())) for each in named]
    return bool(found) and all(found)
