"""Where the options of a usage line stand (C-13)."""

from __future__ import annotations

import pytest

from toolcrib.packs.climax.importer.help_text.usage.ways import read_variant


@pytest.mark.parametrize(
    ("usage", "first", "last"),
    [
        ("kiln [OPTION]... POT", True, False),
        ("kiln [-v] [-o file] [POT ...]", True, False),
        ("kiln POT [OPTIONS]", False, True),
        ("kiln [options] POT [[options] POT]", False, False),
        ("kiln POT", False, False),
        ("kiln [options]", True, False),
    ],
)
def test_options_are_told_from_operands_by_their_place(usage: str, first: bool, last: bool) -> None:
    """C-13: a call has the order of the usage."""
    variant = read_variant(usage, ("kiln",))
    assert variant is not None
    assert (variant.options_first, variant.options_last) == (first, last)
