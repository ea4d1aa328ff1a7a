"""What shows that a text which reads as some language with braces or words is code of it.

A grammar that reads `COMMIT;` as a name and `ports: [80]` as a label has no mistake to tell of. The
outermost statements are told by their shape: a call and an assignment do something, a bare word, a
list and a pair do nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolcrib.packs.architecture.patterns.evidence.python import Indications
from toolcrib.packs.architecture.patterns.languages import WITHOUT_PARENTHESES

# Languages in which a name gets its value without being declared.
_UNDECLARED = frozenset({"bash", "elixir", "haskell", "hcl", "lua", "nix", "python", "ruby"})

_PIECE = re.compile(r"[()\[\]{}]|[;\n]|[^()\[\]{};\n]+")
_CLOSING = {")": "(", "]": "[", "}": "{"}
# A line that goes on from the last one, or that closes what was open; a mark of a compiler.
_CONTINUED = re.compile(r"[.?:&|+*/,)\]}@#<>=-]|!$")
_GOES_ON = tuple("=+-*/,.?&|(<")
_CARRIED = (".", "?")
# `COMMIT`, `SET x = 3`: only a constant is written like that, and it does nothing.
_SHOUTED = re.compile(r"[A-Z][A-Z_]+\b(?!\s*[.(=:\[])")
_BLOCK = re.compile(r"(?:\)|=>|->|\w)\s*(?::\s*[\w.<>\[\]| ]+)?\{\}")
_CALL = re.compile(
    r"(?:(?:return|throw|await|yield|new|defer|go|try|delete|void|else|raise|puts|echo)\s+)*"
    r"(?P<name>[$@A-Za-z_][\w$]*)[?!]?(?:(?:\s*\??\.|::|->|<\w*>|!|\[\]|\(\))[\w$]*[?!]?)*\(\)"
)
_WORD = re.compile(r"[^\W\d][\w$-]*")
_PATH = re.compile(r"[^\W\d][\w$.-]*")
_DECLARED = re.compile(r"[\w$.*&@<>\[\],]+\s+\S|[\w$]+\s*(?:[.\[:]|->)|[$@]\w+[.\[-]")
_OPERAND = re.compile(r"(?:return|throw|raise|yield)\s+\S|(?:let|var|const)\s+[\w$]+$")
_ASKED = re.compile(r"(?:\}?\s*else\s+)?(?:if|while|for|foreach|switch|match|catch)\s*\(\)")
_OWN = re.compile(r"(?:this|self|exports|module)\.|@\w")
_SENT = re.compile(r"[@\w:]+\.\w+[?!]?(?:\s|$)")
_BROUGHT = re.compile(r"(?:import|export|from|use|using|include|package|require)\b")


def text_evidence(logic: str, language: str, *, signs: int) -> Indications:
    """What is for and against a language in a text; `signs` are those that it has of it."""
    found = Indications(strong=signs)
    for statement in _outermost(logic):
        if _BLOCK.search(statement):
            found.strong += 1
        elif _SHOUTED.match(statement):
            found.idle += 1
        elif any(shape.match(statement) for shape in (_BROUGHT, _OPERAND, _ASKED)):
            found.weak += 1
        elif call := _CALL.match(statement):
            found.weak += not (call["name"].isupper() and len(call["name"]) > 1)
        elif (tells := _assigns(statement, language)) is not None:
            found.weak += tells
        elif language in WITHOUT_PARENTHESES and _SENT.match(statement):
            found.weak += 1
        elif not _CONTINUED.match(statement):
            found.idle += 1
    return found


def _assigns(statement: str, language: str) -> bool | None:
    """Whether an assignment tells anything; None where the statement is none.

    `key = value` and `a.b = c.d` do not: words given to a name that nobody declared.
    """
    left, equals, right = statement.partition("=")
    if not equals or right.startswith(("=", ">", "~")) or left.endswith(("!", "<", ">")):
        return None
    if _OWN.match(left):
        return True
    declared = language in _UNDECLARED or _DECLARED.match(left.rstrip(":+-*/%|&^. "))
    words = _WORD if len(left.split()) > 1 else _PATH
    return bool(declared) and not words.fullmatch(right.strip())


def _outermost(logic: str) -> Iterator[str]:
    """The statements outside of every bracket, with nothing between their brackets."""
    parts: list[str] = []
    ended = False
    for piece in _without_insides(logic):
        if piece == "\n":
            ended = bool(parts) and not parts[-1].rstrip().endswith(_GOES_ON)
            continue
        if piece == ";" or (ended and not piece.lstrip().startswith(_CARRIED)):
            if statement := "".join(parts).strip():
                yield statement
            parts = []
        if piece != ";" and piece.strip():
            parts.append(piece)
            ended = False
    if statement := "".join(parts).strip():
        yield statement


def _without_insides(logic: str) -> Iterator[str]:
    opened: list[str] = []
    for piece in _PIECE.findall(logic):
        if piece in _CLOSING and opened and opened[-1] == _CLOSING[piece]:
            opened.pop()
        if not opened:
            yield piece
        if piece in "([{":
            opened.append(piece)
