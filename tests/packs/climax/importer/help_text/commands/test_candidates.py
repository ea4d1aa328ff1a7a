"""Lists of names that may be commands, whatever stands above them (C-13)."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from toolcrib.packs.climax.importer.help_text.commands.candidates import candidate_lists

WORDS = st.from_regex(r"[a-z][a-z0-9]{1,8}", fullmatch=True)
GAPS = st.sampled_from(["    ", ": ", " - "])


@given(
    names=st.lists(WORDS, min_size=3, max_size=12, unique=True), gap=GAPS, indent=st.integers(0, 8)
)
def test_a_list_is_found_wherever_it_stands_and_however_it_is_told(names, gap, indent):
    """C-13: sub-commands however they are listed."""
    listed = [f"{' ' * indent}{name}{gap}what it does here" for name in names]
    (found,) = candidate_lists(
        ["Pots of all kinds", "", *listed, "", "Enjoy your pots, all of you."]
    )
    assert [each.name for each in found] == names
    assert {each.description for each in found} == {"what it does here"}


@settings(max_examples=150)
@given(lines=st.lists(st.text(alphabet=" -:abc[]<>\t", max_size=20), max_size=30))
def test_whatever_the_lines_are_each_list_has_three_names_and_each_name_once(lines):
    """C-13: what is printed is untrusted, and never makes the import fail."""
    for found in candidate_lists(lines):
        names = [each.name for each in found]
        assert len(names) >= 3
        assert len(set(names)) == len(names)


def test_names_with_their_description_below_are_a_list():
    """C-13: `fire` alone on its line, and further in what it does."""
    lines = [
        "POTS",
        "    fire",
        "        burns it",
        "",
        "    cool",
        "        waits",
        "    dry",
        "        waits too",
    ]
    (found,) = candidate_lists(lines)
    assert [each.name for each in found] == ["fire", "cool", "dry"]


def test_options_and_sentences_are_no_list_of_names():
    """C-13: an option is no command."""
    lines = [
        "  -a   all of it",
        "  --big   big ones",
        "  -c   cold",
        "",
        "Some pots are big.",
        "Others are not.",
    ]
    assert candidate_lists(lines) == []
