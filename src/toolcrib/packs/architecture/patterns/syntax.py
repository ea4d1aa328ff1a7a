"""Whether code can be parsed in its language, and detection of the language.

The engine continues after a syntax error: unexpected text is a node `ERROR`, and what it had to
insert (a closing brace, a name) is a node without text. Either means that the code is not valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolcrib.core.errors import Place
from toolcrib.core.support.workers import in_thread
from toolcrib.packs.architecture.patterns.astgrep import GAP, Scan
from toolcrib.packs.architecture.patterns.evidence.found import speaks_for
from toolcrib.packs.architecture.patterns.languages import (
    Language,
    candidates,
    detect_language,
    find_language,
)
from toolcrib.packs.architecture.patterns.pythoncode import python_error, without_type_parameters
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


async def unreadable_from(code: str, language: Language) -> int | None:
    """The line from which on `code` does not read as `language`; None when it does."""
    (outcome,) = await _read(code, [language])
    return await in_thread(_first_line, outcome, language, code)


async def tell_language(code: str, expected: frozenset[str]) -> Language | None:
    """The language of `code`: of those whose signs it has, the likeliest in which it reads.

    When it reads in none of them it is the likeliest all the same, and `unreadable_from` tells
    where. When it reads and yet nothing shows that it is code, it is in none. `expected` are the
    languages that somebody has in mind, as in `detect_language`.
    """
    likeliest = detect_language(code, expected)
    found, reads = await _first_fitting(code, [likeliest] if likeliest else [])
    if found is None:
        others = candidates(code)[:_MOST_TRIED]
        if (likeliest is None or reads) and is_code(code):
            others += [each for each in map(find_language, _COMMON) if each and each not in others]
        found, _ = await _first_fitting(code, [each for each in others if each != likeliest])
    return found or (None if reads else likeliest)


async def _first_fitting(code: str, languages: Sequence[Language]) -> tuple[Language | None, bool]:
    """The first language in which `code` reads and of which it is, or of which nobody can tell in
    time; and whether it reads in any of them."""
    outcomes = await _read(code, languages)
    reads = False
    for language, outcome in zip(languages, outcomes, strict=True):
        if outcome.outcome == "late":
            return language, True
        if await in_thread(_first_line, outcome, language, code) is None:
            reads = True
            if await in_thread(speaks_for, code, language):
                return language, True
    return None, reads


async def _read(code: str, languages: Sequence[Language]) -> list[Scan]:
    files = {f"code.{language.ending}": code for language in languages}
    if "code.py" in files:
        files["code.py"] = without_type_parameters(code)  # the grammar knows not all of them
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
