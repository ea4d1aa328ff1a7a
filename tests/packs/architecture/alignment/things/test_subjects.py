from __future__ import annotations

from toolcrib.packs.architecture.alignment.things.kinds import KINDS
from toolcrib.packs.architecture.alignment.things.subjects import work_of
from toolcrib.search.stem import stem


def test_the_work_of_a_kind_is_told_in_everyday_words() -> None:
    """A-7: who chooses another thing for the same purpose conflicts, whatever the words are."""
    assert {stem("stylesheet"), stem("margin")} <= work_of("style sheets")
    assert stem("stylesheet") not in work_of("database")
    assert not work_of("no such kind")


def test_each_kind_whose_work_is_told_has_things() -> None:
    kinds = {line.partition(":")[0] for line in KINDS.splitlines() if not line.startswith(" ")}
    assert [kind for kind in ("database", "style sheets", "tracing") if kind not in kinds] == []
