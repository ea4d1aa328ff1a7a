"""What can be said of a thing in a usage line by looking at it (C-13)."""

from __future__ import annotations

import pytest

from toolcrib.packs.climax.importer.help_text.usage.items import (
    are_words,
    either_of,
    is_noise,
    left_out,
    nested_words,
)
from toolcrib.packs.climax.importer.help_text.usage.synopsis import parse


@pytest.mark.parametrize(
    ("text", "noise"), [("[options]", True), ("[global flags]", True), ("[adopt]", False)]
)
def test_what_only_says_that_options_may_stand_there_is_noise(text: str, noise: bool) -> None:
    """C-13: `[command options]` is no operand."""
    assert is_noise(parse(text)[0]) is noise


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("{wet | dry}", "wet|dry"), ("{<pot> | ALL}", "pot_or_ALL"), ("{-q | dry}", "")],
)
def test_a_choice_of_words_is_told_in_one(text: str, wanted: str) -> None:
    """C-13: as an option takes it."""
    assert either_of(parse(text)[0]) == wanted


def test_words_are_told_from_options_however_deep_they_stand() -> None:
    """C-13: `[script [args]]` are two words; with an option among them they are none."""
    assert nested_words(parse("[script [args]]")[0]) == ["script", "args"]
    assert nested_words(parse("[script [-q]]")[0]) == []
    assert are_words(parse("[pot | glaze colour]")[0].alternatives)
    assert not are_words(parse("[pot | glaze]")[0].alternatives)


def test_only_a_flag_is_left_out() -> None:
    """C-13: what stands beside it is as required as before."""
    flag, operand = parse("-q [pot]")
    assert left_out(flag).optional and left_out(operand) is operand
