from __future__ import annotations

import pytest

from support.decisions import decision, shelf_of, verdict_on
from toolcrib.packs.architecture.alignment.corpus import Decisions
from toolcrib.packs.architecture.alignment.judge import Judge
from toolcrib.packs.architecture.alignment.proposal import Proposal
from toolcrib.packs.architecture.alignment.record.mentions import Mention, Told, read_mentions
from toolcrib.packs.architecture.alignment.record.parts import unmarked
from toolcrib.packs.architecture.alignment.wording.names import Names

RECORDS = {
    "Parcel format": (
        "## Context\n\nLabels of parcels are made by `LabelMaker` today. The weight on them is "
        "an integer rather than the `FloatWeight` of the scales.\n\n"
        "## Decision\n\nThe label of a parcel is sorted by size, as `ParcelLabel` has it.\n\n"
        "## Rejected ideas\n\n`BarLabel` needs another printer for the parcels.\n"
    ),
    "Where couriers sleep": "## Decision\n\nCouriers sleep at home.\n",
    "Order of the shelves": "## Decision\n\nShelves are sorted by the alphabet.\n",
}


SHELF = Decisions(decision(n, *each) for n, each in enumerate(RECORDS.items(), 1))


def verdict(text: str) -> str:
    """What is said of the record about parcels."""
    proposal = Proposal.of(text)
    found = SHELF.related(proposal, 30)
    verdicts = Judge(proposal, SHELF).judge_all(found)
    places = [at for at, each in enumerate(found) if each.decision.title == "Parcel format"]
    return verdicts[places[0]].alignment if places else "related"


def mentions(decided: str, weighed: str = "", others: str = "") -> dict[str, bool]:
    """The names in some sentences, and whether each is wanted."""
    names = Names(" ".join((decided, weighed, others)))
    told = Told([unmarked(decided)], [unmarked(weighed)], unmarked(others).splitlines())
    found = read_mentions(told, names)
    words = {name for text in (decided, weighed, others) for name in names.within(text)}
    return {each.name: each.wanted for each in found.among(words)}


def test_a_name_in_the_details_of_a_decision_is_a_part_of_it() -> None:
    """A-7: a proposal that works with it carries the decision out."""
    assert mentions("The rate follows `BlockTime` alone.") == {"blocktime": True}
    assert verdict("The import of returns reads the ParcelLabel again.") == "supports"


@pytest.mark.parametrize(
    "text",
    [
        "The new scales hand the weight on as FloatWeight.",  # behind "instead of"
        "The printer gives express parcels a BarLabel.",  # among what was rejected
    ],
)
def test_a_name_that_was_turned_down_in_passing_is_a_conflict(text: str) -> None:
    """A-7: the record says no to it, though no option has its name."""
    assert verdict(text) == "conflicts"


@pytest.mark.parametrize(
    "text",
    [
        "Bake bread with BarLabel.",  # another matter
        "Paint the couriers' bicycles in the colour of FloatWeight.",
        "Labels keep their corners.",  # no name
        "Remove the FloatWeight of the scales.",
        "Count how many ParcelLabelPrinters there are.",  # another name
    ],
)
def test_a_name_alone_makes_no_conflict(text: str) -> None:
    """A-7: the opposite: of another matter, given up, or not that name, it is none."""
    assert verdict(text) != "conflicts"


def test_what_a_decision_says_yes_and_no_to_says_nothing() -> None:
    """A-7: where words do not decide, `related`."""
    both = "Use `BlockTime` for rates, but do not use `BlockTime` for fees."
    assert "blocktime" not in mentions(both)


def test_what_the_decision_uses_is_not_turned_down_by_its_options() -> None:
    """A-7: an option repeats what was chosen."""
    assert mentions("We keep `BlockTime`.", "`BlockTime` and `BlockHeight` were weighed.") == {
        "blocktime": True,
        "blockheight": False,
    }


def test_outside_of_the_decision_only_what_is_turned_down_counts() -> None:
    """A-7: a name in the context is surroundings; most negations there only explain."""
    assert mentions("We sort.", others="The shop runs `OldShelf` today.") == {}
    assert mentions("We sort.", others="`OldShelf` is not slow.") == {}
    found = mentions("We sort.", others="Sort by weight instead of by `OldShelf`.")
    assert found == {"oldshelf": False}


def test_a_mention_is_found_in_its_other_number() -> None:
    """A-7: "labels" names a label, and the other way round."""
    found = read_mentions(Told(["Print `ParcelLabels`."], [], []), Names("Print `ParcelLabels`."))
    assert [each.name for each in found.among({"parcellabel"})] == ["parcellabels"]
    assert list(found.without({"parcellabels"}).among({"parcellabel"})) == []
    assert next(found.among({"parcellabels"})) == Mention(
        "parcellabels", True, "Print `ParcelLabels`."
    )


@pytest.mark.parametrize(
    "decided",
    [
        "`Quillog` has more features than similar services such as `Scribe9`.",
        "Unlike `Scribe9`, the writer `Quillog` keeps the order.",
        "The benefits of `Quillog` over `Scribe9` are worth its price.",
        "`Quillog` writes faster compared to `Scribe9`.",
    ],
)
def test_what_a_thing_is_compared_with_was_not_taken(decided: str) -> None:
    """A-7: a name behind "than" or "unlike" is no choice of the record."""
    assert mentions(decided).get("scribe9") is not True


def test_a_decision_that_says_how_things_are_takes_nothing() -> None:
    """A-7: "we currently use X" in a decision is no choice."""
    assert mentions("We currently print with `OldPress`.") == {}
    assert mentions("We will print with `OldPress`.") == {"oldpress": True}


@pytest.mark.parametrize(
    "others",
    [
        "We want to replace `OldPress` as the printer.",
        "`OldPress` is no longer maintained.",
        "We had problems with `OldPress` in the past.",
        "The labels are migrating from `OldPress` to something else.",
        "A common approach is to use `OldPress` for the labels.",
        "`OldPress` is a popular printer.\nHowever, it needs a licence.",
    ],
)
def test_what_is_left_or_only_thought_of_is_turned_down(others: str) -> None:
    """A-7: outside of the decision, too, a record says no to what it names."""
    assert mentions("Labels are printed by hand.", others=others) == {"oldpress": False}


@pytest.mark.parametrize(
    "others",
    [
        "Our shop runs on `OldPress`.",
        "We currently use `OldPress` for the labels.",
        "We had problems with the `OldPress` invoices.",
        "We cannot migrate from `OldPress` this year.",
        "We print with `OldPress`.\nHowever, it is loud at night.",
    ],
)
def test_what_a_project_has_is_not_turned_down(others: str) -> None:
    """A-7: likeness alone never makes a conflict: most of what a context names stays."""
    assert mentions("Labels are printed by hand.", others=others) == {}


LEAVING = shelf_of(
    {
        "Provisioning": (
            "## Context\n\nSo far the machines were set up with Acme Pilot. We want to replace"
            " Acme Pilot as the tool for machines. The shop is sold by Gilda.\n\n"
            "## Decision\n\nWe will use Terraform to manage our machines.\n\n"
            "## Consequences\n\nEach environment is moved.\n"
        ),
        "Where couriers sleep": "## Decision\n\nCouriers sleep at home.\n",
        "Order of the shelves": "## Decision\n\nShelves are sorted by the alphabet.\n",
    }
)


@pytest.mark.parametrize(
    ("proposal", "expected"),
    [
        ("Spin up the training environment with Acme Pilot.", "conflicts"),
        ("Write down how to leave the Pilot seat free for a guest.", "related"),
        ("Spin up the training environment with Gilda.", "related"),
    ],
)
def test_what_a_project_leaves_is_a_conflict_whatever_it_is_used_for(
    proposal: str, expected: str
) -> None:
    """A-7: what takes a thing that was left behind conflicts; what only stands near is no such."""
    assert verdict_on("Provisioning", proposal, LEAVING) == expected


def test_what_was_chosen_among_the_weighed_is_wanted() -> None:
    """A-7: a record may say only among its alternatives what it took of them."""
    decided = "Labels are printed."
    assert mentions(decided, "We chose `BarLabel` because of its size.") == {"barlabel": True}
    assert mentions(decided, "We chose `BarLabel` over `InkLabel`.")["inklabel"] is False
    assert mentions(decided, "They once chose `BarLabel` for its size.") == {"barlabel": False}
    assert mentions(decided, "We chose not to use `BarLabel`.") == {"barlabel": False}
