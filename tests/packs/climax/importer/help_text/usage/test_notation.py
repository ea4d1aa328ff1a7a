"""The notations of usage lines, in the one that is read (C-13)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.packs.climax.importer.help_text.usage.notation import plain, without_listed


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("pot [...pot]", "pot [pot...]"),
        ("[-s text|file...]", "[-s text|file...]"),
        ("[-s wet|dry|...]", "[-s <wet|dry|...>]"),
        ("[-[eE] name] POT", "[-e|-E name] POT"),
        ("[WET or DRY style options] POT", "[options] POT"),
        ("[-q <pot>|<shape>] [plate]", "[-q <pot_or_shape>] [plate]"),
        ("[pot] {plate ...}", "[pot] [plate...]"),
        ('pot ["glaze options"]', 'pot [<"glaze options">]'),
        ("[Raw Pot Name]", "[<Raw Pot Name>]"),
        ("pot [lid1[ lid2]]", "pot [lid1 [lid2]]"),
        ("[-[c|m] n] POT", "[(-c|-m) n] POT"),
        ("root1 root2 [options]", "<root1> <root2> [options]"),
        ("file1 file2 ...", "FILE..."),
        ("<-q> POT", "[-q] POT"),
        ("<raw-pot-1>..<raw-pot-n> <plate>", "RAW-POT... <plate>"),
        ("<pot0> [... <potN>]", "POT..."),
        ("[POT*] PLATE+", "[[POT...]] PLATE..."),
        ("<pot>* plate", "[<pot>...] plate"),
        ("<pot> <pot2> <potN>", "POT..."),
        ("[pot1] [pot2] ...", "[<pot>...]"),
        ("SHAPE[,SHAPE]... POT", "SHAPE POT"),
        ("(<POT>|--all)", "(<POT>|--all)"),
        ("<POT|--all>", "(<POT>|--all)"),
        ("<wet|dry>", "<wet|dry>"),
        ("?-heat n? pot ?plate ...?", "[-heat n] pot [plate ...]"),
        ("-{x|y} POT", "-{x|y} POT"),
        ("[-q] -{x|y} POT", "[-q] (-x|-y) POT"),
        ("[-q] pot >plate", "[-q] pot > stream"),
        ("pot.[clay|glass] cup", "<pot> cup"),
        ("[-q] *.pot", "[-q] <pot...>"),
        ("POTS and/or PLATES...", "<POTS or PLATES>..."),
        ("POTS OR PLATES ...", "<POTS or PLATES> ..."),
        ("[pot1...N dest]", "[POT... dest]"),
        ("[flags and raw pots in any order]", "[options] [<raw pots>...]"),
        ("[ pot shape file or root of pots ]...", "[<pot shape file or root of pots>]..."),
        ("[OPTION1] [OPTION2]... <pot>", "  <pot>"),
        ("[POT] [> PLATE]", "[POT] "),
        ("http://host/pot [plate]", "<url> [plate]"),
        ("pot plate   # fires both", "pot plate"),
        ("[pot [plate]] or", "[pot [plate]]"),
        ("fire|cool|sell [POT]", "{fire|cool|sell} [POT]"),
        ("[options] directory|file|device", "[options] <directory or file or device>"),
        ("fire|f [POT]", "fire|f [POT]"),
        ("[options] Pot|ClayPot ID", "[options] <Pot or ClayPot> ID"),
        ("POT|PLATE ID", "POT|PLATE ID"),
        ("[-v] pot...| plate...", "[-v] <pot or plate>..."),
        ("[-v] pot | plate...", "[-v] pot | plate..."),
        ("[options] {GLAZE,SHAPE}=<value>", "[options] <key=value>"),
        ("[options] {wet,dry} <pot>", "[options] {wet,dry} <pot>"),
        ("[-g Red|Blue] ID", "[-g <Red|Blue>] ID"),
        ("[-]{dmpq}[abc] POT", "OPERATION POT"),
        ("{pots}", "{pots}"),
        ("[POT1 ... POTn] plate", "[POT...] plate"),
        ("pot_1, …, pot_n", "POT..."),
        ("FILE... [-- BINARY_FILE...]", "FILE... "),
        ("{OPTIONS} POT", "{OPTIONS} POT"),
        ("[-- <pot>...]", "[-- <pot>...]"),
        ("pot.{clay|glass} [pot2.{clay|glass} [...]]", "POT..."),
        ("[-opts] [pot]", "[options] [pot]"),
        ("<pot> (where pot is a file (e.g., pot.clay))", "<pot>"),
        ("<pot> (wet|dry)", "<pot> (wet|dry)"),
        ("[-q] [-options ...]", "[-q] [options]"),
        ("init[db]   [-D DIR]", "initdb   [-D DIR]"),
        ('[options] ["<words>"]', '[options] [<"words">]'),
    ],
)
def test_a_notation_means_brackets_bars_and_dots(written, meant):
    """C-13: operands, repeated values, however they are written."""
    assert plain(written) == meant


@given(st.text(alphabet="[]<>(){}|.-= abcdE12", max_size=300))
def test_whatever_is_written_something_comes_out(text):
    """C-13: no help text breaks an import."""
    assert isinstance(plain(text), str)


def test_numbered_names_without_an_end_are_read_in_linear_time() -> None:
    """C-9: a usage of hundreds of numbered names costs no more than its length."""
    assert_grows_slowly(lambda size: plain("pot1 " * min(size, 4000) + "!"), 60)


def test_dots_behind_options_and_operands_alike_say_that_all_may_be_left_out() -> None:
    """C-13: `<option>... <pot>...`: options are never required, and both are written the same."""
    assert plain("<option>... <pot>...") == "[<option>...] [<pot>...]"
    assert plain("<shelf> <pot>...") == "<shelf> <pot>..."


def test_redirections_in_each_other_are_left_out() -> None:
    """C-13: `[< in [> out]]` is what a shell does."""
    assert plain("[options] [< in [> out]] [pot ...]").split() == ["[options]", "[pot", "...]"]


def test_brackets_with_nothing_but_dots_behind_options_are_words() -> None:
    """C-13: an operand without a name; behind one with a name, the dots repeat that."""
    assert plain("[-q] [--name NAME] [...]") == "[-q] [--name NAME] [<words>...]"
    assert plain("[-q] POT [...]") == "[-q] POT [...]"


def test_words_behind_an_option_that_takes_a_list_are_all_its_own() -> None:
    """C-13: `--pots cup plate`, where the list says that it takes several."""
    assert without_listed("kiln --pots cup plate", {"--pots"}) == "kiln --pots cup"
    assert without_listed("kiln --pots cup plate -q", {"--pots"}) == "kiln --pots cup -q"
    assert without_listed("kiln --pots <cup> PLATE", {"--pots"}) == "kiln --pots <cup> PLATE"
    assert without_listed("kiln --pot cup plate", {"--pots"}) == "kiln --pot cup plate"
