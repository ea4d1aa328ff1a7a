from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.wording.expanding import expand


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("We won't sail", "We will not sail"),
        ("Neither tar nor wax", "neither tar or wax"),
        ("Turn down crates that are not sealed", "require crates that are sealed"),
        ("Crates without a seal are not accepted", "Crates require a seal"),
        ("A hull that is not magnetic", "A hull non-magnetic"),
        ("A harbour of their own", "a separate harbour"),
        ("Count them by hand", "Count them manually"),
        ("Nothing but wax", "only wax"),
    ],
)
def test_what_is_said_shortly_or_by_a_double_no_is_written_out(text: str, whole: str) -> None:
    """A-7: polarity of each clause, however it is worded."""
    assert " ".join(expand(text).split()).casefold() == whole.casefold()


def test_a_plain_sentence_stays_as_it_is() -> None:
    """A-7: what says nothing short is not touched."""
    assert expand("Let's Encrypt seals the crates.") == "Let's Encrypt seals the crates."
