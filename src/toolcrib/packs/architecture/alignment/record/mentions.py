"""Mentions: the names in a record by what is said around them, where no choice has them.

Options and the sentences that say "use" are what a record stands for (`stances.py`). Much of what
it settles is said in passing: an identifier in the details of the decision is a part of it, and a
name that stands only among the alternatives, or behind "instead of", was turned down. Such names
count where nothing else in the record meets a proposal, and only those that are surely names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from toolcrib.packs.architecture.alignment.wording.clauses import Clause, read_clauses
from toolcrib.packs.architecture.alignment.wording.names import Names
from toolcrib.packs.architecture.alignment.wording.stating import gives_an_example

# What is said no to by the way, outside of a decision: most other negations there only explain.
_TURNED_DOWN = re.compile(
    r"\b(?:instead of|rather than|in favou?r of|no longer|deprecat\w+|replac\w+|remov\w+|retir\w+"
    r"|mov\w+ (?:away|off)|avoid\w*|stop\w*|drop\w*|abandon\w*|reject\w*|decided against)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name, whether the record says yes or no to it, and the sentence that does."""

    name: str
    wanted: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Mentions:
    """The names of a record that its decision uses, and those that it turned down."""

    _by_name: dict[str, Mention] = field(default_factory=dict)

    def among(self, words: Collection[str]) -> Iterator[Mention]:
        """Those that are among some words, also in the plural or out of it."""
        for word in sorted(words):
            for name in (word, f"{word}s", word.removesuffix("s")):
                if name in self._by_name:
                    yield self._by_name[name]
                    break

    def without(self, names: Collection[str]) -> Mentions:
        """The same without some names."""
        return Mentions({name: each for name, each in self._by_name.items() if name not in names})


def read_mentions(
    decided: Iterable[str], weighed: Iterable[str], others: Iterable[str], names: Names
) -> Mentions:
    """Read the sentences of a decision, of the options that it weighs, and of all the rest.

    What the decision itself says yes and no to says nothing.
    """
    yes: dict[str, str] = {}
    no: dict[str, str] = {}
    for sentence, clause in _clauses(decided, names):
        (yes if clause.wanted else no).update(_sure(clause.text, sentence, names))
    turned_down = (each for each in others if _TURNED_DOWN.search(each))
    against = {
        name: sentence
        for only_denied, sentences in ((False, weighed), (True, turned_down))
        for sentence, clause in _clauses(sentences, names)
        if not (only_denied and clause.wanted)
        for name in _sure(clause.text, sentence, names)
    }
    said = {**against, **no, **yes}
    both = yes.keys() & no.keys()
    return Mentions({name: Mention(name, name in yes, said[name]) for name in said.keys() - both})


def _clauses(sentences: Iterable[str], names: Names) -> Iterator[tuple[str, Clause]]:
    """The clauses of those sentences that have a name."""
    for sentence in sentences:
        if _sure(sentence, sentence, names) and not gives_an_example(sentence):
            for clause in read_clauses(sentence):
                yield sentence, clause


def _sure(text: str, sentence: str, names: Names) -> dict[str, str]:
    return {name: sentence for name in names.within(text) if names.is_sure(name)}
