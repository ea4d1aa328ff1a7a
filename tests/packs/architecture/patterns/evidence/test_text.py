from __future__ import annotations

import pytest

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.patterns.evidence.text import text_evidence


@pytest.mark.parametrize(
    "text",
    [
        "BEGIN; COMMIT;",
        "hello; world",
        "SET x = 3;",
        "SELECT print(1);",
        "GRANT (x);",
        "Remember: commit();",
        "[server]\nport = 80\n",
        "ports: [80, 81]\n",
        "a: b\nc: d\n",
        "key=value\nother=value2\n",
        "x <- f(1)",
        "days.wide.sun = \u516d\n",
        "xdist.looponfail = xdist.looponfail\n",
    ],
)
@pytest.mark.parametrize("language", ["typescript", "java", "cpp", "go"])
def test_what_does_nothing_is_no_code(text: str, language: str) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`, and so is what is none."""
    assert not text_evidence(text, language, signs=0)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("javascript", "this.items = items;\n"),
        ("javascript", "if (a) run(b);\nstop(b);\n"),
        ("javascript", "total = a +\n  b.c;\nitems[1] = total + 1;\n"),
        ("typescript", "repo\n  .load()\n  .then(show);\nshow(1);\n"),
        ("java", "int x = 3;\n"),
        ("go", "defer f.Close()\n"),
        ("rust", "let x = load(1)?;\n"),
        ("ruby", "db.commit\n"),
        ("lua", "x = 1\n"),
        ("cpp", "for (int i = 0; i < n; i++) {\n  run(i);\n}\n"),
    ],
)
def test_what_calls_or_assigns_is_code(language: str, code: str) -> None:
    """A-6: language detected when absent."""
    assert text_evidence(code, language, signs=0)


def test_a_sign_counts_for_no_more_than_a_statement_that_does_nothing() -> None:
    assert text_evidence("f(1)\n", "typescript", signs=1)
    assert not text_evidence("hello\nworld\n", "typescript", signs=2)


@pytest.mark.parametrize("piece", ["a ", "a: ", "f(", "[", "a.b", "x = ", "{}", "if ()", "return "])
@pytest.mark.timing
def test_a_long_line_is_read_in_linear_time(piece: str) -> None:
    """A-6: one call takes no longer than its text deserves."""
    assert_grows_slowly(lambda size: text_evidence(piece * size, "typescript", signs=0), 1_000)
