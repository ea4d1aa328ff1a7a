"""Whether code can be parsed in its language, and detection of the language.

The engine continues after a syntax error: unexpected text is a node `ERROR`, and what it had to
insert (a closing brace, a name) is a node without text. Either means that the code is not valid.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
import warnings
from collections.abc import Sequence
from typing import Any

from toolcrib.core.errors import Place
from toolcrib.core.support.python_source import parse
from toolcrib.core.support.workers import in_thread
from toolcrib.packs.architecture.patterns.astgrep import GAP, Scan
from toolcrib.packs.architecture.patterns.languages import (
    Language,
    candidates,
    detect_language,
    find_language,
)
from toolcrib.packs.architecture.patterns.rulebook import run_rules
from toolcrib.packs.architecture.patterns.rules import Rule
from toolcrib.packs.architecture.patterns.sourcecode import is_code

_BUDGET = 3.0
# What may have no text and still be right: a comment, some strings; in three languages anything.
_COMMENT = {"regex": r"^(?:--|#|//|/\*)"}
_EMPTY_KINDS = {"bash": "heredoc_content", "lua": "string_content"}
_EMPTY_PARTS = frozenset({"css", "html", "markdown"})
_MOST_TRIED = 4
# Tried where no sign tells: strict enough that prose, SQL or a log do not read as one of them.
_COMMON = ("python", "typescript", "java", "cpp", "go", "rust")
# `def f[T](x)`, `class A[T]`, `type X = int`: Python 3.12 and later, whatever Python runs here.
_TYPE_PARAMETERS = re.compile(r"^([ \t]*(?:async +def|def|class) +\w+)(\[[^\[\]\n]*\])", re.M)
_TYPE_ALIAS = re.compile(r"^([ \t]*)type +(\w+)(?:\[[^\[\]\n]*\])?(?= *=)", re.M)


async def unreadable_from(code: str, language: Language) -> int | None:
    """The line from which on `code` does not read as `language`; None when it does."""
    (outcome,) = await _read(code, [language])
    return await in_thread(_first_line, outcome, language, code)


async def tell_language(code: str, expected: frozenset[str]) -> Language | None:
    """The language of `code`: of those whose signs it has, the likeliest in which it reads.

    When it reads in none of them it is the likeliest all the same, and `unreadable_from` tells
    where. `expected` are the languages that somebody has in mind, as in `detect_language`.
    """
    likeliest = detect_language(code, expected)
    if likeliest and (found := await _one_that_reads(code, [likeliest])):
        return found
    others = candidates(code)[:_MOST_TRIED]
    if likeliest is None and is_code(code):
        others += [each for each in map(find_language, _COMMON) if each and each not in others]
    return await _one_that_reads(code, others) or likeliest


async def _one_that_reads(code: str, languages: Sequence[Language]) -> Language | None:
    """The first language in which `code` reads, or in which nobody can tell in time."""
    outcomes = await _read(code, languages)
    for language, outcome in zip(languages, outcomes, strict=True):
        if outcome.outcome == "late":
            return language
        if await in_thread(_first_line, outcome, language, code) is None:
            return language
    return None


async def _read(code: str, languages: Sequence[Language]) -> list[Scan]:
    files = {f"code.{language.ending}": code for language in languages}
    return await run_rules([(_rule(each), each) for each in languages], files, _BUDGET, _BUDGET)


def _rule(language: Language) -> Rule:
    wanted: list[dict[str, Any]] = [{"kind": "ERROR"}]
    if language.name not in _EMPTY_PARTS:
        gap = [{"regex": "^$"}, {"pattern": f"$${GAP}"}, {"not": {"inside": _COMMENT}}]
        if language.name in _EMPTY_KINDS:
            gap.append({"not": {"kind": _EMPTY_KINDS[language.name]}})
        wanted.append({"kind": language.root, "has": {"all": gap, "stopBy": "end"}})
    return Rule("syntax", language, "", {"rule": {"any": wanted}}, Place("code"))


def _first_line(outcome: Scan, language: Language, code: str) -> int | None:
    if outcome.outcome != "done":
        return 1  # more mistakes than can be told, or too deep to be read in time
    line = min((match.line for match in outcome.matches), default=None)
    if line is None and language.name == "python":
        line = python_error(code)
    # What is missing at the end is missing after the last line that has something.
    return None if line is None else min(line, code.rstrip().count("\n") + 1)


def python_error(code: str) -> int | None:
    """The line from which on a text is no Python; None when it is. Nothing of it is run."""
    try:
        _parse(code)
    except SyntaxError as error:
        # Quotes within the braces of an f-string are of Python 3.12; the engine has read them.
        later = sys.version_info < (3, 12) and (error.msg or "").startswith("f-string")
        return None if later else max(error.lineno or 1, 1)
    except (ValueError, RecursionError, MemoryError):
        return 1  # a null byte, or nested deeper than anything that somebody writes
    return None


def parsed_python(code: str) -> ast.Module | None:
    """The tree of a text that is Python; None when it is not."""
    try:
        return _parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _parse(code: str) -> ast.Module:
    text = textwrap.dedent(code.removeprefix("\ufeff"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return parse(text)
        except SyntaxError:
            if sys.version_info >= (3, 12):
                raise
            plain = _TYPE_PARAMETERS.sub(lambda found: found[1] + " " * len(found[2]), text)
            return parse(_TYPE_ALIAS.sub(r"\1\2", plain))
