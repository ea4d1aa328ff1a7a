"""What a file says, kept in a line and understood again."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.architecture.library.records import DecisionLink
from toolcrib.packs.architecture.library.said import Said, has_no_links, understood
from toolcrib.packs.architecture.reading.metadata import Metadata
from toolcrib.packs.architecture.reading.status import Status

TEXTS = st.text(max_size=20)
FACTS = st.builds(
    Metadata,
    title=TEXTS,
    number=st.none() | st.integers(0, 99_999),
    number_text=st.none() | TEXTS,
    status=st.none() | st.builds(Status, TEXTS, TEXTS),
    date=st.none() | TEXTS,
    tags=st.lists(TEXTS, max_size=3).map(tuple),
    description=TEXTS,
    is_decision=st.booleans(),
)
LINKS = st.builds(
    DecisionLink,
    kind=st.sampled_from(["supersedes", "amends"]),
    target=TEXTS,
    line=st.none() | st.integers(1, 999),
)


@given(FACTS, st.lists(LINKS, max_size=3).map(tuple))
def test_what_is_kept_is_what_was_said(facts: Metadata, links: tuple[DecisionLink, ...]) -> None:
    """R-16: a warm start serves what a cold one would; also whether there are links."""
    said = Said(facts, links)
    line = json.dumps(said.row(), separators=(",", ":")).encode()
    assert understood(line) == said
    assert has_no_links(line) == (not links)
