"""The sums of a query, added up in plain Python or by numpy."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolcrib.search.scores import Scores, SwiftScores

SIZE = 100
worth = st.floats(0.001, 50.0)
word = st.tuples(st.dictionaries(st.integers(0, SIZE - 1), worth), st.floats(0.05, 1.0))


@given(st.lists(word), st.none() | st.sets(st.integers(0, SIZE - 1)), st.integers(1, SIZE + 2))
@example([(dict.fromkeys(range(SIZE), 1.0), 1.0)], None, 3)
@example([({slot: 1.0 + slot % 7 for slot in range(SIZE)}, 0.5)] * 2, None, 4)
def test_both_ways_come_to_the_same_sums_to_the_last_bit(words, allowed, count):
    """An answer must not depend on whether the extra for meaning has loaded yet."""
    pytest.importorskip("numpy")
    slow, swift, by_column = Scores(SIZE), SwiftScores(SIZE), Scores(SIZE)
    for values, weight in words:
        slots = sorted(values)
        column = [values.get(slot, 0.0) for slot in range(SIZE)]
        for scores in (slow, swift, by_column):
            if scores is by_column:
                scores.add(range(SIZE), column, weight)
            else:
                scores.add(array("I", slots), array("d", [values[slot] for slot in slots]), weight)
    for scores in (slow, swift, by_column):
        if allowed is not None:
            scores.keep(allowed)
    assert swift.of(range(SIZE)) == slow.of(range(SIZE))
    assert swift.best(count) == slow.best(count)
    assert swift.matched() == slow.matched() == by_column.matched()
    assert by_column.of(range(SIZE)) == slow.of(range(SIZE))
    assert by_column.best(count) == slow.best(count)


@pytest.mark.parametrize("kind", [Scores, SwiftScores])
def test_the_best_are_as_many_as_asked_for_and_all_of_a_tie(kind):
    """Which of two equals is shown is decided by their keys, not by their place in the index."""
    if kind is SwiftScores:
        pytest.importorskip("numpy")
    scores = kind(5)
    scores.add(array("I", [0, 1, 3, 4]), array("d", [1.0, 2.0, 1.0, 3.0]), 1.0)
    assert scores.best(2) == ([1, 4], 3.0)
    assert scores.best(3) == ([0, 1, 3, 4], 3.0)
    assert scores.best(9) == ([0, 1, 3, 4], 3.0)
    assert kind(5).best(3) == ([], 0.0)
