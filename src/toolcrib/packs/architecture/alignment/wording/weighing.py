"""Words that weigh one thing against another: which of the two is wanted, and which is not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolcrib.packs.architecture.alignment.things.technologies import family, technologies_in
from toolcrib.packs.architecture.alignment.wording.negation import (
    negations,
    sign_before_a_move,
    sign_of,
)
from toolcrib.packs.architecture.alignment.wording.words import phrase

_TAKES_AWAY = (
    r"forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|prevent(?:s|ed)?|block(?:s|ed)?"
    r"|reject(?:s|ed)?|exclud(?:e|es|ed)|delet(?:e|es|ed)|remov(?:e|es|ed)|purg(?:e|es|ed)"
    r"|disabl(?:e|es|ed)|(?:switch(?:es|ed)?|turn(?:s|ed)?) off|eras(?:e|es|ed)|revok(?:e|es|ed)"
    r"|discard(?:s|ed)?|cancel(?:s|l?ed)?"
)
# What is better for the purpose is taken, what is worse is not.
_IS = r"(?:(?:would|will|may|might|can) )?(?:is|are|be|looks?|seems?|works?|feels?|fits?)\s+"
_BETTER = (
    r"(?:(?:much|far|a lot|clearly|simply|an?|the) )*(?:better|simpler|easier|nicer|cheaper|cleaner"
    r"|safer|lighter|superior|preferable|more (?:suitable|convenient|reliable|robust|mature"
    r"|sensible))"
)
_WORSE = (
    r"(?:(?:much|far|a lot|clearly|simply) )*(?:worse|slower|heavier|harder|clumsier|inferior"
    r"|costlier|uglier|less \w+|more (?:expensive|complex|complicated|fragile|brittle|painful))"
)
# Where anything may be: who keeps a thing out of there gives it up everywhere.
_ANYWHERE = (
    r"(?:(?:our|the|this|that|all|every|any|its|their|new|whole|next) ){0,3}(?:systems?|code ?base"
    r"|code|repo|repos|repository|repositories|projects?|stack|builds?|pipelines?|releases?"
    r"|products?|picture|apps?|applications?|platform|equation|story|mix|game|way|toolchain"
    r"|toolbox|backend|frontend|services?|clusters?|house|plans?|design|room|discussion|scope|it"
    r"|this)\W*$"
)
_THING = r"(?P<one>.+?)"
_OTHER = r"(?P<two>.+)"
# Each: a pattern, and what it says (yes or no) to what stands before, to `one` and to `two`.
_WEIGHED: tuple[tuple[re.Pattern[str], int, int], ...] = tuple(
    (re.compile(pattern, re.I), one, two)
    for pattern, one, two in (
        (rf"\b(?:swap|sub)\w* in\s+{_THING}\s+for\s+{_OTHER}$", 1, -1),
        (
            rf"\b(?:replac|swap|exchang|trad|supplant|supersed)\w*(?: out)?(?! rates?\b)\s+"
            rf"{_THING}\s+(?:with|by|for|against)\s+{_OTHER}$",
            -1,
            1,
        ),
        (rf"\bsubstitut(?:e|es|ed|ing)\s+{_THING}\s+(?:with|by)\s+{_OTHER}$", -1, 1),
        (rf"\bsubstitut(?:e|es|ed|ing)\s+{_THING}\s+for\s+{_OTHER}$", 1, -1),
        (
            rf"\b(?:use|using|take|taking|adopt|choose|pick)\s+{_THING}\s+(?:as (?:a "
            rf"|the )?(?:replacement|substitute|alternative) (?:for|of|to)"
            rf"|to replace)\s+{_OTHER}$",
            1,
            -1,
        ),
        (
            rf"^{_THING}\s+(?:is|are|be|gets?|being|was|were|has been"
            rf"|have been)\s+(?:now )?(?:replaced|superseded|supplanted|swapped out)\s+(?:with|by"
            rf"|for)\s+{_OTHER}$",
            -1,
            1,
        ),
        (rf"^{_THING}\s+{_IS}{_BETTER}\s+(?:\w+ )?(?:than|to)\s+{_OTHER}$", 1, -1),
        (rf"^{_THING}\s+{_IS}{_WORSE}\s+(?:\w+ )?(?:than|to)\s+{_OTHER}$", -1, 1),
        (rf"^{_THING}\s+(?:beats|trumps|outdoes|outshines|outperforms)\s+{_OTHER}$", 1, -1),
        (
            rf"\b(?:keep|keeps|kept|keeping|leave)\s+{_THING}\s+(?:out of|off)"
            rf"\s+(?!{_ANYWHERE}){_OTHER}$",
            1,
            -1,
        ),
        (rf"^{_THING}\s+out\s*,\s*(?:and )?{_OTHER}\s+in$", -1, 1),
        (rf"^(?:\w+ ){{0,3}}?rather\s+{_THING}\s+than\s+{_OTHER}$", 1, -1),
        (rf"\bout with\s+{_THING}\s*,?\s*(?:and )?in with\s+{_OTHER}$", -1, 1),
        (rf"\bin with\s+{_THING}\s*,?\s*(?:and )?out with\s+{_OTHER}$", 1, -1),
        (
            rf"^{_THING}\s+(?:(?:should|shall|will|can|must) )?(?:tak\w+ (?:over )?the place of"
            rf"|take over from|step in for|succeeds?)\s+{_OTHER}$",
            1,
            -1,
        ),
        (rf"^{_THING}\s+(?:giv\w+ way to|mak\w+ (?:way|room) for|yields? to)\s+{_OTHER}$", -1, 1),
        (
            rf"^{_THING}\s+(?:replaces|supersedes|supplants|takes the place of|replacing"
            rf"|superseding)\s+{_OTHER}$",
            1,
            -1,
        ),
        (
            rf"^(?:instead of|rather than|in place of|in lieu of)\s+{_THING}(?:,|(?=\s+(?:we|let"
            rf"|use|take|adopt|choose|go)\b))\s*{_OTHER}$",
            -1,
            1,
        ),
        (
            rf"^{_THING}\s*,?\s*(?:instead of|rather than|in place of|in lieu of|as opposed to"
            rf"|in preference to|and not|but not|but never|ahead of)\s+{_OTHER}$",
            1,
            -1,
        ),
        (rf"^{_THING}\s*,\s*not\s+(?!only\b|just\b|merely\b){_OTHER}$", 1, -1),
        (
            # "takes on a role over X" takes it by means of X.
            rf"\b(?:prefer|favou?r|choos|chos|pick|select|tak(?!\w*\s+(?:on|up|in)\b))\w*"
            rf"\s+{_THING}\s+over\s+{_OTHER}$",
            1,
            -1,
        ),
        (rf"(?<!\bthe )(?<!\bour )\bprefer\w*\s+{_THING}\s+to\s+{_OTHER}$", 1, -1),
        (rf"^{_THING}\s*,?\s*in favou?r of\s+{_OTHER}$", -1, 1),
        (
            rf"\b(?:from|off|away from|off of|out of)\s+{_THING}\s+(?:back )?(?:to|onto|into"
            rf"|towards?)\s+{_OTHER}$",
            -1,
            1,
        ),
        (rf"^{_THING}\s+(?:→|->|=>)\s+{_OTHER}$", -1, 1),
        (rf"^{_THING}\s+without(?: (?:using|any|a|the))?\s+{_OTHER}$", 1, -1),
        (rf"^{_THING}\s+outside of\s+{_OTHER}$", 1, -1),
        # "Forbid A with B": what is taken away is A, and B is taken for it.
        (
            rf"^(?P<one>(?:\w+ ){{0,4}}?(?:{_TAKES_AWAY})(?:\s.+?)?)"
            rf"\s+(?:with|via|through|using)\s+(?!its?\b|their\b|all\b|no\b){_OTHER}$",
            -1,
            1,
        ),
    )
)  # fmt: skip
# None of the patterns fits without one of these words: most texts have none.
_MAY_WEIGH = re.compile(
    r"replac|swap|exchang|trad(?:e|ing)|supplant|supersed|substitut|instead|rather|place of"
    r"|place for|lieu|\bthan\b|superior|inferior|preferable|\b(?:swap|sub)\w* in\b"
    r"|beats|trumps|outdoes|outshines|outperforms"
    r"|opposed|preference|ahead of|prefer|over\b|favou?r|\bfrom\b|\boff\b|\bout\b|way to"
    r"|room for|way for"
    r"|yield|over from|step in|succeed|→|->|=>|without|outside|\bnot\b|\bnever\b|alternative"
    rf"|\b(?:{_TAKES_AWAY})\b",
    re.I,
)
_MOVING = re.compile(
    r"\b(?:mov|migrat|switch|chang|convert|transition|port|shift|go|going|upgrad|jump|rewrit|turn"
    r"|transfer|translat|swap|away|off)\w*\b",
    re.I,
)
# "Use A over B" weighs two things of one kind; "HTTP over TLS" is one thing.
_OVER = re.compile(
    rf"\b(?:us(?:e|es|ing)|adopt\w*|go(?:ing)? with|stick with|stay with|keep)\s+{_THING}\s+over"
    rf"\s+{_OTHER}$",
    re.I,
)
_FROM = next(each for each, _, _ in _WEIGHED if each.pattern.startswith(r"\b(?:from"))
# "Wean the jobs off A": no to A, and the jobs are what it was for.
_OFF = re.compile(
    r"\b(?:wean|get|mov|migrat|shift|steer|transition|free|liberat|rescu|peel|tear|rip|strip|lift|walk"
    r"|port)(?:e|es|s|ed|ing|ting|ping|ped)?\s+(?P<what>[^,;]{2,120}?)\s+"
    r"(?:off(?: of)?|away from|out of|free of)\s+(?!"
    rf"{_ANYWHERE})(?P<thing>[^,;]{{2,120}})$",
    re.I,
)
_TAKEN_AWAY = _WEIGHED[-1][0]
_REMOVED = re.compile(r"^\W*(?:remove|delete|purge)\b", re.I)
_GAIN = re.compile(r"^(?:the )?(?:most|more|much|best|value|benefit)\b", re.I)
_TORN = re.compile(r"(?:rip|tear|tore|strip)", re.I)
_TWICE = 2


@dataclass(frozen=True, slots=True)
class Weighed:
    """Two things, and what is said to each of them: 1 for yes, -1 for no."""

    things: tuple[str, str]
    signs: tuple[int, int]


def weigh(piece: str) -> Weighed | None:
    """The two things that a piece of a sentence weighs against each other, if it does."""
    for pattern, one, two in _WEIGHED if _MAY_WEIGH.search(piece) else ():
        match = pattern.search(piece)
        if match is None or (pattern is _FROM and not _MOVING.search(piece[: match.start("one")])):
            continue
        before, first, second = piece[: match.start()], match["one"], match["two"]
        if pattern is _TAKEN_AWAY and _REMOVED.match(first) and " " not in second.strip():
            continue  # "remove the analysis with X": X may be what it was done with
        if pattern is _TAKEN_AWAY and not negations(first):
            continue  # a name: "switch MFA Delete on with a script"
        if not phrase(first) or not phrase(second):
            continue
        sign = sign_of(before) if pattern is not _FROM else sign_before_a_move(before)
        count = negations(first)
        if count % 2 if one > 0 else count == _TWICE:
            sign = -sign  # "we will not use A instead of B", "we will not drop A in favour of B"
        return Weighed((first, second), (sign * one, sign * two))
    return _over(piece)


def _over(piece: str) -> Weighed | None:
    """Two known things of one kind, the first of which is used over the second."""
    match = _OVER.search(piece)
    if match is None:
        return None
    kinds = (technologies_in(match[each]).values() for each in ("one", "two"))
    if not set.intersection(*({family(kind) for kind in each} for each in kinds)):
        return None
    sign = sign_of(piece[: match.start()])
    return Weighed((match["one"], match["two"]), (sign, -sign))


def parted(piece: str) -> tuple[str, str, int] | None:
    """What is moved, from what, and the sign of the latter: "get the jobs off A"."""
    found = _OFF.search(piece)
    if found is None or _GAIN.match(found["what"]) or not phrase(found["thing"]):
        return None
    if _TORN.match(found[0]) and " out of " in found[0]:
        return None  # what is ripped out goes, and not that which it was in
    return found["what"], found["thing"], -sign_before_a_move(piece[: found.start()])
