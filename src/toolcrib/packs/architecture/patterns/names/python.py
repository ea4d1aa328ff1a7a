"""What a piece of Python defines, calls, imports and uses, with places; nothing of it is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from toolcrib.packs.architecture.patterns.pythoncode import parsed_python

Role = Literal["definition", "base", "call", "import", "use", "binding"]
Parts = tuple[str, ...]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = _Function | ast.ClassDef
_IMPORTERS = {("__import__",), ("importlib", "import_module"), ("import_module",)}


@dataclass(frozen=True, slots=True)
class PythonName:
    """One name in one role: `parts` are `("os", "system")`, as written or as imported."""

    role: Role
    parts: Parts
    line: int
    column: int


def python_names(code: str) -> list[PythonName] | None:
    """All names in their roles, in the order of the code; None when it is no Python."""
    tree = parsed_python(code)
    if tree is None:
        return None
    reader = _Reader(code)
    try:
        reader.read(tree, ())
    except RecursionError:
        return None
    return sorted(reader.found, key=lambda name: (name.line, name.column))


class _Reader:
    """Walks a tree once, and knows by which names modules and their parts were imported."""

    def __init__(self, code: str) -> None:
        self._lines = code.removeprefix("\ufeff").split("\n")
        self._cut = min((_indent(line) for line in self._lines if line.strip()), default=0)
        self._imported: dict[str, Parts] = {}
        self.found: list[PythonName] = []

    def read(self, node: ast.AST, owners: Parts, in_function: bool = False) -> None:
        """Read what stands in `node`, which belongs to the classes and functions `owners`."""
        for child in ast.iter_child_nodes(node):
            self._read_one(child, owners, in_function)
            if isinstance(child, _Scope):
                self.read(child, (*owners, child.name), isinstance(child, _Function))
            else:
                self.read(child, owners, in_function)

    def _read_one(self, node: ast.AST, owners: Parts, in_function: bool) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                self._read_import(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._add_named("definition", (*owners, node.name), node)
                for decorator in node.decorator_list:
                    self._read_call(decorator)  # `@name` calls it with what follows
                for base in node.bases if isinstance(node, ast.ClassDef) else ():
                    self._add_parts("base", base.value if isinstance(base, ast.Subscript) else base)
            case ast.Assign() | ast.AnnAssign():
                self._read_targets(node, owners, in_function)
            case ast.Call():
                self._read_call(node.func)
                self._read_dynamic_import(node)
            case ast.arg():
                self._add("binding", (node.arg,), node.lineno, node.col_offset)
            case ast.Name(ctx=ast.Store()):
                self._add("binding", (node.id,), node.lineno, node.col_offset)
            case ast.Name() | ast.Attribute():
                self._add_parts("use", node)

    def _read_targets(
        self, node: ast.Assign | ast.AnnAssign, owners: Parts, in_function: bool
    ) -> None:
        """An assignment defines a name of a module or a class; a local variable it only binds."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in (each for given in targets for each in _flat(given)):
            if isinstance(target, ast.Name) and not in_function:
                self._add("definition", (*owners, target.id), target.lineno, target.col_offset)
            elif isinstance(target, ast.Attribute) and _is_own(target):
                self._add_named("definition", (*owners[:-1], target.attr), target)

    def _read_import(self, node: ast.Import | ast.ImportFrom) -> None:
        base: Parts = ()
        if isinstance(node, ast.ImportFrom):
            # A module beside this one is none of that name elsewhere.
            base = ("",) * node.level + tuple((node.module or "").split(".") if node.module else ())
            self._add("import", base, node.lineno, node.col_offset)
        for alias in node.names:
            parts = (*base, *alias.name.split("."))
            self._add("import", parts, alias.lineno, alias.col_offset)
            if isinstance(node, ast.ImportFrom):
                self._add("import", (alias.name,), alias.lineno, alias.col_offset)
            if alias.asname:
                self._imported[alias.asname] = parts
            elif isinstance(node, ast.ImportFrom):
                self._imported[alias.name] = parts

    def _read_dynamic_import(self, node: ast.Call) -> None:
        first = node.args[0] if node.args else None
        if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
            return
        if _parts(node.func) in _IMPORTERS:
            named = tuple(first.value.split("."))
            self._add("import", named, first.lineno, first.col_offset)

    def _read_call(self, called: ast.expr) -> None:
        self._add_parts("call", called)

    def _add_parts(self, role: Role, node: ast.expr) -> None:
        """A name as it is written, and once more as it was imported."""
        written = _parts(node)
        if not written:
            return
        self._add_named(role, written, node)
        imported = self._imported.get(written[0])
        if imported and imported != written[:1]:
            self._add_named(role, (*imported, *written[1:]), node)

    def _add_named(self, role: Role, parts: Parts, node: ast.AST) -> None:
        """A name with the place of its last part."""
        last = parts[-1]
        if isinstance(node, ast.Attribute):
            line = node.end_lineno or node.lineno
            self._add(role, parts, line, (node.end_col_offset or 0) - len(last.encode()))
        elif isinstance(node, _Scope):
            text = self._line(node.lineno)
            at = text.find(last, _indent(text))
            self.found.append(PythonName(role, parts, node.lineno, max(at, 0) + 1))
        elif isinstance(node, ast.expr):
            self._add(role, parts, node.lineno, node.col_offset)

    def _add(self, role: Role, parts: Parts, line: int, offset: int) -> None:
        """`offset` counts bytes of the dedented line; a column counts characters of the given."""
        text = self._line(line)
        before = text[self._cut :].encode("utf-8", "replace")[:offset].decode("utf-8", "replace")
        self.found.append(PythonName(role, parts, line, self._cut + len(before) + 1))

    def _line(self, number: int) -> str:
        return self._lines[number - 1] if number <= len(self._lines) else ""


def _flat(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from _flat(each)
    else:
        yield target


def _is_own(target: ast.Attribute) -> bool:
    return isinstance(target.value, ast.Name) and target.value.id in ("self", "cls")


def _parts(node: ast.expr) -> Parts:
    """`a.b.c` as its parts; of `f().b.c` those that are known, after an empty one."""
    backwards = []
    while isinstance(node, ast.Attribute):
        backwards.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        backwards.append(node.id)
    elif backwards:
        backwards.append("")
    return tuple(reversed(backwards))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
