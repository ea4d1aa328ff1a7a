"""Write docs/requirements.md: every requirement, where it lives, and the tests that quote it.

python scripts/requirements.py            write the page
python scripts/requirements.py --check    exit code 1 if it is out of date
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DATA = Path(__file__).with_suffix(".toml")
PAGE = ROOT / "docs" / "requirements.md"
_NUMBER = re.compile(r"\b[A-Z]-[0-9]+\b")
SOURCE = ROOT / "src" / "toolcrib"

_INTRODUCTION = """\
# Requirements

<!-- Written by scripts/requirements.py: run `make reference`. -->

What toolcrib has to do, by number; the modules whose own tests show it (below `src/toolcrib/`), and
all files of tests that quote the number in a docstring (below `tests/`). A test fails when a
requirement is quoted by none, and when this page is out of date. Faults and attacks, which have no
numbers, are in `tests/faults/` and `tests/security/`.
"""
_ORIGINS = """\
## Where they come from

toolcrib grew from five documents. Each of their requirements is carried by the numbers beside it.
"""


@dataclass(frozen=True, slots=True)
class Requirements:
    """The data file, and what was found in the tests."""

    parts: dict[str, str]
    numbers: dict[str, str]
    sources: list[dict[str, Any]]
    quoted: dict[str, list[str]] = field(default_factory=dict)


def main() -> int:
    """Write the page, or say that it is out of date."""
    text = render(read())
    current = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text
    if sys.argv[1:] == ["--check"]:
        print("docs/requirements.md is " + ("up to date" if current else "out of date"))
        return 0 if current else 1
    if not current:
        PAGE.write_text(text, encoding="utf-8")
        print("docs/requirements.md is written")
    return 0


def read() -> Requirements:
    """The requirements with the tests that quote them; those without any are not built yet."""
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    return Requirements(data["parts"], data["numbers"], data["sources"], quotations())


def modules(tests: list[str]) -> list[str]:
    """The modules that these files of tests stand for: `core/tool.py` for `core/test_tool.py`."""
    named = (Path(test).with_name(Path(test).name.removeprefix("test_")) for test in tests)
    return [name.as_posix() for name in named if (SOURCE / name).is_file()]


def quotations(tests: Path = ROOT / "tests") -> dict[str, list[str]]:
    """For each number, the files of tests with a test or a heading that quotes it."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted(tests.rglob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        headed = ast.get_docstring(tree) or ""
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                told = f"{headed} {ast.get_docstring(node) or ''}"
                for number in _NUMBER.findall(told):
                    found[number].add(file.relative_to(tests).as_posix())
    return {number: sorted(files) for number, files in found.items()}


def render(requirements: Requirements) -> str:
    """The page."""
    parts = [_INTRODUCTION]
    for letter, title in requirements.parts.items():
        parts.append(f"## {title}\n\n| | | where | tests |\n| --- | --- | --- | --- |")
        for number, words in requirements.numbers.items():
            tests = requirements.quoted.get(number, [])
            if number.startswith(f"{letter}-") and tests:
                code = _listed(modules(tests))
                parts.append(f"| {_anchor(number)} | {words} | {code} | {_listed(tests)} |")
        parts.append("")
    parts.append(_ORIGINS)
    for source in requirements.sources:
        parts += _source(source)
    return "\n".join(parts)


def _anchor(number: str) -> str:
    return f'<span id="{number.lower()}">{number}</span>'


def _listed(paths: list[str]) -> str:
    return "<br>".join(f"`{path}`" for path in paths)


def _source(source: dict[str, Any]) -> list[str]:
    lines = [f"### {source['title']}\n\n| | | carried by |\n| --- | --- | --- |"]
    for name, (words, *numbers) in source["requirements"].items():
        carried = ", ".join(f"[{number}](#{number.lower()})" for number in numbers)
        lines.append(f"| {name} | {words} | {carried} |")
    return [*lines, ""]


if __name__ == "__main__":
    sys.exit(main())
