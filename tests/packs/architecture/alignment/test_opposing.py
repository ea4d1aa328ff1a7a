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
