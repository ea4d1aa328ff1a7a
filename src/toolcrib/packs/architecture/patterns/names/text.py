"""Names in the text of code, for languages of which only the words are known.

What a name does is told by what stands around it: a keyword before a definition, a type before a
method, parentheses behind a call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r"[A-Za-z_]\w*|[()\[\]{}]")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_AHEAD = 300
_DEFINES = re.compile(
    r"\b(?:def|defp|func|fn|fun|function|class|interface|struct|trait|protocol|type|enum|record"
    r"|object|module|sub|const|let|var|val)\s+(?:\([^()\n]*\)\s*)?(?:self\.)?$"
)
# Words of statements: what follows them is no type, and so no definition.
_STATEMENT = frozenset(
    re.findall(
        r"\w+",
        "return await yield new throw raise else in not and or if unless until while for foreach"
        " when case match switch assert del delete typeof instanceof go defer puts echo print do"
        " then of is import from use using require include goto",
    )
)
_SCRIPT = frozenset({"javascript", "typescript", "tsx"})
_TYPE = re.compile(r"(?:[A-Za-z_][\w.]*(?:\[\])*[?]?\s+)*[A-Za-z_][\w.]*(?:\[\])*[?]?$")
_GENERIC = re.compile(r"<[^<>()\n;=$]*>")
_ANNOTATION = re.compile(r"@\w+(?:\([^()\n]*\))?")
_OWN = re.compile(r"(?:self|this|exports|module\.exports|\w+\.prototype)\.$")
_CALL = re.compile(r"\s*\(")
_ASSIGNED = re.compile(r"\s*(?::[^=\n]{1,80})?=(?![=~>])")
_PAIR = re.compile(r"\s*:\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)")
_BODY = re.compile(
    r"\s*(?:<[^<>()\n]*>)?\([^()]*\)\s*(?:(?:const|noexcept|override|final)\b\s*)*"
    r"(?:throws\s+[\w., ]+)?(?::\s*[^;{}=\n]+[;{]?|\{|=>)"
)
_BRACED = re.compile(
    r"\s*\([^()]*\)\s*(?:(?:const|noexcept|override|final)\b\s*)*(?::[^;{}\n]*)?\{"
)
# Where a program is called by its name alone, at the beginning of a command.
_COMMANDS = frozenset({"bash", "ruby", "elixir"})
_COMMAND_BEFORE = re.compile(r"(?:^|[;|&({`]|\b(?:then|do|else|if|while|!))\s*$")
_IMPORT = re.compile(
    r"^[^\n]*?(?:\b(?:import|from|require(?:_once|_relative)?|use|using|include|extern crate"
    r"|load|source|alias)\b|\bimport\s*\()[^\n]*$",
    re.M,
)
_IMPORT_BLOCK = re.compile(
    r"^import\s*\([^()]*\)|^(?:import|export|use)\s[^;\n]*\{[^{}]*\}[^;\n]*", re.M
)
_JOINT = re.compile(r"\.|::|->|/|\\\\")


@dataclass(frozen=True, slots=True)
class _Word:
    """A name at its position, and the innermost bracket around it (-1: none)."""

    text: str
    start: int
    end: int
    bracket: int


class NamesInText:
    """The names in code: `code` without comments, `logic` without what stands in strings."""

    def __init__(self, code: str, logic: str, language: str | None) -> None:
        self._code = code
        self._logic = logic
        self._language = language

    def position(self, role: str, wanted: tuple[str, ...], loosely: bool) -> int | None:
        """Where a name stands in a role; `loosely` in any style of naming, of any object."""
        if role == "import":
            return self._imported(wanted, loosely)
        if role == "any":
            used = self._used(wanted, loosely)
            return self._imported(wanted, loosely) if used is None else used
        for word in self._words(wanted[-1], loosely):
            # A body may stand on the line of its class: `class Repo { getById(id) {} }`.
            start = max(self._logic.rfind(mark, 0, word.start) for mark in "\n{};") + 1
            before = self._logic[start : word.start]
            after = self._logic[word.end : word.end + _AHEAD]
            defined = self._is_defined(word, before, after)
            if role == "definition":
                met = defined
            else:
                met = not defined and self._is_call(wanted, loosely, before, after)
            if met:
                return word.start
        return None

    def _words(self, name: str, loosely: bool) -> Iterator[_Word]:
        """Each place of a name, in order; brackets are counted on the way."""
        folded = _style_free(name)
        open_at: list[int] = []
        for token in _TOKEN.finditer(self._logic):
            text = token.group()
            if text in "([{":
                open_at.append(token.start())
            elif text in _CLOSING:
                if open_at and self._logic[open_at[-1]] == _CLOSING[text]:
                    open_at.pop()
            elif text == name or (loosely and _style_free(text) == folded):
                yield _Word(text, token.start(), token.end(), open_at[-1] if open_at else -1)

    def _is_defined(self, word: _Word, before: str, after: str) -> bool:
        if _DEFINES.search(before) and not before.rstrip().endswith("="):
            return True
        inside = self._logic[word.bracket] if word.bracket >= 0 else ""
        if inside in ("(", "["):
            return False  # an argument or a parameter
        head = before.strip()
        if _ASSIGNED.match(after) or _PAIR.match(after):
            return not head or bool(_OWN.search(head)) or self._is_type(head)
        if head.endswith("::"):
            return bool(_BRACED.match(after))  # `Order Repo::getById(int id) {`
        if head.endswith(("*", "&")):
            return bool(_BRACED.match(after)) and self._is_type(head.rstrip("*& "))
        if head and not self._is_type(head):
            return False
        if _BODY.match(after) or (head and _CALL.match(after)):
            return True
        opening = self._logic[: max(word.bracket, 0)].rstrip()
        return not head and opening.endswith("interface") and bool(_CALL.match(after))

    def _is_type(self, head: str) -> bool:
        """Whether modifiers and a type stand before a name, and no word of a statement."""
        plain = _ANNOTATION.sub(" ", head)
        while (shorter := _GENERIC.sub(" ", plain)) != plain:
            plain = shorter
        plain = plain.strip()
        words = set(plain.split())
        if words & _STATEMENT or (self._language in _SCRIPT and "void" in words):
            return False
        return not plain or (not plain.endswith(".") and bool(_TYPE.match(plain)))

    def _is_call(self, wanted: tuple[str, ...], loosely: bool, before: str, after: str) -> bool:
        if not _CALL.match(after):
            bare = self._language in _COMMANDS and not re.match(r"\s*[=.:,)\]]", after)
            return bare and bool(_COMMAND_BEFORE.search(before))
        owner = before.rstrip()
        if len(wanted) > 1:
            joined = _JOINTS.join(re.escape(part) for part in wanted[:-1])
            return bool(re.search(rf"(?<!\w){joined}{_JOINTS}$", owner))
        if loosely:
            return True
        methods = (".", "->", "::", ":") if self._language == "lua" else (".", "->", "::")
        return not owner.endswith(methods)

    def _used(self, wanted: tuple[str, ...], loosely: bool) -> int | None:
        if loosely:
            folded = _style_free("".join(wanted))
            for match in re.finditer(r"\w+(?:(?:\.|::|->)\w+)*", self._logic):
                parts = _JOINT.split(match.group())
                if folded in (_style_free("".join(parts)), _style_free(parts[-1])):
                    return match.start()
            return None
        words = _JOINTS.join(re.escape(part) for part in wanted)
        # A method or a field of that name, of some object, is something else.
        before = r"(?<![\w.])(?<!->)(?<!::)" if len(wanted) == 1 else r"(?<!\w)"
        found = re.search(rf"{before}{words}(?!\w)", self._logic)
        return found.start() if found else None

    def _imported(self, wanted: tuple[str, ...], loosely: bool) -> int | None:
        """A name in a statement that imports, also as the text of a module's name."""
        words = _JOINTS_OF_MODULES.join(re.escape(part) for part in wanted)
        named = re.compile(rf"(?<![\w.@/-]){words}(?![\w-])", re.I if loosely else 0)
        for statement in (*_IMPORT.finditer(self._code), *_IMPORT_BLOCK.finditer(self._code)):
            found = named.search(statement.group())
            if found:
                return statement.start() + found.start()
        return None


_JOINTS = r"\s*(?:\.|::|->)\s*"
_JOINTS_OF_MODULES = r"\s*(?:\.|::|->|/|\\)\s*"


def _style_free(name: str) -> str:
    return name.replace("_", "").casefold()
