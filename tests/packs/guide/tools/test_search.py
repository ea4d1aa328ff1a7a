"""`guide_search`: what the project has to say about a task."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolcrib.core.executor import ToolExecutor
from toolcrib.packs.guide.pack import GuidePack
from toolcrib.packs.guide.settings import GuideSettings


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """The tool on a small project, with its files to be written."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project = tmp_path / "project"
    project.mkdir()

    def asked(files, **arguments):
        for name, text in files.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(text)
        pack = GuidePack(project, GuideSettings())
        tool = next(each for each in pack.contribute().tools if each.name == "guide_search")
        output = asyncio.run(ToolExecutor().run(tool, arguments))
        assert json.loads(output.content[0]["text"]) == output.structured
        for each in (output.structured.get("value") or {}).get("results", []):
            assert asyncio.run(pack.contribute().resources.read(each["uri"]))
        return output.structured

    return asked


SKILL = "---\nname: frontend-code-review\ndescription: Review frontend code\n---\nLook at it.\n"


@pytest.mark.parametrize(
    "home",
    [".agents", ".claude", ".codex", ".github", ".gemini", ""],
)
def test_a_skill_is_found_by_what_it_is_for_wherever_it_lies(ask, home):
    """G-7, G-9, S-10: `review frontend code` finds the skill of that purpose."""
    file = f"{home}/skills/frontend-code-review/SKILL.md".lstrip("/")
    answer = ask({file: SKILL}, query="review frontend code")
    (found,) = answer["value"]["results"]
    assert (found["kind"], found["uri"]) == ("skill", "skill://frontend-code-review/SKILL.md")
    assert "Review frontend code" in found["excerpt"]


def test_rules_content_and_documentation_are_found_with_their_kinds(ask):
    """S-10: rules, what a category holds, and docs, README and CONTRIBUTING."""
    files = {
        "AGENTS.md": "# Agents\nRun the linter first.",
        "guide/lang/python.md": "# Python\nWrite type hints.",
        "docs/release.md": "# Releasing\nTag the version.",
        "README.md": "# Shop\nInstall it with pip.",
        "docs/logo.png": "no text",
    }
    for query, kind, uri in (
        ("linter", "rule", "guide://agents/AGENTS.md"),
        ("type hints", "content", "guide://lang/python.md"),
        ("tag a version", "content", "guide://docs/docs/release.md"),
        ("install with pip", "content", "guide://docs/README.md"),
    ):
        found = ask(files, query=query)["value"]["results"][0]
        assert (found["kind"], found["uri"]) == (kind, uri)
    assert ask(files, query="linter", kinds=["skill"])["value"]["total_matches"] == 0


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"query": ""}, "query"),
        ({"query": " \t "}, "query"),
        ({"query": "x" * 501}, "query"),
        ({"query": "x", "limit": 21}, "limit"),
        ({"query": "x", "kinds": ["tool"]}, "kinds"),
    ],
)
def test_what_is_out_of_bounds_is_told_with_the_field(ask, arguments, field):
    """S-10: query ≤ 500, kinds of the list, limit 1 to 20."""
    from toolcrib.core.errors import InvalidArguments

    with pytest.raises(InvalidArguments, match=field):
        ask({"README.md": "x"}, **arguments)
