"""Options as programs really print them (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.model import HelpOption


def read(text: str) -> dict[str, HelpOption]:
    page = parse_help(text, ("kiln",))
    return {option.flags[0]: option for option in page.options}


def test_a_short_and_a_long_spelling_with_the_value_behind_each_are_one_option():
    """C-13: options in any column: `-f file<tab>--file=file`, `-f first  --first=first`."""
    tabs = "Usage: kiln [options]\n" + "".join(
        f"\t{short}\t\t{long}\n"
        for short, long in (("-f file", "--file=file"), ("-b", "--bytes"), ("-v v", "--var=v"))
    )
    gaps = "Usage: kiln [options]\n  -f first  --first=first\n              Begin there\n"
    assert read(tabs)["-f"].flags == ("-f", "--file")
    assert read(tabs)["-f"].value == "file"
    assert read(tabs)["-b"].is_switch
    assert read(gaps)["-f"].flags == ("-f", "--first")


def test_a_number_right_behind_an_option_is_its_value():
    """C-13: `-T#` is `-T` with a number, and so is a `#` in a column of its own."""
    found = read("Usage: kiln\n  -T#       Use # threads\n  -p, --port   #    a port\n  -x   x\n")
    assert (found["-T"].value, found["-T"].type) == ("#", "integer")
    assert found["-p"].type == "integer"


def test_a_word_right_behind_a_letter_is_its_value_where_the_description_speaks_of_it():
    """C-13: `-Idirectory` takes a directory; `-layout` is a word."""
    found = read("Usage: kiln\n  -Idirectory  add a directory\n  -layout      keep the layout\n")
    assert found["-I"].value == "directory"
    assert found["-layout"].is_switch


def test_an_equals_sign_that_may_be_left_out_is_no_optional_value():
    """C-13: `--sort[=]<name>` needs its name."""
    option = read("Usage: kiln\n  --sort[=]<name>  by name\n")["--sort"]
    assert option.value == "name"
    assert not option.value_optional


def test_a_colon_in_a_sentence_does_not_end_the_spelling():
    """C-13: `-q quiet mode : …` takes no value."""
    found = read("Usage: kiln\n    -q quiet mode : says nothing\n    -o FILE : where to\n")
    assert found["-q"].is_switch
    assert found["-o"].value == "FILE"


def test_an_option_in_brackets_of_the_usage_is_no_cell_of_a_column():
    """C-13: a usage line is not cut where a column of options happens to begin."""
    rows = "".join(f"  -{x} val  --{x * 3}=val\n               does {x}\n" for x in "fghij")
    page = parse_help(f"Usage:\n  kiln [   -46dFITn ] [ -f val ] pot\n{rows}", ("kiln",))
    assert [each.name for each in page.operands] == ["pot"]
