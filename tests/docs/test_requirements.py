"""U-3: a page maps every requirement to where it lives, and every requirement has its test."""

from __future__ import annotations

import importlib.util
import re
import sys
from types import ModuleType

import pytest

from support.pages import DOCS, ROOT


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("requirements", ROOT / "scripts/requirements.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["requirements"] = module  # a dataclass looks its own module up
    spec.loader.exec_module(module)
    return module


FOUND = script().read()
# Numbers that no test shows yet. This may only become less.
NOT_YET = {number for number in FOUND.numbers if number[0] in "TXRW" or number in {"S-10", "A-10"}}
NOT_YET |= {"G-7", "G-8", "G-9", "C-12", "C-13", "C-14"}


def test_the_numbers_are_whole():
    """U-3: none was forgotten, and they are told in order."""
    most = {"K": 20, "S": 10, "D": 8, "A": 10, "G": 9, "C": 14, "U": 3}
    most |= {"T": 22, "X": 31, "R": 17, "W": 17}
    wanted = [f"{letter}-{n}" for letter, last in most.items() for n in range(1, last + 1)]
    assert list(FOUND.numbers) == wanted


@pytest.mark.parametrize("number", [each for each in FOUND.numbers if each not in NOT_YET])
def test_every_number_is_quoted_by_a_test_of_its_own_module(number):
    """U-3: from a requirement to its proof."""
    assert FOUND.quoted.get(number), f"no test quotes {number}"
    assert script().modules(FOUND.quoted[number]), f"no module's own tests quote {number}"


def test_what_is_not_built_yet_is_not_promised():
    """U-3: the page names only what is shown."""
    page = (DOCS / "requirements.md").read_text()
    assert not [
        number for number in NOT_YET if f">{number}<" in page and number not in FOUND.quoted
    ]


def test_no_test_quotes_a_number_that_does_not_exist():
    """U-3: a typo in a docstring would be a proof of nothing."""
    assert set(FOUND.quoted) <= set(FOUND.numbers)


@pytest.mark.parametrize("source", FOUND.sources, ids=lambda source: source["title"])
def test_every_requirement_of_a_source_is_carried_by_numbers(source):
    """U-3: also those that have no number of ours."""
    for name, (words, *numbers) in source["requirements"].items():
        assert words and numbers and set(numbers) <= set(FOUND.numbers), name


def test_the_sources_are_whole():
    """U-3: FR-001 to FR-017 and SC-001 to SC-007."""
    names = [name for source in FOUND.sources for name in source["requirements"]]
    for wanted in [*(f"FR-{n:03}" for n in range(1, 18)), *(f"SC-{n:03}" for n in range(1, 8))]:
        assert wanted in names


def test_the_page_is_not_stale():
    """U-3: after a change of requirements: make reference.

    Proofs that are not on the page yet do no harm; one that is gone, or proves nothing, does.
    """
    shown = proofs((DOCS / "requirements.md").read_text())
    for number, files in shown.items():
        assert files and set(files) <= set(FOUND.quoted[number]), number
    assert not [number for number in FOUND.numbers if number not in shown and number not in NOT_YET]


def proofs(page: str) -> dict[str, list[str]]:
    """The files of tests that the page names, by number."""
    rows = re.findall(r"^\| <span[^>]*>([^<]+)</span> .*\|([^|]*)\|$", page, re.MULTILINE)
    return {number: re.findall(r"`([^`]+)`", cell) for number, cell in rows}
