"""What somebody wants to decide, read like a decision record: its title, its choice, its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from toolcrib.files.markdown.document import parse
from toolcrib.files.markdown.fences import without_code
from toolcrib.files.markdown.inline import without_comments, without_links, without_urls
from toolcrib.files.markdown.outline import Outline
from toolcrib.packs.architecture.reading.metadata import read_metadata
from toolcrib.search.tokens import fold, sentences, telling, tokens

_NUMBERING = re.compile(
    r"^\W*(?:[A-Za-z]+[ \t]+)?(?:adr|madr|rfc|decision(?: record)?|tdr|pdr)[\s#:_-]*\d{1,5}\b"
    r"[\s.:)–—-]*"
    r"|^\W*\d{1,5}[.:)–—-]+\s*|^\W*0\d{1,4}\s+|^\W*(?:adr|rfc)\s*[:–—-]\s*",
    re.I,
)
_VERSION = re.compile(
    r"\b(?:v|version |phase )?(?P<number>\d{1,4}(?:\.\d{1,4}){0,2})(?:\.x)?\b"
    r"|\b(?P<roman>I{2,3})\b",
    re.I,
)
_NOT_PLAIN = re.compile(r"[^\x00-\x7f]+")
_NO_LETTER = re.compile(r"\W")
LONGEST_TITLE = 300
_LONGEST_FIRST = 160

# Words of titles that say what is done, not what it is about.
_DOING = """
    use using used adopt choose select pick move migrate switch replace remove drop add introduce
    implement support create define allow disallow disable enable make improve change adjust
    update revisit revise provide handle handling record decision decisions architecture
    architectural adr rfc design approach strategy system new proposal continue keep stop prefer
    require build run store write own our"""
DOING = frozenset(stem for word in _DOING.split() for stem in tokens(word))


def plain_text(text: str) -> str:
    """Markdown without its code blocks, comments and addresses: the words that somebody wrote."""
    return without_urls(without_links(without_comments(without_code(text))))


def terms(text: str) -> list[str]:
    """The stems of a text that carry meaning."""
    if not text.isascii():
        text = _NOT_PLAIN.sub(lambda run: _plain(run[0]), text)
    return [stem for stem in telling(text) if len(stem) > 1]


@lru_cache(10_000)
def _plain(run: str) -> str:
    """A dash or a quotation mark parts words as a blank does, and a whole text is plain again."""
    return _NO_LETTER.sub(" ", fold(run))


def plain_title(title: str) -> str:
    """A title without its number, dashes read as blanks where it is a file's name."""
    title = _NUMBERING.sub("", title, count=1)
    return title if " " in title else title.replace("-", " ").replace("_", " ")


def subject(title: str) -> frozenset[str]:
    """What a title is about: its meaningful stems without verbs of doing and without versions."""
    found = terms(_VERSION.sub(" ", plain_title(title)))
    return frozenset(stem for stem in found if stem not in DOING and not stem.isdigit())


def version(title: str) -> tuple[int, ...]:
    """The version that a title names, `v2`, `2.0` or `II`; nothing when it names none."""
    found = _VERSION.search(plain_title(title))
    if found is None:
        return ()
    if found["roman"]:
        return (len(found["roman"]),)
    return tuple(int(part) for part in found["number"].split("."))


@dataclass(frozen=True, slots=True)
class When:
    """Where a decision stands in the row of decisions, as far as it is known."""

    number: int | None = None
    date: str | None = None

    def before(self, other: When) -> bool:
        """Whether this one is known to be older than `other`."""
        if self.number is not None and other.number is not None:
            return self.number < other.number
        return bool(self.date and other.date and self.date < other.date)


@dataclass
class Proposal:
    """A decision that is to be checked; everything that is asked of it is worked out once."""

    title: str
    text: str
    when: When = field(default_factory=When)

    @classmethod
    def of(cls, description: str, context: str = "") -> Proposal:
        """Read a description, be it a sentence or a whole decision record."""
        document = parse("proposal.md", description.replace("\0", " ").encode("utf-8", "replace"))
        outline = Outline(document.body)
        named = document.title != "proposal"
        title = document.title[:LONGEST_TITLE] if named else _first_words(document.body)
        about = read_metadata("proposal.md", title, outline, document.front_matter, decision=True)
        text = plain_text(document.body)
        if named:
            text = f"{plain_title(title)}.\n\n{text}"
        if context.strip():
            text += f"\n\n{plain_text(context)}"
        return cls(title, text, When(about.number, about.date))

    @cached_property
    def sentences(self) -> list[str]:
        """Its sentences and list items, in order; headings are no sentences."""
        return [each for each in sentences(self.text) if not each.startswith("#")]

    @cached_property
    def terms(self) -> list[str]:
        """Its meaningful stems, in order, with repetition."""
        return terms(self.text)

    @cached_property
    def subject(self) -> frozenset[str]:
        """What its title is about."""
        return subject(self.title)


def _first_words(text: str) -> str:
    """The first sentence of a description that has no heading."""
    first = next(iter(sentences(plain_text(text)[:2000])), "")
    if len(first) <= _LONGEST_FIRST:
        return first.rstrip(".")
    return first[: first.rfind(" ", 0, _LONGEST_FIRST)]
