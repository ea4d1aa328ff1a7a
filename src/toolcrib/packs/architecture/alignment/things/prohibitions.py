"""What a record forbids in a list: "Prohibited methods:", and the items below."""

from __future__ import annotations

import re

from toolcrib.packs.architecture.alignment.record.parts import plain_text, unmarked

_FORBIDS = re.compile(r"prohibited|forbidden|banned|disallowed|not (?:al|perm|acc|sup)", re.I)
_LABEL = re.compile(
    r"^[ \t#>*_-]*(?:(?:the following|these)(?: \w+)? (?:is|are) )?(?:strictly |explicitly )?"
    r"(?:prohibited|forbidden|banned|disallowed|not (?:allowed|permitted|accepted|supported))"
    r"\b[^\n.:]{0,60}:?[ \t*_]*$",
    re.I,
)
_ITEM = re.compile(r"^[ \t]{0,3}(?:[-*+•]|\d{1,2}[.)])[ \t]+(?P<text>\S.*)$")
# Where the name of what is forbidden ends, and where a list of things is cut.
_DETAIL = re.compile(r"\s(?:with|without|that|which|for|to|in|on|from|over|by)\s|[(:;–—]")
_LISTED = re.compile(r",\s*(?:and |or )?|\s(?:and|or)\s")


def forbidden_items(body: str) -> list[str]:
    """The items of all lists of a text that forbid what they name."""
    found: list[str] = []
    if not _FORBIDS.search(body):
        return found  # as of nearly every record
    below = False
    for line in plain_text(body).splitlines():
        item = _ITEM.match(line)
        if _LABEL.match(line):
            below = True
        elif below and item is not None:
            found.append(unmarked(item["text"]).strip())
        elif line.strip() and not line.startswith((" ", "\t")):
            below = False
    return found


def things_of(item: str) -> list[str]:
    """The things that an item names, without what tells more of them."""
    named = (each.strip(" .,") for each in _LISTED.split(_DETAIL.split(item)[0]))
    return [each for each in named if each]
