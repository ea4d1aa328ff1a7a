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
_TIGHT = re.compile(rb"=\S")
_LITERALS = ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.Set
_BUILTINS = frozenset(dir(builtins))
# How TOML, JSON and others write what is `True` and `None` here.
_FOREIGN = frozenset({"true", "false", "null", "nil"})
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
    """What is for and against Python in a text that parses; `logic` has no strings or comments.

    Its places are those of the tree: it is not indented as a whole.
    """
    reader = _Reader(tree, logic)
    for statement in tree.body:
        reader.judge(statement)
    reader.found.idle += bool(_SEMICOLON.search(logic))
    if reader.tight > 1 and reader.tight == reader.found.weak:
        reader.found.weak = 0  # nothing but `key=1`, as settings are written
    return reader.found


class _Reader:
    """Judges the statements of a text, knowing which names the text itself gives a meaning."""

    def __init__(self, tree: ast.Module, logic: str) -> None:
        self.found = Indications()
        self.tight = 0
        self._lines = [line.encode("utf-8", "replace") for line in logic.split("\n")]
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
                case ast.Attribute(attr=name) if name.startswith("__"):
                    self.found.strong += 1

    def judge(self, node: ast.stmt) -> None:
        """Count one statement of the text's outermost level."""
        match node:
            case ast.Import():
                self._count_import(node)
            case ast.Assign():
                self._count_assignment(node)
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

    def _count_assignment(self, node: ast.Assign) -> None:
        """`key = value` tells nothing if the value is nothing but words that are unknown."""
        value, target = node.value, node.targets[0]
        plain = isinstance(target, ast.Name | ast.Attribute)
        if isinstance(value, ast.Name) and value.id in _FOREIGN - self._known:
            self.found.idle += 1
        elif not (plain and (self._is_unknown(value) or _ends_in_comma(value))):
            self.found.weak += 1
            if isinstance(value, ast.Constant):
                self.tight += bool(_TIGHT.match(self._behind(target)))

    def _count_annotation(self, node: ast.AnnAssign) -> None:
        kind = self._kind_of_type(node.annotation)
        if kind == "none" or (kind == "maybe" and node.value and self._is_unknown(node.value)):
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
            case ast.Call(func=called) if isinstance(called, _LITERALS):
                self.found.idle += 1  # `[MIT](LICENSE)`
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
        """Whether it is made of names alone to which nothing gives a meaning."""
        match node:
            case ast.Name(id=name):
                return name not in self._known
            case ast.Attribute(value=inner) | ast.UnaryOp(operand=inner):
                return self._is_unknown(inner)
            case ast.BinOp(left=left, right=right):
                return self._is_unknown(left) and self._is_unknown(right)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return bool(parts) and all(map(self._is_unknown, parts))
            case _:
                return False

    def _is_own_call(self, node: ast.Call) -> bool:
        """No `tested (locally)`, and no word in capitals, which in Python is a constant."""
        name = node.func.value if isinstance(node.func, ast.Subscript) else node.func
        if not isinstance(name, ast.Name) or name.id in self._known:
            return True
        if name.id.isupper() and len(name.id) > 1:
            return False
        return not self._behind(name)[:1].isspace()

    def _behind(self, node: ast.expr) -> bytes:
        """The two characters behind an expression."""
        line = (node.end_lineno or node.lineno) - 1
        at = node.end_col_offset or 0
        return self._lines[line][at : at + 2] if line < len(self._lines) else b""


def _ends_in_comma(node: ast.expr) -> bool:
    """`1,` without parentheses: a list of settings goes on behind it."""
    return (
        isinstance(node, ast.Tuple)
        and len(node.elts) == 1
        and (node.col_offset == node.elts[0].col_offset)
    )
