"""Classes in the text of code: what they are made of, and what makes one."""

from __future__ import annotations

import re

_HEAD = re.compile(
    r"\b(?:class|interface|struct|trait|object|protocol|enum|record|extension|contract)\s+"
    r"(?P<own>\w+)(?P<bases>[^{};]{0,400})"
)
_FOR = re.compile(r"\bimpl\b(?:<[^<>\n]*>)?(?P<bases>[^{};\n]{1,200}?)\bfor\b")
_ARGUMENTS = re.compile(r"\([^()]*\)")
# Without braces the line ends what a class is made of.
_BY_LINE = frozenset({"ruby", "elixir", "lua"})
# The word for a constructor; where there is none it is called as its class is.
_WORDS = {
    "go": r"\bfunc New\w*",
    "php": r"\bfunction __construct",
    "ruby": r"\bdef initialize\b",
    "rust": r"\bfn new\w*",
    "scala": r"\bclass \w+",
    "swift": r"(?<![\w.])init\b[?!]?",
} | dict.fromkeys(
    ("javascript", "typescript", "tsx", "kotlin", "solidity"), r"(?<![\w.])constructor\b"
)
_NAMED_CLASS = re.compile(r"\b(?:class|struct|record|enum)\s+(\w+)")
_LIKE_ITS_CLASS = re.compile(
    r"(?<![\w.:>])(?<!new )(\w+)\s*\((?!\s*[\d\"'])[^()]{0,300}\)\s*"
    r"(?:throws [\w., ]+|:[^;{}]{0,300})?(?:\{|;|=>)"
)


def base_at(logic: str, wanted: str, language: str | None) -> int | None:
    """Where a class is made of `wanted`, a pattern of one name."""
    for head in (*_HEAD.finditer(logic), *_FOR.finditer(logic)):
        bases = _ARGUMENTS.sub(lambda found: " " * len(found.group()), head["bases"])
        if language in _BY_LINE:
            bases = bases.split("\n", 1)[0]
        if found := re.search(rf"(?<!\w){wanted}(?!\w)", bases):
            return head.start("bases") + found.start()
    if language != "go":
        return None
    embedded = re.search(rf"^[ \t]*\*?(?:\w+\.)?{wanted}[ \t]*$", logic, re.M)
    return embedded.start() if embedded else None


def constructor_at(logic: str, language: str | None) -> int | None:
    """Where something is defined that makes an object of a class."""
    word = _WORDS.get(language or "")
    if word is not None:
        found = re.search(word if language == "ruby" else rf"{word}\s*[(<]", logic)
        return found.start() if found else None
    classes = set(_NAMED_CLASS.findall(logic))
    named = (each for each in _LIKE_ITS_CLASS.finditer(logic) if each[1] in classes)
    first = next(named, None)
    return first.start() if first else None
