"""R-10: modules of one name in two projects never meet, nor what they import."""

from __future__ import annotations

import asyncio
import builtins
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from toolcrib.core.executor import ToolExecutor
from toolcrib.packs.custom.pack import CustomPack
from toolcrib.packs.custom.settings import CustomSettings

TOOLS = '''
from toolcrib import Result, ToolArguments
import helpers
from helpers.deep import inner as found
import json

@ToolArguments.declare
def who(args: ToolArguments) -> Result[list[str]]:
    """Say whose this is."""
    import helpers.late  # only now
    from lonely import NAME
    return Result.ok([helpers.NAME, found.NAME, helpers.late.NAME, NAME, json.dumps(1)])
'''


def project(folder: Path, name: str) -> Path:
    files = {
        "tools.py": TOOLS,
        "helpers/__init__.py": f"NAME = '{name}'\n",
        "helpers/late.py": "from helpers import NAME\n",
        "helpers/deep/inner.py": "from .. import NAME as ABOVE\nfrom helpers import NAME\n"
        "assert ABOVE == NAME\n",
        "lonely.py": f"NAME = 'lonely {name}'\n",
        "json.py": "raise AssertionError('ours must not replace that of Python')\n",
    }
    for path, text in files.items():
        place = folder / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder / name


def said(pack: CustomPack) -> list[str]:
    (tool,) = pack.contribute().tools
    output = asyncio.run(ToolExecutor().run(tool))
    assert output.structured is not None
    return output.structured["value"]


def made(folder: Path) -> CustomPack:
    return CustomPack(folder, CustomSettings(modules=("tools.py",)))


def test_two_projects_with_modules_of_the_same_names_stay_apart(tmp_path):
    """R-10: packages from their own root included, also those imported while a call runs."""
    one, two = made(project(tmp_path, "one")), made(project(tmp_path, "two"))
    one.contribute()
    two.contribute()
    assert said(one) == ["one", "one", "one", "lonely one", "1"]
    assert said(two) == ["two", "two", "two", "lonely two", "1"]
    assert said(one)[0] == "one"


def test_a_changed_helper_of_one_project_changes_that_one_alone(tmp_path):
    """R-10, S-5: reloading looks at the project's own files."""
    first, second = project(tmp_path, "one"), project(tmp_path, "two")
    one, two = made(first), made(second)
    assert (said(one)[0], said(two)[0]) == ("one", "two")
    (first / "helpers" / "__init__.py").write_text("NAME = 'changed'\n")
    assert one.refresh([first / "helpers" / "__init__.py"]).tools
    assert (said(one)[0], said(two)[0]) == ("changed", "two")


SLOW = {
    "the module itself": ("tools.py", TOOLS),
    "a helper of a name that others have too": ("lonely.py", "NAME = 'lonely slow'\n"),
    "a package around what is imported": ("helpers/__init__.py", "NAME = 'slow'\n"),
}


@pytest.mark.parametrize("part", SLOW)
def test_a_project_that_is_slow_to_load_holds_up_nobody_else(tmp_path, part):
    """FAULTS: one of 500 projects slow to load: the others unaffected, by name and by import."""
    slow, quick = project(tmp_path, "slow"), made(project(tmp_path, "quick"))
    file, text = SLOW[part]
    (slow / file).write_text(f"import builtins\nbuiltins._wait_for_test()\n{text}")
    (slow / "tools.py").write_text(f"import lonely\n{(slow / 'tools.py').read_text()}")
    reached, go = threading.Event(), threading.Event()

    def wait() -> None:
        reached.set()
        assert go.wait(30)

    builtins._wait_for_test = wait  # type: ignore[attr-defined]
    late = made(slow)
    thread = threading.Thread(target=late.contribute, daemon=True)
    try:
        thread.start()
        assert reached.wait(30)
        assert said(quick) == ["quick", "quick", "quick", "lonely quick", "1"]
    finally:
        go.set()
        thread.join(30)
        del builtins._wait_for_test  # type: ignore[attr-defined]
    assert said(late) == ["slow", "slow", "slow", "lonely slow", "1"]
    assert said(quick)[0] == "quick"


def test_modules_find_themselves_while_they_load(tmp_path):
    """R-10: a dataclass looks for its own module in Python's table."""
    text = "import dataclasses\n@dataclasses.dataclass\nclass Kept:\n    name: 'str' = 'x'\n"
    packs = []
    for name in ("one", "two"):
        folder = project(tmp_path, name)
        (folder / "helpers" / "__init__.py").write_text(f"{text}NAME = '{name}'\n")
        packs.append(made(folder))
    assert [said(pack)[0] for pack in packs] == ["one", "two"]


def test_projects_that_load_at_the_same_time_stay_apart(tmp_path):
    """R-10: whoever is first, each finds its own."""
    names = [f"p{number}" for number in range(6)]
    packs = [made(project(tmp_path, name)) for name in names]
    with ThreadPoolExecutor(len(packs)) as threads:
        found = list(threads.map(said, packs))
    assert found == [[name, name, name, f"lonely {name}", "1"] for name in names]


def test_a_helper_that_failed_is_imported_anew(tmp_path):
    """S-5, R-10: nothing of a module that failed half-way stays."""
    folder, other = project(tmp_path, "one"), made(project(tmp_path, "two"))
    (folder / "lonely.py").write_text("import helpers\n1 / 0\n")
    (folder / "tools.py").write_text(f"import lonely\n{TOOLS}")
    one = made(folder)
    assert not one.contribute().tools
    assert said(other)[0] == "two"
    (folder / "lonely.py").write_text("NAME = 'mended'\n")
    assert one.refresh([folder / "lonely.py"]).tools
    assert said(one)[3] == "mended"


def test_what_is_missing_is_named_as_the_module_wrote_it(tmp_path):
    """K-15: a private name of ours tells nobody anything."""
    folder = project(tmp_path, "one")
    (folder / "tools.py").write_text("import helpers.nothing\n")
    pack = made(folder)
    (problem,) = [each for each in pack.health() if each.level == "error"]
    assert "No module named 'helpers.nothing'" in problem.text


ALONE = """
import builtins, threading
from pathlib import Path
from toolcrib.packs.custom.pack import CustomPack
from toolcrib.packs.custom.settings import CustomSettings

builtins.begun, builtins.go_on = threading.Event(), threading.Event()
made = lambda name: CustomPack(Path(name).resolve(), CustomSettings(modules=("tools.py",)))
one = made("one")
stuck = threading.Thread(target=one.contribute, daemon=True)
stuck.start()
assert builtins.begun.wait(30)
found = []
second = threading.Thread(
    target=lambda: found.extend(tool.name for tool in made("two").contribute().tools), daemon=True
)
second.start()
second.join(30)
builtins.go_on.set()
stuck.join(30)
print(found, [tool.name for tool in one.contribute().tools])
"""


def test_an_import_that_began_before_there_was_a_second_project_holds_up_nobody(tmp_path):
    """R-10: the first project hangs in a helper whose name the second one has, too."""
    slow = "import builtins\nbuiltins.begun.set()\nbuiltins.go_on.wait()\nNAME = 'one'\n"
    (project(tmp_path, "one") / "helpers" / "__init__.py").write_text(slow)
    project(tmp_path, "two")
    done = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "['who'] ['who']", done.stderr
