"""A proposal, read like a decision record: its title, its choice, its position."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from toolcrib.files.markdown.document import parse
from toolcrib.files.markdown.outline import Outline
from toolcrib.packs.architecture.alignment.record.parts import plain_text, unmarked
from toolcrib.packs.architecture.alignment.record.position import Position
from toolcrib.packs.architecture.alignment.wording.clauses import (
    Clause,
    beside_purposes,
    denied,
    read_clauses,
    suggests,
    unlabelled,
)
from toolcrib.packs.architecture.alignment.wording.stating import states, tells_the_present
from toolcrib.packs.architecture.alignment.wording.words import DOING, terms
from toolcrib.packs.architecture.reading.metadata import read_metadata
from toolcrib.search.tokens import sentences

_NUMBERING = re.compile(
    r"^\W*(?:[A-Za-z]+[ \t]+)?(?:adr|madr|rfc|decision(?: record)?|tdr|pdr)[\s#:_-]*\d{1,5}\b"
    r"[\s.:)–—-]*"
    r"|^\W*\d{1,5}[.:)–—-]+\s*|^\W*\d{1,5}\s+[–—-]+\s+|^\W*0\d{1,4}\s+|^\W*(?:adr|rfc)\s*[:–—-]\s*",
    re.I,
)
_VERSION = re.compile(
    r"\b(?:v|version |phase )?(?P<number>\d{1,4}(?:\.\d{1,4}){0,2})(?:\.x)?\b"
    r"|\b(?P<roman>I{2,3})\b",
    re.I,
)
LONGEST_TITLE = 300
_LONGEST_FIRST = 160
_LONG = 1_200
_LETTER = re.compile(r"[^\W_]")
_SENTENCE = re.compile(
    r"\b(?:we|i|you|they|it|is|are|be|will|should|must|can|let|lets|do|does|has|have|gets?)\b|['’](?:s|ll|d)\b|->|→",
    re.I,
)
_ASKS = re.compile(r"^\W*(?:how|why|what|where|when|which|who)\b", re.I)
_MOST_CLAUSES = 40
# "X? Rather not.": somebody asks and answers.
_SHORT_QUESTION = re.compile(r"^\W{0,3}[\w.+#/-]+(?: [\w.+#/-]+){0,5}\?\W{0,3}$")
_NO = re.compile(
    r"^\W{0,3}(?:no|nope|nah|never|not|hardly|rather not"
    r"|(?:i|we)(?:['’]d| would) (?:rather|sooner) not"
    r"|thanks?,? but no|no,? thanks?|forget it|pass)\b[^?]{0,60}$",
    re.I,
)
_YES = re.compile(
    r"^\W{0,3}(?:yes|yep|yeah|sure|absolutely|definitely|by all means|of course"
    r"|please)\b[^?]{0,60}$",
    re.I,
)


def plain_title(title: str) -> str:
    """A title without its number, dashes read as blanks where it is a file's name."""
    title = _NUMBERING.sub("", title, count=1)
    return title if " " in title else title.replace("-", " ").replace("_", " ")


def subject(title: str) -> frozenset[str]:
    """What a title is about: its meaningful stems without verbs of doing and without versions."""
    found = terms(_VERSION.sub(" ", plain_title(title)))
    return frozenset(stem for stem in found if stem not in DOING and not stem.isdigit())


@lru_cache(4_000)
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
    """The position of a decision in the sequence of decisions, if known."""

    number: int | None = None
    date: str | None = None

    @property
    def known(self) -> bool:
        """Whether anything is known of it."""
        return self.number is not None or self.date is not None

    def before(self, other: When) -> bool:
        """Whether this one is known to be older than `other`."""
        if self.number is not None and other.number is not None:
            return self.number < other.number
        return bool(self.date and other.date and self.date < other.date)


@dataclass
class Proposal:
    """A proposed decision; derived values are computed once."""

    title: str
    text: str
    when: When = field(default_factory=When)
    position: Position | None = None
    """Its parts, where it is written like a decision record."""

    @classmethod
    def of(cls, description: str, context: str = "") -> Proposal:
        """Read a description, be it a sentence or a whole decision record."""
        document = parse("proposal.md", description.replace("\0", " ").encode("utf-8", "replace"))
        outline = Outline(document.body)
        title = document.title
        if not _LETTER.search(title):  # `title: |` in the front matter
            title = outline.sections[0].title if outline.sections else "proposal"
        named = title != "proposal"
        title = title[:LONGEST_TITLE] if named else _first_words(document.body)
        about = read_metadata("proposal.md", title, outline, document.front_matter, decision=True)
        text = plain_text(document.body)
        if named:
            text = f"{plain_title(title)}.\n\n{text}"
        if context.strip():
            text += f"\n\n{plain_text(context)}"
        written = len(outline.sections) > 1 or len(document.body) > _LONG
        position = Position(plain_title(title), document.body) if written else None
        return cls(title, text, When(about.number, about.date), position)

    @cached_property
    def sentences(self) -> list[str]:
        """Its sentences and list items, in order; headings are no sentences."""
        return [each for each in sentences(self.text) if not each.startswith("#")]

    @cached_property
    def spoken(self) -> list[str]:
        """The sentences of a description without their marks; a whole record has none."""
        if self.position is not None:
            return []
        return [unmarked(each) for each in self.sentences if not tells_the_present(each)]

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """What it says yes and no to: in a whole record its title, its choice and its decision."""
        if self.position is None:
            texts = self.spoken
        else:
            chosen = [each.name for each in self.position.options if each.chosen]
            texts = [self.position.title, *chosen, *self.position.decided]
        found: list[Clause] = []
        asked = ""
        for text in texts:
            answer = _answer(text) if asked else None
            if answer is not None:
                found.extend(
                    replace(each, wanted=each.wanted == answer) for each in read_clauses(asked)
                )
                asked = ""
                continue
            asked = text.rstrip("?\"' ") if _SHORT_QUESTION.match(text) else ""
            again = denied(text, found[-1]) if found else None
            if again is not None:
                found[-1] = again
            else:
                found.extend(read_clauses(text))
        return tuple(found[:_MOST_CLAUSES])

    @cached_property
    def states(self) -> bool:
        """Whether it says what is to be done; a title or a heading alone names a subject."""
        title = unlabelled(plain_title(self.title))
        if _ASKS.match(title) and not suggests(title):
            return False
        if self.position is not None:
            return states(title)
        sentence = self.text.rstrip().endswith((".", "!", "…")) or len(self.sentences) > 1
        return sentence or states(title) or bool(_SENTENCE.search(title))

    @cached_property
    def firm_clauses(self) -> tuple[Clause, ...]:
        """What it stands for: all of a description; of a whole record its title and its choice."""
        if self.position is None:
            return beside_purposes(self.clauses)
        chosen = [each.name for each in self.position.options if each.chosen]
        texts = [*self.position.chosen_names, *chosen]
        if self.states:
            texts.insert(0, plain_title(self.title))
        return tuple(clause for text in texts for clause in read_clauses(text))

    @cached_property
    def terms(self) -> list[str]:
        """Its meaningful stems, in order, with repetition."""
        return terms(self.text)

    @cached_property
    def subject(self) -> frozenset[str]:
        """What its title is about."""
        return subject(self.title)


def _answer(text: str) -> bool | None:
    """What a short sentence answers to the question before it: "Rather not.", "By all means."."""
    if _NO.match(text):
        return False
    return True if _YES.match(text) else None


def _first_words(text: str) -> str:
    """The first sentence of a description that has no heading."""
    first = next(iter(sentences(plain_text(text)[:2000])), "")
    if len(first) <= _LONGEST_FIRST:
        return first.rstrip(".")
    return first[: first.rfind(" ", 0, _LONGEST_FIRST)]
