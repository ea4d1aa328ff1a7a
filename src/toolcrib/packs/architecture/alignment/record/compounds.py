"""Compounds: two words side by side that together name a thing, "rake task", "feature flag".

Neither word is a name, and each alone may stand anywhere. Where a decision and a proposal both say
the two together, they speak of the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from toolcrib.packs.architecture.alignment.record.using import tells_of
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses
from toolcrib.packs.architecture.alignment.wording.stating import gives_an_example
from toolcrib.packs.architecture.alignment.wording.words import DOING, stems_in
from toolcrib.search.tokens import STOP_WORDS

Compound = tuple[str, str]

_BREAK = re.compile(r"[,.;:!?()\[\]\"“”|]+(?=\s|$)|\s[-–—]\s|[(\[\"“]")
_DOER = re.compile(r"[a-z]{3}(?:er|or)s?$", re.I)
_WORD = re.compile(r"[^\W\d_][\w+#]*")


def read_compounds(sentences: Iterable[str]) -> Mapping[Compound, str]:
    """The compounds that some sentences of a decision say yes to, each with its sentence.

    Those that any of the sentences says no to are left out.
    """
    yes: dict[Compound, str] = {}
    no: set[Compound] = set()
    for sentence in sentences:
        if gives_an_example(sentence):
            continue
        for clause in read_clauses(sentence):
            for compound in compounds(clause.text):
                if clause.wanted:
                    yes.setdefault(compound, sentence)
                elif not tells_of(clause.text):
                    no.add(compound)
    return {compound: sentence for compound, sentence in yes.items() if compound not in no}


@lru_cache(10_000)
def compounds(text: str) -> frozenset[Compound]:
    """Each two telling words of a text that stand side by side, as stems."""
    return frozenset(each for piece in _BREAK.split(text) for each in _pairs(piece))


def _pairs(piece: str) -> Iterator[Compound]:
    for one, two in pairwise(map(_telling, _WORD.findall(piece))):
        if one and two:
            yield one, two


@lru_cache(20_000)
def _telling(word: str) -> str:
    """The stem of a word that can be a part of a name; nothing for all others."""
    stems = stems_in(word)
    if not stems or word.lower() in STOP_WORDS or stems[-1] in STOP_WORDS:
        return ""
    # To select is only doing, but a selector is a thing.
    thing = _DOER.search(word) is not None and not stems[-1].endswith("er")
    return stems[-1] if thing or stems[-1] not in DOING else ""
