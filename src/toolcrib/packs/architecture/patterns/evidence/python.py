"""What shows that a text which parses as Python is Python.

`BEGIN; COMMIT;`, a section of TOML and many a line of prose parse as well. They consist of what has
no effect: a bare name, a list, a comparison, a name with a list for a type. Python consists of
forms that others do not have, and of calls and assignments.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from dataclasses import dataclass
from types import EllipsisType

_STRONG_STATEMENTS = (
    ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ImportFrom | ast.With
    | ast.AsyncWith | ast.For | ast.AsyncFor | ast.If | ast.While | ast.Try | ast.TryStar
    | ast.Match
)  # fmt: skip
_STRONG_EXPRESSIONS = (
    ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.JoinedStr
    | ast.IfExp | ast.Starred | ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom | ast.Slice
)  # fmt: skip
_WITH_EFFECT = ast.Call | ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr
_BUILTINS = frozenset(dir(builtins))
# The end of a statement in other languages; of no use in Python at the end of a line.
_SEMICOLON = re.compile(r";[ \t]*\r?$", re.M)


@dataclass(slots=True)
class Indications:
    """How many things in a text are for a language.

    `strong` are forms that other texts hardly have, `weak` those that many languages share,
    `idle` statements without any effect.
    """

    strong: int = 0
    weak: int = 0
    idle: int = 0

    def __bool__(self) -> bool:
        return self.strong > self.idle or (self.weak > 0 and not self.idle)


def python_evidence(tree: ast.Module, logic: str) -> Indications:
    """What is for and against Python in a text that parses; `logic` has no strings or comments."""
    reader = _Reader(tree, logic)
    for statement in tree.body:
        reader.judge(statement)
    reader.found.idle += bool(_SEMICOLON.search(logic))
    return reader.found


class _Reader:
    """Judges the statements of a text, knowing which names the text itself gives a meaning."""

    def __init__(self, tree: ast.Module, logic: str) -> None:
        self.found = Indications()
        self._lines = logic.split("\n")
        self._known = set(_BUILTINS)
        for node in ast.walk(tree):
            match node:
                case ast.Name(ctx=ast.Store()):
                    self._known.add(node.id)
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    self._known.add(node.name)
                case ast.alias():
                    self._known.add((node.asname or node.name).split(".")[0])
                case _ if isinstance(node, _STRONG_EXPRESSIONS):
                    self.found.strong += 1
                case ast.Attribute(value=ast.Name(id="self" | "cls")):
                    self.found.strong += 1

    def judge(self, node: ast.stmt) -> None:
        """Count one statement of the text's outermost level."""
        match node:
            case ast.Import():
                self._count_import(node)
            case ast.Assign():
                self.found.weak += not self._tells_nothing(node)
            case ast.AnnAssign():
                self._count_annotation(node)
            case ast.AugAssign():
                self.found.weak += 1
            case ast.Return(value=value) | ast.Raise(exc=value):
                self.found.weak += value is not None and not self._is_unknown(value)
            case ast.Assert(test=test):
                self.found.weak += not self._is_unknown(test)
            case ast.Delete():
                self.found.weak += not any(map(self._is_unknown, node.targets))
            case ast.Expr(value=value):
                self._count_expression(value)
            case _:
                self.found.strong += isinstance(node, _STRONG_STATEMENTS)

    def _count_import(self, node: ast.Import) -> None:
        """`import x` is of many languages; a module of Python's own, or `as`, is of this one."""
        own = sys.stdlib_module_names
        if any(each.asname or each.name.split(".")[0] in own for each in node.names):
            self.found.strong += 1
        else:
            self.found.weak += 1

    def _tells_nothing(self, node: ast.Assign) -> bool:
        """`key = value` with a value that is nothing but an unknown word."""
        plain = all(isinstance(each, ast.Name | ast.Attribute) for each in node.targets)
        return plain and self._is_unknown(node.value)

    def _count_annotation(self, node: ast.AnnAssign) -> None:
        kind = self._kind_of_type(node.annotation)
        if kind == "none":
            self.found.idle += 1
        elif kind == "type" or node.value is not None:
            self.found.weak += 1

    def _kind_of_type(self, node: ast.expr) -> str:
        """Whether what stands behind a colon is a type, may be one, or is none."""
        match node:
            case ast.Name(id=name) if name in self._known:
                return "type"
            case ast.Name(id=name) | ast.Attribute(attr=name):
                return "maybe" if name[0].isupper() else "none"
            case ast.Subscript():
                return self._kind_of_type(node.value)
            case ast.BinOp(op=ast.BitOr()):
                return "type"
            case _:
                return "none"

    def _count_expression(self, value: ast.expr) -> None:
        inner = value.value if isinstance(value, ast.Await) else value
        match inner:
            case ast.Call():
                self.found.weak += self._is_own_call(inner)
            case ast.Constant() if isinstance(inner.value, str | bytes | EllipsisType):
                pass
            case ast.Compare():
                self.found.idle += 1
            case _:
                parts = list(ast.walk(inner))
                used = any(isinstance(each, _WITH_EFFECT | _STRONG_EXPRESSIONS) for each in parts)
                self.found.idle += not used and not any(map(self._is_given, parts))

    def _is_given(self, node: ast.AST) -> bool:
        """Whether it is a name to which the text gives a meaning."""
        return isinstance(node, ast.Name) and node.id in self._known - _BUILTINS

    def _is_unknown(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id not in self._known

    def _is_own_call(self, node: ast.Call) -> bool:
        """No `tested (locally)`, and no word in capitals, which in Python is a constant."""
        name = node.func
        if not isinstance(name, ast.Name) or name.id in self._known:
            return True
        line = self._lines[name.lineno - 1] if name.lineno <= len(self._lines) else ""
        cut = (name.end_col_offset or 0) - name.col_offset
        at = line.find(name.id) + cut
        return not line[at : at + 1].isspace() and not (name.id.isupper() and cut > 1)
