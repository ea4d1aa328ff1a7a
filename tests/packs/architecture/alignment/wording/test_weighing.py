from __future__ import annotations

import pytest

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses
from toolcrib.packs.architecture.alignment.wording.weighing import parted, weigh


@pytest.mark.parametrize(
    ("piece", "wanted", "given_up"),
    [
        ("Redis is better than Kafka", "Redis", "Kafka"),
        ("Kafka looks heavier than Redis", "Redis", "Kafka"),
        ("Redis is preferable to Kafka", "Redis", "Kafka"),
        ("Sub in Redis for Kafka", "Redis", "Kafka"),
        ("Redis outperforms Kafka", "Redis", "Kafka"),
    ],
)
def test_what_is_better_is_wanted_and_what_is_worse_given_up(
    piece: str, wanted: str, given_up: str
) -> None:
    """A-7: words that compare say yes to the one and no to the other."""
    weighed = weigh(piece)
    assert weighed is not None
    sides = dict(zip(weighed.things, weighed.signs, strict=True))
    assert sides == {wanted: 1, given_up: -1}


def test_what_compares_nothing_is_not_weighed() -> None:
    assert weigh("Use Redis for the sessions") is None
    assert weigh("Redis keeps more than a million keys") is None


def test_what_is_taken_on_over_a_thing_is_no_choice_between_the_two() -> None:
    """A-7: `over` weighs two things behind a verb of choosing; else it may tell the means."""
    assert weigh("The pod takes on its identity over SPIFFE") is None
    assert weigh("Take up the call over Kafka") is None
    assert weigh("Take Redis over Kafka") is not None


@pytest.mark.parametrize(
    ("piece", "expected"),
    [
        ("Wean the jobs off Redis", ("the jobs", "Redis", -1)),
        ("Do not get the jobs off Redis", ("the jobs", "Redis", 1)),
        ("Get the most out of Redis", None),
        ("Read the messages off the queue", None),
    ],
)
def test_what_is_moved_away_says_no_to_where_it_was(
    piece: str, expected: tuple[str, str, int] | None
) -> None:
    """A-7: what the proposal gives up."""
    assert parted(piece) == expected


@pytest.mark.parametrize("unit", ["get a ", "is better ", "replace ", "off ", "than "])
def test_hostile_pieces_are_weighed_in_linear_time(unit: str) -> None:
    """FAULTS: no text takes quadratic time; a sentence is cut at 2,000 letters before."""
    assert_grows_slowly(
        lambda size: [weigh(unit * 20) or parted(unit * 20) for _ in range(size)], 8
    )


def test_what_something_was_done_with_is_not_taken_where_it_is_removed() -> None:
    """A-7: "remove the scan with X" may be the end of X; a means of several words is taken."""
    assert weigh("Remove the static analysis with Psalm") is None
    assert weigh("Delete the scans with Psalm") is None
    weighed = weigh("Remove the long scans with a nightly job")
    assert weighed is not None
    assert (weighed.things[1], weighed.signs[1]) == ("a nightly job", 1)


def test_a_known_thing_used_over_another_of_its_kind_is_wanted_and_the_other_is_not() -> None:
    """A-7: "A over B" weighs two package managers; of two unlike things it makes one."""
    weighed = weigh("Use npm over Yarn")
    assert weighed is not None
    assert (weighed.things, weighed.signs) == (("npm", "Yarn"), (1, -1))
    assert weigh("Use HTTP over TLS") is None
    assert weigh("Use Redis over Kubernetes") is None


def test_what_is_called_preferred_is_not_held_against_what_follows() -> None:
    """A-7: "the preferred path is to use X" takes X; "we prefer A to B" gives B up."""
    assert all(each.wanted for each in read_clauses("The preferred path is to use oak crates."))
    assert not all(each.wanted for each in read_clauses("We prefer oak crates to pine crates."))
