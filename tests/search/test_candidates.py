"""Candidates: what the evidence for an answer weighs (C-4)."""

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.search.candidates import Evidence
from toolcrib.search.ranking import DOCUMENTS, TOOLS

_SHARES = st.floats(0.0, 1.0)


def _evidence(reach: float) -> Evidence:
    return Evidence({}, (), reach, reach, None)


@given(_SHARES, _SHARES)
def test_the_less_words_reach_the_more_meaning_weighs(one: float, other: float) -> None:
    """C-4: a question in other words than its tool is found by what it means."""
    less, more = sorted((one, other))
    assert _evidence(less).meaning(TOOLS) >= _evidence(more).meaning(TOOLS) >= TOOLS.meaning


@given(st.floats(TOOLS.much, 1.0))
def test_where_words_are_much_of_a_query_meaning_weighs_no_more(reach: float) -> None:
    """C-4: words first, meaning second."""
    assert _evidence(reach).meaning(TOOLS) == TOOLS.meaning


@given(_SHARES)
def test_among_documents_the_weight_of_meaning_is_always_the_same(reach: float) -> None:
    """S-10: a long text has most words of any question."""
    assert _evidence(reach).meaning(DOCUMENTS) == DOCUMENTS.meaning
