"""Which words of a record are names: of tools, services, formats, identifiers.

A name decides where other words only describe. A word is one when the record writes it with a
capital inside of its text and hardly ever without, marks it as code or as a link, or when it
looks like none of a dictionary (`msgpack2`, `socket.io`).
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from toolcrib.files.markdown.fences import without_code
from toolcrib.files.markdown.inline import without_links
from toolcrib.packs.architecture.alignment.things.technologies import is_technology
from toolcrib.packs.architecture.alignment.wording.words import (
    DOING,
    Stems,
    named_in,
    phrase,
    stems_in,
)
from toolcrib.search.embedding.kindred import knows
from toolcrib.search.stem import stem
from toolcrib.search.tokens import STOP_WORDS, tokens

_HEADING = re.compile(r"^#.*$", re.M)
_WORD = re.compile(r"[^\W\d_][\w+#]*")
_TOKEN = re.compile(r"[^\W_][\w+#.-]*")
_MARKED = re.compile(r"`([^`\n]{2,40})`|\[([^\]\n]{2,40})\]\(")
# A kind of files by its ending: `.proto files`; a name of one word, with a capital: [Quarto](…).
_TITLED = re.compile(r"\.[a-z]{2,12}(?:\s|$)")
_LINKED = re.compile(r"[A-Z][a-z]+$")
_BOLD = re.compile(r"\*\*([^*\s]{2,40})\*\*")
_CODE = re.compile(r"`[^`\n]{1,80}`")
_HYPHENED = re.compile(r"\b[A-Za-z][\w]*(?:-[\w]+)+\b")
_MOST_MARKED = 3
_PATH, _SHORT = 2, 2
# Acronyms that say what kind of thing something is, and not which.
_GENERIC = frozenset(
    """api apis ui uis ux url urls id ids pr prs adr adrs mvp poc faq ci cd cli sdk ide os http
    https html""".split()  # noqa: SIM905
)
# Two everyday words with a capital each, inside of a sentence, are a name: "the Data Migrate gem".
_COMPOUND = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+ [A-Z][a-z]+(?= [a-z])")
_PAIR = re.compile(r"(?=\b([A-Za-z]+ [A-Za-z]+)\b)")
_COUNT = re.compile(r"\d{1,2}|[\d.-]*[.-][\d.-]*")  # a count, a date, a version: no name
_WRITTEN_OUT = re.compile(
    r"(?<![\w-])(?P<whole>(?:[A-Z][\w-]+ (?:(?:of|and|for|the) )?){1,5}[A-Z][\w-]+)"
    r" \((?P<short>[A-Z]{2,6})\)"
)
_ODD = re.compile(r"\d|[a-z][A-Z]|[+#]|\w[._]\w")
_INNER = re.compile(r"[a-z][A-Z]|\d")
# So many times as often with a capital as without.
_MOSTLY = 3
_LONG = 6


class Names:
    """The names that one record uses."""

    def __init__(self, body: str) -> None:
        self._body = body
        self._counts = Counter(_WORD.findall(_HEADING.sub("", body)))
        self._in_prose = Counter(_WORD.findall(_prose(body)))
        self._identifiers = {word.casefold() for word in self._counts if _INNER.search(word)}
        marked = [found[0] or found[1] for found in _MARKED.findall(body)]
        whole = {each.casefold() for each in (*marked, *_BOLD.findall(body))}
        self._whole = whole & self._hyphened(body)
        self._titled = {each[1:].split()[0].casefold() for each in marked if _TITLED.match(each)}
        self._titled |= {each.casefold() for each in marked if _LINKED.match(each)}
        self._marked = {
            word.strip("_").casefold()
            for words in map(_WORD.findall, marked)
            if len(words) <= _MOST_MARKED
            for word in words
        }
        self._as_code = Counter(
            word.casefold() for code in _CODE.findall(body) for word in _WORD.findall(code)
        )
        self._compounds = {
            each.replace(" ", "-").casefold()
            for each in _COMPOUND.findall(_HEADING.sub("", body))
            if not any(self.has(word) and _telling(word.casefold()) for word in each.split())
        }

    @cached_property
    def _written_out(self) -> dict[str, Stems]:
        """What the record writes out once, by its initials: "Digital Post Office (DPO)"."""
        return {
            found["short"].casefold(): phrase(found["whole"]).core
            for found in _WRITTEN_OUT.finditer(without_links(self._body))
            if _initials(found["whole"]).endswith(found["short"])
        }

    def initials_of(self, thing: Stems) -> frozenset[str]:
        """The initials by which the record calls a thing, from all the stems of its name."""
        return frozenset(
            short
            for short, whole in self._written_out.items()
            if whole == thing - frozenset(stems_in(short))
        )

    @staticmethod
    def _hyphened(body: str) -> set[str]:
        return {word.casefold() for word in _HYPHENED.findall(body)}

    def has(self, word: str) -> bool:
        """Whether a word, as somebody writes it, is a name here."""
        if _ODD.search(word) or is_technology(word):
            return True
        low = word.casefold()
        if low in self._whole:
            return True
        written = self._counts[word.capitalize()] + self._counts[word.upper()]
        if word not in (low, word.capitalize(), word.upper()):
            written += self._counts[word]
        plain = (self._in_prose if _is_acronym(word) else self._counts)[low]
        if written and written >= _MOSTLY * plain:
            return True
        # In code and addresses the name of a tool or of a kind of files has small letters.
        plain = self._in_prose[low] if low in self._titled else plain
        if low not in self._marked:
            return self._is_unheard_of(low)
        if self._is_unheard_of(low):
            return True
        return plain <= _MOSTLY or self._as_code[low] > _MOSTLY * self._in_prose[low]

    def _is_unheard_of(self, word: str) -> bool:
        """Whether a word that is said again and again is none of everyday: most packages' names."""
        return (
            len(word) >= _LONG
            and word.isalpha()
            and self._counts[word] >= _MOSTLY
            and not knows(stem(word))
        )

    def is_identifier(self, name: str) -> bool:
        """Whether a name is written as programs write them: with a capital or a digit inside."""
        return name in self._identifiers

    def is_sure(self, name: str) -> bool:
        """Whether more than a capital says that a name is one: a mark, its build, or a table."""
        return bool(
            name in self._identifiers
            or name in self._marked
            or name in self._whole
            or _ODD.search(name)
            or is_technology(name.title())
        )

    def within(self, text: str) -> frozenset[str]:
        """The names in a text, in small letters."""
        found: set[str] = set()
        for word in _TOKEN.findall(named_in(text)):
            word = word.rstrip(".-")
            parts = word.split("-")
            if self.has(word) or (len(parts) > 1 and self.has("".join(parts))):
                found.add(word.casefold())
            elif len(parts) > 1:
                found.update(part.casefold() for part in parts if part and self.has(part))
        if self._compounds:
            pairs = (each[1].replace(" ", "-").casefold() for each in _PAIR.finditer(text))
            found.update(each for each in pairs if each in self._compounds)
        return frozenset(name for name in found if _telling(name))


def _initials(words: str) -> str:
    return "".join(word[0] for word in words.split() if word[0].isupper())


def _is_acronym(word: str) -> bool:
    return len(word) > _SHORT and word.isupper()


def _prose(body: str) -> str:
    """A text without code and paths: there an acronym has small letters."""
    text = _CODE.sub(" ", _HEADING.sub("", without_code(body)))
    return " ".join(word for word in text.split() if word.count("/") < _PATH)


def _telling(name: str) -> bool:
    if name in _GENERIC or _COUNT.fullmatch(name):
        return False
    stems = tokens(name)
    return bool(stems) and not all(stem in STOP_WORDS or stem in DOING for stem in stems)
