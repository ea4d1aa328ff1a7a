"""Lists of subcommands as programs really print them (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.commands.lists import bare_list
from toolcrib.packs.climax.importer.help_text.page import parse_help


def names(text: str) -> list[str]:
    return [each.name for each in parse_help(text, ("kiln",)).subcommands]


def test_the_program_before_each_command_is_no_part_of_its_name():
    """C-13: `kiln fire <pot>` in a list is the command `fire`."""
    text = "kiln <command>\n\nCommands:\n  kiln fire <pot>  Fire it\n  kiln cool        Cool it\n"
    assert names(text) == ["fire", "cool"]


def test_commands_with_their_description_below_and_blank_lines_between():
    """C-13: sub-commands however they are listed."""
    text = (
        "Where <command> is one of:\n\n  kiln fire [--hot] [pot]\n    fire a pot\n\n"
        "  kiln glaze add [name]\n    add a glaze\n"
    )
    assert names(text) == ["fire", "glaze add"]


def test_names_that_are_set_to_the_right():
    """C-13: each has an indentation of its own, and ends where the others do."""
    listed = "".join(
        f"{name:>12}   Does {name}\n" for name in ("init", "fire", "db", "cool", "mix")
    )
    dashed = listed.replace("   Does", " - Does")
    assert names(f"    Commands\n\n{listed}\n    Flags\n\n    --x   y\n")[:3] == [
        "init",
        "fire",
        "db",
    ]
    assert names(f"Where commands include:\n{dashed}")[-1] == "mix"


def test_letters_with_a_colon_are_commands():
    """C-13: `a : Add files`."""
    assert names("Usage: kiln <command>\n\n<Commands>\n  a : Add\n  rn : Rename\n") == ["a", "rn"]


def test_topics_of_the_help_are_no_commands():
    """C-13: what can only be read about cannot be called."""
    text = (
        "list of commands:\n\nFiring:\n\n fire    fire a pot\n\nadditional help topics:\n\n"
        "Words:\n\n glazes    what glazes there are\n"
    )
    assert names(text) == ["fire"]


def test_choices_below_the_name_of_an_argument_are_commands():
    """C-13: argparse with a metavar, and a formatter that leaves blank lines between."""
    text = (
        "usage: kiln [-h] TYPE ...\n\npositional arguments:\n  TYPE\n    pot    about pots\n"
        "    glaze  about glazes\n\noptions:\n  -h, --help  show this help message and exit\n"
    )
    spaced = (
        "usage: kiln [-h] {fire,cool} ...\n\nsubcommands:\n  {fire,cool}\n    fire\n"
        "      Fire a pot.\n\n    cool\n      Cool it.\n"
    )
    assert names(text) == ["pot", "glaze"]
    assert parse_help(text, ("kiln",)).operands == ()
    assert names(spaced) == ["fire", "cool"]


def test_sentences_are_no_commands():
    """C-13: two words of which the first has a capital begin a sentence."""
    assert names("Command Line Only:\n  The default is HOT\n        and a pot\n") == []


def test_groups_below_a_list_of_commands_go_on_with_it():
    """C-13: sub-commands however they are listed: in groups whose headings do not say so."""
    text = (
        "Usage: kiln COMMAND ...\n\nCommands:\n  help       Show help.\n\nMost used:\n"
        "  fire       Fire a pot.\n  cool       Cool it down.\n\nQuerying the kiln:\n"
        "  log        What was fired.\n\nOptions:\n  --hot      Very\n\nUse 'kiln help' for more.\n"
    )
    assert names(text) == ["fire", "cool", "log"]


def test_a_text_that_is_nothing_but_names_is_a_list_of_commands():
    """C-13: in columns, or each with what it does; a text about something else is none."""
    columns = "add    clean   help\ncool   fire    mix\n" + "glaze  kiln  pot\n" * 3
    told = "".join(f"{name:<12}Does it\n            again.\n" for name in "abcdef")
    prose = "A kiln is\nmade of stone.\nIt is hot.\nDo not touch it.\nEver.\n"
    assert [each.name for each in bare_list(columns.splitlines())][:4] == [
        "add", "clean", "help", "cool",
    ]  # fmt: skip
    assert next((each.name, each.description) for each in bare_list(told.splitlines())) == (
        "a",
        "Does it again.",
    )
    assert bare_list(prose.splitlines()) == []


def test_usage_lines_of_commands_may_have_a_sentence_below_each_and_blanks_between():
    """C-13: `kiln fire POT`, and below it what it does; `c(ool)` is `cool`, `[ls]` is `ls`."""
    text = (
        "Usage:\n    kiln fire [--hot] pot-name\n        Fire a pot until it is done.\n"
        "    kiln [ls] [shelf]\n        List the pots on a shelf.\n\n"
        "    kiln c(ool) <pot> [pots] : Cool some pots\n"
    )
    page = parse_help(text, ("kiln",))
    assert [(each.name, each.usage) for each in page.subcommands] == [
        ("fire", "[--hot] pot-name"),
        ("ls", "[shelf]"),
        ("cool", "<pot> [pots]"),
    ]
    assert page.options == ()


def test_commands_that_are_headings_of_what_they_do():
    """C-13: sub-commands however they are listed: `fire POT:`, and a sentence below."""
    text = (
        "Usage: kiln COMMAND [...ARGS]\n\nAvailable commands\n------------------\n"
        "fire POT:\nburn POT:\n  Fires a pot.\ncool:\n  Cools it.\nglaze <pot> [<how>]:\n"
        "  Glazes it.\nmix:\n  Mixes clay.\nhelp [ALL]:\n  shows this help\n"
    )
    found = parse_help(text, ("kiln",)).subcommands
    assert [(each.name, each.description, each.usage) for each in found] == [
        ("fire", "Fires a pot.", "POT"),
        ("burn", "Fires a pot.", "POT"),
        ("cool", "Cools it.", ""),
        ("glaze", "Glazes it.", "<pot> [<how>]"),
        ("mix", "Mixes clay.", ""),
    ]


def test_letters_that_may_stick_to_a_command_are_no_part_of_its_name():
    """C-13: `r[ab][f]  - replace it` is the command `r`."""
    text = "Usage: kiln COMMAND\n\n commands:\n  d        - drop\n  r[ab][f] - replace it\n"
    assert names(text) == ["d", "r"]


def test_commands_no_further_in_than_their_heading_with_what_they_do_below():
    """C-13: sub-commands however they are listed: as Go's kingpin and Node's clipanion do."""
    flush = (
        "usage: kiln [<flags>] <command> [<args> ...]\n\nFlags:\n  -h, --help  Show help.\n\n"
        "Commands:\nhelp [<command>...]\n    Show help.\n\n\nfire [<flags>] <pot>\n"
        "    Fire a pot.\n\n\nglaze add <pot>\n    Add a glaze.\n\nglaze list\n    List them.\n\n"
        "cool [<flags>]\n    Cool it.\n"
    )
    ruled = (
        "━━━ Kiln - 1.0 ━━━━━━\n\n  $ kiln <command>\n\n━━━ General commands ━━━━━━\n\n"
        "  kiln fire\n    Fire all pots.\n\n  kiln glaze add <pot>\n    Add a glaze.\n"
    )
    assert names(flush) == ["fire", "glaze add", "glaze list", "cool"]
    assert names(ruled) == ["fire", "glaze add"]


def test_a_table_right_below_its_heading_is_a_list():
    """C-13: no further in than the heading, but each with what it does beside it."""
    text = (
        "Consumer commands\nfire    burn it\nglaze   paint it\n\n"
        "Creator commands\nform    make it\ndry     wait\n"
    )
    assert names(text) == ["fire", "glaze", "form", "dry"]


def test_a_colon_stands_between_a_name_and_what_it_does():
    """C-13: sub-commands however they are listed."""
    text = (
        "Usage: kiln <cmd>\n\nAvailable subcommands:\n  fire: Burns a pot\n  cool: Waits for it\n"
    )
    assert names(text) == ["fire", "cool"]


def test_a_name_is_broken_at_its_own_dash():
    """C-13: a list with commas goes on in the next line."""
    text = (
        "Any of the following commands:\n  add, fire-pot, glaze, re-\n"
        "  fire, wait\n\n\nadd   Adds one.\n"
    )
    assert names(text)[:5] == ["add", "fire-pot", "glaze", "re-fire", "wait"]


def test_what_the_usage_wants_heads_the_list():
    """C-13: `OBJECT`, and `<action> is one of:`; a name may be shortened, `f[ire]`."""
    assert names("Usage: kiln OBJECT\n\nOBJECT\n  f[ire]   burn it\n  c[ool]   wait\n") == [
        "fire",
        "cool",
    ]
    text = (
        "Usage: kiln <action>\n\n<action> is one of:\n   fire <pot> - burn it\n"
        "   cool [<pot>] - wait\n"
    )
    assert names(text) == ["fire", "cool"]


def test_a_list_further_in_than_the_name_of_what_it_lists():
    """C-13: `command  Use ...`, and the commands below it."""
    text = (
        "Available Commands:\n  command   Use `kiln command --help`.\n"
        "    fire    burn it\n    cool    wait\n"
    )
    assert names(text) == ["fire", "cool"]


def test_lists_that_have_the_program_before_each_need_no_heading():
    """C-13: groups by any name, with what a command does beside or below it."""
    text = (
        "kiln\n\nPOTS & PANS\n  kiln fire <pot>   burn it\n"
        "  kiln cool         wait\n  kiln dry          wait\n\n"
    )
    text += (
        "OVEN\n  kiln oven start [-f] <oven>\n    heat it\n  kiln oven stop <oven>\n    cool it\n"
    )
    assert names(text) == ["fire", "cool", "dry", "oven start", "oven stop"]


def test_the_end_of_a_sentence_is_no_heading_of_commands():
    """C-13: `… then run the` / `command in a container named pot1:` heads no list."""
    page = parse_help(
        "USAGE:\n   kiln spec [arguments...]\n\nEXAMPLE:\n  To fire it, set the heat and\n"
        "change the glaze. The lines below make a pot, paint it, and run the hello\n"
        "command in a new hello world container:\n\n    mkdir pot\n    sed -i 's;a;b;' x.json\n",
        ("kiln", "spec"),
    )
    assert page.subcommands == ()


def test_examples_below_one_command_do_not_end_the_list():
    """C-13: what stands behind the examples of one command is as much a command."""
    page = parse_help(
        "usage: kiln [<flags>] <command> [<args> ...]\n\nCommands:\n"
        "fire pots [<flags>] <file>...\n    Fire them.\n\ncheck heat\n    Is it hot?\n\n"
        "    examples:\n\n    $ cat heat | kiln check heat\n\n"
        "cool pots <file>...\n    Wait.\n\nsell pots <shop>\n    Part with them.\n",
        ("kiln",),
    )
    assert {sub.words[0] for sub in page.subcommands} == {"fire", "check", "cool", "sell"}


def test_the_title_of_a_group_is_no_command_and_hides_none():
    """C-13: titles between the commands, with dashes, without a colon, as far in as they are."""
    titled = (
        "Commands:\n Manage pots\n  add    Add one\n  drop   Drop one\n\n"
        " Find pots\n  search  Look for one\n"
    )
    dashed = (
        "Commands:\n  -- Firing\n     fire   fire it\n     cool   cool it\n\n"
        "  -- Misc\n     help [cmd]  this text\n     version     which one it is\n"
    )
    level = (
        "Available commands\n==================\n\n  Firing\n  ------\n  fire [<pot>]\n"
        "                 Fires it\n  cool [<pot>]   Cools it\n\n  Others\n  ------\n"
        "  list           Lists pots\n"
    )
    assert names(titled) == ["add", "drop", "search"]
    assert names(dashed) == ["fire", "cool", "version"]
    assert names(level) == ["fire", "cool", "list"]


def test_two_columns_of_names_are_all_commands():
    """C-13: below the commands with what they do, the others stand side by side."""
    text = (
        "Common commands:\n    fire    Fire a pot\n\nOther available commands:\n"
        "    bloom      memtest\n    cat-pot    meta\n    daemon     midx\n"
        "    damage     mux\n    margin\n\nSee 'kiln help COMMAND' for more.\n"
    )
    assert len(names(text)) == 10


def test_a_sentence_that_ends_above_its_list():
    """C-13: `where <command>`, and on the next line `is one of:`."""
    text = (
        "help is about <command>, where <command>\nis one of:\n"
        "  add     - add a pot\n  cool    - cool a pot\n"
    )
    assert names(text) == ["add", "cool"]


def test_bullets_with_the_program_before_each():
    """C-13: `· kiln fire - fire a pot`."""
    words = ("fire", "cool", "glaze", "mix", "sell")
    listed = "".join(f"      · kiln {word} - to {word} a pot\n" for word in words)
    assert names(f"kiln subcommand\n\n    Main things:\n\n{listed}") == list(words)


def test_braces_in_a_sentence_are_no_choices():
    """C-13: no prose is taken for a command."""
    text = (
        "usage: kiln [-h]\n\noptions:\n  -o FILE   where to\n"
        "            {platform} is replaced by the platform\n"
        "            platform  see above\n"
    )
    assert names(text) == []


def test_what_stands_for_a_command_is_none():
    """C-13: `kiln COMMAND --help` in a list says how to ask."""
    assert names("Commands:\n add   add it\n COMMAND -h   show its usage\n") == ["add"]


def test_a_list_no_further_in_than_its_heading_and_a_blank_line_between():
    """C-13: names with up to five colons, each with what it does beside it."""
    text = (
        "usage: kiln [options] COMMAND\n\nList of Main Commands:\n\n"
        "pot:fire:all:at:once:now    Fires all\ncool                        Cools it\n"
    )
    assert names(text) == ["pot:fire:all:at:once:now", "cool"]


def test_a_sentence_between_the_heading_and_the_first_command():
    """C-13: each on a line of its own, what it does below, no further in than the heading."""
    text = (
        "Subcommands\n===========\nSubcommands are launched as `kiln cmd [args]`. For more\n"
        "about one of them, do: `kiln cmd -h`.\n\nfire\n    Fires a pot.\ncool\n    Cools it.\n\n"
        "Options\n=======\nThe options are below.\n\n--hot\n    Very hot.\n"
    )
    assert names(text) == ["fire", "cool"]


def test_tasks_that_are_available():
    """C-13: sub-commands however they are called."""
    text = (
        "Usage: kiln [-h] [<task>]\n\nSeveral tasks are available:\n\nfire    Fire\ncool    Cool\n"
    )
    assert names(text) == ["fire", "cool"]


def test_the_program_before_each_at_the_beginning_of_the_line():
    """C-13: a list that nothing heads."""
    words = ("fire", "cool", "glaze", "mix", "sell")
    listed = "".join(f"kiln {word}     to {word} a pot\n" for word in words)
    assert names(f"kiln v4\n\n{listed}") == list(words)


def test_the_choices_of_a_complaint_are_no_commands():
    """C-13: no error text is taken for a list."""
    text = (
        "usage: kiln <command>\n\nkiln: error: argument command: Invalid choice, valid are:\n\n"
        "topics    | codes\nfaq       | more\n"
    )
    assert names(text) == []


def test_a_short_name_before_the_whole_one_is_short_for_it():
    """C-13: sub-commands by the name that says what they do."""
    text = (
        "Usage: kiln [action] file ...\n\nActions:\n  fi | fire   Fire them.\n"
        "  co | cool   Cool them.\n  i/inspect   Look at them.\n"
    )
    assert names(text) == ["fire", "cool", "inspect"]


def test_every_choice_is_a_command_but_for_other_spellings():
    """C-13: sub-commands however they are listed, those without a description with them."""
    text = (
        "usage: kiln [-h] {fire,f,cool,secret} ...\n\npositional arguments:\n"
        "  {fire,f,cool,secret}\n                        One of:\n"
        "                        fire {hot, cold}\n    fire (f)            Fire a pot\n"
        "    cool                Cool it\n\noptions:\n  -h, --help  show this help\n"
    )
    assert names(text) == ["fire", "cool", "secret"]


def test_a_sentence_may_introduce_the_lists_below_it():
    """C-13: "The most common SUBCOMMANDS and flags are:", and one group after the other."""
    text = (
        "kiln [SUBCOMMAND] [options]\n\nKiln can fire pots and cool them. By default it fires\n"
        "them. The most common SUBCOMMANDS and flags are:\n\nfire and cool:\n"
        "    (default) fire   Fire a pot\n    cool             Cool it\n"
        "   -d POT            which\n\nlook at pots:\n    list             What is there\n"
        "    show             One of them\n"
    )
    assert names(text) == ["fire", "cool", "list", "show"]


def test_choices_behind_a_command_are_no_part_of_its_name():
    """C-13: `cache clean|dir|size` is the command `cache`."""
    text = "Usage: kiln <cmd>\n\nCommands:\n  build <pot>\n  cache clean|dir|size\n  version\n"
    assert names(text) == ["build", "cache", "version"]


def test_a_gap_behind_a_sentence_makes_no_table_of_what_a_command_does():
    """C-13: sub-commands with sentences below them, and two blanks between the sentences."""
    text = (
        "Usage: kiln command\n\nCommands:\n  width\n    Print the width.\n\n  height\n"
        "    Print it.  For most pots\n    it is small.\n\n  rows n\n    Set them.  Any more go.\n"
    )
    assert [name.split()[0] for name in names(text)] == ["width", "height", "rows"]


def test_a_command_with_a_letter_of_its_own_is_called_by_its_name():
    """C-13: `-c|check <pot>`, `x  extract   takes it out`; in a list of options it is none."""
    dashed = (
        "Usage: kiln <command>\n\n<command> is one of:\n  -c|check <pot>  looks\n  list  lists\n"
    )
    assert names(dashed) == ["check", "list"]
    assert names("Usage: kiln\n\nOptions:\n  -c|check <pot>  looks\n  -l|list  lists\n") == []
    columns = (
        "Usage: kiln command pot\nCommands:\n   a  add       Adds it.\n   x  extract   Takes it.\n"
    )
    assert names(columns) == ["add", "extract"]


def test_what_a_command_takes_may_have_a_column_of_its_own():
    """C-13: `addif   <bridge> <device>   adds it`; a description in brackets stays one."""
    text = (
        "Usage: kiln [commands]\ncommands:\n\tfire     \t<pot> <heat>\t\tfire a pot\n"
        "\tshow     \t[ <pot> ]\t\tshow pots\n\tcool     \t<all> of them at once\n"
    )
    found = {each.name: each.usage for each in parse_help(text, ("kiln",)).subcommands}
    assert found["fire"] == "<pot> <heat>" and found["show"] == "[ <pot> ]" and not found["cool"]


def test_the_command_that_is_meant_without_one_is_named_in_brackets():
    """C-13: `[time]` in a list; what a command takes is none."""
    text = (
        "kiln [OPTIONS...] COMMAND\n\nCommands:\n"
        "  [fire]        Fires it\n  info [options]  Tells\n"
    )
    assert names(text) == ["fire", "info"]


def test_a_description_may_begin_with_a_remark_in_brackets():
    """C-13: `fire: (Default)Fires it`."""
    assert names("Commands: \n\tfire: (Default)Fires it\n\tcool: Cools it\n") == ["fire", "cool"]


def test_an_alias_that_says_more_is_a_command():
    """C-13: "alias for 'fire --low': dries it"; another name alone is none."""
    text = (
        "Commands:\n  fire  fires it\n"
        "  dry   alias for 'fire --low': dries it\n  f   alias for fire\n"
    )
    assert names(text) == ["fire", "dry"]


def test_names_to_the_right_may_have_a_letter_beside_them():
    """C-13: `version,-v` ends where the others do."""
    text = (
        "Usage: kiln [command]\n\nCommands:\n      init    begins\n  sketches    shows some\n"
        "   help,-h    tells\nversion,-v    tells which\n    number    counts\n"
    )
    assert names(text) == ["init", "sketches", "version", "number"]


def test_a_title_that_stands_further_out_needs_no_blank_line():
    """C-13: "Commands" right below the options; a command of that name is no title."""
    text = (
        "  Usage\n    $ kiln [option] [command]\n  Options\n    --fire, -f   Fires it\n"
        "  Commands\n    fire         Fires it\n    cool         Cools it\n"
        "  Examples\n    $ kiln fire\n"
    )
    assert names(text) == ["fire", "cool"]
    assert names("Commands:\n  fire   Fires it\n  options   Tells them\n") == ["fire", "options"]


def test_a_title_in_capitals_below_a_sentence_about_commands_is_none():
    """C-13: sub-commands; the title of the next chapter is not one more of them."""
    text = (
        "usage: kiln [-h] [pot ...]\n\nWhat can be said on the command line:\n\n"
        "NOTES\n o Pots are fired one by one.\n\nRESULTS\n o The oven is hot.\n"
    )
    assert parse_help(text, ("kiln",)).subcommands == ()


def test_dots_that_lead_to_what_a_command_does_are_no_part_of_it() -> None:
    """C-9: `fire ....... Fires a pot`, however the list is headed."""
    text = (
        "Synopsis\n\n    kiln command [options]\n\nPot Commands\n"
        "    fire ........... Fires a pot\n    cool ........... Cools a pot\n"
    )
    assert names(text) == ["fire", "cool"]


def test_a_usage_may_be_the_list_of_commands() -> None:
    """C-9: nothing but names below "Usage:", each with what it does; a way to call is none."""
    listed = "".join(
        f"      {name}      Does it with pots.\n" for name in ["fire", "cool", "wet", "dry"]
    )
    assert names(f"Usage:\n{listed}      mix       Mixes clay.\n")[0] == "fire"
    assert len(names(f"Usage:\n{listed}      mix       Mixes clay.\n")) == 5
    assert names(f"Usage:\n{listed}      kiln [-v] POT\n") == []


def test_a_table_in_capitals_is_no_list_of_commands() -> None:
    """C-13: commands are typed in small letters; what a program prints of its work is none."""
    rows = ["RESOURCE    DESCRIPTION", "HEAT        how hot it is", "TIME        how long"]
    rows += ["AIR         how much of it", "LOAD        how many pots", "FUEL        what is left"]
    assert bare_list(rows) == []
    assert len(bare_list([row.lower() for row in rows])) == 6


def test_names_that_push_the_sentence_out_of_its_column_are_commands() -> None:
    """C-13: sub-commands however they are listed; two names may be too long for their column."""
    text = (
        "Commands:\n  cool        Cools it\n  firing, firings Manages them\n  sell        Sells\n"
    )
    assert [each.name for each in parse_help(text, ("kiln",)).subcommands] == [
        "cool",
        "firing",
        "sell",
    ]


def test_a_short_name_has_beside_it_what_longer_ones_have_below() -> None:
    """C-13: a manual whose list is no further in than the sentence above it."""
    long = "".join(
        f"     {name} [pots]\n              Does it.\n\n" for name in ("fire", "glaze", "dry")
    )
    text = (
        "COMMANDS\n     There are several of them.\n\n"
        "     The following is a list of all commands:\n\n"
        f"     weigh [pots]\n               Weighs them.\n\n{long}"
        "     cool     Waits for all of\n              them.\n\n"
        "     sell [pots]\n              Sells.\n"
    )
    found = [each.name for each in parse_help(text, ("kiln",)).subcommands]
    assert found == ["weigh", "fire", "glaze", "dry", "cool", "sell"]
