from __future__ import annotations

import pytest

from support.decisions import shelf_of, verdict_on
from toolcrib.packs.architecture.alignment.record.stances import Stance
from toolcrib.packs.architecture.alignment.signal import Signal, one_of_several
from toolcrib.packs.architecture.alignment.wording.clauses import Clause
from toolcrib.packs.architecture.alignment.wording.words import phrase

SHELF = shelf_of(
    {
        "Use NPM over Yarn": "## Decision\n\nWe use npm, it is there already.\n",
        "Use Elasticache for Redis": (
            "## Decision\n\nWe use Elasticache instead of running our own Redis instances.\n"
        ),
        "Remove the Elasticsearch proxy": (
            "## Decision\n\nWe remove the proxy, services talk to the search directly.\n"
        ),
        "Write audit lines with Quillog": (
            "## Context\n\nUntil now the lines were written by `scribe`, which lost some.\n\n"
            "## Decision\n\nUse Quillog to write down who changed an invoice. The lines are kept"
            " for every REST service.\n"
        ),
        "Backfill by hand": (
            "## Decision\n\nWe have decided to drop the use of the Data Shuffle gem, and run"
            " backfills by hand.\n"
        ),
        "Move the memory out": (
            "## Decision\n\nMove all Memory logic to `Plugins.Memory`. Remove the Memory property"
            " from the kernel type.\n"
        ),
        "Parcel events": ("## Decision\n\nThe event types of parcels are internal to the depot.\n"),
        "Use the Maribel connector": (
            "## Considered options\n\n* Maribel connector\n* Mysel connector\n\n"
            "## Decision outcome\n\nChosen option: Maribel connector, it has a better licence.\n"
        ),
        "PostgreSQL": "## Decision\n\nTo use PostgreSQL.\n",
        "Use Slate builder for images": (
            "## Considered options\n\n* Packer\n* Slate builder\n\n## Decision\n\nWe will"
            " make every image with the Slate builder. The image is kept in the Images account.\n"
        ),
        "Where couriers sleep": "## Decision\n\nCouriers sleep at home.\n",
    }
)


@pytest.mark.parametrize(
    ("record", "proposal", "expected"),
    [
        ("Use NPM over Yarn", "Change the Dockerfile to yarn install.", "conflicts"),
        ("Use NPM over Yarn", "Run npm ci in the Dockerfile.", "supports"),
        (
            "Use Elasticache for Redis",
            "The rate limiter's Redis becomes an Elasticache cluster.",
            "supports",
        ),
        (
            "Use Elasticache for Redis",
            "Create the Redis for the new queue in Elasticache.",
            "supports",
        ),
        (
            "Remove the Elasticsearch proxy",
            "Point the search apps at the Elasticsearch cluster.",
            "related",
        ),
        ("Remove the Elasticsearch proxy", "Bring the Elasticsearch proxy back.", "conflicts"),
        ("Use Slate builder for images", "Build the Oracle image with Packer.", "conflicts"),
        (
            "Write audit lines with Quillog",
            "Write each change of an invoice down with Scribbly.",
            "conflicts",
        ),
        (
            "Write audit lines with Quillog",
            "Go back to scribe for the lines of the invoices.",
            "conflicts",
        ),
        (
            "Write audit lines with Quillog",
            "Have the invoices written down by scribe again.",
            "conflicts",
        ),
        ("PostgreSQL", "Spin up a MySQL instance for the tables of the depot.", "conflicts"),
        ("PostgreSQL", "Show the depot how MySQL counts its tables.", "related"),
        (
            "Backfill by hand",
            "Add data_shuffle to the Gemfile so the backfill runs by itself.",
            "conflicts",
        ),
        (
            "Use the Maribel connector",
            "Shared Mysel libraries are opened through the Maribel driver.",
            "supports",
        ),
        (
            "Use the Maribel connector",
            "Open the Maribel files through the Mysel connector.",
            "conflicts",
        ),
        (
            "Move the memory out",
            "Move VolatileStore over to Plugins.Memory and remove the Memory property from the"
            " kernel.",
            "supports",
        ),
    ],
)
def test_the_verdict_follows_the_thing_that_is_named(
    record: str, proposal: str, expected: str
) -> None:
    """A-7: what the record chose, gave up or left behind, by its name, and for what."""
    assert verdict_on(record, proposal, SHELF) == expected


@pytest.mark.parametrize(
    "proposal",
    [
        "The REST service should print through Scribbly from now on.",
        "Translate the letters for the REST service with Lingo.",
    ],
)
def test_what_is_done_by_an_unknown_thing_carries_no_decision_out(proposal: str) -> None:
    """A-7: a word in common with the details is no support where another thing does the work."""
    assert verdict_on("Write audit lines with Quillog", proposal, SHELF) != "supports"


def test_a_sentence_said_again_with_the_opposite_of_one_word_is_no_support() -> None:
    """A-7: the polarity of a clause may stand in one word of it."""
    record = "Parcel events"
    assert verdict_on(record, "The event types of parcels are internal.", SHELF) == "supports"
    assert verdict_on(record, "Make the event types of parcels public.", SHELF) != "supports"


CARTS = shelf_of(
    {
        "Yard tools": (
            "## Decision\n\nWe switch the yard from Hoistly to Cranely and Hoistly. Cranely lifts"
            " the crates of the yard. Hoistly counts them.\n"
        ),
        "Doors": (
            "## Decision\n\nWe standardise on Latchup as the lock for all new doors, with Boltex"
            " support only for rusty gates.\n"
        ),
        "Where couriers sleep": "## Decision\n\nCouriers sleep at home.\n",
        "Order of the shelves": "## Decision\n\nShelves are sorted by the alphabet.\n",
    }
)


def test_who_takes_one_chosen_thing_and_not_the_other_gives_nothing_up() -> None:
    """A-7: both were chosen; who gives one up for something else conflicts."""
    both = "Lift the crates of the yard with Cranely, not through Hoistly."
    assert verdict_on("Yard tools", both, CARTS) != "conflicts"
    assert verdict_on("Yard tools", "Stop using Hoistly in the yard.", CARTS) == "conflicts"


def test_what_is_allowed_for_one_case_is_no_yes_for_another() -> None:
    """A-7: an unsure one is `related`; the case itself is what the record allows."""
    assert verdict_on("Doors", "Lock the new shop door with Boltex.", CARTS) != "supports"
    assert verdict_on("Doors", "Lock the rusty gates with Boltex.", CARTS) != "conflicts"
    assert verdict_on("Doors", "Lock the new shop door with Latchup.", CARTS) == "supports"


def test_one_clause_read_both_ways_takes_nothing() -> None:
    """A-7: only who takes the other thing elsewhere in the proposal keeps what was chosen."""
    crane, tower = (
        Stance("used", True, phrase(name), sentence="Crane and tower.", names=frozenset((name,)))
        for name in ("crane", "tower")
    )
    taken = Signal(0.6, True, Clause(True, phrase("crane"), text="lift"), crane, "used")
    given = Signal(0.8, False, Clause(False, phrase("tower"), text="lift"), tower, "used")
    assert given in one_of_several([taken, given])
    elsewhere = Signal(0.6, True, Clause(True, phrase("crane"), text="hoist"), crane, "used")
    assert given not in one_of_several([elsewhere, given])


LANES = shelf_of(
    {
        "Ship the crates": (
            "## Decision\n\nMark each crate anew.\n\n- Both yards ship their crates via `shply"
            " send` — no stamp on the crate, so shply asks the gate.\n"
        ),
        "Use Hoistly and Cranely": (
            "## Decision\n\nWe use Hoistly and Cranely. Cranely is used only for the roof.\n"
        ),
        "Count crates with Tallyhub": (
            "## Considered Options\n\n- Tallyhub\n- Abacusly\n\n## Decision Outcome\n\nUse"
            " Tallyhub in the yard. Tallyhub shall be used only in the yard to count crates.\n"
        ),
        "Where couriers sleep": "## Decision\n\nCouriers sleep at home.\n",
        "Order of the shelves": "## Decision\n\nShelves are sorted by the alphabet.\n",
    }
)


def test_who_takes_what_a_sentence_does_without_does_not_support_it() -> None:
    """A-7: a definite verdict is earned; a name in common is none beside what is kept out."""
    record = "Ship the crates"
    assert verdict_on(record, "Keep a shply stamp for each crate in the yard.", LANES) == "related"
    for plain in (
        "Let shply send the crates of the yard to the gate.",
        "Ship the crates of the yard via shply, there is no stamp then.",
    ):
        assert verdict_on(record, plain, LANES) == "supports"


def test_a_choice_for_one_place_only_is_no_yes_for_another() -> None:
    """A-7: an unsure one is `related`; there where it was chosen for, it is taken."""
    record = "Count crates with Tallyhub"
    assert verdict_on(record, "The canteen can import Tallyhub itself.", LANES) == "related"
    assert verdict_on(record, "Let Tallyhub count what is in the yard.", LANES) == "supports"
    both = "Use Hoistly and Cranely"
    assert verdict_on(both, "Lift the crates at the gate with Hoistly.", LANES) == "supports"
    assert verdict_on(both, "Lift the crates at the gate with Cranely.", LANES) == "related"
