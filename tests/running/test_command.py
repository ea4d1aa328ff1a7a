"""The argument builder: whatever the values, the command has the config's shape."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import InvalidArguments
from toolcrib.running.arguments import text_of, validate_arguments
from toolcrib.running.command import Command, build_command, unsafe
from toolcrib.running.program import ArgDef, CLIConfig, ToolDef, ToolTable, each_of


def built(
    args: list[ArgDef], values: dict[str, Any], everywhere: tuple[ArgDef, ...] = (), **tool: Any
) -> Command:
    definition = ToolDef("t", args=tuple(args), **tool)
    config = CLIConfig("x", ToolTable.of([definition]), base=("prog", "-q"), global_args=everywhere)
    return build_command(config, definition, values)


def test_words_come_in_the_order_of_the_contract() -> None:
    """C-2: base, subcommand, positionals in order, flags in definition order, global args."""
    args = [
        ArgDef("max_count", type="integer"),
        ArgDef("first", positional=True),
        ArgDef("all", type="boolean", flag="-a"),
        ArgDef("second", positional=True),
        ArgDef("format", flag="--format="),
    ]
    everywhere = (ArgDef("color", flag="--color", default="never"), ArgDef("loud", default=None))
    values = {"second": "2", "format": "j", "all": True, "first": "1", "max_count": 5}
    assert built(args, values, everywhere, words=("log", "-x")).argv == (
        "prog", "-q", "log", "-x", "1", "2", "--max-count", "5", "-a", "--format=j",
        "--color", "never",
    )  # fmt: skip


def test_an_operand_with_an_empty_flag_comes_behind_the_flags() -> None:
    """C-2: for programs that take their options only before their operands."""
    args = [
        ArgDef("pots", type="array", positional=True, flag=""),
        ArgDef("mode", positional=True),
        ArgDef("quiet", type="boolean", flag="-q"),
    ]
    values = {"pots": ("a", "b"), "mode": "fire", "quiet": True}
    everywhere = (ArgDef("color", flag="--color=", default="no"),)
    words = built(args, values, everywhere, words=("go",)).argv
    assert words == ("prog", "-q", "go", "fire", "-q", "--color=no", "a", "b")
    assert built(args, values, words=("go", "--")).argv[-4:] == ("--", "fire", "a", "b")
    with pytest.raises(InvalidArguments):
        built(args, {"pots": ("-x",)})


@pytest.mark.parametrize(
    ("arg", "value", "words"),
    [
        (ArgDef("max_count"), "5", ("--max-count", "5")),
        (ArgDef("n", flag="-n"), "5", ("-n", "5")),
        (ArgDef("f", flag="--format="), "json", ("--format=json",)),
        (ArgDef("f", flag="if="), "disk", ("if=disk",)),
        (ArgDef("b", type="boolean"), True, ("--b",)),
        (ArgDef("b", type="boolean"), False, ()),
        (ArgDef("b", type="boolean", flag="--b="), False, ("--b=false",)),
        (ArgDef("b", type="boolean", positional=True), False, ("false",)),
        (ArgDef("n", type="number"), 1.5, ("--n", "1.5")),
        (ArgDef("p", positional=True), "", ("",)),
        (ArgDef("f"), "", ("--f", "")),
        (ArgDef("p", positional=True), "a b\n'c' $(d) ; e", ("a b\n'c' $(d) ; e",)),
    ],
)
def test_each_kind_of_argument_gives_its_words(
    arg: ArgDef, value: Any, words: tuple[str, ...]
) -> None:
    """C-2: flags, inline flags, booleans, positionals."""
    assert built([arg], {arg.name: value}).argv[2:] == words


def test_defaults_apply_to_every_kind_of_argument() -> None:
    """C-2: positionals, flags, booleans, cwd and stdin have defaults alike."""
    command = built(
        [
            ArgDef("p", positional=True, default="here"),
            ArgDef("n", type="integer", default=3),
            ArgDef("v", type="boolean", default=True),
            ArgDef("dir", cwd=True, default="sub"),
            ArgDef("text", stdin=True, default="hello"),
        ],
        {},
    )
    assert command == Command(("prog", "-q", "here", "--n", "3", "--v"), "sub", "hello")


def test_cwd_and_stdin_are_no_words() -> None:
    """C-2: they reach the program by other ways."""
    command = built([ArgDef("d", cwd=True), ArgDef("s", stdin=True)], {"d": "x", "s": "-y\0"})
    assert command == Command(("prog", "-q"), "x", "-y\0")


@pytest.mark.parametrize("value", ["-x", "--output=F", "--", "-5"])
def test_a_positional_never_begins_with_a_dash(value: str) -> None:
    """C-10: always rejected."""
    with pytest.raises(InvalidArguments, match="must not begin with '-'"):
        built([ArgDef("p", positional=True)], {"p": value})


def test_a_negative_number_is_no_exception() -> None:
    """C-10: a positional -5 could be taken for an option as well."""
    with pytest.raises(InvalidArguments, match="'n'"):
        built([ArgDef("n", type="integer", positional=True)], {"n": -5})


@pytest.mark.parametrize("flag", ["-m", "-name", "word", "--", "--end-of-options"])
def test_behind_a_flag_that_cannot_hold_it_a_dash_is_rejected(flag: str) -> None:
    """C-10: rejected where the program could take the value for an option."""
    with pytest.raises(InvalidArguments, match="must not begin with '-'"):
        built([ArgDef("m", flag=flag)], {"m": "-evil"})


@pytest.mark.parametrize(
    ("flag", "words"),
    [(None, ("--m=-v",)), ("--msg", ("--msg=-v",)), ("--msg=", ("--msg=-v",)), ("m=", ("m=-v",))],
)
def test_a_long_flag_holds_a_value_with_a_dash(flag: str | None, words: tuple[str, ...]) -> None:
    """C-10: `--flag=value` where the value begins with `-`."""
    assert built([ArgDef("m", flag=flag)], {"m": "-v"}).argv[2:] == words


def test_all_unsafe_values_are_told_at_once() -> None:
    """C-5: all problems at once."""
    with pytest.raises(InvalidArguments) as caught:
        built([ArgDef("a", positional=True), ArgDef("b")], {"a": "-x", "b": "nul\0"})
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize("value", ["a\0b", "\ud800"])
def test_what_no_command_line_can_carry_is_refused(value: str) -> None:
    """C-10: NUL and lone surrogates never reach the kernel."""
    assert unsafe(ArgDef("x"), value)
    assert unsafe(ArgDef("x", positional=True), value)
    assert unsafe(ArgDef("x", cwd=True), value)


def test_global_arguments_are_not_for_callers() -> None:
    """C-2: global args use their default only and stay out of the schema."""
    tool = ToolDef("t", args=(ArgDef("x"),))
    everywhere = (ArgDef("color", flag="--color=", default="never"),)
    config = CLIConfig("prog", ToolTable.of([tool]), base=("prog",), global_args=everywhere)
    values = validate_arguments(tool.args, {"x": "1", "color": "always"})
    assert build_command(config, tool, values).argv == ("prog", "--x", "1", "--color=never")
    assert list(tool.input_schema()["properties"]) == ["x"]


@pytest.mark.parametrize(
    ("arg", "value", "words"),
    [
        (ArgDef("p", type="array", positional=True), ("a", "b"), ("a", "b")),
        (ArgDef("e", type="array", flag="-e"), ("a", "b"), ("-e", "a", "-e", "b")),
        (ArgDef("e", type="array", flag="--e="), ("a", "-b"), ("--e=a", "--e=-b")),
        (ArgDef("n", type="array", items="integer"), (1, -2), ("--n", "1", "--n=-2")),
        (ArgDef("c", type="array", flag="--"), ("ls", "x"), ("--", "ls", "x")),
        (ArgDef("p", type="array", positional=True), (), ()),
    ],
)
def test_several_values_give_a_word_each_or_repeat_their_flag(
    arg: ArgDef, value: Any, words: tuple[str, ...]
) -> None:
    """C-12: `git add a b`, `-e a -e b`, `--e=a --e=b`."""
    assert built([arg], {arg.name: value}).argv[2:] == words


def test_each_of_several_values_is_checked_like_a_single_one() -> None:
    """C-12: one option among the values is enough to refuse them."""
    with pytest.raises(InvalidArguments, match=r"'p'.*--output=F"):
        built([ArgDef("p", type="array", positional=True)], {"p": ("a", "--output=F")})


@pytest.mark.parametrize(
    ("arg", "words"),
    [
        (ArgDef("n", type="integer", flag="-n"), ("-n", "-5")),
        (ArgDef("n", type="number", flag="-name"), ("-name", "-5")),
        (ArgDef("n", type="integer"), ("--n=-5",)),
        (ArgDef("n", type="integer", flag="--"), ("--", "-5")),
        (ArgDef("n", type="array", items="integer", flag="-n"), ("-n", "-5")),
    ],
)
def test_a_negative_number_is_the_value_of_any_flag(arg: ArgDef, words: tuple[str, ...]) -> None:
    """C-12: where the type is a number, a dash is a sign."""
    assert built([arg], validate_arguments([arg], {"n": -5}, [unsafe])).argv[2:] == words


def test_a_negative_number_is_a_positional_only_behind_two_dashes() -> None:
    """C-12: as a positional after a `--` in the config's command words; text stays refused."""
    number, text = ArgDef("n", type="integer", positional=True), ArgDef("t", positional=True)
    assert built([number], {"n": -5}, words=("seek", "--")).argv[2:] == ("seek", "--", "-5")
    with pytest.raises(InvalidArguments, match="'n'"):
        built([number], {"n": -5}, words=("seek",))
    with pytest.raises(InvalidArguments, match="'t'"):
        built([text], {"t": "-5"}, words=("seek", "--"))


@pytest.mark.parametrize(
    "arg",
    [ArgDef("f", positional=True), ArgDef("f", flag="-f"), ArgDef("f"), ArgDef("f", flag="--")],
)
def test_a_lone_dash_is_an_ordinary_value(arg: ArgDef) -> None:
    """C-12: it means standard input, and no program takes it for an option."""
    assert built([arg], {"f": "-"}).argv[-1] == "-"


def test_flags_stand_before_two_dashes_that_end_the_subcommand() -> None:
    """C-2: behind `--` a flag would be an operand."""
    args = [ArgDef("p", positional=True), ArgDef("rm", type="boolean")]
    everywhere = (ArgDef("color", flag="--color=", default="never"),)
    words = built(args, {"p": "image", "rm": True}, everywhere, words=("run", "--")).argv
    assert words == ("prog", "-q", "run", "--rm", "--color=never", "--", "image")


flags = st.sampled_from([None, "-x", "--long", "--long=", "key=", "-", "--", "word"])
arg_defs = st.builds(
    lambda kind, items, flag, role, name: ArgDef(
        name, type=kind, items=items, flag=flag, **({role: True} if role else {})
    ),
    st.sampled_from(["string", "integer", "number", "boolean", "array"]),
    st.sampled_from(["string", "integer", "number"]),
    flags,
    st.sampled_from([None, None, "positional"]),
    st.text(alphabet="abc_", min_size=1, max_size=6),
)
single = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["-o", "--output=F", "--", "-", " -x", "$(id)", "`id`", "a;b", "\n-x", "é", "="]
    ),
    st.integers(),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
)


hostile = st.one_of(single, st.lists(single, max_size=4))


def looks_like_an_option(word: str, value: Any) -> bool:
    """A dash at the beginning, but for a lone one and for the sign of a number."""
    return word.startswith("-") and word != "-" and not isinstance(value, int | float)


@given(
    st.lists(st.tuples(arg_defs, hostile), max_size=5, unique_by=lambda pair: pair[0].name),
    st.sampled_from([(), ("sub",), ("sub", "--")]),
)
def test_a_value_is_never_an_option_never_a_second_word_and_never_lost(
    pairs: list[tuple[ArgDef, Any]], words: tuple[str, ...]
) -> None:
    """C-10, C-12: the argv has the config's shape, whatever the values are."""
    args = [arg for arg, _ in pairs]
    try:
        values = validate_arguments(args, {arg.name: value for arg, value in pairs})
        argv = list(built(args, values, words=words).argv[2:])
    except InvalidArguments:
        return
    positional = [(v, arg) for arg in args if arg.positional for v in given_values(values, arg)]
    flagged = [(v, arg, n) for arg in args if not arg.positional
               for n, v in enumerate(given_values(values, arg))]  # fmt: skip
    assert argv[: len(words[:1])] == list(words[:1])
    argv = argv[len(words[:1]) :]
    if words[1:]:
        tail = len(positional) + 1
        argv, last = argv[:-tail], argv[-tail:]
        assert last.pop(0) == "--"
        argv = last + argv
    for value, arg in positional:
        word = argv.pop(0)
        assert word == text_of(value)
        assert not looks_like_an_option(word, value)
        assert not word.startswith("-") or word == "-" or words[1:]
        assert arg.positional
    for value, arg, number in flagged:
        take_flag(argv, value, arg, number)
    assert argv == []


def given_values(values: dict[str, Any], arg: ArgDef) -> tuple[Any, ...]:
    return each_of(values[arg.name]) if arg.name in values else ()


def take_flag(argv: list[str], value: Any, arg: ArgDef, number: int) -> None:
    """Take the words of one value of a flag off the command line, as they must stand there."""
    text, flag = text_of(value), arg.effective_flag
    if arg.type == "boolean" and not flag.endswith("="):
        assert not value or argv.pop(0) == flag
        return
    word = argv.pop(0)
    if flag == "--" and number:
        assert word == text
        assert not looks_like_an_option(word, value)
    elif word == flag and not flag.endswith("="):
        alone = argv.pop(0)
        assert alone == text
        assert not looks_like_an_option(alone, value)
    else:
        assert word == flag + text or word == f"{flag}={text}"
        assert word.startswith(flag)
