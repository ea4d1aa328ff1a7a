"""The ranking's promises, whatever the collection."""

from __future__ import annotations

import pytest

from toolcrib.search.index import Index

WEIGHTS = {"name": 3.0, "description": 2.0, "arguments": 0.5}


def small() -> Index:
    index = Index(WEIGHTS)
    index.add("git_commit", {"name": "git_commit", "description": "Record changes"}, {"cli": "git"})
    index.add("git_log", {"name": "git_log", "description": "Show commits"}, {"cli": "git"})
    index.add("docker_commit", {"name": "docker_commit", "description": "Image from a container"},
              {"cli": "docker"})  # fmt: skip
    index.add("ls", {"name": "ls", "description": "List the files of a folder"}, {"cli": "posix"})
    return index


def keys(index: Index, query: str, **more) -> list[str]:
    return [hit.key for hit in index.search(query, **more).hits]


def test_an_exact_name_comes_first():
    """C-4: exact names rank first."""
    assert keys(small(), "git_log")[0] == "git_log"


def test_a_part_of_a_name_comes_before_a_match_in_a_description():
    """C-4: substring matches rank before words elsewhere."""
    assert set(keys(small(), "commit")[:2]) == {"git_commit", "docker_commit"}
    assert keys(small(), "ommi")[:2] == ["docker_commit", "git_commit"]


def test_filters_are_anded_whatever_their_case():
    """C-4: filters are ANDed."""
    assert keys(small(), "commit", where={"cli": "GIT"}) == ["git_commit", "git_log"]
    assert keys(small(), "", where={"cli": "git", "category": "vcs"}) == []


def test_word_forms_and_word_order_do_not_matter():
    """C-4: words in any order, word forms."""
    assert keys(small(), "folders listing")[0] == "ls"


def test_a_replaced_document_is_found_by_its_new_words_alone():
    index = small()
    index.add("ls", {"name": "ls", "description": "Print names"})
    assert keys(index, "folder") == []
    assert "ls" in keys(index, "print")


def test_an_unknown_field_is_refused_by_name():
    with pytest.raises(ValueError, match="titel"):
        small().add("x", {"titel": "x"})


def test_a_long_text_finds_its_like():
    index = small()
    found = index.similar("we record all changes in a commit", title="Record", exclude=["git_log"])
    assert found.hits[0].key == "git_commit"
    assert "git_log" not in [hit.key for hit in found.hits]


def test_the_nearest_names_are_offered():
    assert small().nearest("git_comit")[0] == "git_commit"
