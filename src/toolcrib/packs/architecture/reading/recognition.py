"""Whether a file is a decision record, by its name and by how it begins.

In a folder that is made for decisions every document counts as one; anywhere else a file has to
show that it is a record: by its name, and by a status or by sections on context and decision.
"""

from __future__ import annotations

import re

from toolcrib.core.errors import FileUnreadable
from toolcrib.files.markdown.document import parse
from toolcrib.files.markdown.outline import Outline
from toolcrib.packs.architecture.reading.metadata import (
    DATE_PREFIX,
    argues,
    is_decision,
    is_template,
)
from toolcrib.packs.architecture.reading.status import MEANINGS, find_status

BEGINNING = 4096
"""How many bytes of a file are looked at."""

# `adr-012-x`, `ADR 12 …`, `DR002-x`, `team-adr-3`, `0012-x`: such names are given to records; as is
# `ADR-storage-0012-x` where each part of a project counts its own.
_NAMED = re.compile(
    r"(?:.*[-_. ])?(?:m?adr|[tp]?dr|decision(?:[-_ ]record)?)"
    r"(?:[-_ .#]*\d{1,5}|[-_ .][a-z]{1,20}[-_ .]\d{3,5})(?:\D|$)"
    r"|\d{3,5}[-_. ]",
    re.I,
)
# `adr-use-x`, `12-x`, `2024-01-31-x`: records are called so, and chapters and posts as well.
_PERHAPS = re.compile(rf"m?adr[-_ .]|\d{{1,2}}[-_. ]|{DATE_PREFIX.pattern}", re.I)


def may_be_record(name: str) -> bool:
    """Whether a file's name is one that records have."""
    stem, dot, ending = name.rpartition(".")
    if not dot or ending.lower() != "md" or not is_decision(name):
        return False
    return bool(_NAMED.match(stem) or _PERHAPS.match(stem))


def _is_named(stem: str) -> bool:
    return bool(_NAMED.match(stem)) and not DATE_PREFIX.match(stem)


def is_record(name: str, beginning: bytes) -> bool:
    """Whether a file with such a name begins like a decision record."""
    cut = beginning[:BEGINNING]
    if len(beginning) >= BEGINNING:
        # A line that is cut in two, or a letter, says nothing.
        cut = cut[: cut.rfind(b"\n") + 1] or cut
    try:
        document = parse(name, cut.decode(errors="ignore").encode())
    except FileUnreadable:
        return False
    outline = Outline(document.body)
    if is_template(document.title):
        return False
    if argues(outline):
        return True
    if not _is_named(name.rpartition(".")[0]):
        return False
    status = find_status(document.title, outline, document.front_matter)
    return status is not None and status.name in MEANINGS
