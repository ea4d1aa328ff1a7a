from __future__ import annotations

import pytest

from toolcrib.packs.architecture.patterns.names.python import python_names


def roles(code: str, role: str) -> list[tuple[str, int, int]]:
    found = python_names(code)
    assert found is not None
    return [(".".join(n.parts), n.line, n.column) for n in found if n.role == role]


def test_definitions_are_functions_classes_and_what_a_module_or_class_assigns() -> None:
    """A-6: words that ask for a definition are met by one, of any kind."""
    code = (
        "class R:\n    limit = 3\n    kind: str\n    async def find(self):\n"
        "        self.seen = 1\n        local = 2\n\nalias, other = f, g\n"
    )
    names = {name for name, _, _ in roles(code, "definition")}
    assert names == {"R", "R.limit", "R.kind", "R.find", "R.seen", "alias", "other"}


@pytest.mark.parametrize(
    "code",
    ["f(name=3)\n", "def f(name): ...\n", "x.name = 3\n", "import name\n", "for name in x: ...\n"],
)
def test_arguments_parameters_and_imports_define_nothing(code: str) -> None:
    assert "name" not in {name for name, _, _ in roles(code, "definition")}


def test_a_call_is_known_by_what_was_imported_too() -> None:
    """A-6: `from os import system` does not hide a call of `os.system`."""
    assert ("os.system", 2, 1) in roles("from os import system\nsystem('x')\n", "call")
    assert ("os.system", 2, 3) in roles("import os as o\no.system('x')\n", "call")


def test_calls_in_f_strings_and_decorators_are_seen_with_their_places() -> None:
    assert "print" in {name for name, _, _ in roles("x = f'{print(1)}'\n", "call")}
    assert ("validate", 1, 2) in roles("@validate\ndef f(): ...\n", "call")


def test_places_count_characters_of_the_code_as_it_was_given() -> None:
    """A-6: places counted from 1."""
    assert roles("    é = 'é'; print(1)\n", "call") == [("print", 1, 14)]


def test_imports_are_told_with_their_modules() -> None:
    code = "import a.b, c as d\nfrom e.f import g\nfrom . import h\n__import__('i')\n"
    names = {name for name, _, _ in roles(code, "import")}
    assert {"a.b", "c", "e.f", "e.f.g", "g", "h", "i"} <= names


def test_what_is_no_python_has_no_names() -> None:
    assert python_names("SELECT a FROM b;") is None
    assert python_names("x = " + "(" * 30_000) is None
