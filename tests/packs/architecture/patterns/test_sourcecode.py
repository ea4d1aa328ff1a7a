from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.patterns.sourcecode import (
    code_in_fences,
    path_in_comment,
    without_comments,
    without_strings,
)


@pytest.mark.parametrize(
    ("language", "code", "kept", "gone"),
    [
        ("python", "x = 1  # use eval\n'''not # a comment'''\n", "x = 1", "eval"),
        ("python", 'def f():\n    """Never call eval."""\n    return "# no"\n', '"# no"', "eval"),
        ("go", 'x := "// no" // use eval\n/* eval\neval */ y', '"// no"', "eval"),
        ("lua", "x = 1 -- eval", "x = 1", "eval"),
        (None, "#include <a.h>\nx // eval\n# eval\n", "#include <a.h>", "eval"),
    ],
)
def test_comments_are_blanked_and_the_rest_keeps_its_place(
    language: str | None, code: str, kept: str, gone: str
) -> None:
    bare = without_comments(code, language)
    assert kept in bare
    assert gone not in bare
    assert len(bare) == len(code)
    assert bare.index(kept) == code.index(kept)


def test_strings_are_hollowed() -> None:
    assert without_strings('f(\'eval\', "a\\"b") + eval(x)') == "f('    ', \"    \") + eval(x)"
    assert without_strings("x = 'unclosed") == "x = '       d"[:12] + "d"


@pytest.mark.parametrize(
    ("code", "path"),
    [
        ("# shop/services/a.py\nx = 1", "shop/services/a.py"),
        ("\n// file: ./src/a.ts\n", "src/a.ts"),
        ("/* src/a/b.go */\npackage a", "src/a/b.go"),
        ('"""shop/a.py"""\n', "shop/a.py"),
        ("# see shop/a.py for more", None),
        ("# a.py", None),
        ("x = 1  # shop/a.py", None),
        ("", None),
    ],
)
def test_a_comment_on_the_first_line_may_name_the_file(code: str, path: str | None) -> None:
    """A-6: `paths` of a rule can be respected although the tool has no path."""
    assert path_in_comment(code) == path


@given(st.text(alphabet="ab\"'`\\#/*-\n ", max_size=200), st.sampled_from(["python", "go", None]))
def test_any_code_keeps_its_length_and_its_lines(code: str, language: str | None) -> None:
    for changed in (without_comments(code, language), without_strings(code, language)):
        assert len(changed) == len(code)
        assert changed.count("\n") == code.count("\n")


@pytest.mark.parametrize("unit", ['"', "'", "\\", '"\\', "/*", "#", '"""', "`\\", "'a\\\n"])
def test_hostile_code_takes_no_time(unit: str) -> None:
    """A-6: no code can stall the server."""
    assert_grows_slowly(
        lambda size: without_strings(without_comments(unit * size)), 80_000, most=6.5
    )


def test_code_in_fences_is_found_by_language_and_keeps_its_lines() -> None:
    """A-6: what a fence holds is read as the code that it says."""
    text = "Here:\n```py\na = 1\n```\n\n```python title=x\nb = 2\n```\n```text\nc\n```\n"
    assert code_in_fences(text) == {"python": "\n\na = 1\n\n\n\nb = 2\n"}
    assert code_in_fences("~~~\nx\n~~~") == {"": "\nx\n"}
    assert code_in_fences("```text\nx\n```") == {"text": "\nx\n"}


@pytest.mark.parametrize(
    "code",
    [
        'def f():\n    """Shows:\n\n```python\nprint(1)\n```\n"""\n',
        "/**\n * ```ts\n * f()\n * ```\n */\nexport const f = () => 1;\n",
        "x = 1\n",
    ],
)
def test_a_program_that_shows_a_fence_is_no_markdown(code: str) -> None:
    """A-6: the code itself is what is checked."""
    assert code_in_fences(code) == {}
