"""The layout: small folders, small modules, and tests where one looks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

import toolcrib

SOURCE = Path(toolcrib.__file__).parent
TESTS = Path(__file__).parent
EXCEPTIONS = TESTS / "layout_exceptions.txt"
MODULES = {
    path.relative_to(SOURCE).with_suffix("").as_posix(): path
    for path in sorted(SOURCE.rglob("*.py"))
    if path.name not in ("__init__.py", "__main__.py")
}
# What is shown by the product as a whole, not by one of its modules.
WHOLE = {"e2e", "faults", "security", "docs", "examples", "conformance", "support"}
MOST_MODULES = 15
MOST_LINES = 500


def exceptions() -> set[str]:
    """The names in the file of exceptions; it may only become shorter."""
    lines = EXCEPTIONS.read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def mirrored(test: Path) -> str:
    """The module that a file of tests stands for: `core/test_tool.py` for `core/tool`."""
    own = test.relative_to(TESTS)
    return (own.parent / own.stem.removeprefix("test_")).as_posix()


def files_of_tests() -> list[Path]:
    """All but those of the product as a whole; `tests/test_settings.py` is that of `settings`."""
    found = sorted(TESTS.rglob("test_*.py"))
    shared = {path for path in TESTS.glob("test_*.py") if mirrored(path) not in MODULES}
    return [
        path
        for path in found
        if path not in shared and path.relative_to(TESTS).parts[0] not in WHOLE
    ]


def without_tests() -> set[str]:
    """Modules that no file of tests stands for."""
    return set(MODULES) - {mirrored(test) for test in files_of_tests()}


def without_module() -> set[str]:
    """Files of tests that stand for no module."""
    named = {mirrored(test): test for test in files_of_tests()}
    return {named[name].relative_to(TESTS).as_posix() for name in named if name not in MODULES}


def test_a_file_of_tests_stands_where_its_module_does() -> None:
    """HOUSE: tests/<path>/test_<module>.py for src/toolcrib/<path>/<module>.py."""
    assert not without_module() - exceptions()


def test_a_new_module_comes_with_its_tests() -> None:
    """HOUSE: a file of tests for each module, but for those that are still shown by others."""
    assert not without_tests() - exceptions()


def test_the_list_of_exceptions_only_becomes_shorter() -> None:
    """HOUSE: what is no exception any more has to leave the list."""
    assert not exceptions() - without_tests() - without_module()
    assert len(exceptions()) <= 190


def folders() -> list[Path]:
    found = {path.parent for path in MODULES.values()}
    return sorted(found - {SOURCE / "cli" / "commands"})


@pytest.mark.parametrize("folder", folders(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_folder_has_at_most_fifteen_modules(folder: Path) -> None:
    """HOUSE: no flat folders; `cli/commands`, whose names are the commands, may have more."""
    own = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert len(own) <= MOST_MODULES


@pytest.mark.parametrize("name", MODULES)
def test_a_module_can_be_read_at_one_sitting(name: str) -> None:
    """HOUSE: at most 500 lines."""
    assert len(MODULES[name].read_text().splitlines()) <= MOST_LINES
