"""How tests wait and how they look at the clock."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from support.growth import assert_costs_at_most, assert_grows_slowly
from support.skips import wrongly_skipped

TESTS = Path(__file__).parent
FILES = [path for path in sorted(TESTS.rglob("*.py")) if path.name != "waiting.py"]
REASON = re.compile(r"# (no event|work): \w+")
CLOCKS = re.compile(r"time\.(monotonic|perf_counter|process_time|thread_time)\(\) - \w+ <=? *[\d.]")


def sleeps(text: str) -> list[int]:
    """The lines in which a test sleeps for some time; `sleep(0)` only lets others run."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("sleep") and node.args:
            given = node.args[0]
            if not (isinstance(given, ast.Constant) and given.value == 0):
                found.append(node.lineno)
    return found


# Parsed while tests are collected: Python 3.11 may fail where another thread parses as well.
SLEEPS = {path: sleeps(path.read_text()) for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_test_sleeps_until_something_has_probably_happened(path: Path) -> None:
    """HOUSE: tests wait for events (`support.waiting`); what sleeps says why."""
    lines = path.read_text().splitlines()
    for line in SLEEPS[path]:
        assert REASON.search(lines[line - 1]), f"{path}:{line}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_test_fails_because_the_machine_is_busy(path: Path) -> None:
    """HOUSE: ratios of one run (`support.growth`), or promises by marker (`support.clock`)."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        assert not (line.lstrip().startswith("assert ") and CLOCKS.search(line)), f"{path}:{number}"


def test_work_that_grows_with_the_square_of_its_size_is_found() -> None:
    """HOUSE: the measure itself can fail."""
    assert_grows_slowly(lambda size: sum(range(size * 100)), 100)
    with pytest.raises(AssertionError, match="times as long"):
        assert_grows_slowly(lambda size: sum(sum(range(size)) for _ in range(size)), 100)
    with pytest.raises(AssertionError, match="yardsticks"):
        assert_costs_at_most(10.0, 100)


def test_a_skip_for_want_of_an_installed_part_is_found() -> None:
    """HOUSE: nobody notices otherwise when these tests are lost."""
    reasons = Counter(["rg is not installed", "Chromium cannot be started", "only on macOS"])
    assert wrongly_skipped(reasons, "rg,ripgrep,bwrap") == ["rg is not installed"]
    assert wrongly_skipped(reasons, "chromium") == ["Chromium cannot be started"]
    assert wrongly_skipped(reasons, "") == []
