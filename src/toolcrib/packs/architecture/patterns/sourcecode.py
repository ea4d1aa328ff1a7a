"""Source code as text: without its comments, without its strings, out of its fences."""

from __future__ import annotations

import re

from toolcrib.files.markdown.fences import fenced_blocks, without_code
from toolcrib.packs.architecture.patterns.languages import find_language

NO_CODE = frozenset(
    {"text", "txt", "console", "plaintext", "output", "mermaid", "diff", "markdown", "md"}
)
"""What follows the fence of a block that shows no code."""

_HASH = {"python", "ruby", "bash", "yaml", "elixir", "hcl", "nix"}
_DASHES = {"lua", "haskell"}

# Nothing is looked at twice: a backslash takes whatever follows it, no repetition gives back what
# it took, and what is never closed ends with the line or the text.
_ESCAPE = r"\\(?:[\s\S]|\Z)"
_STRING = (
    rf"\"\"\"(?:[^\\\"]|{_ESCAPE}|\"(?!\"\"))*+(?:\"\"\"|\Z)"
    rf"|'''(?:[^\\']|{_ESCAPE}|'(?!''))*+(?:'''|\Z)"
    rf"|\"(?:[^\"\\\n]|{_ESCAPE})*+(?:\"|$)|'(?:[^'\\\n]|{_ESCAPE})*+(?:'|$)"
    rf"|`(?:[^`\\]|{_ESCAPE})*+(?:`|\Z)"
)
_SLASHES = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
_COMMENTS = {"hash": r"#[^\n]*", "dashes": r"--[^\n]*", "slashes": _SLASHES}
# A language that nobody named: `#` and `//` both begin comments, `#include` and `#[` do not.
_ANY = rf"#(?!include|define|if|endif|\[|!)[^\n]*|{_SLASHES}"


_NAMED = re.compile(
    r"(?:#+|//+|--+|/\*+|;+|<!--|\"\"\")[ \t]*(?:(?:file(?:name)?|path)[ \t]*[:=][ \t]*)?"
    r"((?:\./)?[\w@.-]+(?:/[\w@.-]+)+\.\w+)[ \t]*(?:\*/|-->|:|\"\"\")?[ \t]*$"
)


def path_in_comment(code: str) -> str | None:
    """The path in a comment on the first line, `# shop/services/checkout.py`, if there is one."""
    first = code.lstrip("\ufeff \t\n")[:300].split("\n", 1)[0].rstrip()
    named = _NAMED.match(first)
    return named[1].removeprefix("./") if named else None


_CODE = re.compile(r"[(){}\[\];=<>]|^\s*(?:def|class|import|from|fn|func|let|var|const)\b", re.M)


def is_code(text: str) -> bool:
    """Whether a text has anything that prose has not."""
    return bool(_CODE.search(text))


def code_in_fences(text: str) -> dict[str, str]:
    """The code of a text of Markdown by the language after its fences; empty where it is none.

    Each line stays where it was. A program that shows a fence in a comment is no Markdown.
    """
    begins = text.lstrip("\ufeff \t\r\n").startswith(("```", "~~~"))
    if not begins and ("```" not in text or is_code(without_code(text))):
        return {}
    found: dict[str, str] = {}
    for block in fenced_blocks(text):
        language = find_language(block.language)
        name = language.name if language else block.language.casefold()
        before = found.get(name, "")
        found[name] = before + "\n" * (block.line - 1 - before.count("\n")) + block.text
    return {name: code for name, code in found.items() if name not in NO_CODE} or found


def has_code(text: str, language: str | None = None) -> bool:
    """Whether there is anything but comments and blanks."""
    return bool(without_comments(text, language).strip("\ufeff \t\r\n"))


def without_comments(code: str, language: str | None = None) -> str:
    """The code with blanks where its comments were; offsets and lines stay the same.

    A docstring is a comment too: it says what the code does, it does not do it.
    """
    comment = _comment_of(language)
    pattern = re.compile(rf"(?P<comment>{comment})|(?P<string>{_STRING})", re.M)

    def blank(match: re.Match[str]) -> str:
        text = match.group()
        if match["comment"] is not None or _is_docstring(code, match.start(), text):
            return _blanks(text)
        return text

    return pattern.sub(blank, code)


def without_strings(code: str, language: str | None = None) -> str:
    """The code with blanks in its strings; the quotes stay. Comments should be gone already."""
    return re.sub(_STRING, lambda match: _hollow(match.group()), code, flags=re.M)


def _comment_of(language: str | None) -> str:
    if language is None:
        return _ANY
    if language in _HASH:
        return _COMMENTS["hash"]
    return _COMMENTS["dashes"] if language in _DASHES else _COMMENTS["slashes"]


def _is_docstring(code: str, start: int, text: str) -> bool:
    """Three quotes at the beginning of a line."""
    if not text.startswith(('"""', "'''")):
        return False
    # Only blanks are passed over: a line may be as long as the code, and full of strings.
    while start and code[start - 1] in " \t":
        start -= 1
    return not start or code[start - 1] == "\n"


def _blanks(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _hollow(text: str) -> str:
    width = 3 if text.startswith(('"""', "'''")) else 1
    if len(text) < 2 * width:
        return text
    if text.startswith("`"):
        # What a template computes is code.
        parts = re.split(r"(\$\{[^{}]*\})", text[1:-1])
        inner = "".join(part if number % 2 else _blanks(part) for number, part in enumerate(parts))
        return text[0] + inner + text[-1]
    return text[:width] + _blanks(text[width:-width]) + text[-width:]
