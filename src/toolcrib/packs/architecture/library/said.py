"""The parsed content of one file, stored as a line of JSON."""

from __future__ import annotations

import json
from typing import Any

from toolcrib.core.support.records import record
from toolcrib.packs.architecture.library.records import DecisionLink
from toolcrib.packs.architecture.reading.metadata import Metadata
from toolcrib.packs.architecture.reading.status import Status

_NO_LINKS = b",[]]"


@record
class Said:
    """What a file says of itself and of other decisions."""

    metadata: Metadata
    links: tuple[DecisionLink, ...]

    def row(self) -> list[Any]:
        """The same to be kept; the links come last."""
        facts = self.metadata
        return [
            facts.title,
            facts.number,
            facts.number_text,
            facts.status and [facts.status.name, facts.status.text],
            facts.date,
            facts.tags,
            facts.description,
            facts.is_decision,
            [[link.kind, link.target, link.line] for link in self.links],
        ]


def understood(line: bytes) -> Said:
    """What a kept row says."""
    title, number, number_text, status, date, tags, description, is_decision, links = json.loads(
        line
    )
    facts = Metadata(
        title,
        number,
        number_text,
        Status(*status) if status else None,
        date,
        tuple(tags),
        description,
        is_decision,
    )
    return Said(
        facts, tuple([DecisionLink(kind, target, None, line) for kind, target, line in links])
    )


def has_no_links(line: bytes) -> bool:
    """Whether a kept row names no other decision, which most of them do not."""
    return line.endswith(_NO_LINKS)
