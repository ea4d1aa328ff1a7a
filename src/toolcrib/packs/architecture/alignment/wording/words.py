"""The words that carry the meaning of a phrase, and how much of one phrase is in another."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from toolcrib.search.stem import stem
from toolcrib.search.tokens import STOP_WORDS, fold, split, telling, tokens

Stems = frozenset[str]
Weigh = Callable[[str], float]

_NOT_PLAIN = re.compile(r"[^\x00-\x7f]+")
_NO_LETTER = re.compile(r"\W")
_CHUNK = re.compile(r"[^\W_]+(?:[+#]+(?!\w))?")
_HYPHENED = re.compile(r"\b[A-Za-z]+-[A-Za-z]{3,}\b")
_WHOLE = re.compile(r"[^\W_][\w+#]*(?:[.-][^\W_][\w+#]*)*")
# The language, which is otherwise a word that says nothing; the letters come first, as the
# expression is looked for in every text.
_GO = re.compile(
    r"Go(?:(?<=[a-z,(/+] Go)(?![\w-])(?! (?:to|with|back|for|ahead|live|by|on|over)\b)|(?<=\AGo)$)"
    r"|go(?:(?<=\band go)|(?<=\bor go)|(?<=\bin go)|(?<=\bwith go)|(?<=`go))"
    r"(?=`|[,.;)]|$| (?:as|and|or|by)\b)"
)
_SIGNED = re.compile(r"(?<![\w+#])(?P<letter>[CFcf])(?P<sign>\+\+|#)(?![\w+#])")
_SIGNS = {"++": "pp", "#": "sharp"}
_NON = re.compile(r"\bnon[-_ ](?=[a-z]{3})", re.I)
"""`non-virtual` is one word, and not what `virtual` is."""
# What is anything but a thing: "non-Docker tools" do not name it, nor do "Docker-like" ones.
_DENIED = re.compile(r"\bnon-[\w-]+|(?<![\w-])[\w.]+-(?:style|like|esque|inspired)\b", re.I)
_DENIES = ("non-", "-style", "-like", "-esque", "-inspired")
_VERSION = re.compile(r"v?\d+(?:\.(?:\d+|x))+\+?")
_SHORTEST_JOINED, _LONGEST_JOINED, _SHORT = 5, 24, 8

# Words that say that something is done, not what: they tell no two choices apart.
_DOING = """
    use using used utilize utilise leverage adopt choose chose chosen select pick take go move
    migrate switch replace introduce implement support create define make improve change adjust
    update provide handle record decision decisions adr rfc approach strategy solution option
    alternative new proposal continue keep prefer require build run put get give start let allow
    enable want need decide decided decision propose proposed stay stick settle opt favour favor
    bring become come belong add adding based way instead own our current existing roll rely
    depend ourselves everything again touch rather try consider please must back
    reintroduce reinstate revive resurrect readopt bother"""
DOING = frozenset(each for word in _DOING.split() for each in tokens(word))


# What people write short is the same word: a repo is a repository.
_SHORT_FOR = """
    repo repository; mail email; db database; dbs database; config configuration; app application;
    env environment; envs environment; infra infrastructure; auth authentication; prod production;
    admin administrator; k8s kubernetes; a11y accessibility; i18n internationalisation;
    i18n internationalization; l10n localisation; l10n localization; lib library; param parameter;
    dir directory; folder directory; func function; msg message; async asynchronous;
    sync synchronous; stats statistics; tz timezone; ts typescript; js javascript; perf performance;
    docs documentation; pic picture; picture image; photo image; colour color;
    behaviour behavior; licence license; organisation organization; centre center;
    synchronise synchronize; serialise serialize; authorise authorize; normalise normalize"""
SAME = {
    tokens(one)[-1]: tokens(other)[-1]
    for one, other in (pair.split() for pair in _SHORT_FOR.split(";"))
}
"""For each such stem the one that stands for both."""


def stems_in(text: str) -> list[str]:
    """All stems of a text, in order, with one for what people write in two ways."""
    return [SAME.get(each, each) for each in tokens(text)]


# Words of which one denies the other: who wants the one for a thing does not want the other.
_OPPOSITES = """
    public private; public protected; public internal; internal external; mutable immutable;
    sync async; synchronous asynchronous;
    shared dedicated; shared separate; single multiple; managed selfhosted; manual automatic;
    manual automated; static dynamic; local remote; optional required; optional mandatory;
    centralised decentralised; centralized decentralized; central distributed; stateful stateless;
    monolith microservice; monorepo polyrepo; monorepo multirepo; strict lenient; open closed;
    relational nosql; sequential parallel; hard soft; verbose concise; eager lazy; push pull;
    optimistic pessimistic; typed untyped; encrypted unencrypted; versioned unversioned;
    signed unsigned; structured unstructured; tabs spaces; before after; client server;
    permissive restrictive; visible hidden; allowed forbidden; enabled disabled; online offline;
    inclusive exclusive; merge separate; fold separate; combine separate; combined separate;
    join separate; unify separate; consolidate separate; merge split; combine split;
    blocking nonblocking; together separately"""


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for pair in _OPPOSITES.split(";"):
        one, two = (stems_in(word)[-1] for word in pair.split())
        found[one] = found.get(one, frozenset()) | {two}
        found[two] = found.get(two, frozenset()) | {one}
    return found


_PREFIX = "non"
_ONE = frozenset(("one", "single", "share", "shared", "sharing", "common", "same"))
_EACH = frozenset(("each", "every", "per", "own", "separate", "two", "several", "multiple"))

WHERE = frozenset(
    map(stem, ("inside", "alongside", "beside", "within", "outside", "beneath", "underneath"))
)
"""Where something is, beside a place that tells more."""

# Manners in which one thing is done, of which only one can be meant.
_MANNERS = (
    ("optional voluntary opt-in", "mandatory required compulsory obligatory enforced"),
    ("manual manually", "automatic automatically automated"),
    ("synchronous synchronously sync", "asynchronous asynchronously async"),
    ("sequential sequentially", "parallel concurrently"),
    ("allowed permitted", "forbidden prohibited"),
    ("true enabled", "false disabled"),
)

OPPOSITES = _opposites()
"""For each such stem those that deny it."""


def terms(text: str) -> list[str]:
    """The stems of a text that carry meaning, in order."""
    if not text.isascii():
        text = _NOT_PLAIN.sub(lambda run: _plain(run[0]), text)
    return [SAME.get(each, each) for each in telling(text) if len(each) > 1]


def named_in(text: str) -> str:
    """A text spelt out, without what it names only to say that it is something else."""
    low = text.casefold()
    if any(each in low for each in _DENIES):
        text = _DENIED.sub(" ", text)
    return spelt_out(text)


def spelt_out(text: str) -> str:
    """A text in which the names of languages are words: Go, C++ and C#."""
    text = _NON.sub("non", _GO.sub("golang", text))
    if "++" not in text and "#" not in text:
        return text
    return _SIGNED.sub(lambda found: found["letter"] + _SIGNS[found["sign"]], text)


@lru_cache(10_000)
def _plain(run: str) -> str:
    """A dash or a quotation mark parts words as a blank does, and a whole text is plain again."""
    return _NO_LETTER.sub(" ", fold(run))


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a piece of text names.

    `core` has one stem for each word; `all` also the parts of compound words, and each two words
    that follow each other as one, so that `TravisCI`, `Travis CI` and `travisci` meet.
    """

    core: Stems = frozenset()
    all: Stems = frozenset()
    raw: frozenset[str] = frozenset()
    """The words in small letters, unstemmed: names are compared by them."""

    def __bool__(self) -> bool:
        return bool(self.core)

    def __or__(self, other: Phrase) -> Phrase:
        return (
            Phrase(self.core | other.core, self.all | other.all, self.raw | other.raw)
            if other
            else self
        )

    def with_word(self, stem: str, other: str) -> Phrase:
        """The same with another stem in the place of one."""
        if stem not in self.core:
            return self
        return Phrase(self.core - {stem} | {other}, self.all - {stem} | {other}, self.raw)

    def __sub__(self, other: Phrase) -> Phrase:
        return Phrase(self.core - other.all, self.all - other.all, self.raw)


NOTHING = Phrase()


@lru_cache(30_000)
def phrase(text: str) -> Phrase:
    """What a text names, without words that only say that something is done."""
    text = spelt_out(text)
    everything = frozenset(each for each in terms(text) if each not in DOING)
    parts: set[str] = set()
    words = _CHUNK.findall(text)
    alone: set[str] = set()
    for word in words:
        pieces = split(word)
        whole = stems_in(word)[-1:]
        if len(pieces) > 1:
            parts.update(each for piece in pieces for each in stems_in(piece) if [each] != whole)
        else:
            alone.update(whole)
    parts -= alone  # "the API with FastAPI" speaks of an API, too
    joined = {stem(each) for each in _joined(words)}
    # `go-swagger` is one name, though `go` alone says nothing.
    hyphened = {
        stem(word.replace("-", "").lower())
        for word in _HYPHENED.findall(text)
        if any(part in DOING or part in STOP_WORDS for part in tokens(word))
    }
    core = everything - parts or everything
    return Phrase(core | hyphened, everything | joined | hyphened, raw_words(text))


def _joined(words: Sequence[str]) -> Iterator[str]:
    """Each two words that may be written as one elsewhere, in small letters."""
    short = len(words) <= _SHORT
    for one, two in pairwise(words):
        if _SHORTEST_JOINED <= len(one) + len(two) <= _LONGEST_JOINED and (
            # In a long text only names are likely to be written so.
            short or (one[0].isupper() and two[0].isupper())
        ):
            yield (one + two).lower()


def raw_words(text: str) -> frozenset[str]:
    """The words of a text in small letters, compound ones as a whole, in parts and as one."""
    chunks = _CHUNK.findall(text)
    words = (*chunks, *_WHOLE.findall(text))
    return frozenset(word.lower() for word in words) | frozenset(_joined(chunks))


@lru_cache(20_000)
def last_term(word: str) -> str:
    """The last meaningful stem of a word; nothing where it has none."""
    return next(iter(terms(word)[-1:]), "")


def other_number(one: Phrase, two: Phrase) -> bool:
    """Whether one phrase speaks of one thing for all, and the other of one for each."""
    for first, second in ((one, two), (two, one)):
        if first.raw & _ONE and second.raw & _EACH and not first.raw & _EACH | second.raw & _ONE:
            return True
    return False


def prefixed(said: frozenset[str]) -> dict[str, str]:
    """The words that deny some words by a prefix, each with its word: `nonvirtual`, `virtual`."""
    bare = {word.removeprefix(_PREFIX): word for word in said if word.startswith(_PREFIX)}
    return {_PREFIX + word: word for word in said} | bare


def other_manners(said: frozenset[str]) -> frozenset[str]:
    """The words for doing a thing otherwise than some words say: `mandatory` for `optional`."""
    found: set[str] = set()
    for pair in _MANNERS:
        one, two = (frozenset(each.split()) for each in pair)
        for first, second in ((one, two), (two, one)):
            if said & first and not said & second:
                found |= second
    return frozenset(found)


def versions(words: Phrase) -> Stems:
    """The versions that a phrase names, `3.6` or `2.1.2`."""
    return frozenset(each.rstrip("+") for each in words.raw if _VERSION.fullmatch(each))


def share(wanted: Collection[str], there: Phrase, weigh: Weigh) -> float:
    """How much of `wanted` is `there`, from 0 to 1; rare stems count more."""
    known = there.all
    found = [weigh(each) for each in wanted if each in known]
    if not found:
        return 0.0
    if len(found) == len(wanted):
        return 1.0
    # `fsum` rounds once: a verdict must not depend on the order in which a set is read.
    return math.fsum(found) / math.fsum(map(weigh, wanted))
