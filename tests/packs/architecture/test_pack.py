"""A-9, S-5: what the pack hands out, and how it stays current."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.unmeasured import unmeasured
from toolcrib.core.schema import check_definition
from toolcrib.core.tool import CallContext
from toolcrib.packs.architecture import tools as tools_package
from toolcrib.packs.architecture.pack import ArchitecturePack
from toolcrib.packs.architecture.settings import ArchitectureSettings, detect

Write = Callable[[dict[str, str]], Path]
TOOLS = ["check-adr-alignment", "search-architecture", "validate-against-pattern"]
FILES = {
    "mcp/resources/adr/0001-first.md": "# 1. First\n\n## Status\n\nAccepted\n",
    "mcp/resources/patterns/repository.md": "# Repository\n",
}


@pytest.fixture
def pack(write: Write) -> ArchitecturePack:
    return ArchitecturePack(write(FILES), ArchitectureSettings())


def test_contributions_cost_no_reading(pack: ArchitecturePack) -> None:
    """A-1: constructing the pack and asking for its contributions do no scan."""
    contributions = pack.contribute()
    assert [tool.name for tool in contributions.tools] == TOOLS
    assert contributions.resources is not None
    assert contributions.prompts is not None
    assert len(contributions.resources.templates()) == 3
    assert not pack.library.loaded


def test_every_tool_is_sound_and_tells_the_truth_about_itself(pack: ArchitecturePack) -> None:
    """K-12, K-15: title, truthful annotations, schemas; failures are protocol errors."""
    for tool in pack.contribute().tools:
        check_definition(tool)
        assert tool.title and tool.output_schema and tool.origin.startswith("toolcrib.packs")
        assert tool.annotations.to_wire() == {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        assert tool.failures == "protocol"
        assert "workflow" in tool.input_schema["properties"]
        assert "workflow" not in tool.input_schema["required"]


def test_a_new_tool_needs_one_file(
    pack: ArchitecturePack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A-9: no change to protocol or manager."""
    (tmp_path / "count_decisions.py").write_text(
        "from toolcrib.core.tool import Tool\n"
        "def tool(library):\n"
        "    return Tool('count-decisions', 'Counts', {'type': 'object', 'properties': {}},\n"
        "                run=lambda arguments, context: {'count': len(library.records('adr'))})\n"
    )
    monkeypatch.setattr(tools_package, "__path__", [*tools_package.__path__, str(tmp_path)])
    found = {tool.name: tool for tool in pack.contribute().tools}
    assert sorted(found) == sorted([*TOOLS, "count-decisions"])
    assert asyncio.run(found["count-decisions"].execute({}, CallContext())) == {"count": 1}


def test_a_change_is_told_to_those_whom_it_concerns(pack: ArchitecturePack, tmp_path: Path) -> None:
    """S-5: the right list_changed and updated notifications."""
    file = tmp_path / "mcp/resources/adr/0001-first.md"
    assert not pack.refresh([])
    file.write_text(file.read_text() + "\nMore.\n")
    changes = pack.refresh([file])
    assert (changes.resources, changes.prompts, changes.tools) == (False, False, False)
    assert changes.updated == ("architecture://adr/0001",)
    new = tmp_path / "mcp/resources/adr/0002-second.md"
    new.write_text("# 2. Second\n")
    changes = pack.refresh([new])
    assert (changes.resources, changes.updated) == (True, ())
    new.unlink()
    changes = pack.refresh([new])
    assert (changes.resources, changes.updated) == (True, ("architecture://adr/0002",))


def test_a_change_before_the_first_question_is_told_all_the_same(
    pack: ArchitecturePack, tmp_path: Path
) -> None:
    """S-5: nothing is missed."""
    assert pack.refresh([tmp_path / "mcp/resources/adr/0001-first.md"]).resources


def test_it_watches_its_folders_whether_they_exist_or_not(
    pack: ArchitecturePack, tmp_path: Path
) -> None:
    """S-5: a folder may come later."""
    watched = pack.watched()
    for folder in ("mcp/resources/adr", "docs/decisions", "mcp/prompts"):
        assert tmp_path / folder in watched


def test_health_tells_what_is_wrong(write: Write) -> None:
    """S-9: for doctor and the log."""
    pack = ArchitecturePack(write(FILES))
    assert [each.level for each in pack.health()] == ["ok"]
    write({"mcp/prompts/bad.json": "{"})
    (pack.library.project / "mcp/resources/adr/0002-x.md").write_bytes(b"\0")
    pack.refresh([])
    told = [each.text for each in pack.health()]
    assert told[0].startswith("mcp/resources/adr/0002-x.md: ")
    assert told[1].startswith("mcp/prompts/bad.json:1:2: ")


def test_closing_lets_go_of_the_folders(pack: ArchitecturePack) -> None:
    pack.health()
    before = len(list(Path("/proc/self/fd").iterdir()))
    asyncio.run(pack.close())
    assert len(list(Path("/proc/self/fd").iterdir())) < before


@pytest.mark.parametrize("folder", ["mcp/resources", "docs/adr", "mcp/prompts", "docs/decisions"])
def test_a_repository_with_documents_is_recognised(tmp_path: Path, folder: str) -> None:
    """S-2, A-1: finds what the repo has; only our own folders count while they are empty."""
    assert not detect(tmp_path)
    (tmp_path / folder).mkdir(parents=True)
    assert detect(tmp_path) is folder.startswith("mcp/")
    (tmp_path / folder / "0001-x.md").write_text("# 1. X\n")
    assert detect(tmp_path)


def test_a_start_loads_nothing_heavy(tmp_path: Path) -> None:
    """A-1: spawn to first tools/list is instant."""
    code = (
        "import sys; from pathlib import Path\n"
        "from toolcrib.packs.architecture.pack import ArchitecturePack\n"
        "ArchitecturePack(Path(sys.argv[1])).contribute()\n"
        "heavy = {'yaml', 're2', 'jsonschema_rs', 'sqlite3', 'numpy', 'watchfiles', 'pydantic',\n"
        "  'toolcrib.packs.architecture.reading.status', 'toolcrib.search.index'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(', '.join(sorted(heavy)) or 0)\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, env=unmeasured())
    assert (done.returncode, done.stderr) == (0, "")
