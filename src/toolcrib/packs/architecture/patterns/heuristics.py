"""Checks derived from a pattern's text, for documents without executable rules.

Only an explicit sentence becomes a check: a word of obligation, and an element that is marked as
code or unmistakable. Every check carries its sentence; ambiguous sentences give no check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from toolcrib.files.markdown.fences import Block, fenced_blocks
from toolcrib.packs.architecture.alignment.things.technologies import technologies_in
from toolcrib.packs.architecture.patterns.examples import is_bad_example
from toolcrib.packs.architecture.patterns.languages import DATA, find_language
from toolcrib.packs.architecture.patterns.names.found import FoundNames, Role, line_and_column
from toolcrib.packs.architecture.patterns.rules import is_for_machines
from toolcrib.packs.architecture.patterns.sourcecode import NO_CODE
from toolcrib.packs.architecture.patterns.spoken import languages_of_headings, languages_of_sentence
from toolcrib.packs.architecture.patterns.statements import Statement, statements

if TYPE_CHECKING:
    from toolcrib.files.markdown.document import Document

Demand = Literal["required", "forbidden"]
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
_JOINED = re.compile(r"(?:[,;]|\b(?:and|but))\s*(?:and|but)?\s*$", re.I)
_DEFINED = re.compile(
    r"\b(?:defin|declar|implement|provid|expos|offer|contain)(?:e|es|ed|s)?\b|\b(?:has|have|own)\b",
    re.I,
)
_CALLED = re.compile(r"\b(?:call|invok)(?:e|es|ed|s)?\b", re.I)
_INHERITED = re.compile(r"\b(?:inherit|extend|subclass|deriv)(?:e|es|ed|s|ing)?\b", re.I)
_IMPORTED = re.compile(r"\bimport(?:s|ed)?\b", re.I)
# "A function called `main`" names it, "is called" does not. What the name stands behind is a noun
# that is known, or anything with an article.
_NAMING = re.compile(
    r"(?:\b(?:an?|one|no|any|its|the|every|each)(?: (?!(?:is|are|be|been|being|gets?|to)\b)[\w-]+)"
    r"{1,4}?"
    r"|\b(?:function|method|class|module|table|constant|variable|field|attribute|property|type|"
    r"interface|constructor|parameter|argument|struct|enum|decorator|package|file)(?:s|es)?)"
    r"(?: (?:that|which) (?:is|are))? (?:called|named) (?=[`\"']|\w*[_(.\d]|\w*(?-i:[a-z][A-Z]))",
    re.I,
)
# What has a thing of that name: "there must be", "must include".
_BEING = re.compile(r"\s*(?:be|exist|includ\w+|export\w*|come with|carry|keep)?\s*", re.I)
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
    r"\bSQL\b": r"(?i)[\"'`]\s*(?:select\s[^\"'`]*\sfrom|insert\s+into|update\s+\w+\s+set"
    r"|delete\s+from)\s",
    r"\bprint(?:ing)? statements?\b": r"(?<![\w.])print\s*\(|console\.log\(|System\.out\.print"
    r"|fmt\.Print",
    r"\bglobal variables?\b": r"^\s*global\s+\w",
    r"\bbare except\b": r"^\s*except\s*:",
    r"\bwildcard imports?\b": r"\bimport\s+\*|^import [\w.]+\.\*;",
}
_CONSTRUCTOR = re.compile(r"\bconstructors?\b")
# Words that name a thing; that one of them is also a word of exception leaves no room.
_THINGS = re.compile("|".join(_CONCEPTS))


@dataclass(frozen=True, slots=True)
class TextCheck:
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
    """What the words speak of: a definition, a call, …; for `any` the name is enough."""
    spoken: frozenset[str] = frozenset()
    """The languages for which the sentence says that it is; empty where it says none."""

    @property
    def name(self) -> str:
        """A short name for the answer."""
        return f"{self.demand}: {self.element}"

    def concerns(self, language: str | None) -> bool:
        """Whether code in that language can do what the words speak of."""
        return self.role == "any" or language not in DATA


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A check that code does not pass; `line` and `column` where something stands too much."""

    check: TextCheck
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Demands:
    """What a document demands in words: as checks, and the sentences that became none."""

    checks: list[TextCheck]
    unread: list[str]


def read_demands(document: Document) -> Demands:
    """The checks of a document, and which of its demands only a reader can judge."""
    checks = derive_checks(document)
    judged = {check.sentence for check in checks}
    told = statements(document.body[:_LONGEST_BODY], document.body_line)
    demands = (demand for each in told if (demand := _demand(each)) is not None)
    return Demands(checks, [demand for demand in demands if demand not in judged])


def derive_checks(document: Document) -> list[TextCheck]:
    """The checks that the document's words support, and its own samples do not contradict."""
    blocks = fenced_blocks(document.body[:_LONGEST_BODY], document.body_line)
    samples = [block for block in blocks if _is_sample(block)]
    found: dict[tuple[str, str], TextCheck] = {}
    for statement in statements(document.body[:_LONGEST_BODY], document.body_line):
        spoken = languages_of_sentence(statement.lead) | languages_of_sentence(statement.text)
        spoken = spoken or languages_of_headings(statement.headings)
        for check in _checks_in(statement):
            found.setdefault((check.demand, check.element), replace(check, spoken=spoken))
    disputed = {element for demand, element in found if (_other(demand), element) in found}
    kept = [check for check in found.values() if check.element not in disputed]
    sound = [check for check in kept if not any(_contradicts(check, each) for each in samples)]
    return sound[:MOST_CHECKS]


def apply_checks(checks: Sequence[TextCheck], code: str, language: str | None) -> list[FailedCheck]:
    """The checks that `code` does not pass, in the order of the document."""
    found = FoundNames(code, language)
    findings = []
    for check in checks:
        place = _place(check, found)
        if check.demand == "required" and place is None:
            findings.append(FailedCheck(check))
        elif check.demand == "forbidden" and place is not None:
            findings.append(FailedCheck(check, *place))
    return findings


def _other(demand: str) -> str:
    return "forbidden" if demand == "required" else "required"


def _is_sample(block: Block) -> bool:
    """Whether a block shows code as the document wants it."""
    if is_for_machines(block) or is_bad_example(block):
        return False
    return block.language.casefold() not in NO_CODE


def _contradicts(check: TextCheck, sample: Block) -> bool:
    language = find_language(sample.language)
    return bool(apply_checks([check], sample.text, language.name if language else None))


def _checks_in(statement: Statement) -> Iterator[TextCheck]:
    text = statement.text
    if statement.lead and not _states_duty(text):
        text = f"{statement.lead} {text}"
    if text.endswith("?") or _ROOM.search(_THINGS.sub("", _ELEMENT.sub("", text))):
        return
    quoted = f"{statement.lead}: {statement.text}" if text != statement.text else text
    banned = _BANNED.search(text)
    duties = list(_DUTY.finditer(text))
    if banned and not duties:
        demand: Demand = "forbidden" if banned["not"] else "required"
        part = text[: banned.start()]
        named: Role = "definition" if _NAMING.match(_blanked(part)) else "any"
        yield from _made(part, demand, True, quoted, statement.line, named)
        return
    ends = [duty.start() for duty in duties[1:]] + [len(text)]
    rests = [text[duty.end() : end] for duty, end in zip(duties, ends, strict=False)]
    # A second duty of the same subject follows its "and" at once. With another subject, which
    # code it is about is a guess.
    if not all(_JOINED.search(rest) for rest in rests[:-1]):
        return
    for duty, rest in zip(duties, rests, strict=True):
        demand = "forbidden" if duty["must_not"] or duty["should_not"] else "required"
        strict = bool(duty["must_not"] or duty["must"])
        if passive := _PASSIVE.match(rest):
            part, role = text[: duties[0].start()], _role(passive[0])
        else:
            turn = _TURN.search(_blanked(rest))
            part = rest[: turn.start()] if turn else rest
            role = _role(_blanked(part))
        yield from _made(part, demand, strict, quoted, statement.line, role)


def _states_duty(text: str) -> bool:
    return bool(_DUTY.search(text) or _BANNED.search(text))


def _demand(statement: Statement) -> str | None:
    """The duty that a sentence states, alone or by what leads to it; None where it states none."""
    text, lead = statement.text, statement.lead
    if text.endswith(("?", ":")):
        return None
    if _states_duty(text):
        return text
    return f"{lead}: {text}" if _states_duty(lead) else None


def _role(words: str) -> Role:
    """What a verb asks for: that something is defined, or that it is called."""
    naming = _NAMING.search(words)
    words = _NAMING.sub(" ", words)
    if _CALLED.search(words):
        return "call"
    if _INHERITED.search(words):
        return "base"
    if _DEFINED.search(words):
        return "definition"
    if _IMPORTED.search(words):
        return "import"
    exists = naming is not None and _BEING.fullmatch(words[: naming.start()])
    return "definition" if exists else "any"


def _blanked(text: str) -> str:
    """The text with its code blotted out, so that words are looked for in words alone."""
    return _ELEMENT.sub(lambda match: "`" + "x" * (len(match.group()) - 2) + "`", text)


def _made(
    part: str, demand: Demand, strict: bool, sentence: str, line: int, role: Role = "any"
) -> Iterator[TextCheck]:
    elements = [match[1].strip() for match in _ELEMENT.finditer(part)]
    words = _ELEMENT.sub(" ", part)
    elements += [match.group() for match in _BARE.finditer(words) if not _is_product(match.group())]
    # "`a` or `b`": one of them is enough, and which is not ours to say.
    if demand == "required" and len(elements) > 1 and re.search(r"\bor\b", part):
        return
    for element in elements:
        if _is_element(element):
            # "Extend `Base`" speaks of a class, "extend `timeout`" does not.
            meant = role if role != "base" or element[0].isupper() else "any"
            yield TextCheck(demand, element, sentence, line, strict, role=meant)
    if made := _CONSTRUCTOR.search(words):
        yield TextCheck(demand, made.group(), sentence, line, strict, role="constructor")
    for spoken, pattern in _CONCEPTS.items():
        named = re.search(spoken, words)
        if named:
            yield TextCheck(demand, named.group(), sentence, line, strict, pattern)


def _is_element(text: str) -> bool:
    """Whether it is something that can stand in code: no path, no option, no sentence."""
    if _IDENTIFIER.fullmatch(text):
        return len(text.strip("@()")) > 1
    return bool(_STATEMENT.fullmatch(text)) or text in ("import *", "except:", "SELECT *")


def _is_product(word: str) -> bool:
    """Whether a word is written like a name in code, but is that of a product: `GitHub`."""
    return bool(technologies_in(word)) and "_" not in word and not word.endswith("()")


def _lives_in_strings(check: TextCheck) -> bool:
    """SQL is written in strings; everything else counts in code alone."""
    return check.element.split()[0] in _SQL


_SQL = {"SQL", "SELECT", "INSERT", "UPDATE", "DELETE", "DROP", "TRUNCATE", "MERGE", "JOIN", "WHERE"}


def _place(check: TextCheck, found: FoundNames) -> tuple[int, int] | None:
    """Line and column of what a check speaks of; None when the code does not have it."""
    text = found.code if _lives_in_strings(check) else found.logic
    wanted = check.element.removesuffix("()")
    if check.pattern is None and _IDENTIFIER.fullmatch(wanted) and not wanted.startswith("@"):
        role = check.role
        if role == "any" and check.demand == "forbidden" and check.element != wanted:
            role = "call"  # `print()` forbids the call
        return found.place(role, re.split(r"\.|::|->", wanted), check.demand == "required")
    if check.pattern is not None:
        at = re.search(check.pattern, text, re.M)
    else:
        words = r"\s+".join(re.escape(word) for word in wanted.split())
        at = re.search(rf"(?<!\w){words}" + (r"(?!\w)" if wanted[-1].isalnum() else ""), text)
    return line_and_column(text, at.start()) if at else None
