"""Config files: what they may say, and how their mistakes are told."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.growth import assert_costs_at_most
from toolcrib.core.errors import ConfigError, DuplicateTool
from toolcrib.packs.climax.config.config import (
    bundled_names,
    find_configs,
    load_config,
    load_configs,
)
from toolcrib.packs.climax.config.validation import validate_files
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.running.command import build_command
from toolcrib.running.program import ArgDef, CLIConfig

FULL = """
    name: shop
    description: Orders and stock
    command: python3 -m shop
    env: {SHOP_DB: db.sqlite, PORT: 8080}
    working_dir: work
    category: shop
    tags: [orders, stock]
    global_args:
      - {name: color, flag: --color=, default: never}
    tools:
      - name: shop_list
        description: List orders
        command: orders list --sort 'by day'
        timeout: 2.5
        args:
          - name: status
            description: Only these
            type: string
            required: true
            enum: [placed, paid]
            flag: -s
          - {name: limit, type: integer, default: 20}
          - {name: verbose, type: boolean}
          - {name: order, positional: true}
          - {name: folder, cwd: true}
          - {name: text, stdin: true}
"""
MINIMAL = "command: echo\ntools:\n  - name: t\n"


@pytest.fixture
def mistake(write: Callable[..., Path], tmp_path: Path) -> Callable[[str], ConfigError]:
    """The error that a config causes."""

    def provoke(text: str) -> ConfigError:
        with pytest.raises(ConfigError) as caught:
            load_config(write(text), tmp_path)
        return caught.value

    return provoke


def test_every_key_of_the_contract_is_read(config: Callable[[str], CLIConfig]) -> None:
    """C-1: all keys of config, tool and argument."""
    shop = config(FULL)
    assert (shop.name, shop.description, shop.category) == ("shop", "Orders and stock", "shop")
    assert shop.base == ("python3", "-m", "shop")
    assert shop.env == {"SHOP_DB": "db.sqlite", "PORT": "8080"}
    assert (shop.working_dir, shop.tags) == ("work", ("orders", "stock"))
    assert shop.global_args == (ArgDef("color", flag="--color=", default="never"),)
    (tool,) = shop.tools
    assert (tool.name, tool.description, tool.timeout) == ("shop_list", "List orders", 2.5)
    assert tool.words == ("orders", "list", "--sort", "by day")
    assert tool.args == (
        ArgDef("status", "Only these", required=True, enum=("placed", "paid"), flag="-s"),
        ArgDef("limit", type="integer", default=20),
        ArgDef("verbose", type="boolean"),
        ArgDef("order", positional=True),
        ArgDef("folder", cwd=True),
        ArgDef("text", stdin=True),
    )


def test_what_is_left_out_has_its_default(config: Callable[[str], CLIConfig]) -> None:
    """C-1: name "climax", timeout 30 s, type string."""
    minimal = config(MINIMAL + "    args: [{name: x}]\n")
    assert (minimal.name, minimal.category, minimal.tags) == ("climax", None, ())
    (tool,) = minimal.tools
    assert (tool.timeout, tool.description, tool.words) == (30.0, "", ())
    assert tool.args[0].type == "string"


def test_the_schema_names_types_enums_defaults_and_what_is_required(
    config: Callable[[str], CLIConfig],
) -> None:
    """C-4: the input schema of a tool."""
    schema = config(FULL).tools[0].input_schema()
    assert schema["required"] == ["status"]
    assert schema["properties"]["status"] == {
        "type": "string",
        "enum": ["placed", "paid"],
        "description": "Only these",
    }
    assert schema["properties"]["limit"] == {"type": "integer", "default": 20}


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        ("tools: []", 1, 1, "needs the key 'command'"),
        ("command: x", 1, 1, "needs the key 'tools'"),
        ("command: ''\ntools: []", 1, 1, "'command' is empty"),
        ('command: "\'"\ntools: []', 1, 1, "'command' cannot be read: the quote"),
        ("- a", 1, 1, "A config must be a mapping, got a list"),
        ("command: x\ntools: {a: 1}", 2, 1, "'tools' must be a list, got a mapping"),
        ("command: x\ntools: [a]", 2, 9, "A tool must be a mapping, got text"),
        ("command: x\ntools:\n  - description: d", 3, 5, "A tool needs the key 'name'"),
        ("command: x\ntools:\n  - name: a b", 3, 5, "'a b' cannot be a name"),
        ("command: x\ntools:\n  - name: climax_call", 3, 5, "is taken by toolcrib itself"),
        ("command: x\ntools:\n  - {name: a, timeout: soon}", 3, 15, "must be a number of seconds"),
        ("command: x\ntools:\n  - {name: a, timeout: 0}", 3, 15, "must be above 0"),
        ("command: x\ntags: a\ntools: []", 2, 1, "'tags' must be a list"),
        ("command: x\nenv: [A]\ntools: []", 2, 1, "'env' must be a mapping"),
        ("command: x\nenv: {'A=B': c}\ntools: []", 2, 7, "no name for an environment variable"),
    ],
)
def test_a_mistake_is_told_with_its_place(
    mistake: Callable[[str], ConfigError], text: str, line: int, column: int, what: str
) -> None:
    """C-1: file:line:column, and what is wrong there."""
    error = mistake(text)
    assert what in error.what
    assert error.where is not None
    assert (error.where.file, error.where.line, error.where.column) == ("tools.yaml", line, column)


@pytest.mark.parametrize(
    ("arg", "what"),
    [
        ("{type: integer}", "An argument needs the key 'name'"),
        ("{name: -x}", "cannot be a name"),
        (
            "{name: a, type: int}",
            "must be one of: string, integer, number, boolean, array; did you mean",
        ),
        ("{name: a, required: maybe}", "'required' must be true or false, got text"),
        ("{name: a, enum: []}", "'enum' is empty"),
        ("{name: a, enum: x}", "'enum' must be a list"),
        ("{name: a, enum: [on, off]}", "must be text, but YAML reads it as true"),
        ("{name: a, default: 1.10}", "must be text, but YAML reads it as 1.1"),
        ("{name: a, type: integer, default: x}", "is no integer: 'x'"),
        ("{name: a, type: integer, enum: [1, b]}", "is no integer: 'b'"),
        ("{name: a, enum: [x, y], default: z}", "must be one of: x, y"),
        ("{name: a, positional: true, default: -x}", "must not begin with '-'"),
        ("{name: a, positional: true, enum: [a, -b]}", "must not begin with '-'"),
        ("{name: a, positional: true, stdin: true}", "cannot be positional and stdin at once"),
        ("{name: a, flag: --two words}", "'flag' must be one word"),
        ("{name: a, flag: ''}", "'flag' must be one word"),
        ("{name: a}, {name: a}", "Argument 'a' is given twice"),
        ("{name: a, cwd: true}, {name: b, cwd: true}", "Only one argument can be 'cwd'"),
    ],
)
def test_a_mistake_in_an_argument_is_told(
    mistake: Callable[[str], ConfigError], arg: str, what: str
) -> None:
    """C-1, C-10: arguments that could not work are refused at load."""
    error = mistake(MINIMAL + f"    args: [{arg}]\n")
    assert what in error.what
    assert error.where is not None
    assert error.where.line == 4


def test_what_yaml_takes_for_something_else_is_text_if_nothing_is_lost(
    config: Callable[[str], CLIConfig],
) -> None:
    """C-1: `flag: -1` and `default: 8080` mean what they look like."""
    loaded = config(
        MINIMAL + "    args: [{name: one, flag: -1, default: 8080, enum: [8080, true]}]\n"
    )
    (arg,) = loaded.tools[0].args
    assert (arg.flag, arg.default, arg.enum) == ("-1", "8080", ("8080", "true"))


def test_an_unknown_key_is_a_warning_with_the_nearest_name(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-1: a warning, with the place."""
    path = write(MINIMAL + "    desciption: x\n    args: [{name: a, requried: true}]\ncatgory: y\n")
    _, warnings = load_config(path, tmp_path)
    assert [str(warning) for warning in warnings] == [
        "tools.yaml:6:1: Unknown key 'catgory'; did you mean 'category'?",
        "tools.yaml:4:5: Unknown key 'desciption'; did you mean 'description'?",
        "tools.yaml:5:22: Unknown key 'requried'; did you mean 'required'?",
    ]


def test_under_strict_an_unknown_key_is_an_error(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-1: an error under `--strict`."""
    write(MINIMAL + "color: red\n")
    assert len(load_configs(["tools.yaml"], tmp_path).warnings) == 1
    with pytest.raises(ConfigError, match="Unknown key 'color'"):
        load_configs(["tools.yaml"], tmp_path, strict=True)


def test_a_name_in_two_configs_is_an_error_that_names_both(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-3: an error at load that names both files."""
    write(MINIMAL, "one.yaml")
    write("\n" + MINIMAL, "two.yaml")
    with pytest.raises(DuplicateTool, match=r"one in one\.yaml:3, one in two\.yaml:4"):
        load_configs(["one.yaml", "two.yaml"], tmp_path)


def test_a_name_twice_in_one_config_is_an_error(mistake: Callable[[str], ConfigError]) -> None:
    """C-3: also within one file."""
    assert "already defined in line 3" in mistake(MINIMAL + "  - name: t\n").what


def test_variables_are_expanded_at_load(write: Callable[..., Path], tmp_path: Path) -> None:
    """C-2, C-11: `~` and `$VAR` in command, working_dir and global defaults."""
    path = write("""
        command: ~/bin/$PROG --as "$USER NAME"
        working_dir: $BASE/x
        global_args: [{name: token, flag: --token=, default: "${TOKEN}!"}]
        tools: []
    """)
    env = {"HOME": "/h", "PROG": "p", "USER": "u", "BASE": "/b", "TOKEN": "t t"}
    loaded, _ = load_config(path, tmp_path, environment=env)
    assert loaded.base == ("/h/bin/p", "--as", "u NAME")
    assert loaded.working_dir == "/b/x"
    assert loaded.global_args[0].default == "t t!"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("command: $NOPE\ntools: []", (1, 1)),
        ("command: x\nworking_dir: $NOPE\ntools: []", (2, 1)),
    ],
)
def test_a_variable_that_is_not_set_is_an_error_at_load(
    mistake: Callable[[str], ConfigError], text: str, place: tuple[int, int]
) -> None:
    """C-11: an unset one is an error at load, with its place."""
    error = mistake(text)
    assert error.what.endswith("cannot be expanded: $NOPE is not set")
    assert error.where is not None
    assert (error.where.line, error.where.column) == place


def test_a_global_default_from_the_environment_has_the_type_of_its_argument(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-11: `$VAR` of an integer or of an enum; a value that does not fit is an error at load."""
    path = write("""
        command: x
        global_args:
          - {name: port, flag: --port, type: integer, default: $PORT}
          - {name: mode, flag: --mode, enum: [slow, fast], default: $MODE}
        tools: [{name: t}]
    """)
    loaded, _ = load_config(path, tmp_path, environment={"PORT": "8080", "MODE": "fast"})
    assert [arg.default for arg in loaded.global_args] == [8080, "fast"]
    for port, mode, told in (("high", "fast", "'high' is no integer"), ("1", "warp", "slow, fast")):
        with pytest.raises(ConfigError, match=told):
            load_config(path, tmp_path, environment={"PORT": port, "MODE": mode})


def test_a_global_default_whose_variable_is_not_set_is_left_out_with_a_warning(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-11: the other arguments and all tools stay; an error under strict."""
    path = write("""
        command: x
        global_args:
          - {name: url, flag: --url, default: $NOPE}
          - {name: color, flag: --color, default: never}
          - {name: many, type: array, flag: -m, default: [$HOME, "${NOPE}"]}
        tools: [{name: t}]
    """)
    loaded, warnings = load_config(path, tmp_path, environment={"HOME": "/h"})
    assert [arg.name for arg in loaded.global_args] == ["color"]
    assert [warning.what for warning in warnings] == [
        "Global argument 'url' is left out: $NOPE is not set",
        "Global argument 'many' is left out: $NOPE is not set",
    ]
    assert warnings[0].where is not None
    assert warnings[0].where.line == 4
    assert build_command(loaded, loaded.tools[0], {}).argv == ("x", "--color", "never")
    with pytest.raises(ConfigError, match="'url' is left out"):
        load_configs([path.name], tmp_path, strict=True, environment={"HOME": "/h"})


def test_a_list_of_values_is_read_with_its_items(config: Callable[[str], CLIConfig]) -> None:
    """C-12: `type: array` with `items`, for positionals and flags, with a default of several."""
    loaded = config("""
        command: x
        tools:
          - name: t
            args:
              - {name: files, type: array, positional: true, required: true}
              - {name: n, type: array, items: integer, flag: -n, default: [1, 2]}
              - {name: e, type: array, enum: [a, b], default: a}
    """)
    files, numbers, chosen = loaded.tools[0].args
    assert (files.items, numbers.items, numbers.default, chosen.default) == (
        "string", "integer", (1, 2), ("a",),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arg", "what"),
    [
        ("{name: a, type: array, items: boolean}", "must be one of: string, integer, number"),
        ("{name: a, type: array, stdin: true}", "an array cannot be 'stdin'"),
        ("{name: a, type: array, cwd: true}", "an array cannot be 'cwd'"),
        ("{name: a, type: array, items: integer, default: [1, x]}", "is no integer: 'x'"),
        ("{name: a, type: array, positional: true, default: [a, -b]}", "must not begin with '-'"),
        ("{name: a, type: array, enum: [a], default: [a, b]}", "must be one of: a"),
    ],
)
def test_a_mistake_in_an_array_is_told(
    mistake: Callable[[str], ConfigError], arg: str, what: str
) -> None:
    """C-12: the same care as for a single value."""
    assert what in mistake(f"command: x\ntools: [{{name: t, args: [{arg}]}}]").what


def test_items_without_an_array_are_a_warning(write: Callable[..., Path], tmp_path: Path) -> None:
    """C-1: a key that means nothing is told."""
    path = write("command: x\ntools: [{name: t, args: [{name: a, items: integer}]}]")
    _, (warning,) = load_config(path, tmp_path)
    assert "'items' means nothing for a string" in warning.what


def test_a_global_default_cannot_become_an_option_by_its_variable(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-10: checked after the expansion, too."""
    path = write("command: x\nglobal_args: [{name: a, positional: true, default: $V}]\ntools: []")
    with pytest.raises(ConfigError, match="must not begin with '-'"):
        load_config(path, tmp_path, environment={"V": "--evil"})


def test_bare_names_find_bundled_configs(tmp_path: Path) -> None:
    """C-8: git, docker, gh, and a POSIX-tools set at least."""
    assert {"git", "docker", "gh", "posix"} <= set(bundled_names())
    (path,) = find_configs(["git"], tmp_path)
    assert path.name == "git.yaml"


def test_an_unknown_bare_name_is_told_with_the_nearest(
    tmp_path: Path, write: Callable[..., Path]
) -> None:
    """C-8: the error helps to find the right name, or the file that was meant."""
    with pytest.raises(ConfigError, match="did you mean 'docker'"):
        find_configs(["dokcer"], tmp_path)
    write(MINIMAL, "mine.yaml")
    with pytest.raises(ConfigError, match=r"did you mean 'mine\.yaml'"):
        find_configs(["mine"], tmp_path)


def test_patterns_and_paths_find_files_each_once(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """S-4: `configs = ["tools/*.yaml"]`."""
    one, two = write(MINIMAL, "tools/one.yaml"), write(MINIMAL, "tools/two.yaml")
    assert find_configs(["tools/*.yaml", "tools/one.yaml", str(two)], tmp_path) == [one, two]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """C-8: one clear line."""
    with pytest.raises(ConfigError, match="No such file"):
        load_configs(["nope.yaml"], tmp_path)


def test_what_was_only_found_may_be_left_out(write: Callable[..., Path], tmp_path: Path) -> None:
    """C-3: one broken file does not take the others along where that is allowed."""
    write(MINIMAL, "a.yaml")
    write("command: [", "b.yaml")
    write(MINIMAL, "c.yaml")
    loaded = load_configs(["a.yaml", "b.yaml", "c.yaml"], tmp_path, lenient=True)
    assert [each.file for each in loaded.configs] == ["a.yaml"]
    assert [type(problem) for problem in loaded.problems] == [ConfigError, DuplicateTool]


def bomb() -> str:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for level in range(1, 10):
        items = ", ".join([f"*a{level - 1}"] * 9)
        levels.append(f"a{level}: &a{level} [{items}]")
    return "\n".join(levels)


@pytest.mark.parametrize(
    "text",
    [
        bomb(),
        "[" * 10_000,
        "command: x\ncommand: y\ntools: []",
        "command: x\n\ttools: []",
        "command: !!python/object/apply:os.system [id]\ntools: []",
        "x" * 5_000_000,
    ],
    ids=["alias bomb", "deep nesting", "duplicate key", "tab", "object", "5 MB"],
)
def test_hostile_yaml_is_refused_quickly(
    write: Callable[..., Path], tmp_path: Path, text: str
) -> None:
    """C-1: limits on size, aliases, nesting and duplicate keys."""
    path = write(text)
    started = time.process_time()
    with pytest.raises(ConfigError) as caught:
        load_config(path, tmp_path)
    assert_costs_at_most(time.process_time() - started, 100)
    assert caught.value.where is not None


def many(count: int) -> str:
    tool = """
      - name: tool_{0}
        description: Do the thing number {0}
        command: sub{0}
        args:
          - {{name: path, description: Where, required: true, positional: true}}
          - {{name: count, type: integer, default: 10}}
          - {{name: format, enum: [json, text], flag: --format=}}
    """
    tools = "".join(textwrap.dedent(tool).format(number) for number in range(count))
    return "command: echo\ntools:\n" + tools


def test_a_thousand_tools_load_within_half_a_second_of_cpu(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-1: 1,000 tools: at most 0.5 s of CPU (three times that, for busy machines)."""
    path = write(many(1000))
    load_config(write(MINIMAL, "first.yaml"), tmp_path)
    started = time.process_time()
    loaded, _ = load_config(path, tmp_path)
    spent = time.process_time() - started
    assert len(loaded.tools) == 1000
    assert_costs_at_most(spent, 150)


def test_errors_show_the_line_they_are_about(mistake: Callable[[str], ConfigError]) -> None:
    """C-1: rendered with the source line and a caret."""
    rendered = mistake("command: x\ntools:\n  - name: a b").render()
    assert "tools.yaml:3:5" in rendered
    assert "3 |   - name: a b" in rendered


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    """C-1: no guessing about the encoding of what will be executed."""
    path = tmp_path / "latin.yaml"
    path.write_bytes("command: caf\xe9\ntools: []".encode("latin-1"))
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(path, tmp_path)


def test_tools_know_where_they_come_from(config: Callable[[str], CLIConfig]) -> None:
    """C-3: the origin of a tool is its file and line."""
    loaded: Any = config(MINIMAL)
    assert loaded.origin("t") == "tools.yaml:3"


def test_a_pattern_that_no_file_matches_is_told(tmp_path: Path) -> None:
    """C-8, C-11: a warning, an error under `--strict`, and nothing that `validate` calls well."""
    loaded = load_configs(["git", "tools/*.yaml"], tmp_path)
    assert [config.name for config in loaded.configs] == ["git"]
    assert [str(each) for each in loaded.warnings] == ["No file matches the pattern 'tools/*.yaml'"]
    with pytest.raises(ConfigError, match="No file matches the pattern"):
        load_configs(["tools/*.yaml"], tmp_path, strict=True)
    report = validate_files(tmp_path, ClimaxSettings(configs=("tools/*.yaml",)))
    assert not report.valid
    assert report.lines() == [("error", "configs: No file matches the pattern 'tools/*.yaml'")]
