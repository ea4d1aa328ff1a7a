"""The parts of a decision record: what it decided, what it considered, what it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from toolcrib.files.markdown.fences import without_code
from toolcrib.files.markdown.inline import without_comments, without_links, without_urls
from toolcrib.files.markdown.outline import Outline

Role = Literal[
    "decision", "options", "option", "rejected", "consequences", "aside", "context", "other"
]

# What a heading says of the text below it; the first that fits counts.
_WORDS: tuple[tuple[Role, str], ...] = (
    (
        "aside",
        r"change ?log|history|revision|reference|links?\b|see also|appendix|status|related"
        r"|further"
        r"|metadata|deciders|authors?\b|these are optional|more information|notes?\b|glossary"
        r"|test cases|implementations\b|reading",
    ),
    (
        "context",
        r"(?:decision )?(?:drivers|criteria|makers)|context|problem|background|motivation"
        r"|requirements|goals|summary|introduction|user stor|question|abstract|scope",
    ),
    (
        "rejected",
        r"(?:\w+ )?(?:rejected|discarded|dismissed|declined|not chosen|unchosen)"
        r"|(?:other|further|additional) (?:options|alternatives|approaches"
        r"|solutions)",
    ),
    ("decision", r"chosen|selected|decided|decision outcome"),
    (
        "options",
        r"(?:\w+ ){0,4}(?:options|alternatives?)\b|considered\b|pros and cons|pros & cons"
        r"|options\b"
        r"|candidates|proposals\b|choices\b|possible|rationale and alternatives"
        r"|(?:alternative|possible|considered) \w+|prior work and alternatives",
    ),
    (
        "consequences",
        r"(?:positive |negative |neutral )?consequences|outcomes?:?$|positives|negatives"
        r"|advantages|disadvantages|pros\b|cons\b|drawbacks|risks|impact"
        r"|trade-?offs"
        r"|implications|benefits|downsides|results?\b",
    ),
    (
        "decision",
        r"(?:the |our |final |proposed |design )?(?:decisions?|resolution|conclusion|verdict"
        r"|recommendation|choice|selection)\b|decided|chosen|selected|solution|proposal\b"
        r"|what we (?:decided|will do)|outcome|implementation|specification|proposed|we will"
        r"|design|approach|technology choices|details",
    ),
)
_ROLES = tuple((role, re.compile(words, re.I)) for role, words in _WORDS)
# A sentence before a list of things of which one is to be taken.
_WEIGHED = re.compile(
    r"\b(?:evaluat\w+|compar\w+|consider\w*|explor\w+|investigat\w+|looked (?:at|into)|available"
    r"|well[- ]known|popular|possible|several|various|different|some|two|three|four|following)\b"
    r"[^.!?]*\b(?:tools?|frameworks?|librar(?:y|ies)|patterns?|technolog(?:y|ies)|products?|services?"
    r"|options?|alternatives?|approach(?:es)?|candidates?|solutions?|ways?|strateg(?:y|ies))\b"
    r"[^.!?]*:\W*$"
    r"|\b(?:tools|frameworks|libraries|patterns|technologies|products|options|alternatives|approaches"
    r"|candidates|solutions|ways)\b[^.!?]*\b(?:evaluated|compared|considered|explored|available)\b"
    r"[^.!?]*:\W*$",
    re.I,
)
_EMPHASIS = re.compile(r"(?<!\w)(?:\*{1,3}|_{1,3}|~~)(?=\S)|(?<=\S)(?:\*{1,3}|_{1,3}|~~)(?!\w)|`+")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,80}>")


def plain_text(text: str) -> str:
    """Markdown without its code blocks, comments and addresses: the words that somebody wrote."""
    return without_urls(without_links(without_comments(without_code(text))))


def unmarked(text: str) -> str:
    """A line without emphasis, code marks and tags."""
    text = _EMPHASIS.sub("", text)
    return _TAG.sub(" ", text) if "<" in text else text


@dataclass(frozen=True, slots=True)
class Part:
    """A heading with its text: `own` ends at the next heading, `whole` at one of its level."""

    title: str
    level: int
    role: Role
    body_start: int
    own_end: int
    end: int


def role_of(title: str) -> Role:
    """What a heading says about the text below it."""
    plain = title.strip(" *_`:[]<>").removeprefix("The ")
    for role, pattern in _ROLES:
        if pattern.match(plain):
            return role
    return "other"


def parts(body: str) -> list[Part]:
    """All parts of a document in their order."""
    sections = Outline(body).sections
    levels = [_level(body, section.start) for section in sections]
    found = []
    for at, section in enumerate(sections):
        end = len(body)
        for later in range(at + 1, len(sections)):
            if levels[later] <= levels[at]:
                end = sections[later].start
                break
        titles_all = at == 0 and levels[at] == 1
        role: Role = "other" if titles_all else role_of(section.title)
        found.append(Part(section.title, levels[at], role, section.body_start, section.end, end))
    if any(each.role in ("options", "rejected") for each in found):
        return found
    return _with_weighed(body, found)


def _with_weighed(body: str, found: list[Part]) -> list[Part]:
    """The same, the headings that a sentence introduces as what was weighed being options.

    "There are well known tools for this:", and each of the headings below is one of them.
    """
    for at, part in enumerate(found):
        if part.role in ("aside", "consequences"):
            continue
        told = body[part.body_start : part.own_end].rstrip().rsplit("\n\n", 1)[-1]
        below = [each for each in found[at + 1 :] if each.body_start < part.end]
        named = [each for each in below if each.level == below[0].level]
        if len(named) > 1 and all(each.role == "other" for each in named) and _WEIGHED.search(told):
            return [replace(each, role="option") if each in named else each for each in found]
    return found


def _level(body: str, start: int) -> int:
    return len(body[start : start + 7]) - len(body[start : start + 7].lstrip("#"))


def with_role(found: list[Part], *roles: Role) -> Iterator[tuple[Part, list[Part]]]:
    """The outermost parts of these roles, each with the parts inside of it."""
    inside_until = -1
    for part in found:
        if part.role in roles and part.body_start >= inside_until:
            inside_until = part.end
            yield part, [each for each in found if part.body_start < each.body_start < part.end]


def text_without(body: str, part: Part, inside: Sequence[Part], roles: Sequence[Role]) -> str:
    """The text of a part without the parts of some roles inside of it."""
    pieces, at = [], part.body_start
    skip_until = -1
    for each in inside:
        if each.body_start < skip_until:
            continue
        start = body.rfind("\n", 0, each.body_start - 1) + 1
        if each.role in roles:
            pieces.append(body[at:start])
            at = skip_until = each.end
    pieces.append(body[at : part.end])
    return plain_text("\n\n".join(pieces))
