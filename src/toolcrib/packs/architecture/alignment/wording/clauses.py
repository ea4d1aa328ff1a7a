"""What a sentence wants, what it gives up, and what for.

A sentence is cut into clauses. Each names a thing and says yes or no to it: the words that
negate (`not`, `stop`, `without`, `remove`) are counted, and two of them make a yes again. Words
that weigh one thing against another (`instead of`, `replace … with …`) say no to the one and
yes to the other. All other verbs say yes here; whether one is known at all, `deeds.py` asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from toolcrib.packs.architecture.alignment.wording.negation import (
    NEGATION,
    VERB_OFF,
    blanked,
    negations,
    sign_before_a_move,
    sign_of,
    without_negation,
)
from toolcrib.packs.architecture.alignment.wording.words import NOTHING, Phrase, phrase

_CONTRACTED = (
    (re.compile(r"\b(wo|sha)n['’]t\b", re.I), r"will not"),
    (re.compile(r"\b(can)['’]t\b|\bcannot\b", re.I), r"can not"),
    (re.compile(r"n['’]t\b", re.I), r" not"),
    (re.compile(r"\bdont\b", re.I), r"do not"),
    (re.compile(r"['’](?:d|ll|re|ve|m)\b", re.I), r" "),
    (re.compile(r"\blet['’]s\b(?!\s+(?-i:[A-Z]))", re.I), r" "),  # but not of "Let's Encrypt"
    (re.compile(r"^\W*(?:why|how about) not\b", re.I), r" "),
    # "Docker-free" is without it; of a name all words with a capital belong to it.
    (re.compile(r"(?<![\w-])((?:[A-Z][\w.+#]* )*[\w.+#]+)-free\b"), r"without \1"),
    (re.compile(r"\bneither\b(.*?)\bnor\b", re.I), r"neither\1or"),
)

_MAY_BE_CONTRACTED = re.compile(r"['’]|annot|ont|not\b|\bnor\b|-free\b", re.I)
# What stands in brackets and negates something does not negate the clause around it.
_ASIDE = re.compile(r"\([^()]*\b(?:no|not|never|without)\b[^()]*\)", re.I)
_REASON = re.compile(
    r",\s+(?=[^,]{2,60}\b(?:is|are|was|were|has|have|keeps?|gets?|costs?|feels?)\b[^,]*"
    r"\b(?:too|down|slow\w*|expensive|broken|painful|unreliable|outdated|unmaintained|much|hard"
    r"|flaky|failing|problems?|trouble|bloated|abandoned|dead|buggy|insecure|complex)\b)"
    r"|,?\s+\b(?:because|since|so that|so|given that|due to|as it|as they|as this|as we|in case|if"
    r"|until|unless|considering|which|thus|therefore|allowing|enabling)\b",
    re.I,
)
FRAME = re.compile(
    r"^\W*(?:(?:proposal|decision|idea|suggestion|plan|chosen \w+|outcome)\s*:\s*"
    r"|(?:the )?decision to(?= (?:not )?[a-z])\s*"
    r"|(?:i|we|the team|our team|teams?|you|everybody|everyone|they)\b\s*"
    r"|(?:have|has|had|will|would|should|shall|must|can|could|may|might|are|is|am|be|do|does"
    r"|did)\b\s*"
    r"|(?:also|now|therefore|thus|please|instead|always|simply|just|rather|then|probably"
    r"|better)\b\s*"
    r"|(?:propos|suggest|recommend|decid|want|like|plan|intend|agree|prefer|need|going|commit"
    r"|resolv|vote|opt|aim|choos|ch[oe]se)\w*\s+(?:that|to|for|on)\b\s*"
    r"|(?:propos|suggest|recommend|decid|agree)\w*\s+(?=we\b|using|not\b)"
    r"|ought\b\s*|(?:(?:it is )?(?:high )?time|the (?:plan|goal|idea|aim|intention) is)(?= to\b)\s*"
    r"|(?:make sure|ensure)(?: that)?\b\s*|let us\b\s*|to\s+)+",
    re.I,
)
"""Words that only lead to what is proposed."""

# Verbs of work on what is there: nothing is chosen by them but the means, "with X", "in X".
_WORKS_ON = re.compile(
    r"^\W*(?:add|alert|announce|compress|correct|count|describe|display|document|explain|extend|fix"
    r"|highlight|improve|increase|limit|list|lower|measure|monitor|notify|pin|post|raise|reduce"
    r"|rename|report|show|speed up|tidy|track|tune|warn|write down|clean up|colour|color|sort"
    r"|translate|polish|review|check|count|train|teach|visuali[sz]e|explore|investigate|tell|inform"
    r"|ask|remind|link)\b",
    re.I,
)
_BESIDE = re.compile(
    r"\b(?:how|that|which|whether|why|what|where|when|whenever|who|whose|if|before|after|once)\b",
    re.I,
)
_MEANS = re.compile(
    r"(?:^\W*(?:add|put|install|introduce)|\b(?:with|through|via|using|as|over|back to))"
    r"\s+(?:(?:the|our|an?|its|their)\s+)?"
    r"(?P<means>[^\s,;]+(?:\s+(?-i:[A-Z])[^\s,;]*)*)"
    r"|\b(?:by|in|into|to|on)\s+(?:(?:the|our|an?|its|their)\s+)?"
    r"(?P<place>[^\s,;]+(?:\s+(?-i:[A-Z])[^\s,;]*)*)(?=\W*$|[,;]|\s+(?:for|as|to|in|on|and|or|from|with)\b)"
    # Without an article it is what something is made of: "in Pkl modules".
    r"|\bin\s+(?!(?:the|our|an?|its|their)\b)(?P<matter>[^\s,;]+)(?=\s+[a-z]+s\W*$)",
    re.I,
)
_AT_LAST = re.compile(r"\b(?:no longer|no more)\W*$", re.I)

# Where one clause ends and the next begins. A comma does so only before a word that starts anew.
_BREAK = re.compile(
    r"\s*(?:;|\s[–—]\s|\s--?\s|(?<=\w\w)[.!](?=\s|$)|:(?=\s|$)"
    r"|,?\s+(?:but|while|whereas|however|although|though)\b(?!\s+not\b|\s+never\b)"
    r"|,?\s+and\s+(?=(?:do|does|will|should|shall|must|can|would) not\b|not\b|never\b|no\b|stop\b"
    r"|(?:instead|rather)\b|then\b|(?:we|it|they)\b)"
    r"|,?\s+and\s+(?=(?:go|stay|stick) with\b|(?:use|adopt|take|pick|choose|introduce|try|keep"
    r"|start)\b"
    r"|(?:switch|move|migrate) to\b|(?:opt|settle) (?:for|on)\b|(?:bring in|rely on)\b)"
    r"|\s+by\s+(?=(?!using\b)\w+ing\b)"
    r"|\s+and\s+(?=(?!(?:an?|the|all|its?|our)\b)[a-z]+ (?:the|an?|each|every|all|our|its|their|it"
    r"|them)\b)"
    r"|,\s+(?=(?:so|because|since|as|which|who|it|they|we|this|these|that|those|only|no|do not"
    r"|never|then|the|there|he|she|one|both|with|let|use|keep)\b)"
    r"|,\s+(?=(?:write|put|run|store|send|build|move|take|go|make|host|publish|deploy|have|give|do"
    r"|read|save|call|set|switch|return|generate|serve|keep|start|adopt|pick|choose)\b)"
    rf"|,?\s+and\s+(?=(?:{VERB_OFF})\b)"
    rf"|,\s+(?=(?:{VERB_OFF})\b))\s*",
    re.I,
)
# Who gives one thing up "and writes" another does two things; these words are never nouns.
_AND_DOES = re.compile(
    r",?\s+and\s+(?=(?:write|put|send|make|have|give|read|save|publish|deploy|generate|serve|let"
    r"|bring|rely|move|migrate|rewrite|install|configure|convert|create|implement|provide|expose"
    r"|enable|render|parse|become|begin|do|follow|get|stay|stick|go)\s+\w)"
    # "Ditch X, Y will do"
    r"|,\s+(?=[^,;]{2,80}?\b(?:will|should|can|shall|must)\b)",
    re.I,
)
# "Instead of A, take B": the comma ends no clause.
_INSTEAD = re.compile(r"^\W*(?:instead of|rather than|in place of|in lieu of)\b[^,;.]+,", re.I)
_TAKES_AWAY = (
    r"forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|prevent(?:s|ed)?|block(?:s|ed)?"
    r"|reject(?:s|ed)?|exclud(?:e|es|ed)|delet(?:e|es|ed)|remov(?:e|es|ed)|purg(?:e|es|ed)"
)
_THING = r"(?P<one>.+?)"
_OTHER = r"(?P<two>.+)"
# Each: a pattern, and what it says (yes or no) to what stands before, to `one` and to `two`.
_WEIGHED: tuple[tuple[re.Pattern[str], int, int], ...] = tuple(
    (re.compile(pattern, re.I), one, two)
    for pattern, one, two in (
        (
            rf"\b(?:replac|swap|exchang|trad|supplant|supersed)\w*(?: out)?\s+{_THING}\s+(?:with"
            rf"|by|for|against)\s+{_OTHER}$",
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
        (rf"\b(?:keep|keeps|kept|keeping|leave)\s+{_THING}\s+(?:out of|off)\s+{_OTHER}$", 1, -1),
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
        (rf"^{_THING}\s*,\s*not\s+{_OTHER}$", 1, -1),
        (
            rf"\b(?:prefer|favou?r|choos|chos|pick|select|tak)\w*\s+{_THING}\s+over\s+{_OTHER}$",
            1,
            -1,
        ),
        (rf"\bprefer\w*\s+{_THING}\s+to\s+{_OTHER}$", 1, -1),
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
    r"|place for|lieu"
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
_TWICE = 2
_FROM = next(each for each, _, _ in _WEIGHED if each.pattern.startswith(r"\b(?:from"))
_LEAD = re.compile(
    r"^\W*(?:for|as|when|whenever|where|in order to|regarding|concerning|with regard to|to|in)\s+"
    r"(?P<purpose>[^,]{3,160}?)(?:,\s*|\s+(?=(?:we|i|let us|our team|they)\b))(?P<rest>.{3,})$",
    re.I,
)
_PURPOSE = re.compile(
    r"\s+(?:for|in order to|when|whenever|where|while|during"
    r"|to(?=\s+(?!use\b|adopt\b|go\b|the\b|an?\b|our\b|one\b|its?\b|be\b)(?-i:[a-z])[a-z]*\b))\s+"
    r"|\s+as\s+",
    re.I,
)
_MOVED = re.compile(
    r"^\W*(?:mov|migrat|switch|chang|convert|transition|port|shift|upgrad|return|send|writ|push"
    r"|publish|ship"
    r"|deploy|upload|sav|stor|sync|export|post|go|add|connect|bind|map|giv|mount|forward"
    r"|rout)\w*\b",
    re.I,
)
USES = re.compile(
    r"^\W*(?:(?:use|using|adopt|adopting|embrace|choose|choosing|pick|select|take|have|introduce"
    r"|go with|stay with|stick with|keep|opt for|settle on)\b)",
    re.I,
)


# A word that looks like a name behind the first: with a capital, or like none of a dictionary.
_NAME = re.compile(r"(?<=\s)(?:(?-i:[A-Z])[\w.+#-]+|[a-z]\w*(?:[._]\w+|[A-Z0-9]\w*)+)")
_DECISION_TO = re.compile(r"^\W*(?:the )?decision to\s+", re.I)
# What begins so, or has such a word in it, states what is to be done; others name a subject.
_STATES = re.compile(
    r"^\W*(?:(?:use|adopt|choose|select|replace|remove|drop|add|introduce|implement|create"
    r"|define|allow"
    r"|disallow|disable|enable|make|move|migrate|switch|stop|store|keep|run|build|write|deploy|host"
    r"|manage|provide|restrict|require|enforce|extract|merge|split|separate|combine"
    r"|centrali[sz]e|give"
    r"|do not|don'?t|only|never|always|avoid|no|prefer|rely|handle|generate|reduce|increase|upgrade"
    r"|convert|extend|expose|deprecate|delete|rename|refactor|rewrite|set|send|serve|track|record"
    r"|restart|retire|turn|unify|standardi[sz]e|simplify|isolate|publish|push|pull|package|let"
    r"|limit"
    r"|log|mark|map|maintain|integrate|ignore|hide|encrypt|encode|consolidate|configure|cache"
    r"|bundle"
    r"|fix|get|defer|offer|put|go|start|bring|pick|ditch|swap|trade|exchange|ban|get rid|rip"
    r"|ship|sign|stub|sync|throttle|trust|validate|verify|wrap|emit|embed|escape|execute"
    r"|expire|export|import|fail|fetch|filter|fork|freeze|gather|guard|inject|inline|install"
    r"|invalidate|join|launch|load|measure|mirror|mock|mount|negotiate|notify|offload|open"
    r"|organi[sz]e|override|parse|pay|persist|pin|place|poll|port|preserve|promote|propagate"
    r"|protect|raise|read|rebuild|redirect|reject|render|replicate|reset|resolve|retain|retry"
    r"|return|reuse|revoke|rotate|save|scale|secure|seed|seriali[sz]e|skip|stream|strip|submit"
    r"|subscribe|supply|suspend|tie|transform|translate|treat|trigger|trim|truncate|upload"
    r"|vendor|wait|warn|watch|decouple|detect|discard|distribute|document|duplicate|ensure"
    r"|establish|align|annotate|assign|attach|block|bind|call|check|collect|compile|compress"
    r"|compute|connect|copy|deliver|derive|describe|deny"
    r"|phase|support|apply|automate|authenticate|abandon|revert|route|scan|show|hash|format"
    r"|lint|test)\b"
    r"|\w+ing\b(?=\s+\w)(?! \w+(?:$| (?:framework|tool|library|strategy|approach|service|process"
    r"|policy)\b)))"
    r"|\b(?:will|should|must|shall|instead of|rather than|without|in favou?r of)\b",
    re.I,
)


# A sentence about how things are or were decides nothing, unless it says that they stay so.
_STATE = re.compile(
    r"\b(?:currently|at the moment|at present|so far|until now|previous(?:ly)?|formerly"
    r"|historically|used to|has been using|have been using|as of now)\b",
    re.I,
)
_KEEPS = re.compile(
    r"\b(?:will|should|shall|must|decid\w+|keep\w*|continu\w+|stay\w*|remain\w*|propos\w+|chos\w+"
    r"|choos\w+|recommend\w*)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A thing that is wanted or not: `focus` names it, `purpose` says what for.

    `chooses` says that the clause is worded as a choice ("use …", "replace … with …").
    """

    wanted: bool
    focus: Phrase
    purpose: Phrase = NOTHING
    text: str = ""
    chooses: bool = False
    taken: frozenset[str] | None = None
    """Where a clause only works on things that are there: the words by which it takes one."""

    @property
    def words(self) -> Phrase:
        """All stems of the clause."""
        return self.focus | self.purpose

    def takes(self, words: set[str]) -> bool:
        """Whether it takes a thing of such words: "use X", "with X", and not "the X files"."""
        taken = _means(self.text) if self.taken is None else self.taken
        return not words.isdisjoint(taken) or (
            self.chooses and not words.isdisjoint(self.focus.raw)
        )

    def names_taken(self) -> frozenset[str]:
        """The names by which it takes a thing: "with Varnish", "in a Monaco editor", "put X"."""
        taken = _means(self.text) | (self.focus.raw if self.chooses else frozenset())
        found = [word.strip(".,;:()'’") for word in _NAME.findall(self.text)]
        if len(found) * 2 > len(self.text.split()):  # A Title With Capitals
            found = [word for word in found if not word.istitle()]
        return frozenset(word.casefold() for word in found) & taken


def states(text: str) -> bool:
    """Whether a text states a decision, and does not only name a subject."""
    text = _DECISION_TO.sub("", text)
    return bool(_STATES.search(text) or NEGATION.match(text))


def tells_the_present(sentence: str) -> bool:
    """Whether a sentence only tells how things are or were."""
    return bool(_STATE.search(sentence)) and not _KEEPS.search(sentence)


def expand(text: str) -> str:
    """Write out what is contracted, so that `not` stands alone."""
    if _MAY_BE_CONTRACTED.search(text):
        for pattern, whole in _CONTRACTED:
            text = pattern.sub(whole, text)
    return text


@lru_cache(4_000)
def read_clauses(sentence: str) -> tuple[Clause, ...]:
    """The clauses of a sentence; a question states nothing."""
    sentence = _ASIDE.sub(" ", expand(" ".join(sentence.split())))[:2_000]
    if sentence.rstrip("\"')*_” ").endswith("?"):
        return ()
    found: list[Clause] = []
    head = _INSTEAD.match(sentence)
    start = head.end() if head else 0
    first, *others = _BREAK.split(sentence[start:])
    for piece in (sentence[:start] + first, *others):
        if found and _denies_the_last(piece):
            found[-1] = replace(found[-1], wanted=not found[-1].wanted)
            continue
        for part in _deeds(piece):
            found.extend(_read_piece(part))
    return tuple(found)


def _denies_the_last(piece: str) -> bool:
    """Whether a piece only says no: "they may keep X; we shall not", "X: never again"."""
    return sign_of(piece) < 0 and not phrase(FRAME.sub("", blanked(piece)))


def _deeds(piece: str) -> list[str]:
    """A piece cut where it gives up one thing and then does something else."""
    cut = _AND_DOES.search(piece)
    if cut is None or not negations(piece[: cut.start()]) or not phrase(piece[: cut.start()]):
        return [piece]
    return [piece[: cut.start()], piece[cut.end() :]]


def _read_piece(piece: str, sign: int = 1, purpose: Phrase = NOTHING) -> Iterator[Clause]:
    """The clauses of a text without a break in it."""
    piece = piece.strip(' .,:;!"“”')
    lead = _LEAD.match(piece)
    if lead and phrase(lead["rest"]):
        yield from _read_piece(lead["rest"], sign, purpose | phrase(lead["purpose"]))
        return
    reason = _REASON.search(piece)
    if reason and phrase(piece[: reason.start()]):
        piece = piece[: reason.start()]
    for pattern, one, two in _WEIGHED if _MAY_WEIGH.search(piece) else ():
        match = pattern.search(piece)
        if match is None or (pattern is _FROM and not _MOVING.search(piece[: match.start("one")])):
            continue
        before, first, second = piece[: match.start()], match["one"], match["two"]
        if not phrase(first) or not phrase(second):
            continue
        sign *= sign_of(before) if pattern is not _FROM else sign_before_a_move(before)
        count = negations(first)
        if count % 2 if one > 0 else count == _TWICE:
            sign = -sign  # "we will not use A instead of B", "we will not drop A in favour of B"
        yield from _weighed((first, second), (sign * one, sign * two), purpose)
        return
    yield from _plain(piece, sign, purpose)


def _weighed(things: tuple[str, str], signs: tuple[int, int], purpose: Phrase) -> Iterator[Clause]:
    """Two things of which one is wanted; a purpose behind the second is that of both."""
    clauses: list[tuple[bool, Phrase, Phrase, str]] = []
    for thing, sign in zip(things, signs, strict=True):
        named, what_for = _split(FRAME.sub("", without_negation(FRAME.sub("", thing))))
        clauses.append((sign > 0, phrase(named), phrase(what_for), thing))
    shared = purpose | clauses[1][2]
    for wanted, focus, own, text in clauses:
        if focus:
            yield Clause(wanted, focus, own | shared, text, chooses=True)


def _plain(piece: str, sign: int, purpose: Phrase) -> Iterator[Clause]:
    blank = blanked(piece)
    frame = FRAME.match(blank)
    start = frame.end() if frame else 0
    bare = blank[start:]
    end = _purpose_place(bare, piece[start:])
    focus_text, purpose_text = bare[: end[0]], bare[end[1] :]
    focus = phrase(focus_text)
    if not focus:
        return
    # What is negated behind the word of purpose is not the thing: "use X to avoid Y".
    # A saying may go on there: "put X to bed".
    until = start + end[0]
    sign *= sign_of(piece, until) * (-1 if _AT_LAST.search(piece[until:]) else 1)
    chooses = bool(USES.match(bare))
    taken = _means(bare) if _WORKS_ON.match(bare) else None
    yield Clause(sign > 0, focus, purpose | phrase(purpose_text), piece, chooses, taken)


def _means(text: str) -> frozenset[str]:
    """The words of the means in a text that works on what is there: "track errors with X"."""
    beside = _BESIDE.search(text)
    main = text[: beside.start()] if beside else text
    return frozenset(
        word
        for found in _MEANS.finditer(main)
        for word in phrase(found["means"] or found["place"] or found["matter"]).raw
    )


def _split(text: str) -> tuple[str, str]:
    """What stands before and behind the first word of purpose."""
    start, end = _purpose_place(text, text)
    return text[:start], text[end:]


def _purpose_place(bare: str, text: str) -> tuple[int, int]:
    """Where the first word of purpose stands in a text; `bare` has blanks for what negates."""
    moving = bool(_MOVED.match(bare))
    for found in _PURPOSE.finditer(text):
        word = found[0].strip().lower()
        if (word == "as" and not USES.match(bare)) or (word == "to" and moving):
            continue
        if phrase(bare[: found.start()]):
            return found.span()
    return len(text), len(text)
