"""What is kept of an adoption."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from toolcrib.cli.adoption import journal as journals
from toolcrib.cli.adoption.edits import FileEdits, ValueEdit
from toolcrib.cli.adoption.journal import ChangedFile, Journal
from toolcrib.core.errors import ConfigError


def some(id: str) -> Journal:
    edits = FileEdits(Path("/x.json"), "json", (ValueEdit(("a", "b"), {"c": 1}, None),))
    changed = ChangedFile(edits, b"\xff\x00old", 0o640, ["/y"], "abc")
    return Journal(id, Path("/p"), ["/s.json:n"], [changed], {"/k": "d"}, False, 3.0)


def test_a_journal_comes_back_as_it_was(machine) -> None:
    """X-28: every byte of the old files is in it, for its owner alone."""
    journals.keep(machine, some("2"))
    journals.keep(machine, some("1"))
    assert journals.journals(machine) == [some("1"), some("2")]
    file = machine.state() / "adoptions" / "1.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    journals.drop(machine, some("1"))
    assert [each.id for each in journals.journals(machine)] == ["2"]


def test_what_is_damaged_is_passed_over(machine) -> None:
    """X-28: one broken journal hides no other."""
    journals.keep(machine, some("1"))
    (machine.state() / "adoptions" / "0.json").write_text("{")
    (machine.state() / "adoptions" / "2.json").write_text('{"format": 9}')
    assert [each.id for each in journals.journals(machine)] == ["1"]


def test_where_nothing_can_be_kept_nothing_is_changed(machine) -> None:
    """X-28: the error comes before the first change."""
    machine.state().parent.mkdir(parents=True)
    machine.state().write_text("a file")
    with pytest.raises(ConfigError, match="Nothing can be kept"):
        journals.keep(machine, some("1"))


def test_ids_sort_by_time() -> None:
    """X-28: the last one is undone first."""
    assert journals.new_id() <= journals.new_id()
