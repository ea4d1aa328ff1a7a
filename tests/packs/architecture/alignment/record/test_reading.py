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
