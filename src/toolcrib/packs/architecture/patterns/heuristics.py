"""Checks that are read out of a pattern's own words, for documents without executable rules.

Only what a sentence says plainly becomes a check: a word of duty, and an element that is written
as code or can be nothing else. Every check carries its sentence; where the words leave room, there
is no check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from toolcrib.files.markdown.fences import Block, fenced_blocks
from toolcrib.packs.architecture.alignment.technologies import technologies_in
from toolcrib.packs.architecture.patterns.examples import is_bad_example
from toolcrib.packs.architecture.patterns.languages import find_language
from toolcrib.packs.architecture.patterns.sourcecode import without_comments, without_strings
from toolcrib.packs.architecture.patterns.statements import Statement, statements

if TYPE_CHECKING:
    from toolcrib.files.markdown.document import Document

Demand = Literal["required", "forbidden"]
Role = Literal["any", "definition", "call"]

MOST_CHECKS = 100
_LONGEST_BODY = 200_000

_MUST_NOT = (
    r"must(?: not|n['’]t| never)|shall(?: not| never)|can ?not|can['’]t|may not|never|"
    r"(?:do|does) not|don['’]t|doesn['’]t|is forbidden to|are forbidden to|"
    r"(?:is|are) not (?:allowed|permitted) to|^no(?: direct| raw)?(?= [`\w])"
)
_SHOULD_NOT = r"should(?: not|n['’]t| never)|avoid(?:s)?(?: using)?|ought not to"
_MUST = r"must(?: always)?|shall(?: always)?|(?:has|have|needs?) to|(?:is|are) required to|always"
_SHOULD = r"should(?: always)?|ought to"
# The longer words first: "must not" is no "must".
_DUTY = re.compile(
    rf"\b(?:(?P<must_not>{_MUST_NOT})|(?P<should_not>{_SHOULD_NOT})"
    rf"|(?P<must>{_MUST})|(?P<should>{_SHOULD}))\b",
    re.I,
)
_BANNED = re.compile(
    r"\b(?:is|are)(?: strictly)? (?:(?P<not>not (?:allowed|permitted)|forbidden|prohibited|banned)"
    r"|(?P<yes>required|mandatory|obligatory))\b",
    re.I,
)
_PASSIVE = re.compile(
    r"\s*be (?:used|called|imported|present|defined|provided|implemented|declared|thrown|raised|"
    r"caught|accessed|returned)\b"
    r"|\s*appear\b",
    re.I,
)
# Beyond these words a sentence speaks of something else, often of the opposite.
_TURN = re.compile(
    r";|:(?=\s)|—|–|(?:,|\band) use\b|\b(?:but|instead|rather|so that|because|since|to keep|"
    r"in order to|which|where|through|via|into|for|by)\b",
    re.I,
)
_DEFINED = re.compile(
    r"\b(?:defin|declar|implement|provid|expos|offer|contain)(?:e|es|ed|s)?\b|\b(?:has|have|own)\b",
    re.I,
)
_CALLED = re.compile(r"\b(?:call|invok)(?:e|es|ed|s)?\b", re.I)
_ROOM = re.compile(
    r"\b(?:unless|except(?!\w)|only (?:in|when|if|for|the|inside|within)|if|when|whenever|"
    r"outside(?: of)?|inside(?: of)?|in tests?|or equivalent|such as|for example|e\.g|i\.e|"
    r"other than|either|not every|not all|may|can|could|might|optional(?:ly)?)\b",
    re.I,
)
_ELEMENT = re.compile(r"`([^`\n]{1,60})`")
_IDENTIFIER = re.compile(
    r"@?[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::|->)[A-Za-z_][A-Za-z0-9_]*)*(?:\(\))?"
)
_STATEMENT = re.compile(
    r"(?:import|from|except|catch|new|select|insert|update|delete)\b.{0,40}", re.I
)
# Words that are names in code even where nobody marked them as such: `get_by_id`, `sqlite3`,
# `os.system`, `OrderRepository`, `eval()`.
_BARE = re.compile(
    r"(?<![\w`./])(?:[A-Za-z]\w*\(\)|[a-z]{2,}(?:\.[a-z_]\w+)+|[A-Za-z]\w*_\w+|[a-z]{3,}\d"
    r"|[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)(?![\w`/])"
)
# A few things have a name in prose and several in code.
_CONCEPTS = {
    r"\binterfaces?\b": r"\binterface\b|\bProtocol\b|\bABC\b|\babstract\s+class\b|\btrait\b",
    r"\bconstructors?\b": r"\b__init__\b|\bconstructor\b|\bfunc New\w*\(|\bdef initialize\b",
    r"\bSQL\b": r"(?i)[\"'`]\s*(?:select\s[^\"'`]*\sfrom|insert\s+into|update\s+\w+\s+set"
    r"|delete\s+from)\s",
    r"\bprint(?:ing)? statements?\b": r"(?<![\w.])print\s*\(|console\.log\(|System\.out\.print"
    r"|fmt\.Print",
    r"\bglobal variables?\b": r"^\s*global\s+\w",
    r"\bbare except\b": r"^\s*except\s*:",
    r"\bwildcard imports?\b": r"\bimport\s+\*|^import [\w.]+\.\*;",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One demand that a document makes in its own words.

    `pattern` is how the element looks in code, where it is not simply its name.
    """

    demand: Demand
    element: str
    sentence: str
    line: int
    strict: bool
    pattern: str | None = None
    role: Role = "any"
    """Whether the words speak of a definition or of a call; otherwise the name is enough."""

    @property
    def name(self) -> str:
        """A short name for the answer."""
        return f"{self.demand}: {self.element}"


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A check that code does not pass; `line` and `column` where something stands too much."""

    check: Check
    line: int | None = None
    column: int | None = None


def derive_checks(document: Document) -> list[Check]:
    """The checks that the document's words support, and its own samples do not contradict."""
    blocks = fenced_blocks(document.body[:_LONGEST_BODY], document.body_line)
    samples = [block for block in blocks if _is_sample(block)]
    found: dict[tuple[str, str], Check] = {}
    for statement in statements(document.body[:_LONGEST_BODY], document.body_line):
        for check in _checks_in(statement):
            found.setdefault((check.demand, check.element), check)
    disputed = {element for demand, element in found if (_other(demand), element) in found}
    kept = [check for check in found.values() if check.element not in disputed]
    sound = [check for check in kept if not any(_contradicts(check, each) for each in samples)]
    return sound[:MOST_CHECKS]


def apply_checks(checks: Sequence[Check], code: str, language: str | None) -> list[FailedCheck]:
    """The checks that `code` does not pass, in the order of the document."""
    bare = without_comments(code, language)
    logic = without_strings(bare, language)
    findings = []
    for check in checks:
        text = bare if _lives_in_strings(check) else logic
        at = _position(check, text)
        if check.demand == "required" and at is None:
            findings.append(FailedCheck(check))
        elif check.demand == "forbidden" and at is not None:
            line = text.count("\n", 0, at) + 1
            findings.append(FailedCheck(check, line, at - (text.rfind("\n", 0, at) + 1) + 1))
    return findings


def _other(demand: str) -> str:
    return "forbidden" if demand == "required" else "required"


def _is_sample(block: Block) -> bool:
    """Whether a block shows code as the document wants it."""
    return not is_bad_example(block) and block.language.casefold() not in _NO_CODE


_NO_CODE = {"text", "txt", "console", "plaintext", "output", "mermaid", "diff", "markdown", "md"}


def _contradicts(check: Check, sample: Block) -> bool:
    language = find_language(sample.language)
    return bool(apply_checks([check], sample.text, language.name if language else None))


def _checks_in(statement: Statement) -> Iterator[Check]:
    text = statement.text
    if statement.lead and not _DUTY.search(text) and not _BANNED.search(text):
        text = f"{statement.lead} {text}"
    if text.endswith("?") or _ROOM.search(_ELEMENT.sub("", text)):
        return
    quoted = f"{statement.lead}: {statement.text}" if text != statement.text else text
    banned = _BANNED.search(text)
    duties = list(_DUTY.finditer(text))
    if banned and not duties:
        demand: Demand = "forbidden" if banned["not"] else "required"
        yield from _made(text[: banned.start()], demand, True, quoted, statement.line)
        return
    # Two duties in one sentence: which of them an element belongs to is a guess.
    if len(duties) != 1:
        return
    duty = duties[0]
    demand = "forbidden" if duty["must_not"] or duty["should_not"] else "required"
    strict = bool(duty["must_not"] or duty["must"])
    rest = text[duty.end() :]
    passive = _PASSIVE.match(rest)
    if passive:
        role = _role(passive[0])
        yield from _made(text[: duty.start()], demand, strict, quoted, statement.line, role)
        return
    turn = _TURN.search(_blanked(rest))
    part = rest[: turn.start()] if turn else rest
    yield from _made(part, demand, strict, quoted, statement.line, _role(_blanked(part)))


def _role(words: str) -> Role:
    """What a verb asks for: that something is defined, or that it is called."""
    if _CALLED.search(words):
        return "call"
    return "definition" if _DEFINED.search(words) else "any"


def _blanked(text: str) -> str:
    """The text with its code blotted out, so that words are looked for in words alone."""
    return _ELEMENT.sub(lambda match: "`" + "x" * (len(match.group()) - 2) + "`", text)


def _made(
    part: str, demand: Demand, strict: bool, sentence: str, line: int, role: Role = "any"
) -> Iterator[Check]:
    elements = [match[1].strip() for match in _ELEMENT.finditer(part)]
    words = _ELEMENT.sub(" ", part)
    elements += [match.group() for match in _BARE.finditer(words) if not _is_product(match.group())]
    # "`a` or `b`": one of them is enough, and which is not ours to say.
    if demand == "required" and len(elements) > 1 and re.search(r"\bor\b", part):
        return
    for element in elements:
        if _is_element(element):
            yield Check(demand, element, sentence, line, strict, role=role)
    for spoken, pattern in _CONCEPTS.items():
        named = re.search(spoken, words)
        if named:
            yield Check(demand, named.group(), sentence, line, strict, pattern)


def _is_element(text: str) -> bool:
    """Whether it is something that can stand in code: no path, no option, no sentence."""
    if _IDENTIFIER.fullmatch(text):
        return len(text.strip("@()")) > 1
    return bool(_STATEMENT.fullmatch(text)) or text in ("import *", "except:", "SELECT *")


def _is_product(word: str) -> bool:
    """Whether a word is written like a name in code, but is that of a product: `GitHub`."""
    return bool(technologies_in(word)) and "_" not in word and not word.endswith("()")


def _lives_in_strings(check: Check) -> bool:
    """SQL is written in strings; everything else counts in code alone."""
    return check.element.split()[0] in _SQL


_SQL = {"SQL", "SELECT", "INSERT", "UPDATE", "DELETE", "DROP", "TRUNCATE", "MERGE", "JOIN", "WHERE"}


def _position(check: Check, text: str) -> int | None:
    """Where the element stands, as a whole word; a required one in any style of naming."""
    if check.pattern is not None:
        found = re.search(check.pattern, text, re.M)
        return found.start() if found else None
    wanted = check.element.removesuffix("()")
    if check.role != "any" and _IDENTIFIER.fullmatch(wanted) and not wanted.startswith("@"):
        return _position_of_role(check, wanted, text)
    if check.demand == "required" and _IDENTIFIER.fullmatch(wanted):
        folded = _style_free(wanted)
        for match in re.finditer(r"@?\w+(?:(?:\.|::|->)\w+)*", text):
            if folded in (_style_free(match.group()), _style_free(_last(match.group()))):
                return match.start()
        return None
    words = r"\s+".join(re.escape(word) for word in wanted.split())
    before, after = r"(?<!\w)", r"(?!\w)" if wanted[-1].isalnum() else ""
    if check.demand == "forbidden" and wanted.isidentifier():
        # A method or a field of that name, of some object, is something else.
        before = r"(?<![\w.])(?<!->)(?<!::)"
    if check.element.endswith("()"):
        # `print()` forbids the call of print, not that of a method with the same name.
        before, after = (before if "." in wanted else r"(?<![\w.])"), r"\s*\("
    found = re.search(before + words + after, text)
    return found.start() if found else None


def _position_of_role(check: Check, wanted: str, text: str) -> int | None:
    """Where a name is defined, or called; a required one in any style of naming."""
    folded = _style_free(_last(wanted))
    for match in _NAME.finditer(text):
        name = match.group()
        plainly = name == _last(wanted) if check.demand == "forbidden" else True
        if _style_free(name) != folded or not plainly:
            continue
        # A body may stand on the line of its class: `class Repo { getById(id) {} }`.
        start = max(text.rfind(mark, 0, match.start()) for mark in "\n{};") + 1
        before = text[start : match.start()]
        after = text[match.end() : match.end() + _AHEAD]
        defined = bool(_DEFINES.search(before) and not before.rstrip().endswith((".", "=")))
        defined = defined or _is_defined(before, after)
        if check.role == "definition":
            if defined:
                return match.start()
        elif _CALL.match(after) and not defined and _is_meant(check, wanted, before):
            return match.start()
    return None


def _is_meant(check: Check, wanted: str, before: str) -> bool:
    """Whether a call is that of the name itself, and not of another object's method."""
    owner = before.rstrip()
    if "." in wanted:
        return owner.endswith(wanted.rpartition(".")[0] + ".")
    if check.demand == "required":
        return True
    return not owner.endswith((".", "->", "::"))


def _is_defined(before: str, after: str) -> bool:
    """A method or a field without a keyword: `getById(id: string): Order {`, `limit = 3`."""
    head = before.strip()
    if _ASSIGNED.match(after) and (not head or head in ("self.", "this.") or _TYPE.match(head)):
        return True
    if head and (head.endswith(".") or not _TYPE.match(head)):
        return False
    return bool(_BODY.match(after)) or (bool(head) and bool(_CALL.match(after)))


_NAME = re.compile(r"[A-Za-z_]\w*")
_AHEAD = 300
_DEFINES = re.compile(
    r"\b(?:def|func|fn|fun|function|class|interface|struct|trait|protocol|type|enum|record|object"
    r"|module|sub|const|let|var|val)\s+(?:\([^()\n]*\)\s*)?(?:self\.)?$"
)
# What may stand before the name of a method: modifiers and a type, but no word of a statement.
_TYPE = re.compile(
    r"(?!(?:return|await|yield|new|throw|raise|else|in|not|and|or|if|while|assert|del|print)\b)"
    r"(?:[A-Za-z_][\w.]*(?:<[^<>()\n]*>)?(?:\[\])*[?*&]?\s+)*[A-Za-z_][\w.]*(?:<[^<>()\n]*>)?"
    r"(?:\[\])*[?*&]?$"
)
_CALL = re.compile(r"\s*\(")
_ASSIGNED = re.compile(r"\s*(?::[^=\n]{1,80})?=(?!=)")
_BODY = re.compile(r"\s*(?:<[^<>()\n]*>)?\([^()]*\)\s*(?::\s*[^;{}=\n]+[;{]?|\{|=>)")


def _style_free(name: str) -> str:
    """`get_by_id`, `getById` and `GetByID` are one name in three languages."""
    return name.replace("_", "").casefold()


def _last(name: str) -> str:
    return re.split(r"\.|::|->", name)[-1]
