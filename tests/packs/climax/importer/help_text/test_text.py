"""C-9: spellings of options, usage lines and values, one by one; and any text whatsoever."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.growth import assert_costs_at_most
from toolcrib.packs.climax.config.config import load_config
from toolcrib.packs.climax.importer.emit import emit, to_yaml
from toolcrib.packs.climax.importer.help_text.names import (
    UniqueNames,
    argument_name,
    program_name,
    tool_name,
)
from toolcrib.packs.climax.importer.help_text.options import read_option
from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.help_text.text import plain_lines, shortened
from toolcrib.packs.climax.importer.help_text.usage.ways import read_variant
from toolcrib.packs.climax.importer.help_text.values import choices
from toolcrib.packs.climax.importer.model import HelpOption, HelpPage, Note, ProgramCommand
from toolcrib.packs.climax.importer.report import ImportReport
from toolcrib.packs.climax.importer.sources.completion.bash import bash_commands
from toolcrib.packs.climax.importer.sources.completion.fish import fish_commands
from toolcrib.packs.climax.importer.sources.completion.zsh import zsh_commands
from toolcrib.packs.climax.importer.sources.man import man_subcommands


@pytest.mark.parametrize(
    ("text", "flags", "value", "optional"),
    [
        ("-a, --all", ("-a", "--all"), None, False),
        ("--verbose, -v", ("--verbose", "-v"), None, False),
        ("-h --help", ("-h", "--help"), None, False),
        ("-S|--save", ("-S", "--save"), None, False),
        ("-o FILE, --output FILE", ("-o", "--output"), "FILE", False),
        ("-o, --output=FILE", ("-o", "--output"), "FILE", False),
        ("-n <num>", ("-n",), "num", False),
        ("-u<mode>", ("-u",), "mode", False),
        ("--color[=WHEN]", ("--color",), "WHEN", True),
        ("-S, --gpg-sign[=<key-id>]", ("-S", "--gpg-sign"), "key-id", True),
        ("-B[<n>][/<m>], --break-rewrites[=[<n>][/<m>]]", ("-B", "--break-rewrites"), None, True),
        ("-R, --repo [HOST/]OWNER/REPO", ("-R", "--repo"), "[HOST/]OWNER/REPO", False),
        ("-i, --interval --watch", ("-i", "--interval"), "--watch", False),
        ("--level {low,high}", ("--level",), "low,high", False),
        ("-max_alloc bytes", ("-max_alloc",), "bytes", False),
        ("-v, --verbose...", ("-v", "--verbose"), None, False),
        ("--output-indicator-new=<char>", ("--output-indicator-new",), "char", False),
    ],
)
def test_an_option_is_read_as_it_is_spelled(text, flags, value, optional):
    """C-9: every way to write an option."""
    spelling = read_option(text, tail_is_value=True)
    assert spelling is not None
    (option,) = spelling.options
    assert option.flags == flags
    assert option.value_optional == optional
    if value is not None:
        assert option.value == value


def test_opposites_are_two_options():
    """C-9: nothing is lost where one line prints two."""
    for text in ("--[no-]glaze", "--glaze / --no-glaze", "--glaze, --no-glaze"):
        spelling = read_option(text, tail_is_value=True)
        assert spelling is not None
        assert [option.main for option in spelling.options] == ["--glaze", "--no-glaze"]


@pytest.mark.parametrize(
    ("usage", "names", "required"),
    [
        ("pot FILE...", ["FILE"], ["FILE"]),
        ("pot [OPTION]... SRC [SRC]... DEST", ["SRC", "DEST"], ["SRC", "DEST"]),
        ("pot [<number> | <url>]", ["number_or_url"], []),
        ("pot {<number> | <url>} [flags]", ["number_or_url"], ["number_or_url"]),
        ("pot [USER@]HOST:PATH", ["HOST:PATH"], ["HOST:PATH"]),
        ("pot --trailer <token>[(=|:)<value>] [--] [<path>...]", ["path"], []),
        ("pot [fix|check]", ["choice"], []),
        ("pot [-x | --xy <value>] {[more options] outfile}...", ["outfile"], ["outfile"]),
    ],
)
def test_operands_are_read_from_usage(usage, names, required):
    """C-9: required and optional positionals."""
    variant = read_variant(usage, ("pot",))
    assert variant is not None
    found = variant.operands()
    assert [operand.name for operand in found] == names
    assert [operand.name for operand in found if operand.required] == required


def test_a_usage_line_of_another_command_is_left_alone():
    """C-9: `git log -h` prints the usage of `git show` too."""
    assert read_variant("git show [<options>] <object>...", ("git", "log")) is None


@pytest.mark.parametrize(
    ("name", "description", "found"),
    [
        ("{a,b}", "", ("a", "b")),
        ("hoisted|nested", "", ("hoisted", "nested")),
        ("pkg|glob", "", ()),
        ("KEY=VALUE|PATH", "", ()),
        ("WHEN", "[possible values: auto, never]", ("auto", "never")),
        ("string", "by state: {open|closed} (default open)", ("open", "closed")),
        ("WHEN", "WHEN can be 'always' (default if omitted), 'auto', or 'never'.",
         ("always", "auto", "never")),
        ("format", "one of: json, yaml or csv", ("json", "yaml", "csv")),
        ("format", "One of: (a, b, c, d, e, f, g, h, i, j, k, l)", ()),
        ("duration", "how long (ms|s|m|h)", ()),
        ("FILE", "a file, a folder or a link", ()),
    ],
)  # fmt: skip
def test_choices_are_told_only_where_they_are_certain(name, description, found):
    """C-9: an enum that is too narrow would refuse what the program takes."""
    assert choices(name, description) == found


def test_names_are_clean_and_unique():
    """C-9: names that every client accepts, each once."""
    assert tool_name(("git", "cherry-pick")) == "git_cherry_pick"
    assert argument_name("--max-count") == "max_count"
    assert argument_name("-0") == "opt_0"
    assert argument_name("-H") == "H"
    assert argument_name("<näme>") == "n_me"
    assert program_name(("python3", "-m", "pip")) == "pip"
    assert program_name(("./tools/paint.py",)) == "paint"
    names = UniqueNames(6)
    assert [names.unique("file"), names.unique("file", "file_2"), names.unique("file")] == [
        "file",
        "file_2",
        "file_3",
    ]


def test_a_report_puts_notes_of_one_kind_together():
    """C-9: it says what it could not tell."""
    notes = tuple((f"pot c{n}", Note("FILE", "takes several values")) for n in range(12))
    text = ImportReport("pot", "help", "gnu", 12, 30, notes).text()
    assert text.count("takes several values") == 1
    assert "pot c0 FILE" in text
    assert "and 4 more" in text
    assert len(ImportReport("pot", "help", "gnu", 12, 30, notes).as_dict()["notes"]) == 12


def test_options_that_run_programs_are_pointed_out():
    """C-9, FAULTS argument injection: a person should take these out."""
    page = HelpPage(
        options=(
            HelpOption(("--rsh",), "COMMAND"),
            HelpOption(
                ("--checkpoint-action",), "ACTION", description="execute ACTION now and then"
            ),
            HelpOption(("--output",), "FILE"),
        )
    )
    emitted = emit(("pot",), [ProgramCommand((), page)])
    named = {note.subject for _, note in emitted.notes}
    assert named == {"--rsh", "--checkpoint-action"}


FISH = """
complete -c pot -n __fish_use_subcommand -a fire -d 'Fire a pot'
complete -c pot -n '__fish_seen_subcommand_from fire' -s t -l temp -x -d "Degrees" -a "low high"
complete -c pot -s v -l verbose -d 'Say more'
complete -c other -l nothing
"""
ZSH = r"""
#compdef pot
_arguments -s \
  '(-a --all)'{-a,--all}'[all of them]' \
  '(-d --depth)'{-d+,--depth=}'[levels]:levels' \
  '--time=-[which time]:property:(atime ctime)' \
  '*:file:_files'
"""
BASH = """
_pot() {
  case $prev in
    '-c'|'--colour')
      COMPREPLY=( $(compgen -W "red green" -- $cur) )
      return 0
      ;;
  esac
  OPTS="--all --colour --help -c"
  COMPREPLY=( $(compgen -W "${OPTS[*]}" -- $cur) )
}
"""


class TestCompletions:
    """C-9: a config from the completion scripts of fish, zsh and bash."""

    def test_fish(self):
        root, fire = fish_commands(FISH, "pot")
        assert [option.main for option in root.page.options] == ["--verbose"]
        assert fire.path == ("fire",)
        assert fire.summary == "Fire a pot"
        (temp,) = fire.page.options
        assert temp.flags == ("-t", "--temp")
        assert temp.enum == ("low", "high")

    def test_zsh(self):
        (root,) = zsh_commands(ZSH, "pot")
        found = {option.main: option for option in root.page.options}
        assert found["--all"].is_switch
        assert found["--all"].description == "all of them"
        assert found["--depth"].value == "levels"
        assert found["--time"].enum == ("atime", "ctime")

    def test_bash(self):
        (root,) = bash_commands(BASH, "pot")
        found = {option.main: option for option in root.page.options}
        assert {"--all", "--colour", "--help", "-c"} <= set(found)
        assert found["--colour"].enum == ("red", "green")
        assert found["--all"].is_switch


def test_a_manual_page_points_to_its_subcommands():
    """C-9: `man git` lists the pages of its commands."""
    lines = plain_lines("COMMANDS\n   pot-fire(1)\n       Fire it.\n\n   pot-cool(1)   Cool it.\n")
    found = man_subcommands(lines, "pot")
    assert [(sub.name, sub.description) for sub in found] == [
        ("fire", "Fire it."),
        ("cool", "Cool it."),
    ]


def loads(tmp_path_factory, config_text):
    file = tmp_path_factory.getbasetemp() / "imported.yaml"
    file.write_text(config_text, encoding="utf-8")
    config, warnings = load_config(file)
    assert warnings == []
    return config


PIECES = st.sampled_from(
    [
        "Usage: pot ", "usage: ", "\n", "\n\n", "  ", "      ", "\t", "-a", "--all", "--[no-]x",
        ", ", "=", "<", ">", "[", "]", "{", "}", "(", ")", "|", "...", "FILE", "file",
        "Commands:\n", "list", "Options:\n", "(default: 3)", "[possible values: a, b]",
        "one of: ", "N", "-", "--", ":", "'", '"', "\x1b[1m", "\x08", "é", "-<n>", "or: pot ",
        "POT(1)  Manual  POT(1)\n", "{a,b}", "#", "&", "complete -c pot -l ", "opts='",
        "'[x]:y:(a b)'", "\\", "\x00", "\ud800", "\u2028", "- ",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=60).map("".join), st.text(max_size=400))


@given(text=TEXTS)
@settings(max_examples=250, deadline=None)
def test_any_help_text_gives_a_valid_config(tmp_path_factory, text):
    """C-9: whatever a program prints, nothing crashes, and the result passes `validate`."""
    page = parse_help(text, ("pot",))
    commands = [
        ProgramCommand((), page),
        *(ProgramCommand((sub.name,), page) for sub in page.subcommands),
    ]
    config = loads(tmp_path_factory, to_yaml(emit(("pot",), commands).config))
    assert len(config.tools) >= 1


@given(text=TEXTS)
@settings(max_examples=100, deadline=None)
def test_any_completion_script_gives_a_valid_config(tmp_path_factory, text):
    """C-9: completion scripts are read, never run, and never break the import."""
    for read in (fish_commands, zsh_commands, bash_commands):
        commands = read(text, "pot")
        loads(tmp_path_factory, to_yaml(emit(("pot",), commands).config))


@pytest.mark.parametrize(
    "text",
    [
        "-" * 200_000,
        "  --" + "a-" * 60_000,
        "Usage: pot " + "[" * 40_000,
        "Usage: pot " + "[-a|" * 20_000,
        "  -a, " * 40_000,
        "{" + "a," * 100_000 + "}",
        "a" * 200_000,
        "commands=(" * 20_000,
        "x='" * 60_000,
        "  -a)\n" * 10_000,
        "  --x\n" + "      {" + "|" * 900 + "\n      " * 900,
        "  --x  one of: " + "a, " * 60_000,
        "\n".join(f"  --option-{n}=VALUE  does something" for n in range(5_000)),
        "Commands:\n" + "\n".join(f"  command{n}  does something" for n in range(5_000)),
    ],
    ids=range(14),
)
def test_a_hostile_help_text_costs_seconds_at_most(text):
    """FAULTS: what a program prints is untrusted; reading it takes linear time."""
    started = time.process_time()
    parse_help(text, ("pot",))
    for read in (fish_commands, zsh_commands, bash_commands):
        read(text[:200_000], "pot")
    assert_costs_at_most(time.process_time() - started, 500)


def test_long_descriptions_end_at_a_sentence_or_a_word():
    """C-4: descriptions stay short."""
    assert len(shortened("a " * 500, 50)) <= 50
    assert shortened("First sentence here. Second one.", 25) == "First sentence here."
    assert re.fullmatch(r"(?:word ?)+…", shortened("word " * 50, 30))


def test_a_word_that_a_logger_puts_before_each_line_is_no_text() -> None:
    """C-13: `help:    usage: kiln`; a list of notes keeps its words."""
    logged = [
        "usage: kiln [action] POT",
        "",
        "actions:",
        "  fire   fires it",
        "  cool   cools it",
        "",
    ]
    text = "".join(f"help:    {line}\n" for line in logged)
    assert [each.name for each in parse_help(text, ("kiln",)).subcommands] == ["fire", "cool"]
    assert plain_lines("note: one\nnote: two\n") == ["note: one", "note: two", ""]
