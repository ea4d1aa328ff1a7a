from __future__ import annotations

from toolcrib.packs.architecture.alignment.record.reading import Reading

TEXT = """# Use Gizmo

## Context

We looked at several tools last spring.

## Considered Options

* Gizmo
* Widget

## Decision

We will use Gizmo for the nightly builds. It is quick.

- one
"""


def test_the_sentences_of_the_decision_are_its_own_section_alone() -> None:
    """A-7: what the context tells was not decided."""
    assert Reading("Use Gizmo", TEXT).decided[0] == "We will use Gizmo for the nightly builds."
    assert not any("last spring" in each for each in Reading("Use Gizmo", TEXT).decided)


def test_what_is_quoted_is_a_sentence_of_the_decision() -> None:
    """A-7: never a title or a piece of a list."""
    assert Reading("Use Gizmo", TEXT).quotable == ["We will use Gizmo for the nightly builds."]


def test_options_are_read_with_what_was_chosen() -> None:
    """A-7: an option that the decision names is the chosen one."""
    options = {each.name: each.chosen for each in Reading("Use Gizmo", TEXT).options}
    assert options == {"Gizmo": True, "Widget": False}


def test_a_heading_in_the_decision_that_tells_what_to_do_is_read() -> None:
    """A-7: "Use X instead of Y" is a decision, also where it stands above its reasons."""
    text = (
        "# Crates\n\n## Context\n\n### Use of crates\n\nMuch.\n\n## Decision\n\n"
        "### Use `oak` instead of `pine`\n\nIt lasts.\n\n### Do not use nails\n\n### Weight\n\n"
        "### Use of glue\n\nRare.\n"
    )
    assert Reading("Crates", text).ordered == ["Use oak instead of pine", "Do not use nails"]


def test_a_thing_may_be_allowed_for_some_cases_only() -> None:
    """A-7: "X only for old carts" says no yes to X."""
    text = "# Carts\n\n## Decision\n\nWe use Axlr, with Wheelr support only for rusty carts.\n"
    assert "rusti" in Reading("Carts", text).cases_of("Wheelr")
    assert Reading("Carts", text).cases_of("Axlr") == frozenset()


def test_what_a_title_refuses_in_brackets_is_read() -> None:
    """A-7: who does without it supports the record; other brackets only explain."""
    assert Reading("Loose crates (no iron nails) in the yard", "").ordered == ["no iron nails"]
    assert Reading("Loose crates (iron nails) in the yard", "").ordered == []
