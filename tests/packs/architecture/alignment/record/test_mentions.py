from __future__ import annotations

import pytest

from support.decisions import decision
from toolcrib.packs.architecture.alignment.corpus import Decisions
from toolcrib.packs.architecture.alignment.judge import Judge
from toolcrib.packs.architecture.alignment.proposal import Proposal
from toolcrib.packs.architecture.alignment.record.mentions import Mention, read_mentions
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
    found = read_mentions([decided], [weighed], [others], names)
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
    found = read_mentions(["Print `ParcelLabels`."], [], [], Names("Print `ParcelLabels`."))
    assert [each.name for each in found.among({"parcellabel"})] == ["parcellabels"]
    assert list(found.without({"parcellabels"}).among({"parcellabel"})) == []
    assert next(found.among({"parcellabels"})) == Mention(
        "parcellabels", True, "Print `ParcelLabels`."
    )
