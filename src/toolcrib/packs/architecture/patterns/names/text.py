"""Names in the text of code, for languages of which only the words are known.

What a name does is told by what stands around it: a keyword before a definition, a type before a
method, parentheses behind a call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from toolcrib.packs.architecture.patterns.languages import WITHOUT_PARENTHESES
from toolcrib.packs.architecture.patterns.names.classes import base_at

_TOKEN = re.compile(r"[A-Za-z_]\w*|[()\[\]{}]")
_CLOSING = {")": "(", "]": "[", "}": "{"}
_AHEAD = 300
_DEFINES = re.compile(
    r"\b(?:def|defp|func|fn|fun|function|class|interface|struct|trait|protocol|type|enum|record"
    r"|object|module|sub|const|let|var|val)\s+(?:\([^()\n]*\)\s*|<[^<>\n]*>\s*)?(?:\w+[.:])*$"
)
_VALUE = re.compile(r"\b(?:const|let|var|val)\s+$")
# Languages by what makes a definition of a name with parentheses: a type or nothing before it
# ("Order get(int id);"), modifiers alone ("async get(id) {"), else only a word of its own ("fn").
_TYPED = frozenset({"c", "cpp", "csharp", "dart", "java", None})
_SCRIPT = frozenset({"javascript", "typescript", "tsx", None})
_MODIFIERS = frozenset(
    {"*", "abstract", "accessor", "async", "declare", "get", "override", "private", "protected"}
    | {"public", "readonly", "set", "static"}
)
# Words of statements: what follows them is no type, and so no definition.
_STATEMENT = frozenset(
    re.findall(
        r"\w+",
        "return await yield new throw raise else in not and or if unless until while for foreach"
        " when case match switch assert del delete typeof instanceof go defer puts echo print do"
        " then of is import from use using require include goto break continue default export"
        " co_await co_return co_yield sizeof alignof",
    )
)
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
# What can be called by its name alone, at the beginning of a command, or with a literal behind it.
_COMMANDS = frozenset({"bash", "ruby", "elixir"})
_COMMAND_BEFORE = re.compile(r"(?:^|[;|&({`]|\b(?:then|do|else|if|while|!))\s*$")
_BY_LITERAL = frozenset({"haskell", "lua", "php"})
_LITERAL = re.compile(r"[ \t]*[\"'$]|[ \t]+[\[{\d]")
_FIRST_LITERAL = re.compile(r"\s*\(\s*[\d\"'`]")
# `getById :: Int -> Item`, `getById x = …`
_EQUATION = re.compile(r"[ \t]*::|[^\n=|:]*=(?!=)")
_METHOD = re.compile(r"(?<!\.)\.$|(?:->|::)$")
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
        if role == "base":
            name = "_*".join(wanted[-1].replace("_", "")) if loosely else re.escape(wanted[-1])
            return base_at(self._logic, f"(?i:{name})" if loosely else name, self._language)
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
                met = not defined and self._is_call(word, wanted, loosely, before, after)
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
            return not (_VALUE.search(before) and _CALL.match(after))  # `const Item(1)` makes one
        inside = self._logic[word.bracket] if word.bracket >= 0 else ""
        if inside in ("(", "["):
            return False  # an argument or a parameter
        head = before.strip()
        if _ASSIGNED.match(after) or _PAIR.match(after):
            return not head or bool(_OWN.search(head)) or self._is_type(head)
        if self._language == "haskell":
            return not before and bool(_EQUATION.match(after))
        if _FIRST_LITERAL.match(after):
            return False  # no parameter is a literal
        if self._language == "bash":
            return not head and bool(_BODY.match(after))
        return (
            (self._language in _TYPED and self._is_typed(word, head, after))
            or (self._language in _SCRIPT and self._is_method(head, after))
            or (not head and self._is_in_interface(word) and bool(_CALL.match(after)))
        )

    def _is_typed(self, word: _Word, head: str, after: str) -> bool:
        """`Order get(int id) {`, and `Order get(int id);` where nothing can be called."""
        if head.endswith("::"):
            return bool(_BRACED.match(after))  # `Order Repo::getById(int id) {`
        if head.endswith(("*", "&")):
            return bool(_BRACED.match(after)) and self._is_type(head.rstrip("*& "))
        if head and not self._is_type(head):
            return False
        if _BODY.match(after):
            return True
        return bool(head) and bool(_CALL.match(after)) and not self._is_in_function(word)

    def _is_method(self, head: str, after: str) -> bool:
        """`async get(id) {`: modifiers alone stand before the name of a method."""
        return _MODIFIERS.issuperset(head.split()) and bool(_BODY.match(after))

    def _is_in_interface(self, word: _Word) -> bool:
        return self._before_bracket(word).endswith("interface")

    def _is_in_function(self, word: _Word) -> bool:
        """Whether the innermost braces around it follow parentheses."""
        return self._before_bracket(word).endswith(")")

    def _before_bracket(self, word: _Word) -> str:
        start = max(word.bracket - _AHEAD, 0)
        return self._logic[start : max(word.bracket, 0)].rstrip()

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

    def _is_call(
        self, word: _Word, wanted: tuple[str, ...], loosely: bool, before: str, after: str
    ) -> bool:
        owner = before.rstrip() or self._logic[max(word.start - _AHEAD, 0) : word.start].rstrip()
        if not _CALL.match(after) and not self._is_called_bare(before, after, loosely):
            return False
        if len(wanted) > 1:
            joined = _JOINTS.join(re.escape(part) for part in wanted[:-1])
            return bool(re.search(rf"(?<!\w){joined}{_JOINTS}$", owner))
        if loosely:
            return True
        # `f(...print(1))` spreads what the name itself gives; what follows one dot is a method.
        of_lua = self._language == "lua" and owner.endswith(":")
        return not of_lua and not _METHOD.search(owner)

    def _is_called_bare(self, before: str, after: str, loosely: bool) -> bool:
        """Whether it is called without parentheses, where the language knows that."""
        if self._language in _BY_LITERAL and _LITERAL.match(after):
            return True
        if re.match(r"\s*[=.:,)\]]", after):
            return False
        if self._language in _COMMANDS and _COMMAND_BEFORE.search(before):
            return True
        return loosely and self._language in WITHOUT_PARENTHESES and before.endswith(".")

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
        before = r"(?<!\w)(?<!(?<!\.)\.)(?<!->)(?<!::)" if len(wanted) == 1 else r"(?<!\w)"
        found = re.search(rf"{before}{words}(?!\w)", self._logic)
        return found.start() if found else None

    def _imported(self, wanted: tuple[str, ...], loosely: bool) -> int | None:
        """A name in a statement that imports, also as the text of a module's name."""
        words = _JOINTS_OF_MODULES.join(re.escape(part) for part in wanted)
        named = re.compile(rf"(?<![\w.@/-]){words}(?![\w-])", re.I if loosely else 0)
        # Its words stand outside of strings, the module's name often in one.
        for statement in (*_IMPORT.finditer(self._logic), *_IMPORT_BLOCK.finditer(self._logic)):
            found = named.search(self._code, statement.start(), statement.end())
            if found:
                return found.start()
        return None


_JOINTS = r"\s*(?:\.|::|->)\s*"
_JOINTS_OF_MODULES = r"\s*(?:\.|::|->|/|\\)\s*"


def _style_free(name: str) -> str:
    return name.replace("_", "").casefold()
