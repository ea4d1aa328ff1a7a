from __future__ import annotations

from support.decisions import shelf_of, verdict_on

FORBIDDING = shelf_of(
    {
        "Traceable history": (
            "## Decision\n\nWe only allow merge commits on the main branches. Rebase merges are"
            " disallowed, as they lose the pull request.\n"
        ),
        "Where couriers sleep": "## Decision\n\nCouriers sleep at home.\n",
        "Order of the shelves": "## Decision\n\nShelves are sorted by the alphabet.\n",
    }
)


def test_what_a_rule_forbids_is_a_conflict_in_nearly_all_its_words() -> None:
    """A-7: what takes what was rejected conflicts; a word in common does not."""
    allowed = "Allow rebase merges on main, I want a straight history."
    assert verdict_on("Traceable history", allowed, FORBIDDING) == "conflicts"
    for harmless in (
        "Show the number of merges on the team page.",
        "Write down how to rebase a branch of a guest.",
        "Turn rebase merges off for the docs, too.",
    ):
        assert verdict_on("Traceable history", harmless, FORBIDDING) != "conflicts"


COUNTED = shelf_of(
    {
        "Networks of the ferries": (
            "## Decision\n\nWe will keep two separate harbour networks for `live` and `non_live`"
            " ferries.\n"
        ),
        "Hulls": (
            "## Decision\n\nBy default, make hulls of open boats protected and non-magnetic.\n"
        ),
        "A lock for the log": (
            "## Decision\n\nWe keep the log in a vault with the Retain mode. The Retain mode cannot"
            " be overridden by any captain.\n"
        ),
        "Order of the shelves": "## Decision\n\nShelves are sorted by the alphabet.\n",
    }
)


def test_one_for_all_conflicts_with_one_for_each() -> None:
    """A-7: the amount alone may say that two decisions cannot both be."""
    shared = "Live and non-live ferries could share one harbour network."
    assert verdict_on("Networks of the ferries", shared, COUNTED) == "conflicts"
    for fine in (
        "Both harbour networks of the ferries get a chart.",
        "Order one shared printer for the harbour.",
    ):
        assert verdict_on("Networks of the ferries", fine, COUNTED) != "conflicts"


def test_words_that_deny_those_of_a_sentence_conflict_with_it() -> None:
    """A-7: `public` is not `protected`, and `magnetic` not `non-magnetic`."""
    assert verdict_on("Hulls", "Every open boat gets a public magnetic hull.", COUNTED) == (
        "conflicts"
    )
    own = "Make the hulls of open boats protected and non-magnetic."
    assert verdict_on("Hulls", own, COUNTED) == "supports"


def test_what_cannot_happen_to_a_thing_speaks_for_it() -> None:
    """A-7: a guarantee is no prohibition."""
    sure = "Set the vault of the log to the Retain mode."
    assert verdict_on("A lock for the log", sure, COUNTED) != "conflicts"


FORBIDDEN = shelf_of(
    {
        "Reaching the vault": (
            "## Decision\n\nPeople reach the vault through the teller.\n\n"
            "**Prohibited methods:**\n\n"
            "- Trap doors with a ladder\n- Shared lanterns\n"
        ),
        "Rooms of the mill": (
            "## Decision\n\nDepending on an internal room from another wing is prohibited.\n"
        ),
        "Where couriers sleep": "## Decision\n\nCouriers sleep at home.\n",
        "Order of the shelves": "## Decision\n\nShelves are sorted by the alphabet.\n",
    }
)


def test_who_gets_what_is_on_a_list_of_forbidden_things_conflicts() -> None:
    """A-7: what takes what was rejected conflicts; to count it, or to board it up, does not."""
    wanted = "Next sprint the cleaners get a trap door behind the kitchen."
    assert verdict_on("Reaching the vault", wanted, FORBIDDEN) == "conflicts"
    for harmless in (
        "Next sprint the cleaners count every trap door behind the kitchen.",
        "Board up the last trap door behind the kitchen.",
    ):
        assert verdict_on("Reaching the vault", harmless, FORBIDDEN) != "conflicts"


def test_the_opposite_of_one_word_does_not_keep_a_rule() -> None:
    """A-7: "public" alone does not say again that nobody may depend on what is internal."""
    text = "The bakers walk right into the flour room, its public door is too narrow for me."
    assert verdict_on("Rooms of the mill", text, FORBIDDEN) == "related"
