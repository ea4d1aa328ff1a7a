"""Options named explicitly: the same words in the same order.

Stems and rarities tell which option is meant where the words differ. Where they are the same,
nothing has to be weighed: "Support Python 2.7 and 3.6+" is that option, and not the one that
begins alike. Names are read as somebody says them: "we will not use X" says no to `X`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, permutations

from toolcrib.packs.architecture.alignment.things.technologies import is_technology
from toolcrib.packs.architecture.alignment.wording.clauses import FRAME, USES
from toolcrib.packs.architecture.alignment.wording.expanding import expand
from toolcrib.packs.architecture.alignment.wording.negation import NEGATION, is_noun, negations
from toolcrib.packs.architecture.alignment.wording.words import DOING, stems_in
from toolcrib.search.embedding.kindred import knows
from toolcrib.search.stem import stem
from toolcrib.search.tokens import STOP_WORDS

Words = tuple[str, ...]

# Of so many words an option is named by nobody who does not mean it.
_SEVERAL = 3

BRACKETS = re.compile(r"\([^()]*\)")
"""What stands in brackets: it explains a name and is no part of it."""

_CAPITALS = re.compile(r"[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)*")
_WORD = re.compile(r"[^\W_]+(?:[.'’][^\W_]+)*[+#]*|[#%§]")
_REPLACE = re.compile(
    r"^\W*(?:(?:replac|swap|exchang|trad)(?:e|es|ed|ing|ping|ped)?\b"
    r"|substitut(?:e|es|ed|ing)\b(?!.*\sfor\s))",
    re.I,
)
# What points to a thing, or tells of it, is not the thing.
_SHOWS = re.compile(
    r"\b(?:links?|hyperlinks?|bookmarks?|references?|pages?|articles?|chapters?|sections?|notes?|faqs?"
    r"|mentions?|logos?|icons?|screenshots?|pictures?|captions?) (?:to|about|on|of|from|for)"
    r" (?:the |our )?(?P<thing>\S.*)",
    re.I,
)
_ARTICLE = re.compile(r"^\W*(?:an?|the|our|up)\b", re.I)
# What may follow a name: where what is said of it goes on, and not the name.
_AFTER = frozenset("for as to in when where because since instead rather over so during".split())  # noqa: SIM905
_AFTER_REPLACED = frozenset(("with", "by", "for", "to", "against"))
# Behind these a thing is named that is not meant.
_NOT_MEANT = frozenset(
    ("over", "than", "not", "without", "instead", "unlike", "against", "except", "versus")
)
# These go on with what is said of a name.
_LINKS = frozenset(
    ("behind", "beside", "inside", "outside", "within", "without", "under", "across")
)
# An "X framework" is X.
_ITSELF = frozenset(
    map(
        stem,
        """api app application call class code component config endpoint engine file format
        framework function interface job library module package page platform query request
        schema script stack style syntax test tool toolkit workflow""".split(),  # noqa: SIM905
    )
)
_FILLERS = frozenset(("of", "a", "an", "the", "using", "any", "our"))


@dataclass(frozen=True, slots=True)
class Named:
    """What a short text names; `wanted` is False where it says no to it."""

    wanted: bool
    words: Words
    replaced: bool = False

    def means(self, other: Named) -> int:
        """How many words of this are all of the other's, from the first on; 0 when they differ."""
        count = len(other.words)
        if not count or self.words[:count] != other.words:
            return 0
        after = _AFTER_REPLACED if self.replaced else _AFTER
        whole = len(self.words) == count and self.replaced == other.replaced
        return count if whole or (len(self.words) > count and self.words[count] in after) else 0

    def rest(self, count: int) -> str:
        """What follows the first words."""
        return " ".join(self.words[count + 1 :])


@lru_cache(20_000)
def named(text: str) -> Named:
    """What a sentence or the name of an option names, without what leads to it."""
    text = expand(text)
    wanted, replaced = True, False
    while True:
        rest = FRAME.sub("", text)
        found = NEGATION.match(rest)
        if found is not None and found.end() < len(rest) and not is_noun(rest, found):
            wanted, rest = not wanted, rest[found.end() :]
        elif _REPLACE.match(rest):
            wanted, replaced, rest = not wanted, True, _REPLACE.sub("", rest)
        rest = _ARTICLE.sub("", USES.sub("", rest)).lstrip()
        if rest == text or not rest:
            return Named(wanted, spelt(text), replaced)
        text = rest


def spelt(text: str) -> Words:
    """The words of a text, in small letters."""
    return tuple(word for word in _WORD.findall(text.casefold()) if word not in ("a", "an", "the"))


@lru_cache(20_000)
def option_stems(text: str) -> Words:
    """The stems of what a text names, in their order, without what leads to it."""
    return tuple(map(stem, named(BRACKETS.sub("", text)).words))


def is_spelt_out(option: str, text: str) -> bool:
    """Whether an option of several words stands in a text word for word."""
    own, said = option_stems(option), option_stems(text)
    starts = range(len(said) - len(own) + 1)
    return len(own) >= _SEVERAL and any(said[at : at + len(own)] == own for at in starts)


def mentioned(names: Sequence[Named], text: str) -> set[int]:
    """Which of the names a text speaks for, word for word; a longer one hides a part of it."""
    words = spelt(expand(text))
    taken: set[int] = set()
    covered: set[int] = set()
    for at in sorted(range(len(names)), key=lambda each: -len(names[each].words)):
        own = names[at].words
        for start in _places(own, words):
            span = range(start, start + len(own))
            if covered.isdisjoint(span) and _is_meant(words, start) == names[at].wanted:
                taken.add(at)
            covered.update(span)
    return taken


def _places(own: Words, words: Words) -> Iterable[int]:
    if not own:
        return ()
    return [
        start
        for start in range(len(words) - len(own) + 1)
        if words[start : start + len(own)] == own
    ]


def _is_meant(words: Words, start: int) -> bool:
    """Whether what stands before a name neither negates it nor weighs it against another."""
    before = start - 1
    while before >= 0 and words[before] in _FILLERS:
        before -= 1
    if before >= 0 and words[before] in _NOT_MEANT:
        return False
    return negations(" ".join(words[:start])) % 2 == 0


def begins_with(names: frozenset[str], text: str) -> bool:
    """Whether a text begins with one of some names, behind an article: "the Alembic revisions"."""
    return not names.isdisjoint(spelt(_ARTICLE.sub("", text))[:1])


def heads_differ(names: frozenset[str], one: str, two: str, any_name: bool = False) -> bool:
    """Whether one name only tells which of two other things are meant: "IAM user", "IAM role".

    Names in capitals do so as a rule, and `any_name` does where a thing is refused: who removes
    the "Elasticsearch proxy" keeps the "Elasticsearch cluster".
    """
    if len(names) != 1:
        return False
    name = next(iter(names))
    if any_name and _is_only_shown(name, one):
        return True
    first, second = _last(name, one), _last(name, two)
    if not first or not second:
        first, second = _head(name, one, any_name), _head(name, two, any_name)
    if not first or not second or first == second:
        return False
    return first not in map(stem, spelt(two)) and second not in map(stem, spelt(one))


def _is_only_shown(name: str, text: str) -> bool:
    """Whether a text works on what points to a thing, or tells of it: "the link to X"."""
    return any(spelt(each["thing"])[:1] == (name,) for each in _SHOWS.finditer(text))


def _head(name: str, text: str, any_name: bool) -> str:
    """The stem of the noun that follows a name in capitals, if a name is written so there."""
    words = _WORD.findall(text)
    for at, word in enumerate(words[:-1]):
        if word.casefold() == name and words[at + 1].islower() and (any_name or word.isupper()):
            following = stem(words[at + 1])
            known = following in STOP_WORDS or following in DOING or following in _ITSELF
            linked = words[at + 1] in _LINKS or words[at + 1].endswith("ly")
            return "" if known or linked else following
    return ""


def _last(name: str, text: str) -> str:
    """The stem of the capitalised word behind a name: "GOV.UK Notify" is no "GOV.UK Signon"."""
    for word, following in pairwise(_WORD.findall(text)):
        if word.casefold() == name and following.istitle():
            last = stem(following.lower())
            return "" if last in STOP_WORDS or last in _ITSELF else last
    return ""


def said_names(names: frozenset[str], words: frozenset[str]) -> frozenset[str]:
    """The names that are among some words, however these are written: `X-Y`, `X Y` or `XY`."""
    if not names:
        return names
    found = {
        name
        for name in names
        if name in words
        or f"{name}s" in words
        or (name.endswith("s") and name[:-1] in words)
        or ("-" in name and name.replace("-", "") in words)
    }
    for one, two in permutations(names - found, 2):
        if one + two in words:
            found |= {one, two}
    return frozenset(found)


def telling_words(text: str, core: frozenset[str]) -> int:
    """How many words of a text tell something; a name of several, "GOV.UK Notify", is one."""
    runs = (core & frozenset(stems_in(run)) for run in _CAPITALS.findall(text))
    return len(core) - sum(len(run) - 1 for run in runs if run)


def merely_said(names: frozenset[str], text: str) -> bool:
    """Whether a text says some names only as the everyday words that they are, too.

    A record may call a thing `name` or Event; who writes "the branch name" need not mean it.
    """
    written = frozenset(_WORD.findall(text))
    return all(_is_everyday(name) and name in written for name in names)


@lru_cache(10_000)
def _is_everyday(word: str) -> bool:
    return word.isalpha() and not is_technology(word.title()) and knows(stem(word))
