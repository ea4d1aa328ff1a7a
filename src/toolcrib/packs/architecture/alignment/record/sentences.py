"""The sentences of a record, and which of them can be quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolcrib.packs.architecture.alignment.record.parts import unmarked
from toolcrib.search.tokens import sentences

_FEWEST_WORDS = 4
_STATED = re.compile(
    r"(?:chosen|selected|preferred) (?:option|alternative|solution|approach)s?\b.{0,60}?:\s*\S",
    re.I,
)
_PLACEHOLDER = re.compile(r"\\\[|\{(?:title|justification)|^\{")
# A heading is no beginning of the sentence in the next line.
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}[ \t].*$", re.M)
_ITEM_MARK = re.compile(r"^\s*(?:[-*+•>]|\d+[.)])\s+")


def is_sentence(text: str) -> bool:
    """Whether a text is a whole sentence; "Chosen option: X" is one, too."""
    if _PLACEHOLDER.search(text):
        return False
    if _STATED.match(text):
        return True
    return len(text.split()) >= _FEWEST_WORDS and text.rstrip("\"'”)*_ ").endswith((".", "!", ";"))


def split_sentences(text: str) -> Iterator[str]:
    """The sentences of a text without its headings and tables, and without their marks."""
    for sentence in sentences(_HEADING.sub(r"\n\g<0>\n", text)):
        if sentence.startswith(("#", "|", "---", "===")):
            continue
        plain = unmarked(_ITEM_MARK.sub("", sentence)).strip()
        if plain:
            yield plain
