"""The status of a decision, in the many ways in which people write one down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

from toolcrib.core.support.records import record
from toolcrib.files.markdown.inline import without_comments, without_links
from toolcrib.files.markdown.outline import Label, Outline

# What a document's own word stands for.
MEANINGS = {
    "proposed": "proposed draft drafted pending wip rfc review reviewing discussion discussing "
    "proposal open new idea tentative considered considering suggested experimental submitted "
    "progress propuesto vorgeschlagen entwurf",
    "accepted": "accepted accept approved adopted agreed implemented implementing decided final "
    "finalised finalized active done ratified enacted effective current completed complete "
    "committed resolved confirmed valid closed released merged applied amended recommended "
    "aceptado aceptada aceito accettato akzeptiert angenommen",
    "rejected": "rejected reject declined denied abandoned withdrawn cancelled canceled dropped "
    "discarded postponed deferred rechazado abgelehnt",
    "deprecated": "deprecated obsolete obsoleted retired archived outdated sunset expired inactive",
    "superseded": "superseded superceded superseeded replaced supplanted overridden reverted "
    "ersetzt reemplazado sustituido",
}
_WORDS = {word: name for name, words in MEANINGS.items() for word in words.split()}
_TAGS = {"proposed", "draft", "accepted", "approved", "rejected", "deprecated", "superseded"}

_STANDS = ("supersedes", "supercedes", "replaces", "amends", "extends")
_AMENDED = ("updated", "extended", "refined", "clarified", "modified", "revised")

# A decision moves on: what was accepted and later replaced says both, and the later word counts.
_STAGES = {name: stage for stage, name in enumerate(MEANINGS)}

_LABEL = re.compile(
    r"(?:(?:adr|rfc|madr|decision|current|document|proposal|record) )?"
    r"(?:status|state|stage|statut|estado|stato)"
    r"(?: of (?:the|this) (?:adr|decision|document|record))?"
)
# `Status / 상태`, `Estado / Status`: people who write in two languages name it in both.
_BOTH = rf"(?:[^/:|]{{1,40}}/[ \t]*)?{_LABEL.pattern}(?:[ \t]*/[^/:|]{{1,40}})?"
_HEADING = re.compile(rf"{_BOTH}(?:[ \t]*[:–(-][ \t]*(?P<value>.*?)\)?)?", re.I)
_CELL = re.compile(rf"[*_` \t]*{_LABEL.pattern}[*_`: \t]*", re.I)
_HTML_ROW = re.compile(
    rf"<[td][hdt][^>]*>\s*(?:<[a-z]+>)*{_LABEL.pattern}[: \t]*(?:</[a-z]+>)*\s*</[td][hdt]>\s*"
    r"<[td]d[^>]*>(?P<value>.*?)</[td]d>",
    re.I | re.S,
)
_HTML_HEADING = re.compile(rf"<h[1-5]>\s*{_LABEL.pattern}\s*</h[1-5]>(?P<value>[^#]*)", re.I)
_BADGE = re.compile(r"!\[(?P<alt>[^\]\n]*)\]\((?P<url>[^)\n]*)\)")
_SAID = re.compile(
    r"\bthis (?:adr|madr|decision|document|rfc|record|proposal|protocol)"
    r" (?:is|was|has been|is now|has now been)"
    r" (?P<value>(?:superseded|superceded|replaced|deprecated|obsoleted|retired|rejected|accepted)"
    r"\b[^\n.]*)",
    re.I,
)
_BRACKETED = re.compile(r"[\[({](?P<value>[^\])}]+)[\])}]")

_STRUCK = re.compile(r"~~[^~\n]*~~|<(s|del|strike)>.*?</\1>", re.I)
_TAG = re.compile(r"<[^>\n]*>")
_MARKS = re.compile(r"[\s>*+•#|_`~-]+")
_WORD = re.compile(r"[A-Za-z]+")
_REPLACED = re.compile(r"super[sc]e+ded|replaced|supplanted|overridden|reverted", re.I)
_CHOICE = re.compile(r"[|/?]|^[{\[<]|\b(?:such as|one of|e\.g\.|or\b)", re.I)
# A template's list of what a status may be: 'Valid statuses are: "Proposed", "Accepted", …'.
_LISTS = re.compile(
    r"\b(?:valid|possible|allowed|available)\b[^.:]{0,30}\bstatus(?:es)?\b"
    r"|\bstatus(?:es)? (?:are|can be|may be|must be|is one of)\b",
    re.I,
)
_IN_PART = re.compile(r"\b(?:partly|partially|partial|parts?|not|no)\b", re.I)
_TICKED = re.compile(r"^[ \t]*[-*+][ \t]*\[[xX✓]\][ \t]*(.+)$", re.M)
_SKIPPED = re.compile(r"[ \t]*(?:[-*+][ \t]*\[ \]|```|>[ \t]*(?:\\?\[!|\*\*note))", re.I)


@record
class Status:
    """What a document says of itself: `name` normalised, `text` as written."""

    name: str
    text: str


def find_status(title: str, outline: Outline, front_matter: Mapping[str, Any]) -> Status | None:
    """Return what the document states, or None when it states nothing.

    Front matter comes first, then a labelled line, a section, a table and a badge; below a section
    that states it no label counts. A body that says that the decision was replaced outweighs front
    matter that nobody brought up to date.
    """
    stated = _from_front_matter(front_matter) if front_matter else None
    if stated is None or stated.name in ("accepted", "proposed"):
        written = _from_body(outline)
        if stated is None or (written and _stage(written.name) > _STAGES["accepted"]):
            stated = written or stated
    return stated or _from_title(title) or _from_tags(front_matter)


def is_status_heading(title: str) -> bool:
    """Whether a heading announces the status."""
    return len(title) < 200 and _HEADING.fullmatch(title) is not None


def normalise(text: str) -> Status | None:
    """Return the status that `text` begins with or speaks of, or None for a mere placeholder."""
    if len(text) < 20 and (quick := _WORDS.get(text.strip(" .").casefold())):
        return Status(quick, text.strip(" ."))
    spoken = _spoken(text)
    if not spoken or _is_placeholder(spoken):
        return None
    words = _words(spoken)
    known = [_WORDS[word] for word in words if word in _WORDS]
    if not known:
        return _of_own_words(spoken, words)
    name = known[0]
    if "superseded" in known:
        before = _REPLACED.split(spoken, maxsplit=1)[0]
        if _IN_PART.search(before):
            name = "accepted" if name == "superseded" else name
        elif "(" not in before:
            name = "superseded"
    elif words[0] == "not" and name == "accepted":
        name = "rejected"
    return Status(name, spoken[:200])


def _from_front_matter(front_matter: Mapping[str, Any]) -> Status | None:
    for key, value in front_matter.items():
        label = str(key).casefold().replace("_", "-")
        if label in ("status", "state", "adr-status", "decision-status"):
            first = value[0] if isinstance(value, list) and value else value
            if isinstance(first, Mapping):
                first = _inside(first)
            if first is not None and (found := normalise(str(first))):
                return found
    return None


def _inside(value: Mapping[Any, Any]) -> Any:
    """The status in a table; `{proposed}` is a template's place that was filled in, braces left."""
    (key, inside), *_ = [*value.items(), (None, None)]
    return key if inside is None and len(value) == 1 and str(key).isalpha() else inside


def _from_body(outline: Outline) -> Status | None:
    found, end = _from_section(outline)
    # What stands below a section on the status speaks of other things: a table of fields.
    best = _from_label(outline, end if found and _stage(found.name) >= 0 else len(outline.body))
    if best is None or (found and _stage(found.name) > max(_stage(best.name), 1)):
        best = found or best
    if best:
        return best
    top = outline.head[:2000]
    return _from_html(outline.head) or _from_badge(top) or _from_sentence(top)


def _from_label(outline: Outline, until: int) -> Status | None:
    for label in takewhile(lambda each: each.start < until, outline.labels):
        if "sta" in label.name and _LABEL.fullmatch(label.name):
            found = _from_row(label, outline) if _is_row(label, outline) else None
            found = found or _from_value(label, outline)
            if found:
                return found
        elif "status" in label.value.casefold() and _is_row(label, outline):
            found = _from_row(label, outline)
            if found:
                return found
    return None


def _from_value(label: Label, outline: Outline) -> Status | None:
    if label.value and _spoken(label.value):
        return normalise(label.value)
    return _read_below(outline, label.start)


def _from_section(outline: Outline) -> tuple[Status | None, int]:
    """What the first section on the status says, and where that section ends."""
    for section in outline.sections:
        if "sta" not in section.title.casefold() or len(section.title) > 200:
            continue
        match = _HEADING.fullmatch(section.title)
        if match:
            value = match["value"]
            found = (normalise(value) if value else None) or _read_below(outline, section.start)
            if found:
                return found, section.end
    return None, 0


def _from_row(label: Label, outline: Outline) -> Status | None:
    """The cell beside `Status`, or below it when the row is a table's head."""
    cells = _cells(outline.body[label.start : label.end])
    column = next((i for i, cell in enumerate(cells) if _CELL.fullmatch(cell)), None)
    if column is None:
        return None
    beside = normalise(cells[column + 1]) if column + 1 < len(cells) else None
    if beside and _stage(beside.name) >= 0:
        return beside
    rows = outline.below(label.start).split("\n")
    if len(rows) > 1 and "-" in rows[0] and set(rows[0].strip()) <= set("|:- "):
        # A table of what happened when: the last row is how things stand.
        table = list(takewhile(lambda row: "|" in row, rows[1:]))
        last = _cells(table[-1]) if table else []
        return normalise(last[column]) if column < len(last) else None
    return beside


def _is_row(label: Label, outline: Outline) -> bool:
    return outline.body[label.start : label.end].lstrip().startswith("|")


def _from_html(head: str) -> Status | None:
    if "</" not in head:
        return None
    row = _HTML_ROW.search(head)
    if row:
        return normalise(row["value"])
    heading = _HTML_HEADING.search(head)
    return _read(heading["value"]) if heading else None


def _from_badge(head: str) -> Status | None:
    if "![" not in head:
        return None
    for match in _BADGE.finditer(head):
        for text in (match["alt"], match["url"].rsplit("/", 1)[-1]):
            for word in _words(text.replace("%20", " ")):
                if word in _WORDS:
                    return Status(_WORDS[word], word.capitalize())
    return None


def _from_sentence(head: str) -> Status | None:
    said = _SAID.search(head)
    return normalise(said["value"]) if said else None


def _from_title(title: str) -> Status | None:
    for match in _BRACKETED.finditer(title):
        words = _words(match["value"])
        if words and words[0] in _WORDS and len(words) <= 4:
            return normalise(match["value"])
    return None


def _from_tags(front_matter: Mapping[str, Any]) -> Status | None:
    tags = front_matter.get("tags")
    for tag in tags if isinstance(tags, list) else []:
        if str(tag).casefold() in _TAGS:
            return normalise(str(tag))
    return None


def _read_below(outline: Outline, at: int) -> Status | None:
    """The status below a heading or a label; some write it as code, and nothing beside it."""
    return _read(outline.below(at)) or _read(outline.below(at, code=True))


def _read(section: str) -> Status | None:
    """The status of a section: a ticked box, else the furthest stage that a line begins with."""
    alone = section.strip()
    if (quick := _WORDS.get(alone.casefold())) is not None:
        return Status(quick, alone)
    section = without_comments(section)
    ticked = _TICKED.search(section)
    if ticked:
        return normalise(ticked[1])
    best: Status | None = None
    for line in _meaningful(section):
        words = _words(_spoken(line))[:1]
        leading = bool(words) and words[0] in _WORDS
        if best is None or leading:
            found = normalise(line)
            if found and (best is None or _stage(found.name) > _stage(best.name)):
                best = found
    return best


def _meaningful(section: str) -> Iterator[str]:
    for line in section.split("\n"):
        if not line or _SKIPPED.match(line):
            continue
        badge = _BADGE.search(line)
        if badge and not _words(badge["alt"]):
            yield badge["url"].rsplit("/", 1)[-1].replace("-", " ")
        elif _spoken(line):
            yield line


def _spoken(text: str) -> str:
    """`text` without comments, links, tags, marks and struck-out words."""
    if "~~" in text or "<" in text:
        text = _TAG.sub(" ", _STRUCK.sub(" ", without_comments(text)))
    text = without_links(text)
    marks = _MARKS.match(text)
    text = text[marks.end() :] if marks else text
    text = text.replace("**", "").replace("__", "").replace("`", "")
    return " ".join(text.split()).strip("|*_ .:;\"'")


def _is_placeholder(spoken: str) -> bool:
    """`{proposed | accepted | …}` is the template's own line, not a choice."""
    if spoken.casefold() in ("n/a", "none", "tbd", "todo", "?", "???", "-"):
        return True
    if _LISTS.search(spoken):
        return True
    if not _CHOICE.search(spoken):
        return False
    return len({_WORDS[word] for word in _words(spoken) if word in _WORDS}) >= 2 + (
        "|" not in spoken
    )


def _of_own_words(spoken: str, words: list[str]) -> Status | None:
    """A word of the team's own, `demonstrated`, is a status; a sentence is not.

    A decision that replaces, amends or is amended by another one stands.
    """
    if words and (words[0] in _STANDS or (words[0] in _AMENDED and "by" in words[1:3])):
        return Status("accepted", spoken[:200])
    words = _words(spoken.split("(")[0].split(",")[0])
    return Status(" ".join(words), spoken[:200]) if 0 < len(words) <= 3 else None


def _stage(name: str) -> int:
    return _STAGES.get(name, -1)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
