"""D-1, D-2, D-5: the five tools as clients see them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.errors import ExecutionFailed, InvalidArguments
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.schema import check_definition
from toolcrib.core.tool import ToolOutput
from toolcrib.packs.directive.pack import DirectivePack
from toolcrib.packs.directive.settings import DirectiveSettings

NOTHING = {"type": "object", "additionalProperties": False, "properties": {}}
BUNDLE = "Return Agent Operating Procedure, Agent Context, and the"

EXPECTED = [
    {
        "name": "directive/files.list",
        "title": "List Directive Files",
        "description": "List all files under the repository’s `directive/` directory "
        "(context and templates).",
        "inputSchema": NOTHING,
    },
    {
        "name": "directive/file.get",
        "title": "Read Directive File",
        "description": "Read a file under `directive/` by path and return its full contents "
        "verbatim.",
        "inputSchema": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "path": {
                    "type": "string",
                    "description": "Path under directive/ (e.g., directive/agent_context.md)",
                }
            },
            "required": ["path"],
        },
    },
    {
        "name": "directive/spec.template",
        "title": "Spec Template Bundle",
        "description": f"{BUNDLE} Spec template, plus a concise Primer for drafting a new Spec.",
        "inputSchema": NOTHING,
    },
    {
        "name": "directive/impact.template",
        "title": "Impact Template Bundle",
        "description": f"{BUNDLE} Impact template, plus a concise Primer for drafting an Impact "
        "analysis.",
        "inputSchema": NOTHING,
    },
    {
        "name": "directive/tdr.template",
        "title": "TDR Template Bundle",
        "description": f"{BUNDLE} TDR template, plus a concise Primer for drafting a Technical "
        "Design Review.",
        "inputSchema": NOTHING,
    },
]


def call(project: Path, name: str, arguments: Any = None, **settings: Any) -> ToolOutput:
    """One call through the executor, as the server makes it."""
    pack = DirectivePack(project, DirectiveSettings(**settings))
    tools = {tool.name: tool for tool in pack.contribute().tools}

    async def scenario() -> ToolOutput:
        try:
            return await ToolExecutor().run(tools[name], arguments)
        finally:
            await pack.close()

    return asyncio.run(scenario())


def failure(project: Path, name: str, arguments: Any = None, **settings: Any) -> str:
    with pytest.raises((ExecutionFailed, InvalidArguments)) as caught:
        call(project, name, arguments, **settings)
    return str(caught.value)


def test_there_are_exactly_five_tools_worded_to_the_letter(project: Path) -> None:
    """D-1: names, titles, descriptions and input schemas, character by character."""
    tools = DirectivePack(project, DirectiveSettings()).contribute().tools
    shown = [
        {key: wire[key] for key in ("name", "title", "description", "inputSchema")}
        for wire in (tool.to_wire() for tool in tools)
    ]
    assert shown == EXPECTED
    # Nothing else is said of them but the truth about what they do.
    assert {key for tool in tools for key in tool.to_wire()} - set(shown[0]) == {"annotations"}
    assert all(tool.to_wire()["annotations"]["readOnlyHint"] for tool in tools)


def test_the_definitions_are_sound(project: Path) -> None:
    """K-15: our own definitions, which are not checked at each start."""
    for tool in DirectivePack(project, DirectiveSettings()).contribute().tools:
        check_definition(tool)


def test_the_answer_is_one_text_item_and_the_same_object(project: Path) -> None:
    """D-2: one text item with the JSON, and the object as structured content."""
    for name in [tool["name"] for tool in EXPECTED]:
        arguments = {"path": "directive/agent_context.md"} if name.endswith(".get") else {}
        output = call(project, str(name), arguments)
        assert not output.is_error
        assert [item["type"] for item in output.content] == ["text"]
        assert json.loads(output.content[0]["text"]) == output.structured


def test_files_are_listed_sorted_and_prefixed(project: Path) -> None:
    """D-2: `{files: [...]}`, sorted, `directive/`-prefixed, posix."""
    (project / "directive" / "specs" / "x").mkdir(parents=True)
    (project / "directive" / "specs" / "x" / "spec.md").write_text("x")
    (project / "directive" / "empty folder").mkdir()
    assert call(project, "directive/files.list").structured == {
        "files": [
            "directive/agent_context.md",
            "directive/agent_operating_procedure.md",
            "directive/specs/x/spec.md",
            "directive/templates/impact_template.md",
            "directive/templates/spec_template.md",
            "directive/templates/tdr_template.md",
        ]
    }


def test_content_is_verbatim(project: Path) -> None:
    """D-2: a byte order mark, CRLF, tabs and trailing blanks are kept."""
    output = call(project, "directive/file.get", {"path": "directive/agent_context.md"})
    assert output.structured == {
        "path": "directive/agent_context.md",
        "content": "\ufeff# Context\r\n\tok \r\n",
    }


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "Missing required argument 'path': expected a string"),
        ({"path": 5}, "Argument 'path' must be a string, got an integer"),
        ({"path": None}, "Argument 'path' must be a string, got null"),
        ({"path": ["a"]}, "Argument 'path' must be a string, got an array"),
    ],
)
def test_a_missing_or_odd_path_is_named_with_what_is_expected(
    project: Path, arguments: dict[str, Any], text: str
) -> None:
    """D-5: missing or non-string `path`: names the field and what is expected."""
    assert text in failure(project, "directive/file.get", arguments)


def test_an_unknown_argument_is_refused_with_its_name(project: Path) -> None:
    """D-1: `additionalProperties: false`."""
    assert "'file'" in failure(project, "directive/files.list", {"file": "x"})


def test_a_missing_file_comes_with_the_nearest_names(project: Path) -> None:
    """D-5: missing file: the nearest names."""
    text = failure(project, "directive/file.get", {"path": "directive/agent_contxt.md"})
    assert text.startswith("No such file: directive/agent_contxt.md. Nearest: ")
    assert "directive/agent_context.md" in text


def test_missing_template_lists_the_others_and_the_cure(project: Path) -> None:
    """D-5: lists the available templates and suggests `directive update`."""
    (project / "directive" / "templates" / "spec_template.md").unlink()
    text = failure(project, "directive/spec.template")
    assert "Missing template: directive/templates/spec_template.md" in text
    assert "directive/templates/impact_template.md, directive/templates/tdr_template.md" in text
    assert "directive update" in text


@pytest.mark.parametrize("name", [tool["name"] for tool in EXPECTED])
def test_without_the_folder_every_tool_says_how_to_make_it(tmp_path: Path, name: str) -> None:
    """D-5: no `directive/`: suggests `toolcrib directive init`."""
    arguments = {"path": "directive/x.md"} if name.endswith(".get") else {}
    text = failure(tmp_path, name, arguments)
    assert "toolcrib directive init" in text
    assert str(tmp_path) not in text


def test_a_file_that_is_not_utf8_is_an_error_that_says_so(project: Path) -> None:
    """D-2: not UTF-8: a tool error that says so."""
    (project / "directive" / "logo.md").write_bytes(b"ok\n\xff\xfe")
    text = failure(project, "directive/file.get", {"path": "directive/logo.md"})
    assert text == "directive/logo.md is not UTF-8 text (byte 0xff in line 2)"


def test_the_cap_counts_characters(project: Path) -> None:
    """D-2: above the cap: a tool error that says so; limits are in characters, not bytes."""
    target = project / "directive" / "big.md"
    path = {"path": "directive/big.md"}
    target.write_text("ü" * 100)
    assert call(project, "directive/file.get", path, largest_file=100).structured
    target.write_text("ü" * 101)
    text = failure(project, "directive/file.get", path, largest_file=100)
    assert text == "directive/big.md is too large: 101 characters, at most 100 are delivered"
    target.write_text("x" * 1000)
    text = failure(project, "directive/file.get", path, largest_file=100)
    assert text.startswith("directive/big.md is too large: 1,000 bytes")
