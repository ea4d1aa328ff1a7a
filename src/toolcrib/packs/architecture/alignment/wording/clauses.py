"""What a sentence wants, what it gives up, and what for.

A sentence is cut into clauses. Each names a thing and says yes or no to it: the words that
negate (`not`, `stop`, `without`, `remove`) are counted, and two of them make a yes again. Words
that weigh one thing against another (`instead of`, `replace … with …`) say no to the one and
yes to the other. All other verbs say yes here; whether one is known at all, `deeds.py` asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import lru_cache

from toolcrib.packs.architecture.alignment.wording.breaking import deeds, pieces
from toolcrib.packs.architecture.alignment.wording.expanding import expand
from toolcrib.packs.architecture.alignment.wording.negation import (
    NEGATION,
    VERB_OFF,
    blanked,
    negations,
    sign_of,
    without_negation,
)
from toolcrib.packs.architecture.alignment.wording.weighing import parted, weigh
from toolcrib.packs.architecture.alignment.wording.words import NOTHING, Phrase, phrase

# What stands in brackets and negates something does not negate the clause around it.
_ASIDE = re.compile(r"\([^()]*\b(?:no|not|never|without)\b[^()]*\)", re.I)
_REASON = re.compile(
    r",\s+(?=[^,]{2,60}\b(?:is|are|was|were|has|have|keeps?|gets?|costs?|feels?|makes?)\b[^,]*"
    r"\b(?:too|down|slow\w*|expensive|broken|painful|unreliable|outdated|unmaintained|much|hard"
    r"|flaky|failing|problems?|trouble|bloated|abandoned|dead|buggy|insecure|complex)\b)"
    r"|,\s+(?:otherwise|or else)\b"
    r"|,?\s+\b(?:because|since|so that|so(?! \w+ that\b| (?:much|many|far|long|on)\b)"
    r"|given that|due to|as it"
    r"|as they|as this|as we|in case|if"
    r"|until|unless|considering|(?<!\b(?:out|see) )(?<!\b(?:know|tell|show) )which|thus"
    r"|therefore|allowing|enabling)\b",
    re.I,
)
# "… so that X picks it up": what a thing of that name does then.
_SO_THAT = re.compile(
    r",?\s+so(?: that)?\s+"
    r"(?P<done>(?:the )?(?-i:[A-Z])[\w.+#-]*(?: (?-i:[A-Z])[\w.+#-]*)* [a-z]+s\b.*)"
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
    r"|(?:like|want|need|ask|urge|expect|tell)\s+(?:us|you|people|everybody|everyone"
    r"|(?:(?:the|our|all|every|each|other) )?teams?)\s+to\b\s*"
    r"|ought\b\s*|(?:(?:it is )?(?:high )?time|the (?:plan|goal|idea|aim|intention) is)(?= to\b)\s*"
    r"|(?:make sure|ensure)(?: that)?\b\s*|let us\b\s*|to\s+)+",
    re.I,
)
"""Words that only lead to what is proposed."""

# What a commit message begins with says nothing of the change itself.
_COMMIT = re.compile(
    r"^\W{0,3}(?:feat|fix|chore|refactor|perf|build|ci|docs|test|style|revert|rfc|wip"
    r"|prs?|mr|pull request|merge request|todo|nit|idea|request)"
    r"(?:\([^()\n]{1,40}\))?!?:\s+",
    re.I,
)
# A question that suggests: "could we …?", "how about …?"; "should we …?" only asks.
_SUGGESTS = re.compile(
    r"^\W{0,3}(?:(?:could|can|shall|might) (?:we|i|you)(?: \w+ly| please| just| not)?"
    r"|(?:how|what) about|what if (?:we|i)|why do not (?:we|you)|why not"
    r"|(?:could|can|should|would|may|shall) not (?:we|i|you)(?: just| simply)?"
    r"|any (?:objections?|reasons? not) to|would it (?:make sense|be (?:okay|ok|better|nicer"
    r"|possible)) to|(?:is|would) it (?:be )?(?:okay|ok|fine) (?:if we|to)"
    r"|(?:(?:do|would) (?:you|anyone|anybody|people) )?mind if(?: (?:we|i)\b)?|ok to"
    # "Could the staging site run on X?"; "can it …?" and "should it …?" only ask
    r"|(?:could|can not|could not)(?= (?!not\b|(?:it|this|that|there) be\b)[^?,;]{2,60} \w))"
    r"\s+(?=[^?]*\?\W*$)",
    re.I,
)
# "Would X not be nicer for Y?" suggests to use X for Y.
_NICER = re.compile(
    r"^\W{0,3}would (?P<thing>(?!it\b)[^?,;]{2,60}?) not be (?:a )?(?:better|nicer|simpler|easier"
    r"|cheaper|safer|cleaner|fine|enough|good)\b(?: (?:choice|fit|option|idea))?"
    r"(?P<rest>[^?]{0,200})\?\W{0,3}$",
    re.I,
)
_WHY_NOT = re.compile(r"^\W{0,3}why not\s", re.I)
# Verbs of work on what is there: nothing is chosen by them but the means, "with X", "in X".
_WORKS_ON = re.compile(
    r"^\W*(?:add|alert|announce|chart|say|log (?=how|what|which|when)|compress|correct|count"
    r"|describe|display|document|explain|extend|fix"
    r"|highlight|improve|increase|limit|list|lower|measure|monitor|notify|pin|post|raise|reduce"
    r"|rename|report|show|speed up|tidy|track|tune|warn|write down|clean up|colour|color|sort"
    r"|translate|polish|review|check(?! in\b)|count|train|teach|visuali[sz]e|explore"
    r"|investigate|tell|inform"
    r"|ask|remind|link)\b",
    re.I,
)
_BESIDE = re.compile(
    r"\b(?:how|that|which|whether|why|what|where|when|whenever|who|whose|if|before|after|once)\b",
    re.I,
)
_MEANS = re.compile(
    r"(?:^\W*(?:add|put|install|introduce|(?:spin|stand|set|fire) up|launch|provision|let)"
    r"|\b(?:with|through|via|using|as|over|back to))"
    r"\s+(?:(?:the|our|an?|its|their)\s+)?"
    r"(?P<means>[^\s,;]+(?:\s+(?-i:[A-Z])[^\s,;]*)*)"
    r"|\b(?:by|in|into|to|on|at|against)\s+(?:(?:the|our|an?|its|their)\s+)?"
    r"(?P<place>[^\s,;]+(?:\s+(?-i:[A-Z])[^\s,;]*)*)"
    r"(?:\s+(?:config(?:uration)?|files?|settings|store|table|queue|folder|pipeline|module|class"
    r"|workflow|chart|block|registry|schema|rules?|sources?|diagrams?|models?|code|tests?|suite"
    r"|servers?|services?|cluster|instance|api|account|bucket|topic|scanner|app))?"
    r"(?=\W*$|[,;]|\s+(?:for|as|to|in|on|and|or|from"
    r"|with|like|so|now|too|instead|at|by|where|when|before|after|until|because|first|then|again"
    r"|directly|only)\b)"
    # Without an article it is what something is made of: "in Pkl modules".
    r"|\bin\s+(?!(?:the|our|an?|its|their)\b)(?P<matter>[^\s,;]+)(?=\s+[a-z]+s\W*$)",
    re.I,
)
_PORTED = re.compile(
    r"^\W*(?:mov|migrat|switch|convert|transition|port|shift|transfer|translat|rewrit|bring)\w*\b"
    r"[^,;]{2,120}?\s(?:over |across |back )?(?:to|onto|into)\s+(?P<goal>[^,;]{2,80})$",
    re.I,
)
# What follows tells of a thing, or when: what is negated there is not the thing.
_SUBORDINATE = re.compile(
    r"(?<=\w)\s(?:who|whose|which|once|whenever|as soon as|whether|how|why|where|until|before"
    r"|after|while)\s"
    r"|(?<!\b(?:sure|such|mean|rule|fact|know))(?<!\b(?:clear|means|state|agree|rules))"
    r"(?<!\b(?:ensure|states|decide|agreed|assume))(?<!\b(?:so|is))(?<!\b(?:say|now|see))(?<=\w)"
    r"\sthat\s(?=(?:is|are|was|were|gets?|has|have|can|could|will|would|may|might|must|do|does|\w+s)\b)",
    re.I,
)
_FROM_THERE = re.compile(r"\s*(?:it|them|this|that) (?:out of|off|from)\s+\w", re.I)
_CONDITION = re.compile(r"\b(?:if|when|once|unless|after|as soon as)\b", re.I)
_PRONOUN = re.compile(r"\s*(?:using |with |of )?(?:it|them|this|that)\b(?! \w+ing\b)", re.I)
_ELLIPSIS = re.compile(r"\b(?:will|shall|do|does|should|would|can|must|are|is) not\W*$", re.I)
_AT_LAST = re.compile(r"\b(?:no longer|no more)\W*$", re.I)

_LEAD = re.compile(
    r"^\W*(?:for|as|when|whenever|where|in order to|regarding|concerning|with regard to|to|in)\s+"
    r"(?P<purpose>[^,]{3,160}?)(?:,\s*|\s+(?=(?:we|i|let us|our team|they)\b))(?P<rest>.{3,})$",
    re.I,
)
# "In CI the suite should talk to it, …" is said, and no lead to what follows.
_IS_SAID = re.compile(r"\W*(?:in|for|as|to)\s.*\b(?:should|must|will|shall|would)\b", re.I)
_PURPOSE = re.compile(
    r"\s+(?:for|in order to|when|whenever|where|while|during"
    r"|to(?=\s+(?!use\b|adopt\b|go\b|the\b|an?\b|our\b|one\b|its?\b|be\b)(?-i:[a-z])[a-z]*\b))\s+"
    r"|\s+as\s+",
    re.I,
)
# What follows is said, and not what for: "whoever gets to see it", "it has to go through X".
_LEADS_ON = re.compile(
    r"\b(?:get|gets|got|has|have|had|needs?|wants?|ought|able|going|starts?|begins?|tends?)$", re.I
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


# "Add the endpoint for the archive to the API": where it goes is not what it is for.
_ADDED_TO = re.compile(
    r"^(\W*(?:add|put|move|send|write|push|publish|bring|give|introduce)\b[^,;]*?)\s+for\s+"
    r"([^,;]+?)\s+((?:to|into|onto) (?:the |our )?[^\s,;]+)$",
    re.I,
)
_PRAISED = re.compile(
    r"^\W*(?P<thing>[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*){0,2}) (?:is|would be|looks|seems)"
    r" (?:(?:much|far|a bit|so) )?(?:[a-z]+er|better|more \w+|enough|simple|cheap|free|fine|nice"
    r"|easy|good)\b[^,;]{0,20}$"
)
_BY_THAT = re.compile(
    r"\b(?P<by>use|take|put|adopt|deploy|install|with|through|via|by|to|into|in|on)"
    r" (?:that|it|this)\b(?! \w+ing\b)",
    re.I,
)
# A word that looks like a name behind the first: with a capital, or like none of a dictionary.
_NAME = re.compile(r"(?<=\s)(?:(?-i:[A-Z])[\w.+#-]+|[a-z]\w*(?:[._]\w+|[A-Z0-9]\w*)+)")


# What a line is about stands before it: "Renovate: merge the patches by hand".
_LABEL = re.compile(r"^\W*(?P<what>[^\s:;,.()]+(?: [^\s:;,.()]+){0,2}):\s+(?=\S+(?:\s+\S+){3})")
# "Nothing ships before X has signed it" wants X.
_ONLY_ONCE = re.compile(
    r"^\W*(?:no|nothing|nobody|none|never)\b(?P<what>[^,;]{2,100}?)\s"
    r"(?:before|until|unless|without)\s+(?P<then>.{3,})$",
    re.I,
)
_NOBODY_DOES = re.compile(
    r"^\W*(?:nobody|no one|none of us)\s+(?!(?:is|has|gets|needs|wants|uses|likes)\b)[a-z]+s\b",
    re.I,
)
# What keeps something off, and what that is.
_SERVES = re.compile(
    rf"^\W*(?P<subject>(?:an? |the |our )?(?:[\w.+#-]+ ){{0,3}}?[\w.+#-]+)\s+"
    rf"(?:(?:should|must|will|shall|can|could|may|would)\s+|(?=\w+s\b))(?:also |then |always )?"
    rf"(?!\w+ed\b)(?:{VERB_OFF})\s+"
    r"(?P<object>(?:an?|the|any|all|every|each|our)\s.{2,}|[a-z]+s\b.*)$",
    re.I,
)
# What does something, and by what: "log through Flogger", "track the changes with Alembic".
_BY_NAME = re.compile(
    r"\b(?P<done>[A-Za-z]+)\s+(?:with|through|via|using)\s+(?:(?:the|our|an?)\s+)?"
    r"(?P<name>[A-Z][\w.+#-]*\w)"
)
# What is done, and to what end, stands behind a dash then.
_ONLY_FOR = re.compile(r"^\W*for(?: [\w-]+){1,5}\W*$", re.I)
_FEW = 4
_VERBS = re.compile(
    r"\b(?:is|are|be|was|were|has|have|had|will|would|can|must|should|gets?)\b", re.I
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

    words: Phrase = field(init=False, repr=False, compare=False)
    """All stems of the clause."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", self.focus | self.purpose)

    def __hash__(self) -> int:
        return hash((self.wanted, self.text))  # the rest follows from these, as a rule

    @property
    def names_only(self) -> bool:
        """Whether it is one of two things that are weighed, and says nothing else of it."""
        words = self.text.split()
        return self.chooses and len(words) <= _FEW and not _VERBS.search(self.text)

    def takes(self, words: AbstractSet[str]) -> bool:
        """Whether it takes a thing of such words: "use X", "with X", and not "the X files"."""
        taken = _means(self.text) if self.taken is None else self.taken
        return not words.isdisjoint(taken) or (
            self.chooses and not words.isdisjoint(self.focus.raw)
        )

    def done_by_names(self) -> dict[str, frozenset[str]]:
        """The names by means of which it does something, each with the stems right before."""
        return {
            found["name"].casefold(): phrase(found["done"]).core
            for found in _BY_NAME.finditer(self.text)
        }

    def names_taken(self) -> frozenset[str]:
        """The names by which it takes a thing: "with Varnish", "in a Monaco editor", "put X"."""
        taken = _means(self.text) | (self.focus.raw if self.chooses else frozenset())
        found = [word.strip(".,;:()'’") for word in _NAME.findall(self.text)]
        if len(found) * 2 > len(self.text.split()):  # A Title With Capitals
            found = [word for word in found if not word.istitle()]
        return frozenset(word.casefold() for word in found) & taken


def unlabelled(text: str) -> str:
    """A text without the label that a commit message begins with: "fix(build): …"."""
    return _COMMIT.sub("", text)


def suggests(text: str) -> bool:
    """Whether a question suggests something: "what about …?", "why not …?"."""
    return bool(_SUGGESTS.match(f"{text.rstrip()}?"))


@lru_cache(4_000)
def read_clauses(sentence: str) -> tuple[Clause, ...]:
    """The clauses of a sentence; a question states nothing."""
    if _WHY_NOT.match(sentence):
        sentence = sentence.rstrip("?\"')*_” ")
    sentence = " ".join(_ASIDE.sub(" ", expand(" ".join(sentence.split()))).split())[:2_000]
    sentence = unlabelled(sentence)
    sentence = _NICER.sub(r"use \g<thing> \g<rest>", sentence)
    if _SUGGESTS.match(sentence):
        sentence = _SUGGESTS.sub("", sentence).rstrip("?\"')*_” ")
    if sentence.rstrip("\"')*_” ").endswith("?"):
        return ()
    label = _LABEL.match(sentence)
    if label is not None and not negations(label["what"]):
        # "Renovate: merge the patches by hand" speaks of it, and says nothing of it yet.
        about = phrase(label["what"])
        rest = _read(sentence[label.end() :])
        return tuple(replace(each, purpose=each.purpose | about) for each in rest)
    return _read(sentence)


def _read(sentence: str) -> tuple[Clause, ...]:
    """The clauses of a sentence that was prepared."""
    found: list[Clause] = []
    before = ""
    for piece in pieces(sentence):
        praised = _PRAISED.match(before)
        before = piece
        if praised is not None and found and _BY_THAT.search(piece):
            # "X is lighter, put that in front"
            piece = _BY_THAT.sub(rf"\g<by> {praised['thing']}", piece, count=1)
            found.pop()
        if found and _NOBODY_DOES.match(piece):
            continue  # "…, nobody finds it in there" is why, and refuses nothing
        again = denied(piece, found[-1]) if found else None
        if again is not None:
            found[-1] = again
            continue
        for part in deeds(piece):
            found.extend(_read_piece(part))
    return tuple(found)


def denied(piece: str, last: Clause) -> Clause | None:
    """What was said last, where a piece only says no to it: "X is noise: kick it out".

    "They drop X; we will not" turns what was said, a pronoun or a bare no always refuses it.
    """
    if sign_of(piece) > 0 or _CONDITION.search(piece):
        return None
    found = NEGATION.search(piece)
    if found is not None and _FROM_THERE.match(piece, found.end()):
        return None  # "we take it out of X" says no to X
    if found is None or not _PRONOUN.match(piece, found.end()):
        if phrase(FRAME.sub("", blanked(piece))):
            return None
        if _ELLIPSIS.search(piece):
            return replace(last, wanted=not last.wanted)
    return replace(last, wanted=False)


def _read_piece(piece: str, sign: int = 1, purpose: Phrase = NOTHING) -> Iterator[Clause]:
    """The clauses of a text without a break in it."""
    piece = piece.strip(' .,:;!"“”')
    once = _ONLY_ONCE.match(piece)
    if once is not None and phrase(once["then"]) and not negations(once["then"]):
        yield from _read_piece(f"required {once['then']}", sign, purpose)
        return
    lead = _LEAD.match(piece)
    if lead and phrase(lead["rest"]) and not _IS_SAID.match(piece, 0, lead.end("purpose")):
        yield from _read_piece(lead["rest"], sign, purpose | phrase(lead["purpose"]))
        return
    reason = _REASON.search(piece)
    if reason and phrase(piece[: reason.start()]):
        done = _SO_THAT.match(piece, reason.start())
        if done is not None and not negations(done[0]):
            yield from _plain(done["done"], sign, purpose)
        piece = piece[: reason.start()]
    weighed = weigh(piece)
    if weighed is not None:
        one, two = weighed.signs
        yield from _weighed(weighed.things, (sign * one, sign * two), purpose)
        return
    moved = parted(piece)
    if moved is not None:
        what, thing, side = moved
        focus, own = _split(thing)
        text = piece[len(piece) - len(thing) :]
        yield Clause(
            sign * side > 0, phrase(focus), purpose | phrase(what) | phrase(own), text, True
        )
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
    piece = _ADDED_TO.sub(r"\1 \3 for \2", piece)
    served = _SERVES.match(piece)
    if served is not None and _is_doer(served["subject"]) and not FRAME.match(piece):
        # "X rejects the uploads" says no to uploads, and X does it.
        doer, done = phrase(served["subject"]), phrase(served["object"])
        if doer and done:
            yield Clause(sign > 0, doer, purpose | done, piece)
            yield Clause(sign < 0, done, purpose, served["object"])
            return
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
    aside = _SUBORDINATE.search(piece, start, until)
    if aside is not None and phrase(blank[start : aside.start()]):
        until = aside.start()
    sign *= sign_of(piece, until) * (-1 if _AT_LAST.search(piece[until:]) else 1)
    chooses = bool(USES.match(bare))
    taken = _means(bare) if _WORKS_ON.match(bare) else _moved_to(bare)
    yield Clause(sign > 0, focus, purpose | phrase(purpose_text), piece, chooses, taken)


def _is_doer(subject: str) -> bool:
    """Whether the words before a verb name who does it: "document how X" does not."""
    return not (negations(subject) or _BESIDE.search(subject) or _WORKS_ON.match(subject))


def _moved_to(text: str) -> frozenset[str] | None:
    """The words of that to which things are moved: "port the last X tests to Y" takes Y alone."""
    found = _PORTED.match(text)
    return phrase(found["goal"]).raw if found and phrase(found["goal"]) else None


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
        if word == "to" and _LEADS_ON.search(text, 0, found.start()):
            continue
        if phrase(bare[: found.start()]):
            return found.span()
    return len(text), len(text)


def beside_purposes(clauses: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """The clauses without those that only say what another one is for: "for the mail queue —"."""
    found = tuple(each for each in clauses if not _ONLY_FOR.match(each.text))
    return found or clauses
