from __future__ import annotations

from toolcrib.packs.architecture.alignment.record.position import Position


def position(title: str, decision: str) -> Position:
    return Position(title, f"# {title}\n\n## Decision\n\n{decision}\n")


def test_a_thing_that_the_decision_puts_to_work_is_told_without_a_word_of_choice() -> None:
    """A-7: "we preserve the files in X" chooses X as "we use X" does."""
    read = position("File preservation", "The master files are kept in Glacier for ten years.")
    assert [sorted(each.things) for each in read.told] == [["glacier"]]


def test_a_thing_that_the_decision_only_complains_of_is_not_told() -> None:
    """A-7: what a record speaks of is not yet what it chose."""
    read = position("File preservation", "Unfortunately, Glacier is slow and too expensive.")
    assert read.told == []


def test_an_unknown_name_has_the_role_that_the_record_gives_it() -> None:
    """A-7: who takes a known CI server meets a record that chose one of an unknown name."""
    read = position("Builds", "We will use Gizmotron as our CI platform for all repositories.")
    assert "continuous integration" in read.roles
    assert read.roles["continuous integration"].wanted


def test_a_known_thing_has_only_roles_that_it_can_have() -> None:
    """A-7: "Python for CI" makes no CI server of a language."""
    read = position("Builds", "We will use Python for the CI platform scripts.")
    assert "continuous integration" not in read.roles


def test_what_a_project_makes_itself_has_the_role_of_the_title() -> None:
    """A-7: who buys what the project makes itself decides anew."""
    read = position("Keep our feature flags in-house", "The table of switches is our own.")
    assert "feature flags" in read.roles
    read = position("Keep our feature flags tidy", "Old ones are removed every month.")
    assert "feature flags" not in read.roles


def test_what_was_chosen_for_the_kind_of_a_title_has_its_role() -> None:
    """A-7: a thing of another kind that was chosen among options stands in for that kind."""
    body = "Chosen option: Keep the switches in DynamoDB, because we have it."
    assert "feature flags" in position("Feature flags", body).roles
    body = "Chosen option: Keep the switches in Unleash, because we have it."
    assert "feature flags" not in position("Feature flags", body).roles


def test_what_a_title_says_that_something_is_done_by_has_the_role() -> None:
    """A-7: "session storage using X" chose X; what it only speaks of is not chosen."""
    read = position("Session storage using an encrypted cookie", "Nothing stays on the server.")
    assert "session storage" in read.roles
    read = position("Session storage", "Nothing stays on the server.")
    assert "session storage" not in read.roles
