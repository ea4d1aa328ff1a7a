"""What a document says about itself: number, status, date, tags, and what it is about."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any

from toolcrib.core.support.records import record
from toolcrib.files.markdown.inline import plain_words, without_links
from toolcrib.files.markdown.outline import Outline, paragraphs
from toolcrib.packs.architecture.reading.status import Status, find_status

DATE_PREFIX = re.compile(
    r"(?:(?:19|20)\d\d[-_.]?\d\d[-_.]?\d\d|(?:19|20)\d\d[-_.](?:0[1-9]|1[0-2])|\d{12,14})"
    r"(?=\D|$)[-_. ]*"
)
_NAMED_NUMBER = re.compile(
    r"(?:adr|madr|rfc|dr|ad|tdr|pdr|lpr|decision)[-_ #.]*(\d{1,5})(?=\D|$)", re.I
)
# A project's or a team's name before it; such a number is written with its zeros, while
# `replace-adr-5` speaks of another record.
_LED_NUMBER = re.compile(r"[a-z]+[-_. ](?:adr|madr|tdr|pdr)[-_ #.]*(\d{3,5})(?=\D|$)", re.I)
_PLAIN_NUMBER = re.compile(r"(\d{1,5})(?=[-_. )]|$)")
_PADDED_NUMBER = re.compile(r"(0\d{1,4}|\d{3,5})(?=[-_. ]|$)")
_TITLE_NUMBER = re.compile(
    r"\W*(?:\w+[ \t]+)?(?:adr|madr|rfc|decision|tdr)[ \t#:_-]*(\d{1,5})\b"
    r"|\W*(\d{1,5})[.):][ \t]|\W*(0\d{1,4})\b",
    re.I,
)
_NUMBER_KEYS = ("number", "adr", "adr_id", "adr-id", "adr_number", "adr-number", "id", "slug")

_DATE_LABELS = {
    "date",
    "created",
    "decided",
    "decision date",
    "start date",
    "date accepted",
    "date decided",
    "last updated",
    "updated",
    "since",
}
_DATE_KEYS = ("date", "created", "decided", "decision-date", "date-decided", "updated")
_ISO = re.compile(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b")
_DOTTED = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SPELT = re.compile(
    r"\b(?:(?P<y1>\d{4})[ -])?(?:(?P<d1>\d{1,2})(?:st|nd|rd|th)?[ .-]+(?:of )?)?"
    r"(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
    r"(?:[ -]+(?P<d2>\d{1,2})(?:st|nd|rd|th)?\b)?(?:,?[ -]+(?P<y2>\d{4}))?",
    re.I,
)

_TAG_KEYS = ("tags", "keywords", "categories", "category", "area")
_TAG_LABELS = {"tag", "tags", "keyword", "keywords", "label", "labels", "category", "categories"}
_ABOUT = (
    "context",
    "summary",
    "abstract",
    "intent",
    "overview",
    "purpose",
    "problem",
    "introduction",
    "motivation",
    "background",
)
_NOT_PROSE = "#|>!<`*+=:{[-"
_LABEL_LINE = re.compile(r"[*_]*[A-Z][\w /-]{1,30}[*_]*:[*_]*(?:[ \t]|$)")
_NEAR = 1_500
_LONGEST = 240

_NOT_DECISIONS = {"readme", "index", "template", "adr-template", "toc", "summary", "contributing"}
# `adr-index`, `decision_log`; `0000-index`, which stands before the first decision.
_INDEX_NAME = re.compile(
    r"(?:0+[-_. ]+|(?:0+[-_. ]+)?(?:adrs?|decisions?|records?)[-_ ]?)"
    r"(?:index|list|log|overview|toc|readme)",
    re.I,
)
_TEMPLATE_NAME = re.compile(
    r"template|(?:(?:m?adr|\d{1,5}|[xn]{3,5}|short|long|minimal)[-_. ]+)*template"
    r"(?:[-_. ]+(?:m?adr|short|long|minimal|bare|full|\d+))*"
    # A number makes it a decision about one: "0007-ask-by-our-own-template".
    r"|(?!0*[1-9]\d*[-_. ]).*[-_. ]template",
    re.I,
)
# What a template's title leaves to be filled in: `{title}`, `[short title]`, `<title>`, `ADR-XXXX`.
_BLANK_TITLE = re.compile(
    r"[^\w{<\[]*(?:(?:m?adr|decision|rfc)?[\s#:_-]*(?:\d+|x{2,}|n{2,}|0+|\{[^}]*\}|<[^>]*>|\[[^]]*\])?[\s.:)-]*)"
    r"(?:\{[^}]*\}|<[^>]*>|\[[^]]*\]|title|short title|x{3,}|template)[\s.]*",
    re.I,
)
_BEFORE = r"\W*(?:[\d.]+\s+)?(?:\w+\s+)?(?:and\s+)?"
_CONTEXT = re.compile(
    rf"{_BEFORE}(?:context|background|problem|considered (?:options|alternatives))\b", re.I
)
_DECISION = re.compile(rf"{_BEFORE}(?:decisions?|conclusion)\b", re.I)
# A link to a page of the repository; a site that is made of them leaves out how their names end.
_ENTRY = re.compile(
    r"[ \t]*(?:[-*+]|\d+[.)]|\|)[^\n]*\]\((?:[^)\n]+\.md\b|(?!\w+:)[^)\n#]*/[^)\n#./]+/?\))"
)
_FEWEST_ENTRIES = 3


@record
class Metadata:
    """What could be read from one document; `number_text` is the number as the file writes it."""

    title: str
    number: int | None
    number_text: str | None
    status: Status | None
    date: str | None
    tags: tuple[str, ...]
    description: str
    is_decision: bool


def read_metadata(
    path: str, title: str, outline: Outline, front_matter: Mapping[str, Any], *, decision: bool
) -> Metadata:
    """Read what the document at `path` says; guidelines and patterns have no number or status."""
    title = " ".join(title.split())
    number_text = file_number(path) if decision else None
    number = _number(number_text, title, front_matter) if decision else None
    status = find_status(title, outline, front_matter) if decision else None
    return Metadata(
        title=title,
        number=number,
        number_text=number_text,
        status=status,
        date=_date(path, outline, front_matter),
        tags=_tags(outline, front_matter),
        description=_description(outline, front_matter),
        is_decision=decision
        and is_decision(path)
        and not (is_template(title) and not int(number_text or 0))
        and not (number_text is None and is_index(outline))
        and not (status is None and number is None and _is_house_page(path, outline)),
    )


def file_number(path: str) -> str | None:
    """The number in a file's name as it is written there, or None; a date is no number."""
    parts = path.rsplit("/", 2)
    stem = parts[-1].rsplit(".", 1)[0]
    if stem.casefold() in ("readme", "index") and len(parts) > 1:
        stem = parts[-2]
    dated = DATE_PREFIX.match(stem)
    rest = stem[dated.end() :] if dated else stem
    named = _NAMED_NUMBER.match(rest)
    plain = named or (_PADDED_NUMBER if dated else _PLAIN_NUMBER).match(rest)
    if plain is None and not dated:
        plain = _LED_NUMBER.match(rest)
    return plain[1] if plain else None


def is_decision(path: str) -> bool:
    """Whether a file of a decisions folder has the name of a decision, not of its index."""
    folder, _, name = path.rpartition("/")
    stem = name.rsplit(".", 1)[0].casefold()
    if stem in ("readme", "index") and folder:
        return file_number(path) is not None
    return not (stem in _NOT_DECISIONS or is_form(path) or _INDEX_NAME.fullmatch(stem))


def is_form(path: str) -> bool:
    """Whether a file has the name of a template."""
    stem = path.rpartition("/")[2].rsplit(".", 1)[0].casefold()
    return stem.startswith("template") or _TEMPLATE_NAME.fullmatch(stem) is not None


def is_template(title: str) -> bool:
    """Whether a document is a form to be filled in: its title is a blank."""
    return _BLANK_TITLE.fullmatch(title.strip()) is not None


def is_index(outline: Outline) -> bool:
    """Whether a document is a list of others: most of its lines are links to documents."""
    lines = [line for line in outline.prose.split("\n") if line.strip() and line.lstrip()[0] != "#"]
    entries = sum(1 for line in lines if _ENTRY.match(line))
    return entries >= _FEWEST_ENTRIES and 2 * entries > len(lines)


def argues(outline: Outline) -> bool:
    """Whether a document has sections on context and on decision, as records have."""
    titles = [section.title for section in outline.sections]
    return any(map(_CONTEXT.match, titles)) and any(map(_DECISION.match, titles))


def _is_house_page(path: str, outline: Outline) -> bool:
    """Whether a file is about its folder: `AGENTS`, `CLAUDE`, `GLOSSARY`, all in capitals.

    Names of that kind are given so that they stand out among the records.
    """
    stem = path.rpartition("/")[2].rsplit(".", 1)[0]
    return stem.isupper() and not argues(outline)


def _number(text: str | None, title: str, front_matter: Mapping[str, Any]) -> int | None:
    if text is not None:
        return int(text)
    written = _TITLE_NUMBER.match(title)
    if written:
        return int(next(group for group in written.groups() if group))
    for key in _NUMBER_KEYS:
        value = front_matter.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 100_000:
            return value
        if isinstance(value, str):
            named = _NAMED_NUMBER.match(value) or _PLAIN_NUMBER.match(value)
            if named:
                return int(named[1])
    return None


def _date(path: str, outline: Outline, front_matter: Mapping[str, Any]) -> str | None:
    for key in _DATE_KEYS if front_matter else ():
        value = front_matter.get(key, front_matter.get(key.capitalize()))
        if isinstance(value, datetime.date):
            return value.isoformat()[:10]
        if value and (found := iso_date(str(value))):
            return found
    for label in outline.labels:
        if label.name in _DATE_LABELS and (found := iso_date(label.value)):
            return found
    name = path[path.rfind("/") + 1 :]
    return iso_date(name[:10].replace("_", "-")) if name[4:5] in ("-", "_", ".") else None


def iso_date(text: str) -> str | None:
    """The first date in `text` as `2024-01-31`, whether in figures or in words."""
    if match := _ISO.search(text):
        year, month, day = (int(part) for part in match.groups())
        return _checked(year, month, day) or _checked(year, day, month)
    if match := _DOTTED.search(text):
        day, month, year = (int(part) for part in match.groups())
        return _checked(year, month, day)
    for match in _SPELT.finditer(text):
        spelt = match.groupdict()
        written_year, written_day = spelt["y1"] or spelt["y2"], spelt["d1"] or spelt["d2"]
        if written_year and written_day:
            return _checked(int(written_year), _month(spelt["m"]), int(written_day))
    return None


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _checked(year: int, month: int, day: int) -> str | None:
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return None


def _tags(outline: Outline, front_matter: Mapping[str, Any]) -> tuple[str, ...]:
    found: list[str] = []
    for key in _TAG_KEYS if front_matter else ():
        value = front_matter.get(key)
        if isinstance(value, str):
            found.extend(re.split(r"[,;]", value))
        elif isinstance(value, list):
            found.extend(str(item) for item in value if isinstance(item, (str, int)))
    if not found:
        for label in outline.labels:
            if label.name in _TAG_LABELS:
                found = re.split(r"[,;]", without_links(label.value))
    if not found:
        return ()
    cleaned = (tag.strip(" \t`*_#\"'[]") for tag in found)
    return tuple(dict.fromkeys(tag for tag in cleaned if tag))


def _description(outline: Outline, front_matter: Mapping[str, Any]) -> str:
    for key in ("description", "summary", "abstract", "excerpt") if front_matter else ():
        value = front_matter.get(key)
        if isinstance(value, str) and value.strip():
            return _shortened(value)
    start = 0
    for section in outline.sections:
        if section.title[:12].casefold().startswith(_ABOUT):
            start = section.body_start
            break
    shortest = 0 if start else 30
    for text in paragraphs(outline.prose[start : start + _NEAR]):
        if len(text) > shortest and text[0] not in _NOT_PROSE and not _LABEL_LINE.match(text):
            return _shortened(text)
    return ""


def _shortened(text: str) -> str:
    plain = plain_words(text[:_NEAR])
    if len(plain) <= _LONGEST:
        return plain
    return plain[: plain.rfind(" ", _LONGEST - 60, _LONGEST)].rstrip(",;:. ") + "…"
