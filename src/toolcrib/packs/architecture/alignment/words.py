"""The words that carry the meaning of a phrase, and how much of one phrase is in another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
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
GO = re.compile(r"(?<=[a-z,(/+] )Go(?![\w-])(?! (?:to|with|back|for|ahead|live|by|on|over)\b)|^Go$")
"""The language, which is otherwise a word that says nothing."""
_SHORTEST_JOINED, _LONGEST_JOINED, _SHORT = 5, 24, 8

# Words that say that something is done, not what: they tell no two choices apart.
_DOING = """
    use using used utilize utilise leverage adopt choose chose chosen select pick take go move
    migrate switch replace introduce implement support create define make improve change adjust
    update provide handle record decision decisions adr rfc approach strategy solution option
    alternative new proposal continue keep prefer require build run put get give start let allow
    enable want need decide decided decision propose proposed stay stick settle opt favour favor
    bring become come belong add adding based way instead own our current existing roll rely
    depend ourselves everything again touch rather try consider please"""
DOING = frozenset(each for word in _DOING.split() for each in tokens(word))


def terms(text: str) -> list[str]:
    """The stems of a text that carry meaning, in order."""
    if not text.isascii():
        text = _NOT_PLAIN.sub(lambda run: _plain(run[0]), text)
    return [each for each in telling(text) if len(each) > 1]


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

    def __sub__(self, other: Phrase) -> Phrase:
        return Phrase(self.core - other.all, self.all - other.all, self.raw)


NOTHING = Phrase()


@lru_cache(30_000)
def phrase(text: str) -> Phrase:
    """What a text names, without words that only say that something is done."""
    text = GO.sub("golang", text)
    everything = frozenset(each for each in terms(text) if each not in DOING)
    parts: set[str] = set()
    words = _CHUNK.findall(text)
    for word in words:
        pieces = split(word)
        if len(pieces) > 1:
            whole = tokens(word)[-1]
            parts.update(each for piece in pieces for each in tokens(piece) if each != whole)
    short = len(words) <= _SHORT
    joined = {
        stem((one + two).lower())
        for one, two in pairwise(words)
        if _SHORTEST_JOINED <= len(one) + len(two) <= _LONGEST_JOINED
        # In a long text only names are likely to be written as one word elsewhere.
        and (short or one[0].isupper() or two[0].isupper())
    }
    # `go-swagger` is one name, though `go` alone says nothing.
    hyphened = {
        stem(word.replace("-", "").lower())
        for word in _HYPHENED.findall(text)
        if any(part in DOING or part in STOP_WORDS for part in tokens(word))
    }
    core = everything - parts or everything
    raw = {word.lower() for word in words} | {word.lower() for word in _WHOLE.findall(text)}
    return Phrase(core | hyphened, everything | joined | hyphened, frozenset(raw))


def share(wanted: Iterable[str], there: Phrase, weigh: Weigh) -> float:
    """How much of `wanted` is `there`, from 0 to 1; rare stems count more."""
    whole = found = 0.0
    for each in wanted:
        weight = weigh(each)
        whole += weight
        if each in there.all:
            found += weight
    return found / whole if whole else 0.0
