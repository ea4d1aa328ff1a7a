"""`toolcrib architecture check`: code files against the rules of all patterns."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import ConfigError, FileRefused, FileUnreadable, UsageError
from toolcrib.core.support.wording import counted
from toolcrib.packs.architecture.patterns.languages import (
    Language,
    find_language,
    language_of_path,
    spoken_as,
)

# The other commands of this family read the options above all: the rest waits until it is needed.
if TYPE_CHECKING:
    from toolcrib.files.root import Root
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.packs.architecture.patterns.patterns import Violation
    from toolcrib.packs.architecture.patterns.rules import Rule

_LARGEST = 1024 * 1024
_FILES_AT_ONCE = 200
_SECONDS_AT_ONCE = 60.0

_UNRULED = "nothing was checked: no pattern of this project has rules, a block of ```yaml rules"

Style = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One violation in one file; `pattern` is the document whose rule it breaks."""

    file: str
    pattern: str
    violation: Violation
    source: str = ""
    note: str | None = None

    @property
    def name(self) -> str:
        """The rule's name among the rules of all patterns."""
        return f"{self.pattern}/{self.violation.rule}"


@dataclass(slots=True)
class CheckReport:
    """All that a check found: in the code, and in the rules."""

    files: int = 0
    rules: int = 0
    """How many rules they were held against."""
    findings: list[CheckFinding] = field(default_factory=list)
    problems: list[ConfigError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, severity: str) -> int:
        """How many findings there are of a severity."""
        return sum(each.violation.severity == severity for each in self.findings)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The files, and what to make of the findings."""
    parser.add_argument("files", metavar="FILE", nargs="*", type=Path, help="code files or folders")
    parser.add_argument(
        "--diff", metavar="REF", nargs="?", const="HEAD",
        help="only what a change touches: since REF (default: HEAD), new files included",
    )  # fmt: skip
    parser.add_argument("--strict", action="store_true", help="warnings fail as well")
    parser.add_argument(
        "--sarif", metavar="OUT", nargs="?", const="-", help="write SARIF 2.1.0 (default: stdout)"
    )


def run(
    args: argparse.Namespace,
    library: Library | None = None,
    style: Style = lambda text, _: text,
) -> int:
    """Check the files and print the findings; 0 when there are none, else 1."""
    import asyncio

    if library is None:
        from toolcrib.packs.architecture.library.library import Library

        library = Library(args.project)
    report = asyncio.run(_report(args, library))
    if args.sarif is not None:
        _write_sarif(report, args.sarif)
    elif getattr(args, "json", False):
        print(json.dumps(as_json(report), indent=2, ensure_ascii=False))
    if args.sarif not in (None, "-") or (args.sarif is None and not getattr(args, "json", False)):
        print(as_text(report, style))
    failed = report.count("error") or report.problems or (args.strict and report.count("warning"))
    return 1 if failed else 0


async def _report(args: argparse.Namespace, library: Library) -> CheckReport:
    if args.diff is None:
        if not args.files:
            raise UsageError(
                "Which files?", next="toolcrib architecture check src/, or --diff for a change"
            )
        return await check_files(library, args.project, args.files)
    from toolcrib.packs.architecture.patterns.changes import changed_lines, touches

    lines = changed_lines(args.project, args.diff, _LARGEST)
    project = args.project.absolute()
    given = [path.absolute() for path in args.files] or [project]
    meant = [
        path
        for path in (project / name for name in _inside(project, lines))
        if any(path == each or each in path.parents for each in given)
    ]
    report = await check_files(library, args.project, meant)
    report.findings = [
        each
        for each in report.findings
        if touches(lines, each.file, each.violation.line, each.violation.end_line)
    ]
    return report


def _inside(project: Path, names: Iterable[str]) -> list[str]:
    """The files that are there; a link that leads out of the project is none of them."""
    from toolcrib.files.root import Root

    root = Root(project, cap=_LARGEST)
    try:
        return [name for name in names if root.stat(name) is not None]
    finally:
        root.close()


def _write_sarif(report: CheckReport, where: str) -> None:
    from importlib.metadata import version

    from toolcrib.packs.architecture.patterns.sarif import sarif_log

    log = sarif_log(report.findings, report.problems, version("toolcrib"))
    text = json.dumps(log, indent=2, ensure_ascii=False) + "\n"
    if where == "-":
        print(text, end="")
    else:
        Path(where).write_text(text, "utf-8")


async def check_files(library: Library, project: Path, given: Sequence[Path]) -> CheckReport:
    """Hold files against every rule that speaks of them."""
    from toolcrib.files.root import Root

    report = CheckReport()
    rules = await _rules(library, report)
    report.rules = len(rules)
    root = Root(project, cap=_LARGEST)
    try:
        paths = list(_paths(root, project, given))
        for start in range(0, len(paths), _FILES_AT_ONCE):
            texts = _texts(root, paths[start : start + _FILES_AT_ONCE], report)
            report.files += len(texts)
            report.findings += await _check(rules, texts)
            report.notes += _unsound(rules, texts)
    finally:
        root.close()
    if not (rules or report.problems or report.notes):
        report.notes.append(_UNRULED)
    report.findings.sort(key=_in_reading_order)
    return report


def _in_reading_order(finding: CheckFinding) -> tuple[str, int, int, str]:
    violation = finding.violation
    return finding.file, violation.line or 0, violation.column or 0, finding.name


async def _rules(library: Library, report: CheckReport) -> list[tuple[str, Rule]]:
    """The rules of all patterns, each with its pattern's name."""
    from toolcrib.packs.architecture.patterns.rulebook import rule_book

    book = rule_book(library)
    found: list[tuple[str, Rule]] = []
    for record in library.records("patterns"):
        checked = await book.checked(record, library.document(record), quiet=True)
        unsound = list(checked.unsound.values())
        report.problems += unsound
        report.notes += [str(each) for each in checked.problems if each not in unsound]
        for rule in checked.rules:
            if rule.expect == "present" and not rule.paths:
                report.notes.append(
                    f"{rule.place}: rule {rule.id!r} expects something to be present and names no"
                    " 'paths': no file has to have it"
                )
            else:
                found.append((record.name, rule))
    return found


def _paths(root: Root, project: Path, given: Sequence[Path]) -> Iterator[str]:
    """The files that are meant, relative to the project; folders are looked through."""
    seen: set[str] = set()
    for path in given:
        try:
            relative = path.absolute().relative_to(project).as_posix()
        except ValueError:
            raise UsageError(f"{path} is not in {project.name}", next="Use --project.") from None
        if path.is_dir():
            folder = "" if relative == "." else relative
            found = [each.path for each in root.walk(folder)]
            found = [each for each in found if language_of_path(each)]
        elif root.stat(relative) is None:
            raise UsageError(f"No such file: {path}")
        else:
            found = [relative]
        for each in found:
            if each not in seen:
                seen.add(each)
                yield each


def _unsound(rules: Sequence[tuple[str, Rule]], texts: Mapping[str, str]) -> list[str]:
    """Files of Python that rules speak of and that are none: there a rule may have missed much."""
    from toolcrib.packs.architecture.patterns.pythoncode import python_error

    found = []
    for path, text in texts.items():
        read_as = {each.name for _, rule in rules if (each := _read_as(rule, path))}
        if "python" in read_as and (line := python_error(text)):
            found.append(f"{path}:{line}: not valid Python; rules may have missed something here")
    return found


def _texts(root: Root, paths: Sequence[str], report: CheckReport) -> dict[str, str]:
    from toolcrib.files.decoding import decode

    texts: dict[str, str] = {}
    for path in paths:
        if language_of_path(path) is None:
            report.notes.append(f"{path}: left out, its language is not known by its ending")
            continue
        try:
            texts[path] = decode(root.read(path).data).text
        except (FileRefused, FileUnreadable) as error:
            report.notes.append(f"{path}: left out, {error}")
    return texts


async def _check(rules: Sequence[tuple[str, Rule]], texts: Mapping[str, str]) -> list[CheckFinding]:
    """One run of the engine for all rules and files; what does not concern a file is dropped."""
    from toolcrib.packs.architecture.patterns.patterns import violations_of
    from toolcrib.packs.architecture.patterns.rulebook import run_rules

    asked: list[tuple[str, Rule, Language]] = []
    files: dict[str, str] = {}
    names: dict[str, str] = {}
    for number, (path, text) in enumerate(texts.items()):
        # The file's own name may be anything; the engine sees a number and the ending.
        for pattern, rule in rules:
            read_as = _read_as(rule, path)
            if read_as:
                name = f"{number}.{read_as.ending}"
                files[name], names[name] = text, path
                if (pattern, rule, read_as) not in asked:
                    asked.append((pattern, rule, read_as))
    outcomes = await run_rules(
        [(rule, language) for _, rule, language in asked],
        files,
        budget=10 * _SECONDS_AT_ONCE,
        together=_SECONDS_AT_ONCE,
        alone=_SECONDS_AT_ONCE,
    )
    findings = []
    for (pattern, rule, language), outcome in zip(asked, outcomes, strict=True):
        for name, path in names.items():
            if name.endswith(f".{language.ending}") and _read_as(rule, path) == language:
                lines = texts[path].split("\n")
                findings += [
                    CheckFinding(path, pattern, each, _line(lines, each), rule.note)
                    for each in violations_of(rule, outcome, name)
                ]
    return findings


def _read_as(rule: Rule, path: str) -> Language | None:
    language = language_of_path(path)
    if language is None or not rule.applies_to(path):
        return None
    name = spoken_as(language.name, rule.language.name)
    return find_language(name) if name else None


def _line(lines: Sequence[str], violation: Violation) -> str:
    return lines[violation.line - 1].rstrip("\r") if violation.line else ""


def as_json(report: CheckReport) -> dict[str, Any]:
    """The report for scripts; without a rule nothing was checked, so nothing is said of it."""
    compliant = not report.findings and not report.problems
    return {
        "compliant": None if compliant and not report.rules else compliant,
        "files": report.files,
        "rules": report.rules,
        "violations": [
            {
                "file": each.file,
                "pattern": each.pattern,
                **each.violation.to_wire(),
                **({"note": each.note} if each.note else {}),
            }
            for each in report.findings
        ],
        "problems": [each.as_dict() for each in report.problems],
        "notes": report.notes,
    }


def as_text(report: CheckReport, style: Style) -> str:
    """The report for a person: the place, the line, and a caret under what was found."""
    blocks = [_told(each, style) for each in report.findings]
    blocks += [each.render() for each in report.problems]
    blocks += [f"note: {each}" for each in report.notes]
    errors, warnings = report.count("error"), report.count("warning")
    found = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    summary = f"{counted(report.files, 'file')}: {found}"
    if report.problems:
        summary += f", {counted(len(report.problems), 'rule')} that cannot be used"
    clean = not (errors or warnings or report.problems)
    return "\n".join([*blocks, style(summary, "green" if clean else "bold")])


def _told(finding: CheckFinding, style: Style) -> str:
    violation = finding.violation
    place = ":".join(
        str(each) for each in (finding.file, violation.line, violation.column) if each is not None
    )
    colour = "red" if violation.severity == "error" else "yellow"
    lines = [
        f"{place}: {style(violation.severity, colour)}: {violation.description}"
        f" {style(f'[{finding.name}]', 'dim')}"
    ]
    if violation.line and violation.column:
        number = str(violation.line)
        # Tabs stay tabs under the line, so that the caret stands where it should.
        before = finding.source[: violation.column - 1]
        indent = "".join(each if each == "\t" else " " for each in before)
        width = _width(finding)
        lines.append(f"  {number} | {finding.source}")
        lines.append(f"  {' ' * len(number)} | {indent}{style('^' * width, colour)}")
    if finding.note:
        lines.append(f"  note: {finding.note}")
    if violation.fix:
        lines.append(f"  fix:  {violation.fix}")
    return "\n".join(lines)


def _width(finding: CheckFinding) -> int:
    violation = finding.violation
    start = violation.column or 1
    if violation.end_line == violation.line and violation.end_column:
        return max(1, violation.end_column - start)
    return max(1, len(finding.source) - start + 1)
