from __future__ import annotations

from toolcrib.packs.architecture.alignment.record.compounds import compounds, read_compounds


def test_two_telling_words_side_by_side_are_a_compound() -> None:
    """A-7: a thing may be named by two everyday words."""
    found = compounds("Fill the field with a rake task, and the timezone offset.")
    assert ("rake", "task") in found
    assert ("timezon", "offset") in found
    assert not any("the" in each or "with" in each for each in found)


def test_words_apart_are_none() -> None:
    """A-7: a comma or a bracket parts them."""
    assert ("rake", "task") not in compounds("Bring the rake, task force.")
    assert ("rake", "task") not in compounds("a rake (task)")


def test_only_what_the_decision_says_yes_to_counts() -> None:
    """A-7: what is refused anywhere in the decision is not a thing that it stands for."""
    found = read_compounds(
        ["We write a rake task.", "We will not write a shell script.", "A shell script is short."]
    )
    assert found[("rake", "task")] == "We write a rake task."
    assert ("shell", "script") not in found


def test_a_thing_is_named_after_what_it_does() -> None:
    """A-7: to select is only doing, but a "shelf selector" is a thing; to prefer names none."""
    assert ("shelf", "select") in compounds("Sort the crates with a shelf selector.")
    assert compounds("We select shelves and prefer crates.") == frozenset()


def test_what_a_thing_spares_takes_nothing_back() -> None:
    """A-7: "using oak crates lets us avoid nails" refuses no crates; "avoid oak crates" does."""
    said = "We use oak crates everywhere."
    spared = "Using oak crates allows us to avoid the nails."
    assert ("oak", "crate") in read_compounds([said, spared])
    assert ("oak", "crate") not in read_compounds([said, "Avoid oak crates in the yard."])
