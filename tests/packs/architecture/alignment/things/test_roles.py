from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.things.roles import kinds_named


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Gizmo as our CI platform", "continuous integration"),
        ("Gizmo for feature flags", "feature flags"),
        ("Static site generators", "static site"),
        ("keep the logs in Gizmo for log aggregation", "log storage"),
    ],
)
def test_a_record_says_by_the_terms_of_the_trade_which_kind_it_chooses(
    text: str, kind: str
) -> None:
    """A-7: a rival of a thing that nobody has heard of is met by what the thing is for."""
    assert kind in kinds_named(text)


def test_words_that_are_no_terms_name_no_kind() -> None:
    """A-7: likeness alone never makes a conflict."""
    assert kinds_named("Put the expected end of the outage on the page") == frozenset()
