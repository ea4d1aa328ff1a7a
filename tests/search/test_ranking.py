"""The constants of the ranking."""

from __future__ import annotations

from dataclasses import fields

from toolcrib.search.ranking import DOCUMENTS, TOOLS


def test_documents_are_not_ranked_by_what_only_tools_have() -> None:
    """S-10: a path, a deed and namesakes say nothing of a document."""
    for name in ("deed", "head", "opening", "brevity", "namesake", "twin", "copy", "group"):
        assert getattr(DOCUMENTS, name) == 0.0 < getattr(TOOLS, name)


def test_no_evidence_counts_against_a_document() -> None:
    """S-10: weights are shares or multiples, none of them negative."""
    for ranking in (TOOLS, DOCUMENTS):
        assert all(getattr(ranking, each.name) >= 0 for each in fields(ranking))
        assert 0 <= ranking.b <= 1 and ranking.faint <= ranking.alike
