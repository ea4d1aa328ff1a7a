"""What a query is taken to mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.search import spelling as vocabulary
from toolcrib.search import synonyms
from toolcrib.search.query import Agreement, Interpreter, Wording
from toolcrib.search.stem import stem


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("conatiners", "docker_ps"),
        ("brnaches", "git_branch_list"),
        ("archve", "tar_create"),
        ("reposittory", "git_commit"),
        ("repositry chnages", "git_commit"),
    ],
)
def test_typos_are_mended(crib, keys, query, expected):
    """C-4: typo tolerance."""
    assert keys(crib, query)[0] == expected


def test_the_beginning_of_a_word_is_enough(crib, keys):
    """C-4: prefixes."""
    assert keys(crib, "contain")[0] in ("docker_ps", "docker_commit")
    assert keys(crib, "archi files")[0] == "tar_create"


def test_words_written_together_or_apart_are_the_same(crib, keys):
    crib.add("tmutil_stopbackup", {"name": "tmutil_stopbackup", "description": "Cancel it"})
    assert keys(crib, "stop a backup")[0] == "tmutil_stopbackup"
    crib.add("merge", {"name": "merger", "description": "A tool that joins"})
    assert "merge" in keys(crib, "jointool")


def test_a_word_of_the_field_is_no_typo(crib, keys):
    """`remove` is one slip from `remote`, and means `delete`."""
    assert keys(crib, "remove")[0] == "docker_rmi"


def test_a_query_of_stop_words_alone_still_asks(keys, crib):
    crib.add("who", {"name": "who", "description": "Show people"})
    assert keys(crib, "who")[0] == "who"
    assert keys(crib, "who is")[0] == "who"


def test_numbers_are_not_mended_into_words(crib):
    assert crib.search("4711").total == 0


def test_the_thesaurus_is_symmetric_and_stemmed():
    for word in ("delete", "folder", "show"):
        for other in synonyms.same(stem(word)):
            assert stem(word) in synonyms.same(other)
    assert stem("directory") in synonyms.same(stem("folder"))
    assert stem("chmod") in synonyms.does(stem("permissions"))
    assert synonyms.same("zzz") == synonyms.near("zzz") == synonyms.does("zzz") == ()


def test_two_slips_are_mended_in_long_words_only():
    known = {"kubernetes": 3, "cube": 2}
    ordered = sorted(known)
    assert vocabulary.mended("kubenretes", ordered, known) == ["kubernetes"]
    assert vocabulary.mended("kuvernettes", ordered, known) == ["kubernetes"]
    assert vocabulary.mended("cbe", ordered, known) == []
    assert vocabulary.mended("cubee", ordered, known) == ["cube"]
    assert vocabulary.mended("cubeee", ordered, known) == []


def test_words_of_talk_count_little_beside_others(crib):
    """C-4: "could you tell me" says nothing of a tool; alone it is what is asked for."""
    crib.add("tell", {"name": "tell", "description": "Tell somebody something"})
    wanted = Interpreter(crib._postings).read("tell me the branches")
    assert wanted.words["branch"] == 1.0 > wanted.words["tell"] > 0.0
    assert Interpreter(crib._postings).read("tell").words == {"tell": 1.0}


def test_a_common_word_that_no_tool_has_is_not_drawn_out_into_another(crib, keys):
    """C-4: `how does it work` asks for no workflow; `repo` is short for a repository."""
    crib.add("flow_start", {"name": "flow_start", "description": "Starts a workflow"})
    crib.add("repo_list", {"name": "list_all", "description": "Lists every repository"})
    assert keys(crib, "how does the thing work") == []
    assert keys(crib, "repo")[0] == "repo_list"


def test_a_common_word_that_no_tool_has_is_not_mended_into_another(crib, keys):
    """C-4: `fact` is one slip from `fast` and means something else; `fsat` is meant to be it."""
    crib.add("fast_list", {"name": "fast_list", "description": "List all that is fast"})
    crib.add(
        "memory_keep", {"name": "memory_keep", "description": "Remember something of a person"}
    )
    read = Interpreter(crib._postings).read
    assert "fast" not in read("remember a fact about a person").words
    assert "fast" in read("the fsat lane").words
    assert keys(crib, "remember a fact about a person")[0] == "memory_keep"


def agreement(query: str, summary: str, details: str = "") -> Agreement:
    return Wording(query, lambda _: 1.0).agreement(summary, details)


def test_words_side_by_side_are_told_from_the_same_words_apart():
    """C-4: what stands between two words is a stop word or nothing."""
    together = agreement("clone the remote branch", "git clone clone a branch, remote branch")
    apart = agreement("clone the remote branch", "git clone clone a branch of a remote")
    assert together.phrases == 0.5
    assert apart.phrases == 0.0


def test_a_phrase_counts_as_a_detail_where_one_line_has_it():
    """C-4: two options of a word each are not one option that has both."""
    one = agreement("print peer dependencies", "npm ls list", "--peer Peer dependencies too\n-v")
    two = agreement("print peer dependencies", "npm ls list", "--peer\nDependencies too")
    said = agreement("print peer dependencies", "npm ls peer dependencies", "peer dependencies")
    assert (one.details, two.details) == (0.5, 0.0)
    assert (said.phrases, said.details) == (0.5, 0.0)


def test_a_word_in_another_form_only_is_folded():
    """C-4: `installed packages` are listed, not installed."""
    assert agreement("installed packages", "npm ls list installed packages").folded == 0.0
    assert agreement("installed packages", "npm install install packages").folded == 0.5
    assert agreement("installed packages", "git log").folded == 0.0


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_agreement_is_a_share_of_what_could_agree(query: str, summary: str, details: str):
    found = agreement(query, summary, details)
    assert 0.0 <= min(found) <= max(found) <= 1.0 + 1e-9
    assert found.phrases + found.details <= 1.0 + 1e-9


def test_a_long_query_over_a_long_text_takes_time_in_proportion():
    """X-31: the openings of all pairs are in every line, and none stands there."""

    def work(size: int) -> None:
        agreement("abcd abce " * size, "abcd " * size, "abcd of abcf abce\n" * size)

    assert_grows_slowly(work, 2_000)
