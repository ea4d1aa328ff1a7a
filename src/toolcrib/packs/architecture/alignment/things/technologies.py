"""Things of which a project usually has one of a kind: one database, one linter, one host.

Two decisions for two things of one kind are about one subject, even where they share no word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache

from toolcrib.packs.architecture.alignment.things import tables
from toolcrib.packs.architecture.alignment.wording.words import named_in, spelt_out

# Those that are verbs have a capital, too, where they begin a sentence.
_VERBS = frozenset(
    """make render notify play rush express segment relay treat pop fetch echo tap wire
    rest""".split()  # noqa: SIM905
)
# Before these also a word of everyday English is a name: "the bullet gem".
_PACKAGES = frozenset(("gem", "gems", "crate", "crates", "npm"))
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+#_]*")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST = 3
_SHORT = 4


@cache
def _table() -> dict[str, tuple[str, str]]:
    """Each spelling with its usual name and its kind."""
    table: dict[str, tuple[str, str]] = {}
    for kind, things in tables.words("kinds"):
        for thing in things:
            name, *others = thing.split("=")
            for spelling in (name, *others):
                table.setdefault(spelling, (name, kind))
    return table


@cache
def _everyday() -> frozenset[str]:
    """Spellings that are also words of everyday English."""
    return frozenset(word for _, words in tables.words("everyday") for word in words)


@cache
def _first_words() -> frozenset[str]:
    """With what a spelling begins: nearly all words of a text are none of these."""
    return frozenset(spelling.split("-", 1)[0] for spelling in _table())


def is_technology(word: str) -> bool:
    """Whether a single word, as it is written, is the name of a known thing."""
    low = word.casefold()
    return low in _table() and (low not in _everyday() or _is_capital(word))


def _is_capital(word: str) -> bool:
    """Whether a word has the capital of a name; a longer one in capitals only is an acronym."""
    return word != word.casefold() and (len(word) <= _SHORT or word != word.upper())


def technologies_in(text: str) -> dict[str, str]:
    """The known things that a text names, by their usual names, each with its kind."""
    table, first_words, everyday = _table(), _first_words(), _everyday()
    found: dict[str, str] = {}
    words = [word.rstrip("._") for word in _WORD.findall(named_in(text))]
    low = [word.casefold() for word in words]
    may_begin = [at for at, word in enumerate(low) if _may_begin(words[at], word, first_words)]
    until = 0
    for at in may_begin:
        if at < until:
            continue
        for length in range(_LONGEST, 0, -1):
            spelling = "-".join(low[at : at + length])
            known = table.get(spelling) or table.get(_without_js(spelling))
            if length == 1 and (parts := _HUMP.sub("-", words[at])) != words[at]:
                known = table.get(parts.casefold()) or known  # PaperTrail is not Papertrail
            if known is None or len(low) < at + length:
                continue
            verb = not at and low[at] in _VERBS
            packaged = not _PACKAGES.isdisjoint(low[at + length : at + length + 1])
            if spelling not in everyday or packaged or (_is_capital(words[at]) and not verb):
                found.setdefault(*known)
                until = at + length
            break
    return found


def _may_begin(word: str, low: str, first_words: Collection[str]) -> bool:
    """Whether a known thing may begin with a word: "sealed secrets", and `SealedSecrets`, too."""
    if low in first_words or low.endswith("js"):
        return True
    hump = _HUMP.search(word)
    return hump is not None and low[: hump.start()] in first_words


@lru_cache(10_000)
def known_things(text: str) -> Mapping[str, str]:
    """The same for a title or an option, which every proposal is compared with."""
    return technologies_in(text)


def _without_js(spelling: str) -> str:
    """The name of a library without what some add to it: QuillJS, Quill.js."""
    return spelling.removesuffix("js").removesuffix(".")


# Of these a project often has several: another one is a rival only where the purpose is the same.
SEVERAL = frozenset(
    """language shell serialisation api-style auth-protocol file-storage documentation-format
    template-engine orchestration base-image cloud web-server cache logging-library letter-case
    compression load-balancer language-model log-shipping geographic-format system-packages
    utility-library encryption-library image-format byte-format signature-scheme rendering locking
    component-style module-system browser-storage access-model credential-format agent-protocol
    media-streaming""".split()  # noqa: SIM905
)


# Of one family are kinds whose things do the same work: who takes the one needs not the other.
FAMILIES = {
    "platform as a service": "orchestration",
    "scheduler library": "background jobs",
    "package registry": "container registry",
}


@cache
def _languages() -> dict[str, str]:
    """The one language that a thing belongs to."""
    rows = tables.words("ecosystems")
    return {thing: language for language, things in rows for thing in things}


def of_other_languages(one: str, two: str) -> bool:
    """Whether two things belong to two languages."""
    first, second = _languages().get(one), _languages().get(two)
    return bool(first and second and first != second)


def family(kind: str) -> str:
    """The kind by which things are compared."""
    return FAMILIES.get(kind, kind)


@cache
def _kinds() -> dict[str, str]:
    return {name: family(kind) for name, kind in _table().values()}


def kind_of(name: str) -> str:
    """The kind by which a known thing, under its usual name, is compared."""
    return _kinds().get(name, "")


def often_several(kind: str) -> bool:
    """Whether a project often has several things of the kind."""
    return kind.replace(" ", "-") in SEVERAL


@cache
def _spellings() -> dict[str, list[str]]:
    """All spellings of each known thing."""
    found: dict[str, list[str]] = {}
    for spelling, (name, _) in _table().items():
        found.setdefault(name, []).append(spelling)
    return found


@cache
def _spelt(name: str) -> tuple[frozenset[str], ...]:
    """The words of each spelling of a known thing."""
    return tuple(frozenset(each.split("-")) for each in _spellings().get(name, ()))


@cache
def words_of(name: str) -> frozenset[str]:
    """All words with which a known thing may be spelt."""
    return frozenset().union(*_spelt(name))


@lru_cache(2_000)
def spellings(name: str, text: str) -> frozenset[str]:
    """The words of a text, in small letters, that name a known thing."""
    words = [word.strip(".,;:()") for word in text.replace("/", " ").split()]
    parts = {part for word in words for part in (word, *word.split("-"))}
    found = {
        each.casefold()
        for part in parts
        if name in technologies_in(part) or name in technologies_in(part.title())
        for each in (part, spelt_out(part))
    }
    low = {part.casefold() for part in parts}
    found.update(part for each in _spelt(name) if each <= low for part in each)
    return frozenset(found | (low & set(name.split("-"))) | ({name} & {"golang"}))


def akin(one: str, two: str) -> bool:
    """Whether one thing bears the name of the other, and goes with it: an add-on of it."""
    first, second = set(one.split("-")), set(two.split("-"))
    return first <= second or second <= first


def is_known_thing(text: str) -> bool:
    """Whether a text is nothing but the name of a known thing, in one word or in several."""
    words = len(text.split())
    return words <= _LONGEST and any(words <= name.count("-") + 1 for name in technologies_in(text))
