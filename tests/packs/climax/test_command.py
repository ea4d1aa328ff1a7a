"""The argument builder: whatever the values, the command has the config's shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import InvalidArguments
from toolcrib.running.arguments import text_of, validate_arguments
from toolcrib.running.command import Command, build_command, unsafe
from toolcrib.running.program import ArgDef, CLIConfig, ToolDef, ToolTable


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


@pytest.mark.parametrize("value", ["-x", "--output=F", "-", "--", "-5"])
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


def test_global_arguments_are_not_for_callers(config: Callable[[str], CLIConfig]) -> None:
    """C-2: global args use their default only and stay out of the schema."""
    loaded = config("""
        command: prog
        global_args:
          - {name: color, flag: --color=, default: never}
        tools:
          - name: t
            args: [{name: x}]
    """)
    tool = loaded.tools[0]
    values = validate_arguments(tool.args, {"x": "1", "color": "always"})
    assert build_command(loaded, tool, values).argv == ("prog", "--x", "1", "--color=never")
    assert list(tool.input_schema()["properties"]) == ["x"]


flags = st.sampled_from([None, "-x", "--long", "--long=", "key=", "-", "--", "word"])
arg_defs = st.builds(
    lambda kind, flag, role, name: ArgDef(
        name, type=kind, flag=flag, **({role: True} if role else {})
    ),
    st.sampled_from(["string", "integer", "number", "boolean"]),
    flags,
    st.sampled_from([None, None, "positional"]),
    st.text(alphabet="abc_", min_size=1, max_size=6),
)
hostile = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["-o", "--output=F", "--", "-", " -x", "$(id)", "`id`", "a;b", "\n-x", "é", "="]
    ),
    st.integers(),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
)


@given(st.lists(st.tuples(arg_defs, hostile), max_size=5, unique_by=lambda pair: pair[0].name))
def test_a_value_is_never_an_option_never_a_second_word_and_never_lost(
    pairs: list[tuple[ArgDef, Any]],
) -> None:
    """C-10: the argv has the config's shape, whatever the values are."""
    args = [arg for arg, _ in pairs]
    try:
        values = validate_arguments(args, {arg.name: value for arg, value in pairs})
        argv = list(built(args, values).argv[2:])
    except InvalidArguments:
        return
    for arg in [arg for arg in args if arg.positional]:
        word = argv.pop(0)
        assert word == text_of(values[arg.name])
        assert not word.startswith("-")
    for arg in [arg for arg in args if not arg.positional]:
        text, flag = text_of(values[arg.name]), arg.effective_flag
        if arg.type == "boolean" and not flag.endswith("="):
            assert not values[arg.name] or argv.pop(0) == flag
            continue
        word = argv.pop(0)
        if word == flag and not flag.endswith("="):
            alone = argv.pop(0)
            assert alone == text
            assert not alone.startswith("-")
        else:
            assert word == flag + text or word == f"{flag}={text}"
            assert word.startswith(flag)
    assert argv == []
