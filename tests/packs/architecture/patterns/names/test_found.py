from __future__ import annotations

import pytest

from toolcrib.packs.architecture.patterns.names.found import FoundNames, line_and_column


@pytest.mark.parametrize(
    ("role", "name", "code", "there"),
    [
        ("call", "os.system", "import os as o\no.system('x')\n", True),
        ("call", "os.system", "from os import system\nsystem('x')\n", True),
        ("call", "os.system", "cos.system('x')\n", False),
        ("call", "os.system", "import platform\nplatform.system()\n", False),
        ("call", "print", "x.\\\n  print(1)\n", False),
        ("call", "print", "import builtins\nbuiltins.print(1)\n", True),
        ("import", "requests", "import requests.sessions\n", True),
        ("import", "requests", "from a.requests import b\n", False),
        ("import", "requests", "requests = 3\n", False),
        ("any", "requests", "requests = load()\nuse(requests)\n", False),
        ("any", "requests", "import requests\n", True),
        ("any", "eval", "f'{eval(x)}'\n", True),
    ],
)
def test_a_forbidden_name_is_found_in_its_role_alone(
    role: str, name: str, code: str, there: bool
) -> None:
    """A-6: by what Python itself reads."""
    found = FoundNames(code, "python").place(role, name.split("."), loosely=False)  # type: ignore[arg-type]
    assert (found is not None) is there


@pytest.mark.parametrize("code", ["f(\n    get_by_id=3,\n)\n", "repo.get_by_id = 3\n"])
def test_an_argument_or_another_objects_field_is_no_definition(code: str) -> None:
    """A-6: words that ask for a definition are not met by a name in another role."""
    assert FoundNames(code, "python").place("definition", ["get_by_id"], loosely=True) is None


def test_code_that_does_not_read_is_searched_by_its_text() -> None:
    """A-6: beside what could be checked before it."""
    found = FoundNames("print(1)\nx = = 3\n", "python")
    assert found.place("call", ["print"], loosely=False) == (1, 1)


def test_places_count_from_one() -> None:
    assert line_and_column("a\nbc", 3) == (2, 2)
