from __future__ import annotations

import ast
import json
import keyword
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.patterns.evidence.python import python_evidence
from toolcrib.packs.architecture.patterns.sourcecode import without_comments, without_strings

LIBRARY = Path(json.__file__).parent.parent
PACKAGES = ("json", "asyncio", "email", "logging", "unittest", "http", "concurrent/futures")
WORDS = st.from_regex(r"[A-Za-z]{2,12}", fullmatch=True).filter(
    lambda word: not keyword.iskeyword(word) and word not in dir(__builtins__)
)


def is_believed(code: str) -> bool:
    logic = without_strings(without_comments(code, "python"), "python")
    return bool(python_evidence(ast.parse(code), logic))


@pytest.mark.parametrize(
    "text",
    [
        "BEGIN; COMMIT;",
        "-- comment\nCOMMIT;",
        "EXPLAIN (x);",
        "[tool.black]\nline = 100\n",
        '[server]\nport = 80\nhost = "x"\n',
        "ports: [80, 81]\n",
        "name: shop\nport: (80)\n",
        'x <- read.csv("a")\nsummary(x)\n',
        "Fixed; tested (locally)",
        "Note: (see, below)",
        "cats and dogs",
        "key=value\nother=value2\n",
        "a = b;\n",
        "foo(bar);\nbaz(1);\n",
        "PRINT(1)",
        "A=1;B=2",
        "gzip='gzip'\nhint='recommended'\n",
        "rate = 3\nactive = true\n",
        "Conflicts = shutdown.target\n",
        "font=Helvetica-Bold\n",
        "RESTRICT = scalarltsel, JOIN = scalarltjoinsel",
        "COMMUTATOR = '@',\n",
        "## License\n\n[MIT](LICENSE)\n",
        "See [LIST](LIST)\n",
        "env: NPM_LEGACY=true\n",
        "return home",
        "raise awareness",
    ],
)
def test_what_only_parses_as_python_is_doubted(text: str) -> None:
    """A-6: code that the rules' language cannot read is never compliant; this is no code of it."""
    assert not is_believed(text)


@pytest.mark.parametrize(
    "code",
    [
        "x = 1\n",
        "x=1\n",
        "DEBUG = True\nHOSTS = []\n",
        "module.__loader__ = loader\n",
        "console.print('x')\n",
        "print (1)\n",
        "import requests\n",
        "total: int\nlines: list[Order]\n",
        "df = read('a')\ndf\n",
        "self.orders = orders\n",
        "a, b = b, a\n",
        "raise ValueError\n",
        "import pdb; pdb.set_trace();\nrun = 1\nfrom a import b\n",
    ],
)
def test_a_few_lines_of_python_are_believed(code: str) -> None:
    """A-6: language detected when absent."""
    assert is_believed(code)


@pytest.mark.parametrize("package", PACKAGES)
def test_of_the_standard_library_every_file_and_function_is_believed(package: str) -> None:
    """A-6: language detected when absent; what is Python is not refused."""
    doubted = []
    for path in sorted((LIBRARY / package).glob("*.py")):
        code = path.read_text("utf-8")
        tree = ast.parse(code)
        lines = code.split("\n")
        for node in [*ast.walk(tree)]:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                cut = textwrap.dedent("\n".join(lines[node.lineno - 1 : node.end_lineno]))
                if not cut.startswith(("if", " ")) and not is_believed(cut):
                    doubted.append(f"{path.name}:{node.lineno}")
        if tree.body[1:] and not is_believed(code):
            doubted.append(path.name)
    assert doubted == []


@given(st.lists(WORDS, min_size=1, max_size=8), st.sampled_from(["; ", ";\n", "\n"]))
def test_words_are_never_code_until_one_does_something(words: list[str], joint: str) -> None:
    """A-6: SQL and prose are mode none, not code without a mistake."""
    text = joint.join(words)
    assert not is_believed(text)
    assert is_believed(f"{text}\n" + "def f():\n    return 1\n" * (len(words) + 2))


@pytest.mark.parametrize("piece", ["a{} = 1;", "a{}=1\n", "f{} (1);", "x.y[{}];", "[a{}](b);"])
@pytest.mark.timing
def test_long_lines_are_judged_in_linear_time(piece: str) -> None:
    """A-6: one call takes no longer than its text deserves."""
    assert_grows_slowly(lambda size: is_believed("".join(map(piece.format, range(size)))), 500)
