"""The pages for contributors, and the habits of the project."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml

import toolcrib
from support.pages import DOCS, ROOT

PAGE = (DOCS / "contributing" / "architecture.md").read_text()
PATHS = sorted(set(re.findall(r"`((?:\w+/)*\w+\.(?:py|json))`", PAGE)))


@pytest.mark.parametrize("path", PATHS)
def test_every_file_on_the_map_is_there(path: str) -> None:
    """HOUSE: a map of what is there."""
    assert (ROOT / "src" / "toolcrib" / path).is_file() or (ROOT / path).is_file()


def test_the_map_follows_a_call_a_change_and_a_search() -> None:
    """HOUSE: each as a numbered list of files."""
    for topic in ("call", "change on disk", "search"):
        section = PAGE.split(f"## How a {topic} is processed")[1].split("\n## ")[0]
        steps = re.findall(r"^\d+\. ", section, re.MULTILINE)
        assert len(steps) >= 5
        assert len(re.findall(r"`[\w/]+\.py`", section)) >= 5


def test_the_glossary_is_sorted_and_says_each_word_once() -> None:
    """HOUSE: one meaning for a word."""
    text = (DOCS / "contributing" / "glossary.md").read_text()
    words = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)[1:]
    words = [word for word in words if not word.startswith("-")]
    assert words == sorted(words, key=str.casefold)
    assert len(words) == len(set(words))


def test_ci_runs_the_same_everywhere_on_every_supported_python() -> None:
    """HOUSE: one command; Python 3.11 to 3.14."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    job = workflow["jobs"]["ci"]
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert any(step.get("run") == ".ci/run" for step in job["steps"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [line for line in project["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert [line.rpartition(" ")[2] for line in named] == job["strategy"]["matrix"]["python"]


def test_every_target_that_ci_calls_is_in_the_makefile() -> None:
    """HOUSE: .ci/run calls nothing that does not exist."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    called = re.findall(r"^make (.+)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    words = {word for line in called for word in line.split() if word.islower()}
    assert words and words <= targets


def test_the_version_is_the_same_everywhere() -> None:
    """HOUSE: RELEASING.md."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == toolcrib.__version__
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert re.findall(r"^## (.+)$", changes, re.MULTILINE)[:2] == ["Unreleased", project["version"]]
