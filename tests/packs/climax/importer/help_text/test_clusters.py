"""Letters behind one dash (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.page import parse_help


def _flags(text: str) -> list[str]:
    return [option.main for option in parse_help(text, ("kiln",)).options]


def test_letters_in_one_bracket_are_options_each() -> None:
    """C-13: `[-acx]`, and what looks like letters but is a word."""
    assert _flags("usage: kiln [-acx] [pot]\n") == ["-a", "-c", "-x"]
    assert _flags("usage: kiln [-wet] [pot]\n") == ["-wet"]


def test_words_behind_one_dash_are_not_cut() -> None:
    """C-13: where the list has words, a cluster has to be known."""
    listed = "Options:\n  -glaze   glazes\n  -dry     dries\n"
    assert _flags(f"usage: kiln [-abx] [pot]\n\n{listed}") == ["-glaze", "-dry", "-abx"]
