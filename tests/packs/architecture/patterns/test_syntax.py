from __future__ import annotations

import asyncio

import pytest

from toolcrib.packs.architecture.patterns.languages import find_language
from toolcrib.packs.architecture.patterns.syntax import (
    tell_language,
    unreadable_from,
)


def first_bad_line(code: str, name: str) -> int | None:
    language = find_language(name)
    assert language is not None
    return asyncio.run(unreadable_from(code, language))


def told(code: str, *expected: str) -> str | None:
    language = asyncio.run(tell_language(code, frozenset(expected)))
    return language.name if language else None


@pytest.mark.parametrize(
    ("language", "code", "line"),
    [
        ("typescript", "const a = 1;\nfunction f() { return a", 2),
        ("typescript", "class A { f() { return 1; }", 1),
        ("javascript", "let a;\nif (a) {\n", 2),
        ("go", "package a\n\nfunc f() { x := }\n", 3),
        ("go", 'package a\n\nimport "fmt\n', 3),
        ("java", "class A {\n  int x = 1\n}\n", 2),
        ("java", "class A { void f() { g(1; } }", 1),
        ("rust", "fn main() { f(1 }", 1),
        ("csharp", "class A { void F() { G(1; } }", 1),
        ("ruby", "def f\n", 1),
        ("php", "<?php f(1;", 1),
        ("c", "int main() { return 0 }", 1),
        ("bash", "if [ x ]; then\n  ls\n", 2),
        ("json", '{"a": 1', 1),
        ("lua", "x = \n", 1),
        ("python", "import json\nprint('a'\n", 2),
        ("python", "x = = 3", 1),
    ],
)
def test_code_that_lacks_something_does_not_read(language: str, code: str, line: int) -> None:
    """A-6: the line from which on it does not read, also where only a brace is missing."""
    assert first_bad_line(code, language) == line


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("typescript", "class A<T> { f(x?: T): T | undefined { return x } }\nconst s = `a${1}`\n"),
        ("go", "package a\n\nfunc f() {}\n"),
        ("java", 'class A { /**/ String s = ""; void f() { } }'),
        ("rust", 'fn main() { let s = ""; }\n'),
        ("bash", "cat <<EOF\na $x\nEOF\nf() {\n  # \n  ls\n}\n"),
        ("lua", "--\nlocal s = [[]]\nreturn s\n"),
        ("yaml", "a:\n  b: ''\n#\n"),
        ("json", '{"a": "", "b": {}, "c": []}'),
        ("python", "def f[T](x: T) -> T:\n    return x\n"),
        ("python", "type X = int\n"),
        ("python", "type X[T] = list[T]\n"),
        ("python", "class A[T: list[int]]:\n    pass\n"),
        ("python", "def f[T = int, **P](x: T) -> T: return x\n"),
        ("python", "def f[\n    T,\n](x: T) -> T:\n    return x\n"),
        ("python", 'x = f"{a["b"]}"\n'),
        ("python", "    def method(self):\n        return 1\n"),
        ("python", ""),
    ],
)
def test_what_is_empty_or_newer_than_this_python_reads(language: str, code: str) -> None:
    """A-6: only what the language cannot read is unreadable."""
    assert first_bad_line(code, language) is None


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("interface R { Order getById(String id); }", "java"),
        ("interface R { getById(id: string): Order; }", "typescript"),
        ("class R { suspend fun getById(id: String): Order? = null }", "kotlin"),
        ("class R { func getById(id: String) -> Order { return x } }", "swift"),
        ("print(1)\n", "python"),
        ("function get_by_id {\n  echo 1\n}\n", "bash"),
    ],
)
def test_of_the_likely_languages_it_is_one_in_which_the_code_reads(
    code: str, language: str
) -> None:
    """A-6: language detected when absent."""
    assert told(code) == language


@pytest.mark.parametrize(
    "text",
    [
        "SELECT name FROM orders WHERE id = 3;\n",
        "INSERT INTO a VALUES (1);",
        "CREATE TABLE orders (id INT PRIMARY KEY);\n",
        "Dear team; we decided = today (really).",
        "BEGIN;\nCOMMIT;\n",
        "[tool.black]\nline = 100\n",
        "Fixed; tested (locally)",
        "hello",
        "",
    ],
)
def test_sql_and_prose_are_in_no_language(text: str) -> None:
    """A-6: SQL and prose are not taken for code in some language."""
    assert told(text) is None


@pytest.mark.parametrize("expected", ["python", "typescript"])
@pytest.mark.parametrize("text", ["BEGIN; COMMIT;", "[server]\nport = 80\n", "ports: [80, 81]\n"])
def test_what_somebody_expects_is_no_sign_of_it(text: str, expected: str) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`."""
    assert told(text, expected) is None


def test_code_that_reads_in_no_language_is_taken_for_the_likeliest() -> None:
    """A-6: so that the place of the mistake can be told."""
    assert told("from a import b\ndef f(:\n    pass\n") == "python"
    assert told("x = = 3", "python") == "python"
