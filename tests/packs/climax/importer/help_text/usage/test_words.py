"""Words of usage lines: what they stand for (C-13)."""

from __future__ import annotations

import pytest

from toolcrib.packs.climax.importer.help_text.usage.words import is_phrase, names_operand


@pytest.mark.parametrize(
    "word",
    [
        "FILE",
        "configFile",
        "profilename",
        "pngfile",
        "pot.json",
        "PDF-file",
        "/path/to/pot",
        "in_file",
        "output-dir",
    ],
)
def test_what_no_command_is_called_is_an_operand(word):
    """C-13: operands, without brackets around them."""
    assert names_operand(word, inside=False, alone=False, dots=False)


@pytest.mark.parametrize("word", ["rename", "profile", "compile", "push", "Fire", "add-file"])
def test_what_may_be_a_command_is_no_operand(word):
    """C-13: sub-commands; some of their names end like those of operands."""
    assert not names_operand(word, inside=False, alone=False, dots=False)


@pytest.mark.parametrize(
    ("words", "dots", "one"),
    [
        (["changelog", "entry"], False, True),
        (["entry", "points"], False, True),
        (["data", "variables"], True, True),
        (["zipfile", "list"], False, False),
        (["CONFIGURATION", "FILE"], True, True),
        (["PATTERN", "FILE"], True, False),
        (["host", "port"], False, False),
        (["op", "fld"], True, False),
    ],
)
def test_words_in_brackets_are_one_name_or_several(words, dots, one):
    """C-13: `[changelog entry]` is one operand, `[host port]` are two."""
    assert is_phrase(words, dots) is one
