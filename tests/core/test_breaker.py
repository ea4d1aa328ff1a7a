"""The circuit breaker of one tool."""

from __future__ import annotations

import pytest

from toolcrib.core.breaker import CircuitBreaker, State
from toolcrib.core.errors import BreakerOpen


class Clock:
    """A time that passes when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def opened(clock: Clock, seen: list[State] | None = None) -> CircuitBreaker:
    breaker = CircuitBreaker(
        "tool_x", failures=3, rest=30, clock=clock, on_change=(seen or []).append
    )
    for _ in range(3):
        breaker.failed()
    return breaker


def test_failures_in_a_row_open_it_and_the_refusal_says_when_to_come_back(clock: Clock) -> None:
    """K-18: five crashes in a row, here three, and nothing more is tried for a while."""
    breaker = opened(clock)
    clock.now = 10
    with pytest.raises(BreakerOpen, match=r"open after 3 failures in a row; .* in 20 s") as told:
        breaker.admit()
    assert breaker.state == "open" and told.value.data["retry_after_s"] == 20.0


def test_a_success_in_between_starts_the_count_anew(clock: Clock) -> None:
    """K-18: only failures in a row count."""
    breaker = CircuitBreaker("tool_x", failures=2, clock=clock)
    for _ in range(5):
        breaker.failed()
        breaker.succeeded()
    assert breaker.state == "closed" and breaker.admit() is False


@pytest.mark.parametrize(("outcome", "then"), [("succeeded", "closed"), ("failed", "open")])
def test_after_its_rest_a_single_trial_decides(clock: Clock, outcome: str, then: str) -> None:
    """K-18: half-open, one call may try, and the others wait for what becomes of it."""
    breaker = opened(clock)
    clock.now = 31
    assert breaker.state == "half-open" and breaker.admit() is True
    with pytest.raises(BreakerOpen, match="when the running trial is over"):
        breaker.admit()
    getattr(breaker, outcome)()
    assert breaker.state == then


def test_a_trial_that_is_cancelled_leaves_the_next_call_to_try(clock: Clock) -> None:
    """K-18: nobody is locked out by somebody who went away."""
    breaker = opened(clock)
    clock.now = 31
    assert breaker.admit()
    breaker.abandoned()
    assert breaker.admit()


def test_each_change_is_told_once(clock: Clock) -> None:
    """W-3: the record has a line for each change, and none besides."""
    seen: list[State] = ["closed"]  # what it was
    breaker = opened(clock, seen)
    breaker.failed()
    clock.now = 31
    breaker.admit()
    breaker.succeeded()
    breaker.succeeded()
    assert seen == ["closed", "open", "half-open", "closed"]


def test_one_failure_may_be_enough() -> None:
    """K-17: a tool that held up everybody is not tried again at once."""
    breaker = CircuitBreaker("tool_x")
    breaker.failed(at_once=True)
    with pytest.raises(BreakerOpen, match="open after 1 failure; it will try again in 30 s"):
        breaker.admit()
