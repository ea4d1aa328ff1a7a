"""The patterns of the example project: every rule holds, and so does the example's own code."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from toolcrib.core.tool import CallContext
from toolcrib.files.markdown.fences import fenced_blocks
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.patterns.check import check_files
from toolcrib.packs.architecture.patterns.examples import is_bad_example
from toolcrib.packs.architecture.patterns.rulebook import check_library
from toolcrib.packs.architecture.tools import validate_against_pattern

SHOP = Path(__file__).resolve().parents[2] / "examples" / "shop"
PATTERNS = (
    "dependency-direction",
    "dto-boundary",
    "error-handling",
    "feature-flags",
    "no-sql-in-handlers",
    "repository-pattern",
)


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(SHOP)


def test_the_six_patterns_are_there_and_every_rule_keeps_its_word(library: Library) -> None:
    """A-6: six pattern documents with rules, each checked against its own snippets."""
    assert {record.name for record in library.records("patterns")} >= set(PATTERNS)
    assert asyncio.run(check_library(library)) == []


@pytest.mark.parametrize("name", PATTERNS)
def test_good_samples_are_compliant_and_bad_ones_are_not(library: Library, name: str) -> None:
    """A-6: a document's own sample code must always be compliant."""
    tool = validate_against_pattern.tool(library)
    document = library.document(library.find(f"architecture://patterns/{name}"))
    blocks = [each for each in fenced_blocks(document.body) if each.language == "python"]
    assert {is_bad_example(each) for each in blocks} == {True, False}
    for block in blocks:
        arguments = {"code": block.text, "pattern_name": name}
        answer = asyncio.run(tool.run(arguments, CallContext()))
        assert answer["mode"] == "rules"
        assert answer["compliant"] is not is_bad_example(block), answer["violations"]


def test_the_code_of_the_example_keeps_its_own_rules(library: Library) -> None:
    report = asyncio.run(check_files(library, SHOP, [SHOP / "shop"]))
    assert report.files > 20
    assert report.findings == []
    assert report.problems == []
    assert report.notes == []
