"""The names of the tools that a module declares, read from its source without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolcrib.core.support.python_source import parse


def declared_tools(source: bytes) -> list[str]:
    """Names of functions under a decorator `….declare`, and of `Tool(name="…")` objects."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return sorted(set(_names(tree)))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if any(_called(each) == "declare" for each in node.decorator_list):
                yield node.name
        elif isinstance(node, ast.Call) and _called(node) == "Tool":
            yield from _given_name(node)


def _called(node: ast.AST) -> str | None:
    """The last part of the name that is called or referred to."""
    if isinstance(node, ast.Call):
        return _called(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _given_name(node: ast.Call) -> Iterator[str]:
    given = [word.value for word in node.keywords if word.arg == "name"] or node.args[:1]
    for value in given:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value
