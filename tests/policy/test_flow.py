"""Private data, untrusted text and a way out, together in one session."""

from __future__ import annotations

from itertools import permutations

import pytest

from toolcrib.policy.flow import OUTBOUND, PRIVATE, UNTRUSTED, Flow, all_three


def test_the_third_of_three_is_a_concern_and_nothing_less_is() -> None:
    """X-23: once private and untrusted have answered, outbound is told of."""
    flow = Flow("warn")
    assert flow.concern("s", "mail", [OUTBOUND]) is None
    flow.answered("s", [PRIVATE])
    assert flow.concern("s", "mail", [OUTBOUND]) is None
    flow.answered("s", [UNTRUSTED])
    assert "'mail'" in str(flow.concern("s", "mail", [OUTBOUND]))
    assert flow.concern("s", "files", [PRIVATE]) is None
    assert flow.concern("another", "mail", [OUTBOUND]) is None


@pytest.mark.parametrize("order", list(permutations([PRIVATE, UNTRUSTED])))
def test_the_order_does_not_count_and_off_is_off(order: tuple[str, str]) -> None:
    """X-23: either first; `off` remembers nothing."""
    flow, off = Flow("block"), Flow("off")
    for label in order:
        flow.answered("s", [label])
        off.answered("s", [label])
    assert flow.concern("s", "mail", [OUTBOUND, PRIVATE]) is not None
    assert off.concern("s", "mail", [OUTBOUND]) is None


def test_sessions_are_bounded() -> None:
    """X-23: a flood of sessions takes no more memory than its bound; the newest are kept."""
    flow = Flow("warn")
    for number in range(10_050):
        flow.answered(str(number), [PRIVATE, UNTRUSTED])
    assert flow.concern("10049", "mail", [OUTBOUND]) is not None
    assert flow.concern("0", "mail", [OUTBOUND]) is None


def test_doctor_names_the_servers_that_make_all_three_possible() -> None:
    """X-23: all three labels, or nothing."""
    labels = {"db": [PRIVATE], "web": [UNTRUSTED, OUTBOUND]}
    assert all_three(labels) == {PRIVATE: ["db"], UNTRUSTED: ["web"], OUTBOUND: ["web"]}
    assert all_three({"db": [PRIVATE], "web": [OUTBOUND]}) == {}
