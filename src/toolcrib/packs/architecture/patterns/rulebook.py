"""`RuleBook`: the rules of the pattern documents, each tested with its own snippets first.

The engine accepts rules that can never match (such as `(((`), so a rule is used only if it matches
its author's invalid snippets and none of the valid ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from toolcrib.core.errors import ConfigError, ExecutionFailed, FileRefused, FileUnreadable, Place
from toolcrib.files.markdown.fences import Block, fenced_blocks
from toolcrib.packs.architecture.patterns.astgrep import Match, Outcome, Scan, scan
from toolcrib.packs.architecture.patterns.examples import is_bad_example
from toolcrib.packs.architecture.patterns.languages import Language, find_language, spoken_as
from toolcrib.packs.architecture.patterns.rules import Rule, is_for_machines, read_rules
from toolcrib.packs.architecture.patterns.sourcecode import path_in_comment

if TYPE_CHECKING:
    from toolcrib.files.markdown.document import Document
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.packs.architecture.library.pages import LibraryPage
    from toolcrib.packs.architecture.library.records import DocumentRecord

_log = logging.getLogger("toolcrib.architecture")

TOGETHER = 2.0
"""Seconds for all rules of a document in one run of the engine."""
ALONE = 1.5
"""Seconds for one rule, when the run of all did not come to an end."""

_SAMPLE = "sample"


@dataclass(slots=True)
class Checked:
    """What is known of a document's rules.

    `rules` do what they say; `unsound` do not, or cannot be run; `problems` is all that a person
    should know, those of unsound rules included.
    """

    rules: list[Rule] = field(default_factory=list)
    unsound: dict[str, ConfigError] = field(default_factory=dict)
    problems: list[ConfigError] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.rules or self.unsound)


class RuleBook:
    """The checked rules of documents, kept as long as a document stays what it is."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, Checked]] = {}
        self._seen: dict[str, LibraryPage] = {}

    def has_seen(self, record: DocumentRecord, page: LibraryPage) -> bool:
        """Whether the record's file was already looked at as it is now."""
        return self._seen.get(record.uri) is page

    def see(self, record: DocumentRecord, page: LibraryPage | None) -> None:
        """Note that it was."""
        if page is not None:
            self._seen[record.uri] = page

    def forget(self, record: DocumentRecord) -> None:
        """Drop what was known: its document has no rules any more."""
        self._kept.pop(record.uri, None)

    def problems(self, record: DocumentRecord) -> list[ConfigError]:
        """What is known to be wrong with a record's rules."""
        kept = self._kept.get(record.uri)
        return kept[1].problems if kept else []

    async def checked(
        self, record: DocumentRecord, document: Document, *, quiet: bool = False
    ) -> Checked:
        """The rules of a record's document; each problem is logged once, by `quiet` not at all."""
        kept = self._kept.get(record.uri)
        if kept and kept[0] == document.text:
            return kept[1]
        found = await check_rules(document, record.file)
        self._kept[record.uri] = (document.text, found)
        for problem in () if quiet else found.problems:
            _log.warning("%s", problem)
        return found


_books: WeakKeyDictionary[Library, RuleBook] = WeakKeyDictionary()


def rule_book(library: Library) -> RuleBook:
    """The book that all users of a library share: what one has checked, the others know."""
    return _books.setdefault(library, RuleBook())


async def check_library(library: Library, *, quiet: bool = False) -> list[ConfigError]:
    """What is wrong with the rules of all patterns; only what changed is looked at again."""
    book = rule_book(library)
    pages = library.snapshot.pages
    found: list[ConfigError] = []
    for record in library.records("patterns"):
        page = pages.get((record.root, record.path))
        if page is None or not book.has_seen(record, page):
            try:
                if _may_have_rules(library, record):
                    await book.checked(record, library.document(record), quiet=quiet)
                else:
                    book.forget(record)
            except (FileRefused, FileUnreadable):
                continue  # gone since it was listed
            book.see(record, page)
        found += book.problems(record)
    return found


def _may_have_rules(library: Library, record: DocumentRecord) -> bool:
    """A look at the bytes: of ten thousand documents most have no rules, and need no parsing."""
    data = library.sources[record.root].root.read(record.path).data
    return any(word in data for word in (b"rules", b"rule:", b"ast-grep", b"astgrep", b"sgrule"))


def rule_problems(library: Library) -> list[ConfigError]:
    """The same for callers without an event loop, or beside one, who tell of it themselves."""
    check = RuleCheck(library, quiet=True)
    check.start()
    check.join()
    return check.problems


class RuleCheck(threading.Thread):
    """Checks all rules of a library beside everything else; what is wrong is logged."""

    def __init__(self, library: Library, *, quiet: bool = False) -> None:
        super().__init__(name="rule-check", daemon=True)
        self._quiet = quiet
        self.problems: list[ConfigError] = []
        self._library = library
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[list[ConfigError]] | None = None

    def run(self) -> None:
        """Work until all rules are checked, or until somebody says stop."""
        asyncio.set_event_loop(self._loop)
        self._task = self._loop.create_task(check_library(self._library, quiet=self._quiet))
        try:
            self.problems = self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass
        except ExecutionFailed as error:
            _log.warning("The rules of patterns were not checked: %s", error)
        finally:
            self._loop.close()

    def stop(self) -> None:
        """Give up, and take the engine down."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: it is over already
            self._loop.call_soon_threadsafe(lambda: self._task and self._task.cancel())
        if self.ident is not None:  # else it is about to begin, and ends at once
            self.join(timeout=1)


async def check_rules(document: Document, file: str) -> Checked:
    """Read the rules of a document and hold each against its snippets and the own samples."""
    read = read_rules(document, file)
    checked = Checked(problems=list(read.problems))
    for error in read.problems:
        checked.unsound[f"line {error.where.line if error.where else '?'}"] = error
    samples = _samples(document, read.rules)
    outcomes = await run_rules(
        [(rule, rule.language) for rule in read.rules], _files(read.rules, samples)
    )
    for number, (rule, outcome) in enumerate(zip(read.rules, outcomes, strict=True)):
        found = {match.file for match in outcome.matches}
        problem = _unfit(rule, outcome) or _untrue(rule, number, found)
        if problem is not None:
            checked.unsound[rule.id] = problem
            checked.problems.append(problem)
            continue
        checked.rules.append(rule)
        checked.problems += _doubts(rule, samples, found)
    return checked


async def run_rules(
    rules: Sequence[tuple[Rule, Language]],
    files: Mapping[str, str],
    budget: float = 8.0,
    together: float = TOGETHER,
    alone: float = ALONE,
) -> list[Scan]:
    """One outcome per rule, in order, within `budget` seconds.

    All rules run together. When that does not end well, each runs alone, which tells the one
    that runs away, or that the engine refuses, from the others.
    """
    if not rules:
        return []
    loop = asyncio.get_running_loop()
    end = loop.time() + budget
    wired = [rule.for_engine(f"r{at}", lang.name) for at, (rule, lang) in enumerate(rules)]
    all_of_them = await scan(wired, files, min(together, budget))
    if all_of_them.outcome == "done":
        return [Scan("done", matches) for matches in _by_rule(all_of_them.matches, len(rules))]
    if len(rules) == 1:
        return [all_of_them]

    async def one(rule: dict[str, object]) -> Scan:
        left = min(alone, end - loop.time())
        return await scan([rule], files, left) if left > 0.05 else Scan("late")

    return list(await asyncio.gather(*map(one, wired)))


def _by_rule(matches: Sequence[Match], count: int) -> list[tuple[Match, ...]]:
    found: list[list[Match]] = [[] for _ in range(count)]
    for match in matches:
        found[int(match.rule[1:])].append(match)
    return [tuple(each) for each in found]


def _files(rules: Sequence[Rule], samples: Sequence[tuple[Block, Language]]) -> dict[str, str]:
    """Every snippet as a file whose name tells whose it is; the engine goes by the ending."""
    files: dict[str, str] = {}
    for number, rule in enumerate(rules):
        for kind, snippets in (("valid", rule.valid), ("invalid", rule.invalid)):
            for at, snippet in enumerate(snippets):
                files[f"{number}-{kind}-{at}.{rule.language.ending}"] = snippet.text
    for block, language in samples:
        files[f"{_SAMPLE}-{block.line}.{language.ending}"] = block.text
    return files


def _samples(document: Document, rules: Sequence[Rule]) -> list[tuple[Block, Language]]:
    """The document's own examples of how it should be, in the languages of its rules."""
    spoken = {rule.language.name for rule in rules}
    found = []
    for block in fenced_blocks(document.body, document.body_line) if spoken else ():
        language = find_language(block.language)
        if language and not is_for_machines(block) and not is_bad_example(block):
            reads = {spoken_as(language.name, name) for name in spoken}
            if language.name in reads:
                found.append((block, language))
    return found


NOT_RUN: dict[Outcome, str] = {
    "late": "it was stopped at its deadline",
    "too much": "it matches more than can be told",
}


def why_not(outcome: Scan) -> str | None:
    """Why a rule has no complete answer; None when it has one."""
    if outcome.outcome == "done":
        return None
    return NOT_RUN.get(outcome.outcome, outcome.problem)


def _unfit(rule: Rule, outcome: Scan) -> ConfigError | None:
    why = why_not(outcome)
    if why is None:
        return None
    what = f"Rule {rule.id!r} cannot be run on its own snippets"
    return ConfigError(what, where=rule.place, why=why)


def _untrue(rule: Rule, number: int, found: set[str]) -> ConfigError | None:
    """The first snippet that shows the rule to do something else than it says."""
    for kind, snippets in (("invalid", rule.invalid), ("valid", rule.valid)):
        should_match = (kind == "invalid") == (rule.expect == "absent")
        for at, snippet in enumerate(snippets):
            matches = f"{number}-{kind}-{at}.{rule.language.ending}" in found
            if matches != should_match:
                how = "does not match" if should_match else "matches"
                return ConfigError(
                    f"Rule {rule.id!r} does not do what it says: it {how} its own {kind} snippet",
                    where=snippet.place,
                    next=_advice(rule, should_match),
                )
    return None


def _advice(rule: Rule, should_match: bool) -> str:
    pattern = rule.engine["rule"].get("pattern")
    if should_match and rule.language.name == "go" and isinstance(pattern, str):
        return (
            "In Go a bare call reads as a type; give it in context: {context: 'func t() {"
            f" {pattern} }}', selector: call_expression}}."
        )
    return "Correct the rule or the snippet; until then the rule is not used."


def _doubts(
    rule: Rule, samples: Sequence[tuple[Block, Language]], found: set[str]
) -> list[ConfigError]:
    """What does not make a rule useless, but should be known to its author."""
    doubts = []
    telling = rule.invalid if rule.expect == "absent" else rule.valid
    if not telling:
        kind = "invalid" if rule.expect == "absent" else "valid"
        doubts.append(
            ConfigError(
                f"Rule {rule.id!r} has no {kind} snippet: nobody knows whether it finds anything",
                where=rule.place,
                next=f"Add one under '{kind}:'.",
            )
        )
    for block, language in samples:
        path = path_in_comment(block.text)
        if rule.language.name != language.name or (path and not rule.applies_to(path)):
            continue
        matches = f"{_SAMPLE}-{block.line}.{language.ending}" in found
        if matches == (rule.expect == "absent"):
            file = rule.place.file
            doubts.append(
                ConfigError(
                    f"The document's own sample code breaks its rule {rule.id!r}",
                    where=Place(file, block.line),
                    next="Correct it, or say before it that it is a bad example.",
                )
            )
    return doubts
