"""Which of its options a record chose."""

from __future__ import annotations

from toolcrib.packs.architecture.alignment.record.position import Position

LISTED = "# A subject\n\n## Considered Options\n\n{options}\n\n## Decision\n\n{decision}\n"


def chosen(options: str, decision: str) -> dict[str, bool | None]:
    body = LISTED.format(options=options, decision=decision)
    return {each.name: each.chosen for each in Position("A subject", body).options}


def test_options_in_bold_paragraphs_are_read_with_their_labels() -> None:
    """A-7: what the record considered, however it is written; the arguments are no options."""
    options = (
        "**Option 1:** Environment variables\nThey are free.\n\n- easy\n- hard to see\n\n"
        "**[SELECTED] Option 2a:** Flags with Waffle\nIt is maintained.\n\n- well documented\n\n"
        "**Option 2b:** Flags with Gargoyle\nIt is not."
    )
    assert chosen(options, "Option 2a, because it is maintained.") == {
        "Environment variables": False, "Flags with Waffle": True, "Flags with Gargoyle": False,
    }  # fmt: skip


def test_an_option_that_is_taken_for_some_cases_was_not_turned_down() -> None:
    """A-7: what a record says yes to in part is neither chosen nor rejected."""
    found = chosen(
        "1. kebab-case\n2. PascalCase\n3. snake_case",
        "Chosen option: Name files after their export.\n\n"
        "If that is a class, then the name should be in PascalCase.",
    )
    assert found == {"kebab-case": False, "PascalCase": None, "snake_case": False}


def test_a_decision_that_is_the_beginning_of_an_option_chose_it() -> None:
    """A-7: "Remove jQuery." is the option to remove it, and not the one to keep it."""
    found = chosen("1. Keep jQuery.\n2. Remove jQuery and write it in plain JavaScript.",
                   "### Solution\n\nRemove jQuery.")  # fmt: skip
    assert list(found.values()) == [False, True]


def test_what_the_decision_says_it_will_use_was_not_turned_down() -> None:
    """A-7: an option may stand below the one that was chosen: "an existing framework: NestJS"."""
    found = chosen(
        "* Evolve our own code\n* Use an existing framework\n* NestJS\n* Adonis",
        "Chosen Option: Use an existing framework: NestJS\n\nWe will use NestJS for new projects.",
    )
    assert found["NestJS"] is True
    assert found["Adonis"] is False


def test_what_was_used_before_was_not_chosen_by_that() -> None:
    """A-7: a sentence of the past tells where a team comes from."""
    found = chosen(
        "* Siegfried\n* Droid",
        "We did use Siegfried in the prototype, it was there. We will use Droid from now on.",
    )
    assert found == {"Siegfried": False, "Droid": True}
