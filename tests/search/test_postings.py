"""What a word is worth in each document that has it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.search.postings import Postings
from toolcrib.search.ranking import DOCUMENTS, TOOLS, Ranking

NAME, TEXT, ABOUT = range(3)
WEIGHTS = (2.0, 1.0, 0.5)


def postings(having: int, of: int, ranking: Ranking = TOOLS) -> Postings:
    """Some documents that have the word, twice in the text of each, among others."""
    made = Postings(WEIGHTS, ranking, {ABOUT})
    for number in range(of):
        there = number < having
        text = ["word", "word", "more"] if there else ["other"]
        made.add_all(
            [[["word"] if number == 0 else ["name"], text, ["word"] if number % 2 else []]]
        )
    return made


def expected(made: Postings, slot: int, having: int, of: int) -> float:
    """BM25F as it is written down: fields add up, then saturate."""
    ranking = made.ranking
    documents = having + sum(number % 2 for number in range(having, of))
    rarity = math.log1p((of - documents + 0.5) / (documents + 0.5))
    name = made.factor(NAME, 1) if slot == 0 else 0.0
    value = name + 2 * made.factor(TEXT, 3)
    value += made.factor(ABOUT, 1) if slot % 2 else 0.0
    worth = ranking.presence + (1 - ranking.presence) * value / (ranking.k1 + value)
    among_names = math.log1p((of - 1 + 0.5) / (1 + 0.5))
    return rarity * worth + among_names * ranking.name * name / (ranking.k1 + name)


@pytest.mark.parametrize("ranking", [TOOLS, DOCUMENTS])
@pytest.mark.parametrize(("having", "of"), [(2, 200), (150, 200)])
def test_rare_and_frequent_words_are_weighed_by_one_rule(
    having: int, of: int, ranking: Ranking
) -> None:
    """A word is added up in a dictionary or in a list, by how many have it; the sums agree."""
    made = postings(having, of, ranking)
    found = made.impacts("word")
    assert [slot for slot, _ in found.pairs()] == list(range(having))
    wanted = [expected(made, slot, having, of) for slot in range(having)]
    assert [value for _, value in found.pairs()] == pytest.approx(wanted, rel=1e-12)
    assert found.best == max(found.values)
    assert sorted(found.context) == [slot for slot in range(having, of) if slot % 2]


def test_a_word_of_all_texts_tells_titles_apart() -> None:
    """S-10: the skill for code reviews comes before one that mentions something rarer once."""
    made = Postings((3.0, 0.9), DOCUMENTS)
    made.add_all([[["code", "review"], ["review", "code"] * 20]])
    made.add_all([[["brainstorm"], ["review", "code", "frontend", *["idea"] * 200]]])
    for number in range(30):
        made.add_all([[[f"title{number}"], ["code", "review", *["text"] * 100]]])
    asked = ("review", "frontend", "code")
    scores = [
        sum(
            dict(zip(found.slots, found.values, strict=True)).get(slot, 0.0)
            for found in map(made.impacts, asked)
        )
        for slot in (0, 1)
    ]
    assert scores[0] > scores[1]


def test_a_word_is_counted_in_the_documents_that_are_left() -> None:
    """What was counted while a word was weighed is forgotten with a change."""
    made = postings(150, 200)
    made.impacts("word")
    assert made.frequency["word"] == 150 + 25
    made.remove(0)
    assert made.frequency["word"] == 150 + 25 - 1
    assert 0 not in dict(made.impacts("word").pairs())


def test_a_word_of_a_single_document_tells_most() -> None:
    """C-4: what words tell is measured by one that a single document has."""
    made = postings(150, 200)
    assert made.rarity("word") < made.rarest() < made.rarity("unknown")


@given(
    documents=st.lists(
        st.lists(st.lists(st.sampled_from(["a", "b", "c"]), max_size=5), min_size=3, max_size=3),
        min_size=1,
        max_size=40,
    ),
    gone=st.sets(st.integers(0, 39), max_size=10),
)
def test_numpy_weighs_a_word_to_the_last_bit_as_python_does(
    documents: list[list[list[str]]], gone: set[int]
) -> None:
    """X-31: an answer does not depend on whether the vectors are loaded yet."""
    pytest.importorskip("numpy")
    made = Postings(WEIGHTS, TOOLS, {ABOUT})
    for fields in documents:
        made.add_all([fields])
    for slot in gone & set(range(len(documents) - 1)):
        made.remove(slot)
    for word in ("a", "b", "c", "none"):
        for heavy in (False, True):
            made.swift = False
            plain = made._weigh(word, heavy)
            made.swift = True
            swift = made._weigh(word, heavy)
            assert [*swift.pairs()] == [*plain.pairs()]
            assert swift[2:] == plain[2:]


def test_columns_of_frequent_words_are_few_and_gone_with_a_change_or_with_numpy() -> None:
    """X-31: what makes a search quick does not pile up; a word weighs the same without it."""
    made = Postings(WEIGHTS, TOOLS, {ABOUT})
    names = [f"w{number}" for number in range(40)]
    made.add_all([[names, [], []] for _ in range(4)])
    first = [*made.impacts("w0").pairs()]
    for name in names:
        made.impacts(name)
    assert 0 < len(made._columns) <= 16
    assert [*made.impacts("w0").pairs()] == first
    made.remove(0)
    assert not made._columns


def test_a_long_list_of_options_is_held_less_against_a_command() -> None:
    """C-4: a command of many options is about each of them, a long description about less."""
    postings = Postings((2.0, 0.4), TOOLS)
    postings.add_all([[["list", "all"], ["path", "force"]]])
    heavy, light = (postings.factor(field, 20) / postings.factor(field, 2) for field in (0, 1))
    assert heavy < light < 1.0
