"""What kind of value an option takes, and which ones a caller may give (C-9, C-13)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.help_text.values import choices, understood
from toolcrib.packs.climax.importer.model import HelpOption, Style


@pytest.mark.parametrize(
    ("name", "description", "wanted"),
    [
        ("W,H", "how wide and how high", ()),
        ("{W,H}", "which of both", ("W", "H")),
        ("wet,dry", "which pots", ("wet", "dry")),
        ("<pot.file|json|csv>", "where to", ("pot.file", "json", "csv")),
        ("<file.html|json|csv>", "where to", ()),
        ("string", "one of: wet, damp (default) or dry", ("wet", "damp", "dry")),
    ],
)
def test_choices_are_those_that_the_program_takes_and_no_fewer(name, description, wanted) -> None:
    """C-9: enums; what is left out of one would be refused."""
    assert choices(name, description) == wanted


@given(
    st.text(alphabet="ab|,{}<> WH.", max_size=40), st.text(alphabet="one of:ab,|()", max_size=60)
)
def test_whatever_is_written_choices_are_two_or_none(name, description) -> None:
    """C-9: an enum of one would not be a choice."""
    assert len(choices(name, description)) != 1


@pytest.mark.parametrize(
    ("flag", "kinds"), [("--clean", (True, True)), ("--no-clean", (True, False))]
)
def test_a_switch_that_is_on_can_be_given_and_turned_off(flag, kinds) -> None:
    """C-13: of `--no-clean`, the default is told of what it turns off; it stays a switch."""
    option = understood(HelpOption((flag,), description="pots first (default: true)"), Style.COBRA)
    assert (option.is_switch or option.value_optional, option.enum == ("true", "false")) == kinds


def test_a_number_that_is_written_in_hex_is_text() -> None:
    """C-9: types; `0x10` is no integer to who checks it."""
    option = HelpOption(("--key",), value="<n>", description="the key, given in hex")
    assert understood(option, Style.UNKNOWN).type == "string"


def test_dots_that_lead_to_a_description_are_no_part_of_it() -> None:
    """C-13: descriptions as they are meant."""
    page = parse_help("Usage: kiln\n\n  -q <int> ....... how hot it gets\n", ("kiln",))
    assert [each.description for each in page.options] == ["how hot it gets"]


def test_what_is_required_without_a_kind_takes_a_value() -> None:
    """C-13: `--port  where  [required]`: a switch that has to be there would switch nothing."""
    text = "Usage: kiln [options]\n\nOptions:\n{}      --help  Show help  [boolean]\n"
    page = parse_help(text.format("  -p, --pot   Which one  [required]\n"), ("kiln",))
    found = {each.main: each for each in page.options}
    assert not found["--pot"].is_switch and found["--help"].is_switch


def test_choices_behind_a_description_are_those_of_a_value() -> None:
    """C-13: `--shape  [choices: "pot", "cup"]` takes one of them."""
    shape = '  --shape  [choices: "pot", "cup"] [default: "pot"]'
    text = f"Options:\n{shape}\n  --now    at once  [boolean]\n"
    found = {each.main: each for each in parse_help(text, ("kiln",)).options}
    assert found["--shape"].enum == ("pot", "cup") and found["--now"].is_switch


@pytest.mark.parametrize(
    "told",
    [
        "Input file(s) (Pass '-' for stdin)",
        "Write it there (default stdout)",
        "How far in it stands [4]",
        'Which sign it has [" "]',
        "[wet|dry]",
        'Which glaze it has, defaults to "blue/white".',
        "Where the kiln is, as host:port.",
        "Kiln method, one of FIRE, COOL, SELL.",
        "What is in it. For example, /shelf/pots.txt or ./pots.txt.",
        "Kiln Accept header.",
        "Heat limit, in degrees per second.",
        "Duration of the fire.",
        "Glaze to use",
        "Glaze to use for the cups",
        "Any cup patterns to leave out",
        "Additional glaze(s) to mix",
        "Format of the pots",
        "how hot it gets [default=warm]",
        "where it stands (default .)",
        "When it ends. Examples: --pot 10s --pot 3m.",
        'What is said. For example, --pot "it is hot".',
    ],
)
def test_where_no_option_shows_its_value_the_description_tells_of_it(told: str) -> None:
    """C-13: in a list that has nothing but flags on its left."""
    rest = "".join(f"  --now{n}   Do it at once\n" for n in range(4))
    page = parse_help(f"Options:\n  --pot    {told}\n{rest}", ("kiln",))
    assert [each.main for each in page.options if not each.is_switch] == ["--pot"]


@pytest.mark.parametrize(
    "told",
    [
        "follow every link in every part of the given name",
        "Allow to use for cups",
        "Print the header.",
        "Include no body",
        "Fire any pot that is left",
        "fire by hand [default=n]",
        "fire slowly (default mode)",
        "more of it [count] [default: 0]",
        "Extra care for cups [boolean]",
        'Fire at once, default is "false"',
        "For example, --pot fires the first one",
    ],
)
def test_a_switch_stays_one_where_its_description_only_sounds_of_a_value(told: str) -> None:
    """C-13: what is given there is an operand, or nothing."""
    rest = "".join(f"  --now{n}   Do it at once\n" for n in range(4))
    page = parse_help(f"Options:\n  --pot    {told}\n{rest}", ("kiln",))
    assert all(each.is_switch for each in page.options)


def test_a_value_that_examples_show_behind_a_blank_is_given_so() -> None:
    """C-13: who writes the help by hand may know no other way."""
    listed = "Usage\n  $ kiln [options]\n\nOptions\n  -s, --size   Pot size\n"
    listed += "  -h, --help   Show this help\n\nExamples\n  $ kiln "
    assert parse_help(f"{listed}-s 15\n", ("kiln",)).style is Style.OPTPARSE
    page = parse_help(f"{listed}--size 15\n", ("kiln",))
    assert page.style is Style.UNKNOWN and page.description == ""


def test_a_tab_behind_an_option_begins_its_description() -> None:
    """C-13: however few blanks are left of it."""
    text = "Usage: kiln [options]\n\nOptions:\n  -host\tHTTP and more\n  -cold\tAt once\n"
    found = {each.main: each for each in parse_help(text, ("kiln",)).options}
    assert found["-host"].description == "HTTP and more" and found["-host"].is_switch


@pytest.mark.parametrize(
    ("option", "told", "switch"),
    [
        ("--port", "where it listens", False),
        ("--config", "Alternative settings", False),
        ("--port", "Show the one that is free", True),
        ("--config", "Checks the settings", True),
        ("--prefix", "echos the folder of the kiln", True),
        ("--config", "Alternative settings [boolean]", True),
        ("--wet-path", "fires the wet ones", True),
        ("--port", "", True),
    ],
)
def test_what_is_called_as_only_a_value_is_takes_one(option: str, told: str, switch: bool) -> None:
    """C-13: where no option shows its value, unless it is said to do something."""
    rest = "".join(f"  --now{n}   Do it at once\n" for n in range(4))
    page = parse_help(f"Options:\n  {option}    {told}\n{rest}", ("kiln",))
    assert [each.is_switch for each in page.options if each.main == option] == [switch]


_OFF = "".join(f"  -n{n}      Do it at once (default: false)\n" for n in range(4))


@pytest.mark.parametrize(
    ("others", "valued"),
    [
        ("  -u       Target kiln\n  -X       method (default: FIRE)\n", {"-u", "-X"}),
        ("  -u       Target kiln\n", set()),
        ("  -h       Show this\n  -X       method (default: FIRE)\n", {"-X"}),
        ("  -u       Dry [boolean]\n  -X       method (default: FIRE)\n", {"-X"}),
    ],
)
def test_where_every_switch_is_said_to_be_off_the_others_take_values(others, valued) -> None:
    """C-13: so it is printed of all options, with or without one that has another default."""
    page = parse_help(f"OPTIONS:\n{_OFF}{others}", ("kiln",))
    assert {each.main for each in page.options if not each.is_switch} == valued


def test_a_text_that_shows_values_needs_no_words_for_them() -> None:
    """C-13: beside `-o FILE`, `-u` takes none."""
    listed = "  -o FILE  out\n  -u       Target\n  -X       how (default: FIRE)\n"
    page = parse_help(f"OPTIONS:\n{_OFF}{listed}", ("kiln",))
    assert [each.main for each in page.options if not each.is_switch] == ["-o"]


def test_a_list_that_says_what_is_required_is_believed_before_a_usage() -> None:
    """C-13: `kiln --pot <pot> --glazes red blue` is a call, and `[required]` is a rule."""
    usage = "Usage: kiln --pot <path-to-pot> --glazes red blue\n\nOptions:\n"
    listed = "  -p, --pot     the pot   [string] [required]\n  -g, --glazes  which   [array]\n"
    page = parse_help(f"{usage}{listed}      --help    Show help   [boolean]\n", ("kiln",))
    assert [(each.main, each.required) for each in page.options] == [
        ("--pot", True), ("--glazes", False), ("--help", False)
    ]  # fmt: skip
    assert page.operands == ()
    unmarked = listed.replace(" [required]", "")
    page = parse_help(f"{usage}{unmarked}", ("kiln",))
    assert [each.required for each in page.options] == [True, True]
