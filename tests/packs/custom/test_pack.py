"""A team's own modules as a pack: loaded, reloaded, and never the end of the others."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.executor import ToolExecutor
from toolcrib.core.pack import Changes
from toolcrib.core.tool import ToolOutput
from toolcrib.packs.custom.pack import CustomPack
from toolcrib.packs.custom.settings import CustomSettings, detect
from toolcrib.server.surface import Surface

GREET = '''
from pydantic import Field
from toolcrib import Result, ToolArguments

class Greet(ToolArguments):
    name: str = Field(description="Whom to greet")

@ToolArguments.declare
def {name}(args: Greet) -> Result[str]:
    """Say hello."""
    return Result.ok(f"{word}, {{args.name}}")
'''


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    path, modules = list(sys.path), set(sys.modules)
    (tmp_path / "tools").mkdir()
    write(tmp_path, "tools/greet.py", GREET.format(name="greet", word="Hello"))
    yield tmp_path
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        if not name.startswith(("toolcrib", "pydantic")):
            del sys.modules[name]


def write(project: Path, path: str, text: str) -> Path:
    target = project / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    return target


def make(project: Path, *modules: str, **settings: Any) -> CustomPack:
    return CustomPack(project, CustomSettings(modules=modules or ("tools/*.py",), **settings))


def names(pack: CustomPack) -> list[str]:
    return sorted(tool.name for tool in pack.contribute().tools)


def call(pack: CustomPack, name: str, arguments: dict[str, Any]) -> ToolOutput:
    tool = next(tool for tool in pack.contribute().tools if tool.name == name)
    return asyncio.run(ToolExecutor().run(tool, arguments))


def value(pack: CustomPack, name: str = "greet", **arguments: Any) -> Any:
    output = call(pack, name, arguments or {"name": "Ada"})
    assert output.structured is not None
    return output.structured["value"]


def test_declared_tools_are_served_as_results(project: Path) -> None:
    """K-4, K-5: flat arguments in, a Result out."""
    output = call(make(project), "greet", {"name": "Ada"})
    assert output.structured == {"success": True, "value": "Hello, Ada"}
    assert not output.is_error


def test_a_tool_object_of_a_module_is_served_too(project: Path) -> None:
    """K-15: a `Tool` made by hand."""
    write(
        project,
        "tools/plain.py",
        "from toolcrib import Tool\n"
        "shout = Tool(name='shout', description='Say it loud', input_schema={'type': 'object'},\n"
        "             run=lambda arguments, context: {'said': 'HEY'})\n",
    )
    pack = make(project)
    assert names(pack) == ["greet", "shout"]
    assert call(pack, "shout", {}).structured == {"said": "HEY"}
    origin = {tool.name: tool.origin for tool in pack.contribute().tools}
    assert origin == {"greet": "tools/greet.py:8", "shout": "tools/plain.py"}


def test_nothing_is_loaded_that_nobody_named(project: Path) -> None:
    """Serving a module runs it: the configuration has to name it."""
    assert not detect(project)
    assert CustomPack(project, CustomSettings()).contribute().tools == []


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["tools/greet.py"], ["greet"]),
        (["./tools/*.py"], ["deep", "greet"][1:]),
        (["tools/**/*.py"], ["deep", "greet"]),
        (["tools/gr??t.py"], ["greet"]),
        (["tools/more/*.py", "tools/greet.py"], ["deep", "greet"]),
    ],
)
def test_modules_are_named_by_path_or_pattern(
    project: Path, patterns: list[str], expected: list[str]
) -> None:
    """S-4: `[custom] modules`, relative to the project."""
    write(project, "tools/more/deep.py", GREET.format(name="deep", word="Deep"))
    write(project, "tools/_helper.py", "raise RuntimeError('never loaded by a pattern')")
    pack = make(project, *patterns)
    assert names(pack) == expected
    assert [each.level for each in pack.health()] == ["ok"]


def test_a_pattern_that_names_nothing_is_said(project: Path) -> None:
    (finding,) = make(project, "tols/*.py").health()
    assert finding.level == "warning"
    assert "'tols/*.py'" in finding.text


def test_a_module_outside_of_the_project_is_not_run(project: Path) -> None:
    """Documents: a link that leads out is as good as missing."""
    outside = project.parent / f"{project.name}-outside.py"
    outside.write_text("raise SystemExit('it ran')")
    (project / "tools" / "link.py").symlink_to(outside)
    pack = make(project, "tools/*.py", "tools/link.py", f"../{outside.name}")
    assert names(pack) == ["greet"]
    assert [each.level for each in pack.health()] == ["warning", "warning"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("x = 1\nprint(undefined)\n", "tools/bad.py:2: NameError: name 'undefined' is not"),
        ("def f(:\n", "tools/bad.py:1:7: SyntaxError: "),
        ("import nowhere_to_be_found\n", "tools/bad.py:1: ModuleNotFoundError: "),
        ("raise SystemExit(3)\n", "tools/bad.py:1: SystemExit: 3"),
        ("from helpers import broken\n", "helpers/broken.py:2: ZeroDivisionError"),
        ("\0", "tools/bad.py"),
        ("raise ValueError('password=hunter2')\n", "password=***"),
    ],
)
def test_a_module_that_fails_is_named_with_its_place_and_the_others_are_served(
    project: Path, source: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    """K-15: the others are still served, and start-up says which was refused."""
    write(project, "helpers/broken.py", "x = 1\ny = x / 0\n")
    write(project, "tools/bad.py", source)
    pack = make(project)
    assert names(pack) == ["greet"]
    (finding,) = pack.health()
    assert finding.level == "error"
    assert text in finding.text
    assert text in caplog.text
    assert str(project) not in finding.text


def test_one_bad_tool_does_not_take_its_module_with_it(project: Path) -> None:
    write(
        project,
        "tools/greet.py",
        GREET.format(name="greet", word="Hello")
        + "\n@ToolArguments.declare\ndef odd(args: int) -> None:\n    'Odd.'\n",
    )
    pack = make(project)
    assert names(pack) == ["greet"]
    (finding,) = pack.health()
    assert "'odd'" in finding.text


def test_two_tools_of_one_name_are_told_with_both_places(project: Path) -> None:
    """K-16: duplicate names are an error that names both origins."""
    write(project, "tools/twin.py", GREET.format(name="greet", word="Hi"))
    surface = Surface([make(project)])
    (refused,) = surface.catalog.refused
    assert "tools/greet.py:8" in str(refused)
    assert "tools/twin.py:8" in str(refused)
    asyncio.run(surface.close())


def test_two_tools_of_one_name_in_one_file_are_told_with_its_name(project: Path) -> None:
    """K-8: two different functions under one name: an error that names both."""
    write(project, "tools/greet.py", GREET.format(name="greet", word="Hello") * 2)
    pack = make(project)
    assert names(pack) == []
    (finding,) = pack.health()
    assert "'greet'" in finding.text
    assert "tools/greet.py.greet (line 8)" in finding.text


def test_the_prefix_is_put_before_every_name(project: Path) -> None:
    """K-9: `prefix_name`, exactly one underscore between."""
    assert names(make(project, prefix="shop_")) == ["shop_greet"]


def test_a_prefix_for_the_guide_is_not_for_these(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """K-11: the guide's own tools get that default and no other pack's do."""
    monkeypatch.setenv("MCP_TOOL_PREFIX", "guide")
    assert names(make(project)) == ["greet"]


def test_descriptions_are_concise_or_full(project: Path) -> None:
    """K-13: concise by default, all four sections on demand, the full text to be had always."""
    (short,) = make(project).contribute().tools
    (long,) = make(project, descriptions="full").contribute().tools
    assert short.description == "Say hello."
    assert "## JSON Schema" in long.description
    assert short.full_description == long.description


def test_a_changed_module_is_served_anew(project: Path) -> None:
    """S-5: a changed module is served without a restart."""
    pack = make(project)
    assert value(pack) == "Hello, Ada"
    assert not pack.refresh([])
    target = write(project, "tools/greet.py", GREET.format(name="greet", word="Howdy"))
    assert pack.refresh([target]) == Changes(tools=True)
    assert value(pack) == "Howdy, Ada"
    assert not pack.refresh([])


def test_an_added_and_a_removed_module_are_noticed(project: Path) -> None:
    """S-5: added or removed."""
    pack = make(project)
    assert names(pack) == ["greet"]
    target = write(project, "tools/bye.py", GREET.format(name="bye", word="Bye"))
    assert pack.refresh([target])
    assert names(pack) == ["bye", "greet"]
    target.unlink()
    assert pack.refresh([target])
    assert names(pack) == ["greet"]


def test_a_module_broken_by_a_change_stays_in_its_last_good_version(project: Path) -> None:
    """State: invalid on hot reload: the last good one stays, marked in `doctor` and the log."""
    write(project, "tools/bye.py", GREET.format(name="bye", word="Bye"))
    pack = make(project)
    assert value(pack) == "Hello, Ada"
    target = write(project, "tools/greet.py", "this is not Python\n")
    write(project, "tools/bye.py", GREET.format(name="bye", word="Ciao"))
    assert pack.refresh([target])
    assert value(pack) == "Hello, Ada"
    assert value(pack, "bye") == "Ciao, Ada"
    (finding,) = pack.health()
    assert "tools/greet.py:1" in finding.text
    assert "the last good version of tools/greet.py is served" in finding.text
    write(project, "tools/greet.py", GREET.format(name="greet", word="Back"))
    assert pack.refresh([target])
    assert value(pack) == "Back, Ada"
    assert [each.level for each in pack.health()] == ["ok"]


def test_what_a_module_imports_from_the_project_is_reloaded_with_it(project: Path) -> None:
    """S-5: the change is often in the code that a tool calls."""
    helper = write(project, "lib/words.py", "WORD = 'One'\n")
    write(
        project,
        "tools/greet.py",
        "from lib.words import WORD\n" + GREET.format(name="greet", word="{WORD}"),
    )
    pack = make(project)
    assert value(pack) == "One, Ada"
    assert helper in pack.watched()
    write(project, "lib/words.py", "WORD = 'Another'\n")
    assert pack.refresh([helper])
    assert value(pack) == "Another, Ada"


def test_a_helper_that_is_corrected_or_written_later_is_noticed(project: Path) -> None:
    write(project, "tools/greet.py", "import lib.words\n")
    pack = make(project)
    assert names(pack) == []
    assert {project / "lib", project / "lib.py"} <= set(pack.watched())
    helper = write(project, "lib/words.py", "WORD = \n")
    assert pack.refresh([helper])
    assert helper in pack.watched()
    (finding,) = pack.health()
    assert "lib/words.py:1" in finding.text
    assert "imported by tools/greet.py" in finding.text
    write(project, "lib/words.py", "WORD = 1\n")
    assert pack.refresh([helper])
    assert [each.level for each in pack.health()] == ["ok"]


def test_nothing_is_left_in_the_repository_and_nothing_reaches_stdout(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Protocol: a tool prints to stdout: the wire stays clean."""
    write(project, "lib/words.py", "print('imported')\n")
    write(project, "tools/loud.py", "import lib.words\nprint('loud')\n")
    names(make(project))
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.split() == ["imported", "loud"]
    assert not list(project.rglob("__pycache__"))


def test_a_repo_cannot_replace_python_s_own_modules(project: Path) -> None:
    write(project, "colorsys.py", "raise RuntimeError('replaced')\n")
    write(project, "tools/greet.py", "import colorsys\nx = colorsys.rgb_to_hsv(1, 1, 1)\n")
    assert [each.level for each in make(project).health()] == ["ok"]


def test_the_paths_to_watch_are_files_and_the_folders_of_patterns(project: Path) -> None:
    pack = make(project, "tools/*.py", "other/named.py", "*.py")
    assert pack.watched() == [project / "other/named.py", project / "tools"]
    names(pack)
    assert project / "tools/greet.py" in pack.watched()


def test_a_crash_and_wrong_arguments_come_as_results(project: Path) -> None:
    """K-4: what a team's own tools answer is a Result, also when they fail."""
    (tool,) = make(project).contribute().tools
    assert tool.failures == "envelope"


def test_closing_lets_go_of_the_folder(project: Path) -> None:
    pack = make(project)
    names(pack)
    before = len(os.listdir("/proc/self/fd"))
    asyncio.run(pack.close())
    assert len(os.listdir("/proc/self/fd")) == before - 1
