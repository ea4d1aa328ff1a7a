"""How many of a thing a text wants: one for all, or one for each.

"Two separate networks" and "share one network" name the same thing, and only the amount tells
that they cannot both be. The amount is said right before what it counts; behind it, "one per
team" makes many of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from toolcrib.packs.architecture.alignment.wording.words import Stems, terms

_ONE = r"one|(?:a |the )?(?:single|shared|common|unified)|the same|shar(?:e|es|ing) (?:the|an?)"
_MANY = (
    r"(?:two|three|four|five|several|multiple|many|(?:an? |their |its )?(?:separate|independent"
    r"|individual|distinct|dedicated|own)|a different|each its own)"
)
_AMOUNT = re.compile(
    rf"\b(?:(?P<one>{_ONE})|(?P<many>{_MANY}(?: (?:separate|independent|distinct|different))?))"
    r"\s+(?!of\b)(?P<run>[\w-]+(?: [\w-]+){0,3})",
    re.I,
)
_ENDS = re.compile(
    r"\b(?:of|for|in|on|at|to|by|per|with|and|or|that|which|who|where|when|is|are|was|will|should"
    r"|can|could|must|has|have|from|as|so|than|each|every|the|an?)\b.*",
    re.I,
)
# Two that are kept apart: nothing is one for both of them.
_APART = re.compile(
    r"\b(?P<one>[\w-]{1,40}(?: [\w-]{1,40}){0,3}?) and"
    r" (?P<two>[\w-]{1,40}(?: [\w-]{1,40}){0,3}?) as"
    r"(?: two)?(?: completely| entirely)? (?:different|separate|distinct|unrelated|independent)\b",
    re.I,
)
_BARE = re.compile(r"\bone\b", re.I)
_QUOTES = re.compile(r"[\"“”*`]")
_EACH = re.compile(r"\W*(?:per|for (?:each|every|all of)|each|apiece)\b", re.I)


class Amount(NamedTuple):
    """Whether one of a thing is wanted for all, and the stems of the thing."""

    one: bool
    thing: Stems

    @property
    def denied(self) -> Amount:
        """What is wanted by whoever does not want it."""
        return Amount(not self.one, self.thing)


@lru_cache(4_000)
def amounts(text: str) -> tuple[Amount, ...]:
    """The amounts in a text, each with what it counts."""
    return tuple(_amounts(text))


def _amounts(text: str) -> Iterator[Amount]:
    text = _QUOTES.sub("", text)
    for found in _APART.finditer(text):
        thing = frozenset(terms(found["one"])) & frozenset(terms(found["two"]))
        if thing:
            yield Amount(False, thing)
    each_one = len(_BARE.findall(text)) > 1  # "one X and one Y"
    for found in _AMOUNT.finditer(text):
        if each_one and _BARE.fullmatch(found["one"] or ""):
            continue
        run = _ENDS.sub("", found["run"])
        thing = frozenset(terms(run))
        if thing:
            each = _EACH.match(text, found.start("run") + len(run.rstrip()))
            yield Amount(found["one"] is not None and each is None, thing)
