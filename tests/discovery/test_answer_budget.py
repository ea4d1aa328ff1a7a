"""Answers that fit into a budget of tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.discovery.answer_budget import estimate, fit

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def test_the_best_come_first_and_the_rest_is_counted():
    results = [{"tool": f"tool_{number}", "text": "x" * 90} for number in range(20)]
    found = fit(results, 150)
    assert found.results == results[: len(found.results)]
    assert 0 < len(found.results) < 20
    assert found.left_out == 20 - len(found.results)
    assert found.tokens <= 150


def test_one_result_is_given_even_if_it_is_too_long():
    found = fit([{"text": "y" * 10_000}, {"text": "z"}], 10)
    assert len(found.results) == 1
    assert found.left_out == 1


def test_nothing_fits_nothing():
    assert fit([], 100).results == []


def test_other_scripts_cost_more():
    assert estimate("word " * 40) < 80
    assert estimate("漢字" * 20) >= 30
    assert estimate("") <= 1


@given(st.lists(json_values, max_size=12), st.integers(1, 200), st.integers(0, 100))
def test_a_larger_budget_only_adds(results, tokens, more):
    small, large = fit(results, tokens), fit(results, tokens + more)
    assert large.results[: len(small.results)] == small.results
    assert len(small.results) + small.left_out == len(results)
