"""The forms in which decisions are written, and which of them a repository uses."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolcrib.files.markdown.outline import Outline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolcrib.files.markdown.document import Document

_NYGARD = """\
# {heading}

Date: {date}

## Status

{status}

## Context

What is true today and calls for a decision: facts, forces and limits, and no solution yet.

## Decision

We will …

## Alternatives considered

- …, ruled out because …

## Consequences

What becomes easier, what becomes harder, and what would make us think again.
"""
_MADR_BODY = """\
## Context and Problem Statement

What is true today and calls for a decision: facts, forces and limits, and no solution yet.

## Considered Options

* …
* …

## Decision Outcome

Chosen: "…", because …

### Consequences

* Good, because …
* Bad, because …
{links}"""
_MADR_LIST = "# {heading}\n\n* Status: {status}\n* Date: {date}\n\n" + _MADR_BODY
_MADR_MATTER = "---\nstatus: {status}\ndate: {date}\n---\n\n# {heading}\n\n" + _MADR_BODY

_FRONT_MATTER = re.compile(r"---[ \t]*\n.*?^---[ \t]*$", re.S | re.M)
_FRONT_STATUS = re.compile(r"^(status[ \t]*:[ \t]*)([^\n]*)$", re.I | re.M)
_SECTION = re.compile(r"^(#{1,4}[ \t]+(?:\d+[.)]?[ \t]+)?status[ \t:]*\n+)([^\n#]*)", re.I | re.M)
_LINE = re.compile(
    r"^([ \t]*(?:[-*+>|][ \t]*)*[*_]*status[*_]*[ \t]*[:|][*_ \t]*)([^\n|]*)", re.I | re.M
)
_HEADING = re.compile(r"^#[ \t]+[^\n]*$", re.M)
_DATE = re.compile(
    r"^((?:[ \t]*[-*+>|][ \t]*)*[*_]*date[*_]*[ \t]*[:|][*_ \t]*)[^\n|]*$", re.I | re.M
)


@dataclass(frozen=True, slots=True)
class Particulars:
    """What a new record is filled in with; `links` are sentences such as `Supersedes [2. …](…)`."""

    heading: str
    date: str
    status: str
    links: Sequence[str] = ()


def write_record(like: Document | None, template: str | None, given: Particulars) -> str:
    """A new record: by the team's own template, else in the form of an existing record."""
    if template is not None:
        return _by_template(template, given)
    listed = "".join(f"* {link}\n" for link in given.links)
    links = f"\n## Links\n\n{listed}" if given.links else ""
    if like is not None and _states_in_front_matter(like):
        return _MADR_MATTER.format(
            heading=given.heading, date=given.date, status=given.status.lower(), links=links
        )
    if like is not None and _states_in_a_list(like):
        return _MADR_LIST.format(
            heading=given.heading, date=given.date, status=given.status.lower(), links=links
        )
    status = "\n\n".join([given.status, *given.links])
    return _NYGARD.format(heading=given.heading, date=given.date, status=status)


def restate(text: str, sentence: str, *, further: bool = False) -> str | None:
    """`text` with `sentence` as its status, in each form in which it states one; else None.

    With `further`, the sentence is added to what the status says already.
    """
    matter = _FRONT_MATTER.match(text)
    head = matter[0] if matter else ""
    body = text[len(head) :]
    small = sentence[0].lower() + sentence[1:]
    changed = _FRONT_STATUS.sub(
        lambda match: match[1] + _quoted(_joined(match[2], small, ", ", further)), head, count=1
    )
    for form, words, joint in ((_SECTION, sentence, "\n\n"), (_LINE, small, ", ")):
        match = form.search(body)
        if match:
            stated = _joined(match[2], words, joint, further)
            return changed + body[: match.start(2)] + stated + body[match.end(2) :]
    return changed + body if changed != head else None


def _by_template(template: str, given: Particulars) -> str:
    """The team's template with heading, date and status filled in, where it has them."""
    text = _HEADING.sub(lambda _: f"# {given.heading}", template, count=1)
    text = _DATE.sub(lambda match: match[1] + given.date, text, count=1)
    text = restate(text, given.status) or text
    for link in given.links:
        text = restate(text, link, further=True) or f"{text.rstrip()}\n\n{link}\n"
    return text


def _states_in_front_matter(document: Document) -> bool:
    return any(str(key).casefold() == "status" for key in document.front_matter)


def _states_in_a_list(document: Document) -> bool:
    outline = Outline(document.body)
    for label in outline.labels:
        if label.name == "status" and label.value:
            return document.body[label.start : label.end].lstrip().startswith(("*", "-", "+"))
    return False


def _joined(stated: str, sentence: str, joint: str, further: bool) -> str:
    kept = stated.strip().strip("\"'")
    return f"{kept}{joint}{sentence}" if further and kept else sentence


def _quoted(value: str) -> str:
    """As YAML wants it: quoted where a word alone would not do."""
    return value if value.isalpha() else json.dumps(value, ensure_ascii=False)
