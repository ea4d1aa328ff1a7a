"""Options as programs really print them (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.help_text.options import read_option
from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.help_text.style import style_of
from toolcrib.packs.climax.importer.model import HelpOption, Style


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


def test_a_further_spelling_is_no_description_wherever_it_stands():
    """C-13: options in any column: aligned with descriptions, or on the next line."""
    text = (
        "Usage: kiln\n  -h, --help   show help\n"
        "  -o POT, --output=POT\n               put it there\n"
        "  -t {a,b},\n  --type={a,b}\n               what kind\n  -k, --keep   keep it\n"
        "  -p  --persist\n  -s  --slow\n"
    )
    found = read(text)
    assert found["-o"].flags == ("-o", "--output")
    assert found["-t"].flags == ("-t", "--type")
    assert found["-p"].flags == ("-p", "--persist")


def test_what_stands_in_quotes_right_of_an_option_is_its_value():
    """C-13: `-e  "command1; command2"`."""
    found = read('Usage: kiln\n  -e  "fire; cool; ..."\n  -q  be quiet\n')
    assert found["-e"].value == "fire; cool; ..."
    assert found["-q"].is_switch


def test_where_options_are_words_behind_one_dash_none_is_a_letter_with_its_value():
    """C-13: `-bbox : the box` beside `-layout` and others is a word."""
    words = "".join(f"  -{word:<9}: keep the {word}\n" for word in ("layout", "fixed", "shape"))
    assert read(f"Usage: kiln\n{words}  -bbox     : draw the box\n")["-bbox"].is_switch


def test_a_value_right_behind_its_letter_is_known_to_be_there():
    """C-13: `-o{pot}` is not `-o POT`, unless the usage has it so."""
    text = "  -o{pot} : put it there\n  -m[N] : how many\n  -p<pot>, --pot=<pot> : which\n"
    alone = read(f"Usage: kiln\n{text}")
    assert alone["-o"].glued and alone["-m"].glued and not alone["-p"].glued
    assert not read(f"Usage: kiln [-o pot]\n{text}")["-o"].glued


def test_spellings_with_or_between_them_are_each_written_whole():
    """C-13: `--mode=a  OR  -m1`: the gap is no column, and what takes no value is an option."""
    page = parse_help(
        "Options:\n\n    --glaze=matt  OR  --glaze=dull  OR  -G1\n    Paints it.\n\n"
        "    --turns=#  OR  -t#\n    As often.\n\n    --help  OR  -h  OR  -?\n    This.\n",
        ("kiln",),
    )
    found = {flag: option for option in page.options for flag in option.flags}
    assert {"--glaze", "-G1", "--turns", "-t", "--help", "-h", "-?"} <= set(found)
    assert found["-G1"].is_switch and not found["--glaze"].is_switch
    assert found["-t"] is found["--turns"] and found["-?"] is found["--help"]


def test_a_column_does_not_begin_inside_of_brackets():
    """C-13: `-t POT [POT ...], --take POT [POT ...]`, with its dots where descriptions begin."""
    page = parse_help(
        "options:\n  -a, --all             everything\n  -b, --both            the two\n"
        "  -t TEAPOTTE [TEAPOTTE ...], --take TEAPOTTE [TEAPOTTE ...]\n"
        "                        what to take\n",
        ("kiln",),
    )
    assert ("-t", "--take") in [option.flags for option in page.options]


def test_a_further_spelling_may_stand_below_beside_the_description():
    """C-13: options in any column, and what is said of them in the other."""
    text = (
        "Usage: kiln POT\n\n  -q           say nothing\n"
        "  -oFILE,      Writes the pot, which is hot,\n"
        "    --out=FILE into a file that is there.\n"
        "  --end        and that is it\n"
    )
    found = {flag: each for each in parse_help(text, ("kiln",)).options for flag in each.flags}
    assert {"-q", "--out", "--end"} <= set(found)
    assert found["--out"].description == (
        "Writes the pot, which is hot, into a file that is there."
    )


def test_a_dash_stands_for_a_value():
    """C-13: `-o -   output file name` takes a file; `-x   do it` takes nothing."""
    page = parse_help("usage: kiln [options] pot\n\t-o -\toutput file\n\t-x\tdo it\n", ("kiln",))
    assert {each.main: each.is_switch for each in page.options} == {"-o": False, "-x": True}


def test_a_bar_between_two_columns_of_options():
    """C-13: options in any column."""
    text = (
        "Usage: kiln POT\n -a        does this     | -b    does that\n"
        " -c        does more     | -d    does less\n -e        and so on     | -f    that is it\n"
    )
    page = parse_help(text, ("kiln",))
    assert {each.main for each in page.options} == {"-a", "-b", "-c", "-d", "-e", "-f"}


def test_what_a_manual_calls_required_is_required_if_its_synopsis_has_it():
    """C-13: an option that only one of several ways to call it needs."""
    text = (
        "NAME\n       kiln - fires pots\n\nSYNOPSIS\n       kiln [OPTION]... POT\n\n"
        "OPTIONS\n       -p POTS, --pots=POTS (required)\n           More of them.\n"
    )
    (pots,) = parse_help(text, ("kiln",)).options
    assert not pots.required


def test_a_long_spelling_in_brackets_is_a_spelling():
    """C-13: `-e [ --extended ]`, with a value or without one."""
    text = (
        "Usage: kiln POT\n  -e [ --extended ]     Tells more\n  -f [ --format ] arg   How\n"
        "  --plain               No more\n"
    )
    found = {each.flags: each.is_switch for each in parse_help(text, ("kiln",)).options}
    assert found == {("-e", "--extended"): True, ("-f", "--format"): False, ("--plain",): True}


def test_what_has_a_default_need_not_be_given():
    """C-13: some libraries print both marks, and only one of them is about a call."""
    text = (
        "Options:\n  --dir     Where  [string] [required] [default: here]\n"
        "  --name    Which  [string] [required]\n"
    )
    found = {each.main: each.required for each in parse_help(text, ("kiln",)).options}
    assert found == {"--dir": False, "--name": True}


def test_a_slash_before_another_spelling_ends_the_value():
    """C-13: `-c x / --count` is one option with a value."""
    spelling = read_option("-c x / --count", tail_is_value=True)
    assert spelling is not None
    (option,) = spelling.options
    assert (option.flags, option.value) == (("-c", "--count"), "x")


def test_a_description_that_breaks_behind_a_comma_is_no_list_of_spellings():
    """C-13: options; `--strict` lists others in its description."""
    text = (
        "Options:\n  --extra   Check more.\n  --strict  Enables these: --deep,\n"
        "            --hot, --cold\n"
    )
    found = [each.main for each in parse_help(text, ("kiln",)).options]
    assert found == ["--extra", "--strict"]


def test_modes_that_stand_beside_each_other_are_options_each():
    """C-13: `-c Create  -r Add/Replace  -t List` on one line; two of them may be two columns."""
    found = read(
        "kiln: pots\nFirst a mode:\n  -c Create  -r Add/Replace  -t List\n  -v    Verbose\n"
    )
    assert [found[flag].description for flag in ("-c", "-r", "-t")] == [
        "Create",
        "Add/Replace",
        "List",
    ]
    assert all(found[flag].is_switch for flag in ("-c", "-r", "-t"))


def test_a_long_spelling_in_capitals_is_an_option_where_a_letter_stands_for_it():
    """C-13: `-C CCN, --CCN CCN`; `--OPTION` alone stands for many."""
    found = read(
        "Usage: kiln\n  -C CCN, --CCN CCN   the limit\n  --OPTION   any of them\n  -x   x\n"
    )
    assert found["-C"].flags == ("-C", "--CCN") and "--OPTION" not in found


def test_a_value_in_brackets_is_one_however_many_words_it_has():
    """C-13: `--start [path of the first list to look for]`; a sentence is none."""
    found = read(
        "Usage: kiln\n   --start [path of the first list to look for]\n   --json as json\n"
    )
    assert found["--start"].value == "path of the first list to look for"
    assert found["--json"].is_switch


def test_a_value_that_an_example_shows_may_be_given():
    """C-13: "e.g. --mark=#" in a description; another option's example says nothing."""
    found = read("Usage: kiln\n  --mark: the mark. e.g. --mark=# --mark=%\n  --dry: as --mark=x\n")
    assert found["--mark"].value_optional and found["--mark"].joined
    assert found["--dry"].is_switch


def test_values_are_told_by_descriptions_where_none_is_shown():
    """C-13: "Path to the glaze", "Output file"; what is done to a file is no value."""
    text = (
        "Usage: kiln [options]\n  --glaze   Path to the glaze\n  --out     Output file\n"
        "  --title   Set the title of the page\n  --dry     Leave the output file alone\n"
        "  --port    Specify the port number\n"
    )
    found = read(text)
    assert {flag for flag, each in found.items() if each.is_switch} == {"--dry"}
    shown = read(text + "  --pot FILE   the pot\n")
    assert shown["--title"].is_switch
    assert not shown["--glaze"].is_switch


def test_letters_with_their_values_are_no_words_behind_one_dash():
    """C-13: `-Tdev  use device dev`, in the list and as `[-Tdev]` in the usage."""
    letters = (("-Tdev", "dev"), ("-mname", "name"), ("-olist", "list"), ("-Fdir", "dir"))
    listed = "".join(f"{flag}\tuse {word}, a {word}\n" for flag, word in letters)
    found = read(f"usage: kiln [-v] [-Tdev] [-mname] [-olist] [-Fdir] [pots...]\n\n{listed}")
    assert found["-T"].value == "dev" and found["-T"].glued
    assert set(found) == {"-T", "-m", "-o", "-F", "-v"}


def test_the_kind_of_a_switch_does_not_make_it_want_a_value():
    """C-13: `--check <bool>` may be given alone."""
    found = read("Usage: kiln\n  --check  -c  <bool>  only look\n  --pot  -p  <path>  the pot\n")
    assert found["--check"].value_optional and not found["--pot"].value_optional


def test_options_behind_bullets_are_read():
    """C-13: a manual that is written as a list."""
    found = read("Usage: kiln\n\n  • -o, --out [pot]\n    Where to.\n\n  • -q\n    Be quiet.\n")
    assert found["-o"].flags == ("-o", "--out") and "-q" in found


def test_letters_that_a_library_names_for_a_program_are_options():
    """C-13: "With arguments: -e -f" is all that some programs print for --help."""
    found = read(
        "The following are accepted:\n\tWith arguments: -e -f\n"
        "\tBoolean (without arguments): -b -d\n"
    )
    assert not found["-e"].is_switch and found["-b"].is_switch


def test_options_that_the_usage_defines_below_are_read_with_both_spellings():
    """C-13: `OPTIONS := { -V[ersion] | -n[ame] pot }`; another definition is none."""
    text = (
        "Usage: kiln [ OPTIONS ] OBJECT { COMMAND | help }\nwhere  OBJECT := { pot | shelf }\n"
        "       OPTIONS := { -V[ersion] | -j[son] |\n"
        "                    -n[ame] pot | { -c | -conf } path }\n"
    )
    found = read(text)
    assert found["-Version"].flags == ("-Version", "-V") and found["-name"].value == "pot"
    assert not {"-pot", "-shelf"} & set(found)


def test_options_in_a_row_without_brackets_are_not_all_needed():
    """C-13: a usage that has `--help` as bare as the others uses no brackets."""
    text = (
        "Usage:  kiln --help --shelf=<name> --root=<url>\n"
        "             --in=<pot> --out=<pot>\n             --quiet --loud --hot --cold\n\n"
        "  --help    - tells this.\n  --in      - the pot to fire.\n  --out     - where it goes.\n"
    )
    found = read(text)
    assert found["--out"].value == "pot" and found["--in"].joined
    assert not any(each.required for each in found.values())
    assert read("usage: kiln --in=<pot> --out=<pot>\n")["--in"].required


def test_a_list_of_what_may_be_given_is_a_value():
    """C-13: `-a, --algorithm   1 (default), 224, 256`."""
    found = read(
        "Usage: kiln [OPTION]... [POT]\n  -a, "
        "--clay   red (default), white, grey\n  -q, --quiet   quiet\n"
    )
    assert not found["-a"].is_switch and found["-q"].is_switch


def test_nouns_tell_of_values_where_none_is_shown():
    """C-13: "Destination name", "Timeout in seconds"; "Show name" tells to do something."""
    found = read(
        "Usage:\n  kiln call [OPTION…]\n\n  -d, --dest      Destination name to call\n"
        "  -t, --timeout   Timeout in seconds\n  -n, "
        "--named     Show name of each\n  -x, --xml   Print XML\n"
    )
    assert [flag for flag, each in found.items() if not each.is_switch] == ["-d", "-t"]


def test_the_value_behind_the_last_of_several_long_spellings_is_that_of_all():
    """C-13: `-g, --glaze, --coat TEXT`; what is turned off, or has its own `=`, takes none."""
    found = read(
        "Usage: kiln [OPTIONS]\n\nOptions:\n  -g, --glaze, --coat TEXT   The glaze.\n"
        "  --slow, --quick            The pace.\n  --no-fan, --fan SPEED      The fan.\n"
        "  --list, --only=POT         Which.\n"
    )
    assert found["-g"].value == found["--coat"].value == "TEXT"
    assert found["--slow"].is_switch and found["--quick"].is_switch
    assert found["--no-fan"].is_switch and found["--fan"].value == "SPEED"
    assert found["--list"].is_switch and found["--only"].value == "POT"


def test_another_spelling_in_brackets_stands_before_the_value() -> None:
    """C-13: `-glaze (-g) <colour>` takes a colour by either."""
    found = read(
        "Usage: kiln [options] pot\n\n-glaze (-g) <colour>   Which one.\n-dry (-d)   Dry.\n"
    )
    assert found["-glaze"].value == "colour" and "-g" in found["-glaze"].flags
    assert found["-dry"].is_switch


def test_letters_of_a_cluster_take_no_value() -> None:
    """C-13: `-n no host names` has one blank before what it does; the usage has it in a cluster."""
    listed = "  -n no host names\n  -N select names\n  -p PID   of this one\n"
    found = read(f"usage: kiln [-abhKlnNoP] [-p PID] [names]\n{listed}")
    assert found["-n"].is_switch and found["-N"].is_switch and found["-p"].value == "PID"


def test_round_brackets_around_a_negation_are_two_options():
    """C-13: `--(no-)glaze` is `--[no-]glaze`."""
    found = read("Usage: kiln\n  -d, --(no-)dry     do nothing\n      --(no-)glaze   glaze it\n")
    assert {"-d", "--no-dry", "--glaze", "--no-glaze"} <= set(found)
    assert found["-d"].flags == ("-d", "--dry")


def test_a_mark_before_an_option_is_no_column():
    """C-13: `*  --glaze  -g  <str>` in a frame: what has to be given has a star."""
    rows = (
        "│ *  --glaze   -g      <str>        Which colour [required]   │",
        "│    --shelf           <dir>        Where it stands           │",
        "│ *  --pots    -p      <list[str]>  [required]                │",
    )
    text = "╭─ Options ─────────────────────╮\n" + "\n".join(rows) + "\n╰───────────────╯\n"
    found = read(f" Usage: kiln [OPTIONS]\n\n{text}")
    assert [each.flags for each in found.values()] == [
        ("--glaze", "-g"), ("--shelf",), ("--pots", "-p")
    ]  # fmt: skip
    assert [each.value for each in found.values()] == ["str", "dir", "list[str]"]
    assert found["--glaze"].required and not found["--shelf"].required


def test_a_value_that_stands_in_the_column_of_descriptions_by_chance_is_one():
    """C-13: `--glaze-pot GLAZE_POT`, and what it does below; a sentence there is none."""
    text = (
        "Usage: kiln [FLAGS]\n\nFlags:\n\n  --help / -h   show this\n  --shelf-pot SHELF_POT\n"
        "                which one\n  --dry-pot     only dry\n  --wet-a-pot-a wet it\n"
    )
    found = read(text)
    assert (found["--shelf-pot"].value, found["--shelf-pot"].description) == (
        "SHELF_POT", "which one"
    )  # fmt: skip
    assert found["--wet-a-pot-a"].is_switch


def test_a_bracket_that_nobody_closed_ends_before_the_next_spelling():
    """C-13: `-p <pots, --pots <pots>` is one option with its value."""
    spelled = read_option("-p <pots, --pots <pots>: which ones")
    assert spelled is not None and spelled.options[0].flags == ("-p", "--pots")
    assert spelled.options[0].value == "pots"


def test_values_in_round_brackets_may_begin_with_default():
    """C-13: `(default|quiet|json)` are the values of an option, `(default: x)` is a remark."""
    found = read(
        "Usage:\n  kiln [options]\n\nOptions:\n  -F --format (default|quiet|json)\n"
        "                      How to print\n  -c --cold (default: no)  Stay cold\n"
    )
    assert found["-F"].value == "default|quiet|json"
    assert found["-c"].value is None


def test_who_prints_a_value_behind_a_blank_gets_it_so():
    """C-13: `--output MODE` is no `--output=MODE`, where nothing says that both are taken."""
    text = "Usage:\n  kiln [OPTIONS] [FILE ...]\n\nOptions:\n  -o, --output MODE\n      How\n"
    assert style_of(text.splitlines()) is Style.UNKNOWN
    assert style_of(text.replace(" MODE", "=mode").splitlines()) is Style.OPTPARSE


def test_words_behind_one_dash_with_a_value_each_are_options_of_their_own() -> None:
    """C-13: `-cup-file FILE, -pot-file FILE` are two places."""
    page = parse_help("Options:\n  -cup-file FILE, -pot-file FILE\n      Where to.\n", ("kiln",))
    assert [option.flags for option in page.options] == [("-cup-file",), ("-pot-file",)]


def test_capitals_are_an_option_where_options_are_words() -> None:
    """C-13: `-ALL` beside `-cool` stands for itself."""
    listed = "".join(f"  -{word}\n      Does it.\n" for word in ("cool", "fire", "glaze", "ALL"))
    page = parse_help(f"Options:\n{listed}", ("kiln",))
    assert "-ALL" in {option.main for option in page.options}


def test_capitals_that_nobody_can_say_stand_for_no_other_option() -> None:
    """C-13: `--MD` is an option, `--NAME` is any."""
    page = parse_help("Options:\n  --MD   the tag\n  --NAME   any\n  --dry   dries\n", ("kiln",))
    assert [option.main for option in page.options] == ["--MD", "--dry"]


def test_a_list_or_a_path_is_no_switch_whatever_others_show():
    """C-13: "Comma-separated list of pots" beside options that show their values."""
    text = (
        "Usage: kiln [options]\n  --out FILE   where\n  --pots   comma-separated list of pots\n"
        "  --clay   Path to the clay to use\n  --in   Input file to read\n  --paths   print paths\n"
    )
    assert {flag for flag, each in read(text).items() if each.is_switch} == {"--paths"}


def test_what_is_specified_or_given_is_a_value():
    """C-13: "specify how hot", "whatever you give": said where no value is shown at all."""
    text = (
        "Usage: kiln [options]\n  --heat   specify how hot\n  --skip   skips the shelf you name\n"
        "  --bind   listen on the given TCP socket\n  --dry   dries it\n  --hot   says if hot\n"
    )
    assert {flag for flag, each in read(text).items() if each.is_switch} == {"--dry", "--hot"}


def test_a_spelling_behind_a_wide_gap_belongs_to_the_option():
    """C-13: `--long[=x]   -l   text`, and `-l[x]   --long[=x]`."""
    text = (
        "Usage: kiln POT\n  --hot             -o      hot\n  --dry[=yes/no]    -d      dries\n"
        "  --list=FILE       -f FILE a list\n  -L[wet|dry]       --lint[=wet|dry]\n"
    )
    found = {each.main: each.flags for each in parse_help(text, ("kiln",)).options}
    assert found == {
        "--hot": ("--hot", "-o"),
        "--dry": ("--dry", "-d"),
        "--list": ("--list", "-f"),
        "--lint": ("-L", "--lint"),
    }


def test_two_dots_lead_to_what_an_option_does():
    """C-13: `-hot .. as hot as it gets` takes no value."""
    text = "Usage: kiln pot\n  -version  . print it\n  -nofire ... skip it\n"
    text += "  -heat <n>  how hot\n  -cold ..  not hot\n  -coldest ......... cold\n"
    assert {flag for flag, each in read(text).items() if not each.is_switch} >= {"-heat"}
    assert read(text)["-cold"].is_switch


def test_a_sign_before_a_long_spelling_is_no_obstacle():
    """C-13: `-<, --less-than=N`, where no shell passes the sign."""
    text = "Usage: kiln pot\n  -<, --less-than=NUMBER   fewer\n  -q, --quiet   none\n"
    assert read(text)["--less-than"].value == "NUMBER"


def test_a_row_of_options_with_gaps_has_each_of_them():
    """C-13: `-h   this   -v   version   -q   quiet` on one line."""
    text = "Usage: kiln pot\n  -b   the pot\n  -h   this text    -v   the version    -q   quiet\n"
    assert list(read(text)) == ["-b", "-h", "-v", "-q"]


def test_several_are_allowed_where_a_remark_says_so():
    """C-13: "(multi-allowed)"."""
    assert read("Usage: kiln\n  --pot POT   fire it (multi-allowed)\n")["--pot"].repeats


def test_a_long_spelling_in_brackets_is_one_with_and_without_blanks():
    """C-13: `-h, -? [--help] : tells`, `-m [--name] ARG`, `-e [ --each ] arg`."""
    text = (
        "Usage: kiln pot\n  -h, -? [--help]        : tells\n  -m [--name] ARG        : name it\n"
        "  -e [ --each ] arg      each of them\n"
    )
    found = read(text)
    assert (found["-h"].flags, found["-h"].value) == (("-h", "-?", "--help"), None)
    assert (found["-m"].flags, found["-m"].value) == (("-m", "--name"), "ARG")
    assert (found["-e"].flags, found["-e"].value) == (("-e", "--each"), "arg")


def test_a_heading_about_an_option_is_no_way_to_give_it():
    """C-13: `--heat:` above a paragraph, and `--heat string` in the list."""
    text = (
        "How:\n  --heat:\n    Specifies how hot.\n\nUsage:\n  kiln [flags]\n\nFlags:\n"
        "      --heat string   how hot it gets\n  -q, --quiet         quiet\n"
    )
    heat = next(each for each in parse_help(text, ("kiln",)).options if each.main == "--heat")
    assert (heat.value, heat.value_optional) == ("string", False)


def test_a_short_spelling_in_brackets_behind_the_value_is_one() -> None:
    """C-13: `--glaze COLOUR (-g)`, as a manual writes it."""
    text = (
        "NAME\n     kiln\n\nOPTIONS\n     --glaze COLOUR (-g)\n              Which one.\n"
        "     --dry (-d)    Dries it.\n     --sort value-expression (-S)\n              How.\n"
    )
    found = {each.main: each for each in parse_help(text, ("kiln",)).options}
    assert {flag: (each.flags[1], each.value) for flag, each in found.items()} == {
        "--glaze": ("-g", "COLOUR"),
        "--dry": ("-d", None),
        "--sort": ("-S", "value-expression"),
    }


def test_options_within_the_text_of_another_are_options() -> None:
    """C-13: each alone on its line behind a blank one; a sentence may begin with one."""
    text = (
        "Usage: kiln [options] pot\n\n--list\n    Lists them.  Unless\n"
        "    --dry is given, all are.\n\n"
        "    --heat=#[,#[...]]\n    How hot they are.\n\n    --shape=cup|plate\n    --size=#\n"
        "    Which ones.\n\n--dry\n    Only those.\n"
    )
    found = read(text)
    assert {"--list", "--heat", "--shape", "--size", "--dry"} == set(found)


def test_what_somebody_says_is_required_may_come_from_elsewhere() -> None:
    """C-13: `[required]` is printed by what checks it, "(required)" is told."""
    text = "Usage: kiln [options]\n\n  --pot <pot>   Which one. {}\n  -q, --quiet   quiet\n"
    told = read(text.format("(required)"))["--pot"]
    assert not told.required
    assert "(required)" in told.description
    assert read(text.format("[required]"))["--pot"].required


def test_what_holds_a_number_a_name_or_a_place_is_no_switch() -> None:
    """C-13: said of an option that shows no value, beside others that show theirs."""
    told = {
        "--jobs": "Number of pots at once",
        "--shelf": "where it goes, followed by the path",
        "--form": "Specify the form of it",
        "--wait": "How long it waits. Default: 30.",
        "--style": "Format to use for labels",
        "--skip": "List of pots that are left out",
        "--key": "file containing the key",
    }
    listed = "".join(f"  {flag:<10} {about}\n" for flag, about in told.items())
    plain = (
        "  --out FILE  where\n  --count    print the number of pots\n"
        "  --tall     Specify a tall pot (or not)\n  --names    Name of each  [boolean]\n"
    )
    found = read(f"Usage: kiln [options]\n{plain}{listed}")
    assert {flag for flag, each in found.items() if each.is_switch} == {
        "--count",
        "--tall",
        "--names",
    }


def test_a_letter_in_a_column_of_its_own_is_a_value() -> None:
    """C-13: `-H | --heat    H    how hot`."""
    text = (
        "Usage: kiln [options] pot\n  -h | --help         tells\n  -d | --dry-time D   how long\n"
        "  -H | --heat     H   how hot it gets\n"
    )
    assert read(text)["-H"].value == "H"


def test_a_value_in_angle_brackets_may_open_the_column_of_descriptions() -> None:
    """C-13: `--door   <user:word> Says who`; "<pot> is fired" is a sentence."""
    text = (
        "Usage: kiln [options] <pot>\n  --quiet, -q    Says nothing.\n"
        "  --door         <user:word> Says who may open it.\n"
        "  --whole        <pot> is fired as a whole.\n"
    )
    found = read(text)
    assert (found["--door"].value, found["--whole"].value) == ("user:word", None)


def test_two_flags_that_both_stand_for_many_are_no_options_and_no_fault() -> None:
    """C-9, C-13: `-<pot>, -<plate>` is told as what a config cannot say."""
    spelling = read_option("-<pot>, -<plate>")
    assert spelling is not None
    assert (spelling.options, len(spelling.patterns)) == ((), 2)
