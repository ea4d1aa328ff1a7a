"""The tools as they are listed, and the models that they are written from."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import fields, replace

import pytest

from toolcrib.core.errors import ExecutionFailed, InvalidArguments
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import Tool
from toolcrib.packs.guide.pack import GuidePack
from toolcrib.packs.guide.settings import GuideSettings
from toolcrib.packs.guide.tools import listed as toolset
from toolcrib.packs.guide.tools.listed import FILE, Toolset, declared, written

UNSAID = ("run", "validate", "is_async", "origin")


@pytest.fixture
def tools(session):
    return {tool.name: tool for tool in Toolset(session, "guide", "concise").tools}


def test_the_file_says_what_the_models_say():
    """K-13: generated, so that it cannot drift; after a change of a tool: make reference."""
    assert FILE.read_text("utf-8") == written()


@pytest.mark.parametrize("descriptions", ["concise", "full"])
@pytest.mark.parametrize("prefix", ["guide", "", "shop_"])
def test_what_is_listed_is_to_the_letter_what_the_models_would_list(session, prefix, descriptions):
    """K-5, K-9, K-13: the same bytes, whatever the prefix and the style."""
    listed = Toolset(session, prefix, descriptions).tools
    made = declared(prefix, descriptions)
    assert json.dumps([t.to_wire() for t in listed]) == json.dumps([t.to_wire() for t in made])
    for one, other in zip(listed, made, strict=True):
        for each in fields(Tool):
            if each.name not in UNSAID:
                assert getattr(one, each.name) == getattr(other, each.name), each.name
        assert other.origin.startswith(f"{one.origin} (line ")


def test_listing_loads_no_model(project, state):
    """Start-up: the first answer needs no pydantic; the background loads it."""
    code = (
        "import sys; from pathlib import Path\n"
        "from toolcrib.packs.guide.pack import GuidePack\n"
        "from toolcrib.packs.guide.settings import GuideSettings\n"
        "pack = GuidePack(Path('.'), GuideSettings())\n"
        "given = pack.contribute()\n"
        "assert len([t.to_wire() for t in given.tools]) == 20\n"
        "given.resources.templates(), given.prompts.prompts()\n"
        "before = 'pydantic' in sys.modules\n"
        "pack.refresh([])\n"
        "print(before, 'pydantic' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project,
        env={"TOOLCRIB_STATE": str(state)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize("warm", [False, True])
def test_bad_arguments_are_refused_alike_before_and_after_the_models_are_loaded(session, warm):
    """K-17, K-18: all problems, the nearest name, counted as invalid and not as a crash."""
    made = Toolset(session, "guide", "concise")
    tool = next(each for each in made.tools if each.name == "guide_get_content")
    if warm:
        made.load()
    executor = ToolExecutor()
    with pytest.raises(InvalidArguments) as refused:
        asyncio.run(executor.run(tool, {"expresion": "lang", "max_tokens": "many"}))
    assert len(refused.value.problems) == 3
    assert "did you mean 'expression'" in str(refused.value)
    shown = executor.metrics()["tools"]["guide_get_content"]
    assert (shown["failures"], shown["breaker"]) == (1, "closed")


def test_the_first_call_is_answered_before_anything_was_loaded(tools):
    """K-17: a call may come before the background is done."""
    output = asyncio.run(
        ToolExecutor().run(tools["guide_get_content"], {"expression": "lang/java"})
    )
    assert output.structured["value"]["documents"][0]["title"] == "Java"


def test_the_event_loop_never_waits_for_the_models(session, monkeypatch):
    """K-10: a sync tool never blocks the event loop, nor does loading it."""
    gate = asyncio.Event()
    made = Toolset(session, "guide", "concise")
    (tool,) = (each for each in made.tools if each.name == "guide_category_list")

    async def main() -> list[str]:
        loop = asyncio.get_running_loop()

        def slowly(prefix, descriptions):
            # Loading ends only after the loop has run on meanwhile.
            asyncio.run_coroutine_threadsafe(gate.wait(), loop).result(10)
            return declared(prefix, descriptions)

        monkeypatch.setattr(toolset, "declared", slowly)
        call = asyncio.create_task(ToolExecutor().run(tool, {}))
        loop.call_soon(gate.set)
        return [each["name"] for each in (await call).structured["value"]]

    assert asyncio.run(main()) == ["docs", "guidelines", "lang"]


def test_a_tool_that_is_a_coroutine_works_on_its_project_too(session, project, monkeypatch):
    """K-10, G-3: sync and async tools both work."""
    from toolcrib.packs.guide.session import current_session

    async def where(arguments, context):
        await asyncio.sleep(0)
        return str(current_session().project)

    original = declared
    monkeypatch.setattr(
        toolset, "declared", lambda *style: [replace(t, run=where) for t in original(*style)]
    )
    made = Toolset(session, "guide", "concise")
    output = asyncio.run(ToolExecutor().run(made.tools[0], {"name": "x", "dir": "x"}))
    assert output.content[0]["text"] == str(project)


def test_a_crash_while_loading_is_told_and_tried_again(tools, monkeypatch):
    """FAULTS: nothing is cached that failed."""

    def broken(prefix, descriptions):
        raise ImportError("no model today")

    executor = ToolExecutor()
    with monkeypatch.context() as patch:
        patch.setattr(toolset, "declared", broken)
        with pytest.raises(ExecutionFailed, match="no model today"):
            asyncio.run(executor.run(tools["guide_category_list"], {}))
    assert asyncio.run(executor.run(tools["guide_category_list"], {})).structured["success"]


def test_with_the_examples_the_models_are_listed_themselves(project, monkeypatch):
    """K-11: what is in no file is listed all the same."""
    monkeypatch.setenv("MCP_INCLUDE_EXAMPLE_TOOLS", "yes")
    listed = GuidePack(project, GuideSettings()).contribute().tools
    monkeypatch.delenv("MCP_INCLUDE_EXAMPLE_TOOLS")
    plain = GuidePack(project, GuideSettings()).contribute().tools
    names = [tool.name for tool in listed]
    assert names == sorted([*(tool.name for tool in plain), "guide_example_greet"])
