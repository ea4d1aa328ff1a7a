"""Mentions: the names in a record by what is said around them, where no choice has them.

Options and the sentences that say "use" are what a record stands for (`stances.py`). Much of what
it settles is said in passing: an identifier in the details of the decision is a part of it, and a
name that stands only among the alternatives, or behind "instead of", was turned down. Such names
count where nothing else in the record meets a proposal, and only those that are surely names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from toolcrib.packs.architecture.alignment.things.languages import is_setting
from toolcrib.packs.architecture.alignment.wording.clauses import Clause, read_clauses
from toolcrib.packs.architecture.alignment.wording.names import Names
from toolcrib.packs.architecture.alignment.wording.stating import (
    concedes,
    gives_an_example,
    only_for,
    tells_the_present,
)

# What is said no to by the way, outside of a decision: most other negations there only explain.
_TURNED_DOWN = re.compile(
    r"\b(?:instead of|rather than|in favou?r of|no longer|deprecat\w+|replac\w+|remov\w+|retir\w+"
    r"|mov\w+ (?:away|off)|avoid\w*|stop\w*|drop\w*|abandon\w*|reject\w*|decided against)\b",
    re.I,
)
# What stands behind these is what a thing is held against: "more features than X".
_COMPARED = re.compile(
    r"\b(?:than|unlike|compared (?:to|with)|in contrast to|as opposed to|versus|vs\.?|similar to"
    r"|(?:benefits?|advantages?|improvements?|edge|prefer\w*|chos\w+|choos\w+)"
    r"(?: of \S+| \S+)? over)\s",
    re.I,
)
# Something is only thought of; and the next sentence says why it is not taken.
_THOUGHT_OF = re.compile(
    r"\b(?:we|one|you|it) (?:could|might) (?:also |as well |then )?(?:use|take|have|try|adopt)\b"
    r"|\b(?:common|popular|usual|typical|straight-?forward|obvious|naive|other|another|simplest)"
    r" (?:one|option|way|approach|solution|strategy|pattern|choice)\b",
    re.I,
)
# Among what was weighed it also says what was taken: "we chose X because of its speed".
_CHOSE = re.compile(
    r"^\W*we (?:have )?(?:chose|chosen|picked|selected|settled on|went with)\b", re.I
)
_NAMED = r"[\w+#@/-]+(?:\.\w+)*(?: [A-Z][\w.+#-]*){0,3}"
_ENDS = (
    r"(?=\W*$|[,.;:)]|\s(?:as|for|in|on|to|and|because|due|which|that|when|since|is|are|by|with"
    r"|from|completely|entirely)\b)"
)
_LEAVES = re.compile(
    r"\b(?:replac(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|retir(?:e|es|ed|ing)|deprecat(?:e|es|ing)"
    r"|abandon(?:s|ed|ing)?|get(?:ting)? rid of|(?:mov|migrat|switch|transition)(?:e|es|ed|ing)?"
    r" (?:away )?from|stop(?:s|ped|ping)? using)\s+"
    r"(?:(?:the|our|all|any|previous|existing|old|usage of|use of)\s+){0,3}"
    rf"(?P<left>{_NAMED})(?: [a-z]+s)?{_ENDS}"
    rf"|(?:^|[,;(] )\W*(?:the |our )?(?P<bad>{_NAMED}) (?:\w+ )?"
    r"(?:(?:is|are|was|has been|have been|seems?)"
    r" (?:\w+ )?(?:deprecated|unmaintained|abandoned|discontinued|obsolete|outdated"
    r"|end[- ]of[- ]life"
    r"|(?:no longer|not|not to be) (?:actively )?(?:maintained|supported|developed))"
    r"|(?:is|are|does|do|has|have)(?: not|n['’]t) (?:getting|being|been|get|receive|received)\b)"
    r"|\b(?:troubles?|problems|issues|difficulties|drawbacks|limitations) (?:with|of) "
    rf"(?:the |our )?(?P<ill>{_NAMED}){_ENDS}"
)
_NOT = re.compile(r"\b(?:not|never|without|cannot)\b|n['’]t\b", re.I)
# Words with a capital, one behind the other, inside of a sentence.
_INSIDE = re.compile(r"(?<=[a-z,;(] )[A-Z][\w+#.-]*(?: [A-Z][\w+#.-]*)*")
_BUT = re.compile(
    r"^\W*(?:however|but|unfortunately|sadly|that said)\W+"
    r"(?:it|this|that|they|these|such|doing so)\b",
    re.I,
)
# What somebody has is not thought of.
_OURS = re.compile(r"\b(?:we|our|us)\b", re.I)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name, whether the record says yes or no to it, and the sentence that does."""

    name: str
    wanted: bool
    sentence: str
    left: bool = False
    """Whether somebody leaves it, or says that it is no good, whatever it is used for."""


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


@dataclass(frozen=True, slots=True)
class Told:
    """The sentences of a record by what they are for."""

    decided: Sequence[str]
    weighed: Sequence[str]
    """Those of the options."""
    others: Sequence[str]
    """All the rest but what follows from the decision."""
    follows: Sequence[str] = ()


def read_mentions(told: Told, names: Names) -> Mentions:
    """Read the sentences of a record for the names in them.

    What the decision itself says yes and no to says nothing.
    """
    yes: dict[str, str] = {}
    no: dict[str, str] = {}
    decided = [each for each in told.decided if not tells_the_present(each) and not concedes(each)]
    decided += [each for each in told.weighed if _CHOSE.match(each)]
    for sentence, clause in _clauses(decided, names):
        own, other = _compared(clause.text)
        (yes if clause.wanted else no).update(_sure(own, sentence, names))
        no.update(_sure(other, sentence, names))
    weighed = [each for each in told.weighed if not _CHOSE.match(each)]
    turned_down = [each for each in (*told.others, *told.follows) if _TURNED_DOWN.search(each)]
    yes = {
        name: sentence
        for name, sentence in yes.items()
        if not any(only_for(each, name) for each in told.decided)
    }
    against = {
        name: sentence
        for only_denied, sentences in (
            (False, (*weighed, *_thought_of(told.others))),
            (True, turned_down),
        )
        for sentence, clause in _clauses(sentences, names)
        if not (only_denied and clause.wanted)
        for name in _sure(clause.text, sentence, names)
    }
    left = dict(_left((*told.others, *told.decided), names))
    said = {**left, **against, **no, **yes}
    both = yes.keys() & no.keys()
    return Mentions(
        {
            name: Mention(name, name in yes, said[name], name in left and name not in yes)
            for name in said.keys() - both
        }
    )


def _compared(text: str) -> tuple[str, str]:
    """What a text is about, and what that is held against: "X has more features than Y"."""
    found = _COMPARED.search(text)
    return (text[: found.start()], text[found.end() :]) if found else (text, "")


def _thought_of(sentences: Sequence[str]) -> Iterator[str]:
    """The sentences that think of something which the next one speaks against."""
    for one, two in pairwise(sentences):
        if _BUT.match(two) and not _OURS.search(one):
            yield one
    yield from (each for each in sentences if _THOUGHT_OF.search(each))


def _left(sentences: Iterable[str], names: Names) -> Iterator[tuple[str, str]]:
    """The names of what somebody leaves, or speaks badly of, whole and not as a part of another.

    "We want to replace X", "X is no longer maintained", "we had trouble with X".
    """
    for sentence in sentences:
        for found in _LEAVES.finditer(sentence):
            if found["left"] and _NOT.search(sentence, 0, found.start()):
                continue
            thing = found["left"] or found["bad"] or found["ill"]
            yield from dict.fromkeys(_names_inside(f"the {thing}", names), sentence).items()


def _names_inside(sentence: str, names: Names) -> frozenset[str]:
    """The names that are sure, and those with a capital behind a word without."""
    inside = {word.casefold() for run in _INSIDE.findall(sentence) for word in run.split()}
    return frozenset(
        name for name in names.within(sentence) if name in inside or names.is_sure(name)
    )


def _clauses(sentences: Iterable[str], names: Names) -> Iterator[tuple[str, Clause]]:
    """The clauses of those sentences that have a name."""
    for sentence in sentences:
        if _sure(sentence, sentence, names) and not gives_an_example(sentence):
            for clause in read_clauses(sentence):
                yield sentence, clause


def _sure(text: str, sentence: str, names: Names) -> dict[str, str]:
    return {
        name: sentence
        for name in names.within(text)
        if names.is_sure(name) and not is_setting(name, text)
    }
