from __future__ import annotations

from toolcrib.packs.architecture.alignment.things import tables
from toolcrib.packs.architecture.alignment.things.subjects import work_of
from toolcrib.search.stem import stem


def test_the_work_of_a_kind_is_told_in_everyday_words() -> None:
    """A-7: who chooses another thing for the same purpose conflicts, whatever the words are."""
    assert {stem("stylesheet"), stem("margin")} <= work_of("style sheets")
    assert stem("stylesheet") not in work_of("database")
    assert not work_of("no such kind")


def test_each_kind_whose_work_is_told_has_things() -> None:
    """A-7: a kind that has no thing could never be met."""
    kinds = {kind for kind, _ in tables.table("kinds")}
    assert [kind for kind, _ in tables.table("work") if kind not in kinds] == []
