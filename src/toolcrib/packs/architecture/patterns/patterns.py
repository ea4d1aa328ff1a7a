"""`validate-against-pattern`: checks code against a documented pattern."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from toolcrib.core.errors import ConfigError, InvalidArguments
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.packs.architecture.patterns.astgrep import Match, Scan
from toolcrib.packs.architecture.patterns.languages import (
    DATA,
    Language,
    find_language,
    language_names,
    spoken_as,
)
from toolcrib.packs.architecture.patterns.rulebook import (
    Checked,
    RuleBook,
    rule_book,
    run_rules,
    why_not,
)
from toolcrib.packs.architecture.patterns.rules import Rule, Severity
from toolcrib.packs.architecture.patterns.sourcecode import (
    code_in_fences,
    has_code,
    is_code,
    path_in_comment,
)
from toolcrib.packs.architecture.patterns.spoken import languages_meant, languages_shown
from toolcrib.packs.architecture.patterns.syntax import tell_language, unreadable_from

if TYPE_CHECKING:
    from toolcrib.files.markdown.document import Document
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.packs.architecture.library.records import DocumentRecord
    from toolcrib.packs.architecture.patterns.heuristics import FailedCheck

Mode = Literal["rules", "heuristic", "none"]

MOST_VIOLATIONS = 100
_LONGEST_SNIPPET = 300
_MOST_UNREAD = 5
_PATTERN_WORD = re.compile(r"(?:^pattern-|-pattern$|-patterns$)")


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which code is not what the pattern asks for; the place where it is known."""

    rule: str
    description: str
    severity: Severity
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    snippet: str | None = None
    fix: str | None = None

    def to_wire(self) -> JSON:
        """The violation as a client sees it."""
        wire: JSON = {
            "rule": self.rule, "description": self.description, "severity": self.severity,
        }  # fmt: skip
        for name in ("line", "column", "snippet", "fix"):
            if (value := getattr(self, name)) is not None:
                wire[name] = value
        return wire


@dataclass(slots=True)
class PatternVerdict:
    """What is to be said about one piece of code and one pattern."""

    pattern: str
    mode: Mode
    violations: list[Violation] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)

    def to_wire(self) -> JSON:
        """The answer of the tool. Code is compliant when there is nothing to be said against it."""
        return {
            "compliant": not self.violations,
            "pattern": self.pattern,
            "mode": self.mode,
            "violations": [violation.to_wire() for violation in self.violations],
            "suggestions": self.suggestions,
        }


async def validate_named(
    library: Library, name: str, code: str, language: str | None = None
) -> PatternVerdict:
    """Hold code against the pattern of a library that `name` means."""
    # The first question reads the whole library, which is no work for the event loop.
    record, document = await in_thread(_open, library, name)
    return await validate(record, document, code, language, rule_book(library))


def _open(library: Library, name: str) -> tuple[DocumentRecord, Document]:
    record = find_pattern(library, name)
    return record, library.document(record)


def find_pattern(library: Library, name: str) -> DocumentRecord:
    """The pattern that `name` means: its file's name with or without `-pattern`, title or uri.

    Raises `InvalidArguments` with the nearest names, or with the candidates when it is ambiguous.
    """
    records = library.records("patterns")
    wanted = name.strip()
    for exact in ({wanted}, {wanted.removesuffix(".md")}):
        if found := [record for record in records if exact & {record.uri, record.name}]:
            return found[0]
    key = _plain_name(wanted.removeprefix("architecture://patterns/"))
    found = [record for record in records if key in _names(record)]
    if len(found) == 1:
        return found[0]
    if found:
        several = ", ".join(record.uri for record in found[:20])
        raise InvalidArguments(
            [f"Argument 'pattern_name': {wanted!r} means more than one pattern: {several}"],
            ["pattern_name"],
        )
    raise _unknown(wanted, records)


def _unknown(wanted: str, records: Sequence[DocumentRecord]) -> InvalidArguments:
    names = [record.name for record in records]
    titles = {record.title: record.name for record in records}
    hint = did_you_mean(wanted, names) or did_you_mean(wanted, titles)
    if not hint:
        hint = f"; known: {', '.join(names[:20])}" if names else "; there are no patterns here"
    return InvalidArguments(
        [f"Argument 'pattern_name': unknown pattern {wanted!r}{hint}"], ["pattern_name"]
    )


def _names(record: DocumentRecord) -> set[str]:
    return {_plain_name(each) for each in (record.name, record.stem, record.title)}


def _plain_name(name: str) -> str:
    folded = re.sub(r"[\s_-]+", "-", name.strip().casefold().removesuffix(".md")).strip("-")
    return _PATTERN_WORD.sub("", folded) or folded


async def validate(
    record: DocumentRecord, document: Document, code: str, language: str | None, book: RuleBook
) -> PatternVerdict:
    """Hold code against one pattern document: by its rules, else by its words, else not at all."""
    unfenced = _out_of_fences(code, language)
    if unfenced is None:
        why = "The text has blocks of code in several languages"
        return _nothing(record.name, why, "Pass the code of one language at a time.")
    code, language = unfenced
    checked = await book.checked(record, document)
    if checked:
        verdict = await _by_rules(record.name, checked, code, language)
    else:
        verdict = await _by_words(record.name, document, code, language)
    # Where there is no code, nothing that is forbidden stands in it either.
    if not verdict.violations and not (has_code(code) if language else is_code(code)):
        return _nothing(record.name, "There is no code in the text")
    return verdict


def _out_of_fences(code: str, language: str | None) -> tuple[str, str | None] | None:
    """The code that Markdown shows, and its language; None where it shows several."""
    given = find_language(language) if language else None
    if given and given.name == "markdown":
        return code, language
    blocks = code_in_fences(code)
    if given and given.name in blocks:
        blocks = {given.name: blocks[given.name]}
    if len(blocks) > 1:
        return None
    for name, inside in blocks.items():
        return inside, language or name or None
    return code, language


async def _by_rules(name: str, checked: Checked, code: str, language: str | None) -> PatternVerdict:
    spoken = frozenset(rule.language.name for rule in checked.rules)
    found = find_language(language) if language else await tell_language(code, spoken)
    verdict = PatternVerdict(
        name, "rules", [_untold(rule, why) for rule, why in checked.unsound.items()]
    )
    fitting = [pair for rule in checked.rules if (pair := _reading(rule, found))]
    if not fitting and not verdict.violations:
        return _nothing_for(name, found.name if found else language, spoken)
    path = path_in_comment(code)
    if path is not None:
        fitting = [pair for pair in fitting if pair[0].applies_to(path)]
        if not fitting and not verdict.violations:
            verdict.suggestions.append(f"None of the rules speaks of {path}.")
    await _run(fitting, code, verdict)
    if path is None:
        _mention_paths(fitting, verdict)
    _mention_suppressions(code, verdict)
    return verdict


def _mention_paths(fitting: Sequence[tuple[Rule, Language]], verdict: PatternVerdict) -> None:
    """Say how to have a rule for other files left out, where one of them found something."""
    told = {violation.rule for violation in verdict.violations}
    limited = sorted(rule.id for rule, _ in fitting if rule.paths and rule.id in told)
    if limited:
        verdict.suggestions.append(
            f"For certain files only: {', '.join(limited)}. Name the file in a comment on the first"
            " line, such as '# shop/orders.py', to have only the rules for it applied."
        )


def _reading(rule: Rule, language: Language | None) -> tuple[Rule, Language] | None:
    read_as = spoken_as(language.name, rule.language.name) if language else None
    found = find_language(read_as) if read_as else None
    return (rule, found) if found else None


async def _run(
    fitting: Sequence[tuple[Rule, Language]], code: str, verdict: PatternVerdict
) -> None:
    languages = {language.name: language for _, language in fitting}.values()
    files = {f"code.{language.ending}": code for language in languages}
    outcomes, unreadable = await asyncio.gather(
        run_rules(fitting, files),
        asyncio.gather(*(_unreadable(code, language) for language in languages)),
    )
    for (rule, language), outcome in zip(fitting, outcomes, strict=True):
        found = violations_of(rule, outcome, f"code.{language.ending}")
        verdict.violations += found
        if rule.note and found:
            verdict.suggestions.append(f"{rule.id}: {rule.note}")
    verdict.violations += [each for found in unreadable for each in found]
    verdict.violations.sort(key=_in_reading_order)
    if len(verdict.violations) > MOST_VIOLATIONS:
        left = len(verdict.violations) - MOST_VIOLATIONS
        del verdict.violations[MOST_VIOLATIONS:]
        verdict.suggestions.append(f"{left} further violations are not listed.")


async def _unreadable(code: str, language: Language) -> list[Violation]:
    """What the language cannot read is not compliant: no rule saw what stands there."""
    line = await unreadable_from(code, language)
    if line is None:
        return []
    text = (
        f"The code does not read as {language.name} from line {line} on; what stands there"
        " was not checked."
    )
    shown = code.split("\n")[line - 1 : line]
    return [Violation("unreadable", text, "error", line, snippet=_shortened("".join(shown)))]


def violations_of(rule: Rule, outcome: Scan, file: str) -> list[Violation]:
    """What one rule's run says about one file."""
    why = why_not(outcome)
    if why is not None:
        text = f"Not checked: {why}. {rule.message}"
        return [Violation(rule.id, text, "warning")]
    matches = [match for match in outcome.matches if match.file == file]
    if rule.expect == "present":
        missing = Violation(rule.id, rule.message, rule.severity, fix=rule.advice)
        return [] if matches else [missing]
    return [_found(rule, match) for match in matches]


def _found(rule: Rule, match: Match) -> Violation:
    return Violation(
        rule.id,
        rule.message,
        rule.severity,
        match.line,
        match.column,
        match.end_line,
        match.end_column,
        _shortened(match.lines),
        match.replacement,
    )


def _shortened(lines: str) -> str:
    """The first lines of what was found, enough to recognise it."""
    shown = "\n".join(lines.rstrip("\n").split("\n")[:3])
    cut = len(shown) < len(lines.rstrip("\n")) or len(shown) > _LONGEST_SNIPPET
    return shown[:_LONGEST_SNIPPET] + ("…" if cut else "")


def _in_reading_order(violation: Violation) -> tuple[int, int, str]:
    return violation.line or 0, violation.column or 0, violation.rule


def _untold(rule: str, problem: ConfigError) -> Violation:
    return Violation(rule, f"Not checked, the document must be corrected: {problem}", "warning")


def _mention_suppressions(code: str, verdict: PatternVerdict) -> None:
    count = code.count("ast-grep-ignore")
    if count:
        verdict.suggestions.append(
            f"{count} comment{'s' * (count > 1)} `ast-grep-ignore` in the code:"
            " what stands there was left out."
        )


async def _by_words(
    name: str, document: Document, code: str, language: str | None
) -> PatternVerdict:
    """Hold code against the document's own words.

    What is missing can always be told. That nothing is amiss counts only for code that reads, in a
    language that the document does not leave aside.
    """
    from toolcrib.packs.architecture.patterns.heuristics import apply_checks, read_demands

    demands = await in_thread(read_demands, document)
    checks = demands.checks
    if not checks:
        return _nothing(name, "The document has no executable rules, and its words name nothing"
                        " that can be looked for in code")  # fmt: skip
    meant = languages_meant(document)
    shown = meant | languages_shown(document) | frozenset(each for c in checks for each in c.spoken)
    readable = frozenset(each for each in shown if find_language(each))
    found = find_language(language) if language else await tell_language(code, readable)
    if found is None and not language:
        what = "The language of the code could not be detected"
        return _nothing(name, what if is_code(code) else "The text does not read as code",
                        "Pass the code, and 'language'.")  # fmt: skip
    read_as = found.name if found else (language or "").casefold()
    judged = [check for check in checks if _is_for(read_as, check.spoken or meant)]
    if found is None:
        # What nothing here reads is judged by words about that language alone.
        judged = [check for check in judged if check.spoken or meant]
    if not judged:
        about = f"for {_listed(shown)}" if shown else "for no language that is named"
        hint = _meant_perhaps(read_as)
        return _nothing(name, f"The document is {about}, the code is {read_as}{hint}")
    judged = [check for check in judged if check.concerns(found.name if found else None)]
    if not judged:
        return _nothing(name, f"The words speak of what {read_as} does not have")
    failed = await in_thread(apply_checks, judged, code, found.name if found else None)
    verdict = PatternVerdict(name, "heuristic")
    if found is not None:
        verdict.violations += await _unreadable(code, found)
    verdict.violations += _told(failed, code)
    if not verdict.violations and found is None:
        return _nothing(name, f"Code in {language!r} cannot be read here")
    if not verdict.violations and found is not None:
        # Commands and data are shown beside what a document is about.
        spoken = shown if found.name in DATA else shown - {"bash", *DATA}
        if (spoken or found.name in DATA) and not any(spoken_as(found.name, s) for s in spoken):
            about = f"speaks of {_listed(spoken)}" if spoken else "shows no such text"
            return _nothing(name, f"The document {about}, the code is {found.name}")
    sentences = len({check.sentence for check in judged})
    demands_made = len({check.sentence for check in checks}) + len(demands.unread)
    verdict.suggestions.append(
        f"Judged by {sentences} of the {demands_made} demands that the document makes in words."
        f" Executable rules are exact:"
        f" {_HOW_TO}"
    )
    _mention_unread(demands.unread, verdict)
    return verdict


def _is_for(language: str, spoken: frozenset[str]) -> bool:
    """Whether words for some languages, or for whichever, are for code in this one."""
    return not spoken or any(language == each or spoken_as(language, each) for each in spoken)


def _listed(languages: frozenset[str]) -> str:
    return ", ".join(sorted(languages))


def _mention_unread(unread: Sequence[str], verdict: PatternVerdict) -> None:
    """Name the demands that no check stands for: `compliant` does not speak of them."""
    if unread:
        shown = " ".join(f"“{_shortened(each)}”" for each in unread[:_MOST_UNREAD])
        more = len(unread) - _MOST_UNREAD
        verdict.suggestions.append(
            f"Not judged, read them yourself: {shown}" + (f" and {more} more." if more > 0 else "")
        )


def _told(failed: Sequence[FailedCheck], code: str) -> Iterator[Violation]:
    lines = code.split("\n")
    for finding in failed:
        check = finding.check
        what = "is missing" if check.demand == "required" else "is used"
        yield Violation(
            check.name,
            f"{check.element} {what}; the document says: “{check.sentence}”",
            "error" if check.strict else "warning",
            finding.line,
            finding.column,
            snippet=_shortened(lines[finding.line - 1]) if finding.line else None,
        )


_HOW_TO = "add a fenced block ```yaml rules with ast-grep rules to the document."


def _nothing_for(name: str, language: str | None, spoken: frozenset[str]) -> PatternVerdict:
    languages = _listed(spoken)
    if language is None:
        why = f"The language of the code could not be detected; the rules are for {languages}"
        return _nothing(name, why, "Pass 'language'.")
    why = f"The rules are for {languages}, the code is {language}{_meant_perhaps(language)}"
    return _nothing(name, why)


def _meant_perhaps(language: str) -> str:
    """The nearest names to one that no language has."""
    return "" if find_language(language) else did_you_mean(language, language_names())


def _nothing(name: str, why: str, next: str | None = None) -> PatternVerdict:
    nothing = Violation("nothing-to-check", f"Nothing was checked. {why}.", "warning")
    return PatternVerdict(name, "none", [nothing], [next or f"To have it checked, {_HOW_TO}"])
