"""Python as this Python reads it, and as later ones do; nothing of it is run."""

from __future__ import annotations

import ast
import re
import sys
import textwrap
import warnings

from toolcrib.core.support.python_source import parse

# `def f[T](x)`, `class A[T]`, `type X = int`: Python 3.12 and later, whatever Python runs here.
_TYPE_PARAMETERS = re.compile(r"^[ \t]*(?:(?:async +)?def|class|type) +\w+(?=\[)", re.M)
_TYPE_ALIAS = re.compile(r"^([ \t]*)type +(\w+)(?=[ \t]*=)", re.M)
_BRACKET = re.compile(r"[\[\]]")
_STARS = re.compile(r"\*+(?=\w)")
_LONGEST_PARAMETERS = 2_000


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


def without_type_parameters(code: str) -> str:
    """The code with blanks for `[T: int, **P]` of functions, classes and types; lines stay."""
    pieces, at = [], 0
    for head in _TYPE_PARAMETERS.finditer(code):
        start, end = head.end(), _closing(code, head.end())
        if start >= at and end and _are_parameters(code[start + 1 : end - 1]):
            blanks = re.sub(r"[^\n]", " ", code[start:end]).replace("\n", "\\\n")
            pieces += [code[at:start], blanks]
            at = end
    return "".join([*pieces, code[at:]])


def _closing(code: str, start: int) -> int | None:
    """Where the bracket that opens at `start` is closed, if it is soon."""
    depth = 0
    for bracket in _BRACKET.finditer(code, start, start + _LONGEST_PARAMETERS):
        depth += 1 if bracket.group() == "[" else -1
        if not depth:
            return bracket.end()
    return None


def _are_parameters(inside: str) -> bool:
    try:
        parse(f"def f(*, {_STARS.sub('', inside)}\n): pass")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return bool(inside.strip())


def _parse(code: str) -> ast.Module:
    text = textwrap.dedent(code.removeprefix("\ufeff"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return parse(text)
        except SyntaxError:
            # What is of a later Python than this one, or than the last one that was looked at.
            plain = _TYPE_ALIAS.sub(r"\1\2", without_type_parameters(text))
            if plain == text:
                raise
            return parse(plain)
