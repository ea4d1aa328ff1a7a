"""The constants of the ranking; `docs/decisions` explains how they were chosen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranking:
    """How much each piece of evidence counts."""

    k1: float = 2.0
    """From how much (weighted) repetition on a word adds little more."""
    b: float = 0.8
    """How far a long field is held against its words, 0 to 1."""
    light: float = 0.6
    """The same for fields that weigh little: a command of many options is about each of them."""
    presence: float = 0.15
    """The share of a word's worth that is given for being there at all."""
    name: float = 0.0
    """What a word in the name is worth beside what all fields together give.

    There its rarity is that among names: what most texts have may still tell titles apart."""
    same: float = 0.3
    """Weight of a word that means the same as one of the query."""
    near: float = 0.15
    """Weight of a word that often goes together with one of the query."""
    deed: float = 0.3
    """Weight of a program that does what a word of the query is about."""
    kindred: float = 0.25
    """Weight of a word that is near in meaning, where there are no vectors and words reach nothing.

    The more they reach, the less it weighs, and the sooner."""
    kinds: bool = True
    """Whether files and addresses in a query count by their kind, not by their names."""
    talk: float = 0.25
    """Weight of a word of talk (`tell`, `help`) beside others that say what is wanted."""
    joined: float = 1.0
    """Weight of two neighbours written as one (`merge tool`: `mergetool`)."""
    mended: float = 0.7
    """Weight of the word that a misspelt one was most likely meant to be."""
    begun: float = 0.5
    """Weight of words that begin with one that is unknown as it is."""
    reach: float = 0.5
    """How far the words' score is measured by what the query could have reached, 0 to 1.

    At 0 the best document has it all, however little of the query it has."""
    missing: float = 0.6
    """What a word of the query that no document has adds to what could have been reached."""
    much: float = 0.5
    """From which share of the query on words are trusted, however few they are."""
    chance: float = 0.9
    """The same by what they tell, in words that a single document has.

    What tells less, some document has of any long question."""
    doubt: float = 1.5
    """How soon words are doubted that have neither; at 0 they are always trusted."""
    meaning: float = 0.4
    """Weight of the likeness of meaning, where the lexical score weighs 1."""
    wordless: float = 1.5
    """How much more meaning weighs where words reach nothing; where they reach `much`, no more."""
    alike: float = 0.39
    """Likeness of meaning from which a document counts without sharing a word.

    Where the words reach little of the query, less is asked for, down to `faint`."""
    faint: float = 0.13
    """The least likeness of meaning that counts at all."""
    head: float = 0.05
    """What a tool gains whose name has the first word of the query: what is to be done."""
    opening: float = 0.03
    """What a tool gains whose description begins with the first word of the query."""
    verb: float = 0.03
    """What a tool gains whose verb is that of the query, and loses whose verb is another one."""
    program: float = 1.0
    """What a tool gains whose program, one of several commands, is the first word of the query."""
    brevity: float = 0.12
    """What a step of a path costs that was not asked for: the plainer command is the likelier."""
    wrapper: float = 0.15
    """What a program's copy of another one's command loses beside that."""
    phrase: float = 0.05
    """What a tool gains for having the words of the query side by side in name or description."""
    detail: float = 0.2
    """What a tool gains for having them side by side in one of its arguments."""
    folded: float = 0.15
    """What a tool loses for having the words of the query in another form only."""
    group: float = 0.05
    """What a command loses that has commands of its own: a deed is done by one of these."""
    namesake: float = 0.2
    """What a document loses for each better one of the same name."""
    twin: float = 0.1
    """What a document loses for each better one with the same summary."""
    copy: float = 0.3
    """What a command loses besides for each better one that is the same in another program."""


TOOLS = Ranking()
"""For tools: short texts, names that are words."""

DOCUMENTS = Ranking(
    b=0.75,
    light=0.75,
    presence=0.05,
    name=0.5,
    same=0.1,
    deed=0.0,
    near=0.0,
    kindred=0.0,
    kinds=False,
    talk=1.0,
    reach=0.0,
    much=0.4,
    doubt=0.0,
    meaning=0.3,
    wordless=0.0,
    faint=0.39,
    head=0.0,
    opening=0.0,
    verb=0.0,
    program=0.0,
    brevity=0.0,
    wrapper=0.0,
    phrase=0.0,
    detail=0.0,
    folded=0.0,
    group=0.0,
    namesake=0.0,
    twin=0.0,
    copy=0.0,
)
"""For documents: long texts, titles that are sentences."""
