"""The forms of verbs."""

from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.wording.verbs.forms import every_form, forms


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("ditch", "ditch ditches ditched ditching"),
        ("drop", "drop drops dropped dropping"),
        ("clean", "clean cleans cleaned cleaning"),
        ("retire", "retire retires retired retiring"),
        ("bury", "bury buries buried burying"),
        ("expel", "expel expels expelled expelling"),
        ("flee", "flee flees fled fleeing"),
        ("throw", "throw throws threw thrown throwing"),
        ("die", "die dies died dying"),
        ("wax", "wax waxes waxed waxing"),
    ],
)
def test_a_verb_has_all_its_forms(verb: str, expected: str) -> None:
    """A-7: a proposal is read whatever form its verb has."""
    assert set(forms(verb)) == set(expected.split())


def test_a_short_verb_is_not_taken_for_a_longer_one() -> None:
    """A-7: "scraping" is not done by those who scrap."""
    assert "scraping" not in every_form("scrap strip")
    assert every_form("scrap")["scrapping"] == "scrap"
