"""Names by spelling, by part and by resemblance."""

from __future__ import annotations

import pytest

from toolcrib.search.names import EXACT, INSIDE, START, WHOLE, NameTable, plain_name


@pytest.fixture
def table() -> NameTable:
    made = NameTable()
    names = ["git_branch_list", "git_branch", "rebranching", "docker_ps", "branchless"]
    made.put(enumerate(map(plain_name, names)))
    return made


def test_a_name_is_compared_without_its_separators() -> None:
    """S-10: `git-Branch.list` is `git_branch_list`."""
    assert plain_name("git-Branch.list") == "git branch list" and plain_name("***") == "***"


def test_how_well_a_query_lies_in_a_name(table: NameTable) -> None:
    """S-10: the whole name, whole words, the beginning of a word, or within one."""
    assert table.matches("git branch") == {1: EXACT, 0: WHOLE}
    found = table.matches("branch")
    assert (found[0], found[1], found[4], found[2]) == (WHOLE, WHOLE, START, INSIDE)
    assert table.matches("x" * 10_000) == {} and table.matches(", b") == {}


@pytest.mark.parametrize("name", ["r", "\\0", "/x", "~/0"])
def test_a_name_of_one_letter_is_found_by_itself_however_it_is_written(name: str) -> None:
    """C-4: an exact name ranks first; one letter as a part of a name says nothing."""
    table = NameTable()
    table.put(enumerate(map(plain_name, [name, "rx0"])))
    assert table.matches(name)[0] == EXACT
    assert table.matches(f", {plain_name(name)}") == {0: EXACT}


def test_a_name_that_is_gone_is_not_found(table: NameTable) -> None:
    """S-10: the index changes while it is used."""
    table.remove(1)
    assert table.exactly("git branch") == [] and 1 not in table.matches("git")
    table.put([(7, "git branch")])
    assert table.exactly("git branch") == [7]


def test_the_most_alike_comes_first(table: NameTable) -> None:
    """S-10: a hint for a name that is not there."""
    assert table.nearest("git_brunch", 2)[0] == 1
    assert table.nearest("zzzz", 2) == []


def test_a_name_that_others_go_on_from_leads_them() -> None:
    """C-4: `git remote` has commands of its own, `git remote add` has none."""
    names = NameTable()
    names.put(enumerate(["git remote", "git remote add", "git log"]))
    assert names.leads("git remote")
    assert not names.leads("git remote add")
    names.remove(1)
    assert not names.leads("git remote")
