"""Lists of commands that are nothing but names (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.commands.rows import comma_list, in_columns


def test_names_between_commas_are_a_list_up_to_the_first_gap() -> None:
    """C-13: sub-commands however they are listed; a dash may break a name."""
    assert comma_list(["", "  fire, cool, re-", "  glaze", "", "  sold"]) == [
        "fire",
        "cool",
        "re-glaze",
    ]
    assert comma_list(["  fire the pot, then"]) == []


def test_names_in_columns_are_a_list_and_a_name_with_a_sentence_is_none() -> None:
    """C-13: several names to a line."""
    assert in_columns(["fire   cool   sell", "dry    wash", "weigh  pack   ship"]) == [
        "fire",
        "cool",
        "sell",
        "dry",
        "wash",
        "weigh",
        "pack",
        "ship",
    ]
    assert in_columns(["fire   fires a pot"]) == []
