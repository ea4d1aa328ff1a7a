"""Which project files a module imports, read from its import statements.

Nothing is run. A name is looked for as Python would look for it with the project's root on its
path, and in the module's own folder, which many modules put there. What is not found this way
cannot be imported either: the guard refuses it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from toolcrib.core.support.python_source import parse

Read = Callable[[str], bytes | None]
"""The bytes of a file of the project, by its path; None where there is none."""
_MOST_FILES = 2000


def imported_files(path: str, data: bytes, read: Read) -> dict[str, bytes]:
    """The files of the project that a module imports, and those that these import, and so on."""
    found: dict[str, bytes] = {}
    pending = [(path, data)]
    while pending and len(found) < _MOST_FILES:
        current, source = pending.pop()
        for candidate in _candidates(current, source):
            if candidate not in found and candidate != path:
                content = read(candidate)
                if content is not None:
                    found[candidate] = content
                    pending.append((candidate, content))
    return found


def _candidates(path: str, source: bytes) -> Iterator[str]:
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    folder = path.rpartition("/")[0]
    bases = dict.fromkeys(("", folder))
    for name, level in _names(tree):
        if level:
            yield from _files(_climbed(folder, level - 1), name)
        else:
            for base in bases:
                yield from _files(base, name)


def _names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every dotted name that a statement may import, with the dots before it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, 0
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            yield base, node.level
            for alias in node.names:
                yield f"{base}.{alias.name}".lstrip("."), node.level


def _files(folder: str, name: str) -> Iterable[str]:
    """The files that importing a dotted name may run: the packages on the way, and the last."""
    at = f"{folder}/" if folder else ""
    parts = [part for part in name.split(".") if part and part != "*"]
    if not parts:
        yield f"{at}__init__.py"
    for part in parts:
        at = f"{at}{part}"
        yield f"{at}.py"
        yield f"{at}/__init__.py"
        at += "/"


def _climbed(folder: str, levels: int) -> str:
    parts = folder.split("/") if folder else []
    return "/".join(parts[: len(parts) - levels] if levels else parts)
