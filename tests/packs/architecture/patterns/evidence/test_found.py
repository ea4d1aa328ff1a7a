from __future__ import annotations

import pytest

from toolcrib.packs.architecture.patterns.evidence.found import speaks_for
from toolcrib.packs.architecture.patterns.languages import find_language


def speaks(code: str, name: str) -> bool:
    language = find_language(name)
    assert language is not None
    return speaks_for(code, language)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("def f(x):\n    return x\n", "python"),
        ('x = f"{a["b"]}"\n', "python"),
        ("const a: string = 'b';\n", "typescript"),
        ("package a\n\nvar b = 3\n", "go"),
        ("key: value\nother:\n  - 1\n", "yaml"),
    ],
)
def test_code_speaks_for_its_language(code: str, name: str) -> None:
    """A-6: language detected when absent, of a later Python too."""
    assert speaks(code, name)


@pytest.mark.parametrize("name", ["python", "typescript", "java", "yaml"])
@pytest.mark.parametrize("text", ["BEGIN; COMMIT;", "# DROP(1)\nVACUUM;", "'print(1)'"])
def test_neither_sql_nor_what_is_quoted_speaks_for_a_language(text: str, name: str) -> None:
    """A-6: SQL is never compliant with rules for another language."""
    assert not speaks(text, name)
