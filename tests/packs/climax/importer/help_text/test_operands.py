"""Operands that a usage, a list or a heading tells of (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.page import parse_help


def shapes(text: str) -> list[tuple[str, bool, bool]]:
    page = parse_help(text, ("kiln",))
    return [(each.name, each.required, each.repeats) for each in page.operands]


def test_a_command_that_nothing_lists_is_what_the_caller_names() -> None:
    """C-13: `kiln command [options]` without commands; with some, it is one of them."""
    text = "Usage: kiln command [options]\n\nOptions:\n  -l, --list   list all\n"
    assert shapes(text) == [("command", True, False)]
    assert shapes(f"{text}\nCommands:\n  fire   fires it\n  cool   cools it\n") == []


def test_an_operand_of_one_way_may_be_several_in_the_other() -> None:
    """C-13: ways that have one operand each have it in the same place."""
    text = "usage: kiln -c [-v] [pot]\n       kiln -t [-v] [patterns ...]\n"
    assert shapes(text)[0][1:] == (False, True)
    two = "usage: kiln [-v] pot shelf\n       kiln [-v] patterns ...\n"
    assert not any(repeats for _, _, repeats in shapes(two))


def test_a_mode_is_whatever_stands_below_the_heading() -> None:
    """C-13: `[mode] [options] [file...]` with options below "Modes:"."""
    text = "Usage: kiln [mode] [options] [pot...]\n\nModes:\n    -f, --fire   fire\n    -c   cool\n"
    assert shapes(text) == [("pot", False, True)]
    assert shapes("Usage: kiln [mode] [pot...]\n\nPots:\n  -f   fire\n")[0][0] == "mode"


def test_an_operand_is_optional_where_the_text_tells_what_happens_without_it() -> None:
    """C-13: "if <pot> is not provided"; what is said of another word changes nothing."""
    usage = "Usage: kiln [options] <pot>\n\n"
    options = "\nOptions:\n  -v   talk\n"
    for told in ("If <pot> is not provided, all are fired.", "When no pot is given, it waits."):
        assert shapes(usage + told + "\n" + options) == [("pot", False, False)]
    for told in ("If the shelf is missing, it stops.", "If <pot> is cracked, it stops."):
        assert shapes(usage + told + "\n" + options) == [("pot", True, False)]


def test_a_usage_by_hand_may_name_as_many_operands_otherwise_than_the_list() -> None:
    """C-13: operands; `[input file...]` is what the list below calls `pots`."""
    text = (
        "usage: kiln [options] <fire rule> [input file...]\n\npositional arguments:\n"
        "  rule\n  pots\n\noptions:\n  -h, --help  show this help message and exit\n"
    )
    page = parse_help(text, ("kiln",))
    shape = [(each.name, each.required, each.repeats) for each in page.operands]
    assert shape == [("fire rule", True, False), ("input_file", False, True)]


def test_a_way_that_is_nothing_but_named_options_needs_no_operand() -> None:
    """C-13: `kiln [--show | -s]` shows, without a pot; `kiln [OPTION]` is for the help alone."""
    usage = "usage: kiln [--heat=N] pot\n       kiln [{}]\n"
    assert shapes(usage.format("--show | -s")) == [("pot", False, False)]
    assert shapes(usage.format("OPTION")) == [("pot", True, False)]


def test_a_command_behind_an_operand_is_one_of_the_list() -> None:
    """C-13: `[PATH] COMMAND [ARGS]...` is the path, and whatever the list has."""
    text = "Usage: kiln [OPTIONS] [PATH] COMMAND [ARGS]...\n\nCommands:\n  fire  Fires it.\n"
    assert shapes(text) == [("PATH", False, False)]


def test_a_list_of_help_alone_leaves_no_command_to_name() -> None:
    """C-13: of `[command]`, the list has nothing but how to ask."""
    text = "Usage: kiln [options] [command] [pot ...]\n\nCommands:\n\n    help   Tells more\n"
    assert [name for name, _, _ in shapes(text)] == ["pot"]


def test_the_same_way_under_another_name_is_not_read_twice() -> None:
    """C-13: a program that goes by two names has a line for each."""
    text = (
        "Usage:  kiln [-L HEAT] [OPTION]... [POT]...\n        oven [-L HEAT] [OPTION]... [POT]...\n"
    )
    assert shapes(text) == [("POT", False, True)]


def test_the_own_name_below_another_begins_a_further_way() -> None:
    """C-13: `oven [[day] year]`, and below it `kiln [-x] [[day] year]`: neither repeats."""
    ways = ("oven [-j] [[day] year]", "oven [-m day] [year]", "kiln [-x] [[day] year]")
    text = "Usage: " + "\n       ".join(ways) + "\n"
    assert shapes(text) == [("day", False, False), ("year", False, False)]


def test_an_operand_that_takes_all_there_is_has_none_behind_it() -> None:
    """C-13: what only another way has behind `[POT]...` belongs to that way."""
    text = "Usage: kiln [OPTION]... [POT]...\n  or:  kiln --old [POT] [[+]HEAT[.][b]]\n"
    assert shapes(text) == [("POT", False, True)]


def test_commands_that_are_listed_as_options_are_named_by_no_operand() -> None:
    """C-13: of `kiln <shelf>` and `kiln <command>`, the second takes an option and nothing else."""
    text = (
        "Usage:\n kiln [options] <shelf>\n kiln [options] <command>\n\n"
        "Commands:\n -l, --list   list all\n -d, --dump   dump all\n"
    )
    assert shapes(text) == [("shelf", False, False)]


def test_a_name_that_is_explained_by_options_is_no_operand() -> None:
    """C-13: `<HW>=Use '-H <hw>'` below the usage, and "Available modes are:" above options."""
    text = "Usage: kiln [-q] [<HW>] [<pot>]\n\n  -q   quiet\n\n  <HW>=Use '-H <hw>' for it\n"
    assert shapes(text) == [("pot", False, False)]
    text = "Usage: kiln [mode] [-q] <pot>\n\nAvailable modes are:\n  --wet   wet\n  --dry   dry\n"
    assert shapes(text) == [("pot", True, False)]


def test_a_word_that_an_option_may_give_as_well_can_be_left_out() -> None:
    """C-13: of `[-e expr]*|expr`, one is enough; a word that no option gives has to be there."""
    assert shapes("Usage: kiln [ -v ] [ -e|-E expr]*|expr [ pots ]\n") == [
        ("expr", False, False),
        ("pots", False, True),
    ]
    assert shapes("Usage: kiln [-v] [-e glaze]|<pot> [shelf]\n")[0] == ("pot", True, False)


def test_files_in_the_place_of_an_options_value_are_operands() -> None:
    """C-13: `[-s text|file...]` takes either; `[-s wet|dry]` takes one of two values."""
    assert shapes("Usage: kiln [-f from] [-s text|file...]\n") == [("file", False, True)]
    assert shapes("Usage: kiln [-f from] [-s wet|dry]\n") == []


def test_a_usage_may_have_the_program_before_it() -> None:
    """C-13: `kiln: usage: kiln POT ...`, as a complaint begins."""
    options = "Options include:\n  -v   talk\n"
    assert shapes(f"kiln: usage: kiln OPTIONS POT ...\n{options}") == [("POT", True, True)]


def test_what_a_shell_redirects_is_no_operand() -> None:
    """C-13: in angle brackets, too; who may redirect the input need not name it."""
    assert shapes("Usage: kiln <pot> > <plate>\n") == [("pot", True, False)]
    ways = "Usage\n  $ kiln <pot> > <plate>\n  $ kiln < <clay>\n"
    assert shapes(ways) == [("pot", False, False)]


def test_a_name_for_what_is_listed_below_it_is_no_operand() -> None:
    """C-13: `[function]` and `[parameters]` are options, whatever their lists are headed by."""
    listed = "Shelf operations:\n --dry   dries\n\nSHELF must be exactly one of these:\n --up\n\n"
    listed += "Functions:\n -r, --show   shows it\n\nParameters:\n -f, --file <pot>   the pot\n"
    page = parse_help(
        f"Usage:\n kiln SHELF [function] [operations] [parameters] <pot>\n\n{listed}", ("kiln",)
    )
    assert [each.name for each in page.operands] == ["pot"]


def test_a_usage_by_hand_may_have_more_than_the_list() -> None:
    """C-13: `usage: Usage: kiln [options] [pot [args]]`, of which the list has `args` alone."""
    listed = "\n\npositional arguments:\n  args   more\n\noptions:\n  -q, --quiet   quiet\n"
    assert shapes(f"usage: Usage: kiln [options] [pot [args]]{listed}") == [
        ("pot", False, False),
        ("args", False, True),
    ]


def test_the_command_of_a_usage_by_hand_has_the_choices_of_the_list() -> None:
    """C-13: `<command> [<args>]`, and `{fire,cool}` among the arguments."""
    text = (
        "usage: kiln <command> [<args>]\n\npositional arguments:\n  {fire,cool}\n"
        "                        what to do\n\noptions:\n  -h, --help   this\n"
    )
    assert parse_help(text, ("kiln",)).operands[0].enum == ("fire", "cool")


def test_operands_that_all_are_lists_repeat() -> None:
    """C-13: `[files] [directories]`; of `FILES PLATE`, one plate."""
    assert shapes("Usage: kiln [options] [files] [directories]\n") == [
        ("files", False, True),
        ("directories", False, True),
    ]
    assert shapes("Usage: kiln [options] [list of raw pots]\n")[0][2]


def test_what_an_operand_is_below_the_usage_is_none() -> None:
    """C-13: `<pot>   pot name without its ending`, and a heading below an open bracket."""
    text = "Usage: kiln [options]* <pot>\n  <pot>      pot name without its ending\n"
    assert shapes(text) == [("pot", True, False)]
    plain = "kiln [-q] raw fired\n  raw     name of the raw pot\n  fired   name of the other\n"
    assert [name for name, _, _ in shapes(plain)] == ["raw", "fired"]
    open_bracket = (
        "usage: kiln [OPTIONS] pot [lid[/PART]\n  OPTIONS\n   -q, --quiet   Say nothing\n"
    )
    assert [name for name, _, _ in shapes(open_bracket)] == ["pot", "lid"]


def test_a_usage_that_nothing_announces_may_have_the_path_of_its_program() -> None:
    """C-13: `/usr/bin/kiln <pot> <plate> [option]`, as a library prints it."""
    assert shapes("/usr/bin/kiln <pot> <plate> [option]\n\nOptions:\n  -q, --quiet   quiet\n") == [
        ("pot", True, False),
        ("plate", True, False),
    ]


def test_commands_in_a_row_are_no_operands() -> None:
    """C-13: `COMMAND1 [ARGS]... [COMMAND2 [ARGS]...]...`, of which a list has the names."""
    text = (
        "Usage: kiln [OPTIONS] COMMAND1 [ARGS]... [COMMAND2 [ARGS]...]...\n\n"
        "Options:\n  --help  Show this.\n\nCommands:\n  fire  Fires it.\n  cool  Cools it.\n"
    )
    assert shapes(text) == []


def test_the_usage_of_a_command_may_stand_behind_its_name() -> None:
    """C-13: `fire: usage: kiln fire POT PLATE`, on the page of `fire`."""
    page = parse_help("fire: usage: kiln fire POT PLATE\n\nFires them.\n", ("kiln", "fire"))
    assert [each.name for each in page.operands] == ["POT", "PLATE"]
    assert page.description == "Fires them."


def test_phrases_and_remarks_in_brackets_are_one_operand() -> None:
    """C-13: `[CLAY input file]`, `<pot (default: cup)>`; of `[POT file]`, the words are known."""
    assert shapes("Usage: kiln [options] [CLAY input file]\n") == [
        ("CLAY_input_file", False, False)
    ]
    assert shapes("Usage: kiln [options] <pot (default: cup)>\n") == [("pot", False, False)]


def test_a_way_to_call_in_a_list_ends_at_its_gap() -> None:
    """C-13: `kiln [pots..]   Fires all of them`, among commands."""
    text = (
        "Kiln: fires pots\n\nCommands:\n  kiln cool <pots..>   Cools them once they\n"
        "                       are hot\n  kiln [pots..]        Fires all of the pots from\n"
        "                       kiln.example         [default]\n\nOptions:\n  --dry   Dry\n"
    )
    assert shapes(text) == [("pots", False, True)]


def test_the_list_of_a_library_tells_of_operands_that_no_usage_has() -> None:
    """C-13: `Positionals:` with the kind of each behind it."""
    text = (
        "kiln fire\n\nFires them\n\nPositionals:\n  pot     Which one  [string] [required]\n"
        "  shelf   Where  [string]\n\nOptions:\n  --dry   Dry  [boolean]\n"
    )
    page = parse_help(text, ("kiln", "fire"))
    assert [(each.name, each.required) for each in page.operands] == [
        ("pot", True),
        ("shelf", False),
    ]


def test_samples_of_two_cases_are_told_apart_by_their_place() -> None:
    """C-13: `raw.clay`, and "For two pots:" `one.clay two.clay`."""
    text = (
        "Usage:\n    kiln -g GLAZE [options] [-o out.glass] raw.clay\n\nFor two pots:\n"
        "    kiln -g GLAZE [options] -o out1.glass raw1.clay raw2.clay\n\nFires them.\n"
    )
    assert [(required, several) for _, required, several in shapes(text)] == [
        (True, False),
        (False, False),
    ]


def test_ways_in_quotes_of_their_own_are_ways() -> None:
    """C-13: `kiln` || `npx kiln`, each in backquotes."""
    assert shapes("  USAGE:\n\n    `kiln` || `npx kiln`\n\n  OPTIONS:\n\n    --dry   Dries\n") == []


def test_a_way_behind_a_remark_in_brackets_is_one() -> None:
    """C-13: `(to fire a pot)` below a way, and `or  kiln -q POTS` below that."""
    text = (
        "Usage: kiln [options] <pot> [lids...]\n           (to fire a pot)\n"
        "   or  kiln [options] -c <clay> [lids...]\n           (to fire some clay)\n"
    )
    assert shapes(text) == [("pot", False, False), ("lids", False, True)]


def test_a_sample_in_a_usage_by_hand_names_no_operand() -> None:
    """C-13: `usage: kiln pot.clay`, where the list says `pots`."""
    text = (
        "usage: kiln pot.clay\n\npositional arguments:\n  pots   what to fire\n\n"
        "options:\n  -h, --help   show this\n"
    )
    assert shapes(text) == [("pots", False, True)]
