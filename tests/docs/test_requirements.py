"""U-3: a page maps every requirement to where it lives, and every requirement has its test."""

from __future__ import annotations

import importlib.util
import re
import sys
from types import ModuleType

import pytest

from support.pages import DOCS, ROOT

SOURCE = ROOT / "src" / "toolcrib"


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("requirements", ROOT / "scripts/requirements.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["requirements"] = module  # a dataclass looks its own module up
    spec.loader.exec_module(module)
    return module


FOUND = script().read()


def test_the_numbers_are_whole():
    """U-3: none was forgotten, and they are told in order."""
    most = {"K": 20, "S": 9, "D": 8, "A": 9, "G": 6, "C": 11, "U": 3}
    wanted = [f"{letter}-{n}" for letter, last in most.items() for n in range(1, last + 1)]
    assert list(FOUND.numbers) == wanted


@pytest.mark.parametrize("number", FOUND.numbers)
def test_every_number_is_quoted_by_a_test_and_lives_in_code_that_is_there(number):
    """U-3: from a requirement to its proof."""
    assert FOUND.quoted.get(number), f"no test quotes {number}"
    _, *code = FOUND.numbers[number]
    assert code and all((SOURCE / file).is_file() for file in code)


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
    page = (DOCS / "requirements.md").read_text()
    assert without_proofs(page) == without_proofs(script().render(FOUND))
    for number, files in proofs(page).items():
        assert files and set(files) <= set(FOUND.quoted[number]), number


def without_proofs(page: str) -> str:
    return re.sub(r"[^|]*\|$", "", page, flags=re.MULTILINE)


def proofs(page: str) -> dict[str, list[str]]:
    """The files of tests that the page names, by number."""
    rows = re.findall(r"^\| <span[^>]*>([^<]+)</span> .*\|([^|]*)\|$", page, re.MULTILINE)
    assert len(rows) == len(FOUND.numbers)
    return {number: re.findall(r"`([^`]+)`", cell) for number, cell in rows}
