"""Executable rules: what a pattern document asks of code, in a form that a machine can check.

A rule stands in a fenced block of the document, ```` ```yaml rules ````, or under `rules:` in its
front matter. It is an ast-grep rule with a few words of our own around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.files.globs import BadGlob, compile_all, path_matches
from toolcrib.files.markdown.fences import Block, fenced_blocks
from toolcrib.packs.architecture.patterns.languages import Language, find_language, language_names

if TYPE_CHECKING:
    from toolcrib.files.markdown.document import Document
    from toolcrib.files.yaml import Loaded

Severity = Literal["error", "warning"]
Expect = Literal["present", "absent"]

MOST_RULES = 100
MOST_SNIPPETS = 200
_LONGEST_BLOCK = 200_000

_ENGINE_KEYS = ("rule", "constraints", "utils", "transform", "rewriters")
_KEYS = (
    *("id", "language", "severity", "message", "note", "fix", "paths", "ignores", "expect"),
    *("valid", "invalid", "files", "url", "metadata", "labels"),
    *_ENGINE_KEYS,
)
# Milder words of the engine's own; what is not an error is a warning here.
_SEVERITIES: dict[str, Severity] = {
    "error": "error", "warning": "warning", "info": "warning", "hint": "warning",
}  # fmt: skip
_LOOKS_LIKE_RULES = re.compile(r"^(?:- +)?(?:id|rule) *:", re.M)
# A file of rules begins with them; a manifest that has some begins with what it is.
_OTHER_RULES = re.compile(r"(?:---\n|[ \t]*(?:#[^\n]*)?\n)*(?:rules|checks)[ \t]*:[ \t]*\n[ \t]*-")
_SEPARATOR = re.compile(r"^---[ \t]*$", re.M)


@dataclass(frozen=True, slots=True)
class Snippet:
    """Code that the document's author holds against the rule, and where it stands."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Rule:
    """One checked demand; `expect` says whether what it matches must be there or must not."""

    id: str
    language: Language
    message: str
    engine: Mapping[str, Any]
    place: Place
    severity: Severity = "error"
    expect: Expect = "absent"
    note: str | None = None
    fix: Any = None
    paths: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    valid: tuple[Snippet, ...] = ()
    invalid: tuple[Snippet, ...] = ()

    def for_engine(self, name: str, language: str) -> dict[str, Any]:
        """The rule as the engine reads it, under a name of our own."""
        wire: dict[str, Any] = {
            "id": name, "language": language, "severity": "hint", "message": "", **self.engine,
        }  # fmt: skip
        if self.fix is not None and self.expect == "absent":
            wire["fix"] = self.fix
        return wire

    def applies_to(self, path: str) -> bool:
        """Whether the file at `path` (posix, relative) is one that the rule speaks of."""
        if any(path_matches(path, pattern) for pattern in self.ignores):
            return False
        return not self.paths or any(path_matches(path, pattern) for pattern in self.paths)

    @property
    def advice(self) -> str | None:
        """A fix that can only be told: where a thing is missing, there is nothing to rewrite."""
        return self.fix if self.expect == "present" and isinstance(self.fix, str) else None


@dataclass(slots=True)
class RuleSet:
    """The rules of one document, and what is wrong with those that could not be read."""

    rules: list[Rule] = field(default_factory=list)
    problems: list[ConfigError] = field(default_factory=list)


def read_rules(document: Document, file: str | None = None) -> RuleSet:
    """All rules of a document; one that is wrong never hides the others.

    `file` is what places are told with: a document's own path may be relative to its folder.
    """
    found = RuleSet()
    for loaded in _sources(document, file or document.path, found.problems):
        _read_source(loaded, found)
    _refuse_doubles(found)
    if len(found.rules) > MOST_RULES:
        extra = found.rules[MOST_RULES]
        found.problems.append(
            ConfigError(f"More than {MOST_RULES} rules in one document", where=extra.place)
        )
        del found.rules[MOST_RULES:]
    return found


def _sources(document: Document, file: str, problems: list[ConfigError]) -> Iterator[Loaded]:
    """Each piece of YAML that holds rules, its places counted in the whole document."""
    if "rules" in document.front_matter:
        lines = document.text.split("\n")[: document.body_line - 1]
        # Without the two marks; the empty line keeps the count.
        yield from _load("\n".join(["", *lines[1:-1]]), file, problems)
    for block in fenced_blocks(document.body, document.body_line):
        if not holds_rules(block):
            continue
        start = block.line
        for part in _SEPARATOR.split(block.text):
            yield from _load("\n" * (start - 1) + part, file, problems)
            start += part.count("\n")


def _load(text: str, file: str, problems: list[ConfigError]) -> Iterator[Loaded]:
    from toolcrib.files.yaml import load  # most documents have no rules

    try:
        loaded = load(text, file, cap=_LONGEST_BLOCK + text.count("\n"))
    except ConfigError as error:
        problems.append(error)
        return
    if loaded.value is not None:
        yield loaded


def is_for_machines(block: Block) -> bool:
    """Whether a block holds rules, ours or another tool's, and so shows no code."""
    is_yaml = block.language.casefold() in ("yaml", "yml")
    return holds_rules(block) or (is_yaml and bool(_OTHER_RULES.match(block.text)))


def holds_rules(block: Block) -> bool:
    """Whether a block holds rules that are meant for us."""
    words = block.info.casefold().replace("{", " ").replace("}", " ").replace(",", " ").split()
    if not words:
        return False
    if words[0] in ("rules", "ast-grep", "astgrep", "sgrule"):
        return True
    if words[0] not in ("yaml", "yml"):
        return False
    if {"rules", "ast-grep", "astgrep", "sgrule"} & set(words[1:]):
        return True
    # A plain block of YAML that reads like a rule of the engine is meant as one.
    return {found.group().strip("- :") for found in _LOOKS_LIKE_RULES.finditer(block.text)} == {
        "id",
        "rule",
    }


def _read_source(loaded: Loaded, found: RuleSet) -> None:
    value = loaded.value
    path: tuple[str | int, ...] = ()
    if isinstance(value, Mapping) and "rules" in value:
        value, path = value["rules"], ("rules",)
    single = isinstance(value, Mapping)
    entries = [value] if single else value
    if not isinstance(entries, list):
        found.problems.append(_problem("Rules are a list of mappings", loaded, *path))
        return
    for number, entry in enumerate(entries):
        at = path if single else (*path, number)
        try:
            found.rules.append(_Reader(loaded, at, entry).rule())
        except ConfigError as error:
            found.problems.append(error)


def _refuse_doubles(found: RuleSet) -> None:
    seen: dict[str, Rule] = {}
    for rule in list(found.rules):
        if rule.id in seen:
            first = seen[rule.id].place.line
            found.rules.remove(rule)
            found.problems.append(
                ConfigError(f"Rule {rule.id!r} is already given in line {first}", where=rule.place)
            )
        seen.setdefault(rule.id, rule)


def _problem(what: str, loaded: Loaded, *path: str | int, **more: Any) -> ConfigError:
    return ConfigError(what, where=loaded.place(*path), **more)


class _Reader:
    """Reads one rule, and says of each key what is wrong with it."""

    def __init__(self, loaded: Loaded, at: tuple[str | int, ...], entry: Any) -> None:
        self._loaded = loaded
        self._at = at
        self._entry = entry

    def rule(self) -> Rule:
        if not isinstance(self._entry, Mapping):
            raise self._error("A rule is a mapping with id, language, message and rule")
        for key in self._entry:
            if key not in _KEYS:
                raise self._error(f"Unknown key {key!r} in a rule{did_you_mean(key, _KEYS)}", key)
        engine = {key: self._entry[key] for key in _ENGINE_KEYS if key in self._entry}
        if not isinstance(engine.get("rule"), Mapping) or not engine["rule"]:
            raise self._error("A rule needs 'rule': an ast-grep rule, such as {pattern: print($X)}")
        name = self._text("id", required=True)
        return Rule(
            id=name,
            language=self._language(),
            message=self._text("message") or name.replace("-", " "),
            engine=engine,
            place=self._loaded.place(*self._at),
            severity=self._severity(),
            expect=self._expect(),
            note=self._text("note") or None,
            fix=self._fix(),
            paths=self._globs("paths") + self._globs("files"),
            ignores=self._globs("ignores"),
            valid=self._snippets("valid"),
            invalid=self._snippets("invalid"),
        )

    def _error(self, what: str, *path: str | int, **more: Any) -> ConfigError:
        return _problem(what, self._loaded, *self._at, *path, **more)

    def _text(self, key: str, *, required: bool = False) -> str:
        value = self._entry.get(key)
        if value is None and not required:
            return ""
        if not isinstance(value, str) or not value.strip():
            raise self._error(f"A rule needs {key!r}, as text", key)
        return value.strip()

    def _texts(self, key: str) -> tuple[str, ...]:
        value = self._entry.get(key, [])
        entries = [value] if isinstance(value, str) else value
        if not isinstance(entries, list) or not all(isinstance(each, str) for each in entries):
            raise self._error(f"{key!r} is a text or a list of texts", key)
        return tuple(entries)

    def _language(self) -> Language:
        name = self._text("language", required=True)
        language = find_language(name)
        if language is None:
            known = language_names()
            raise self._error(
                f"Unknown language {name!r}{did_you_mean(name, known)}", "language",
                next=f"Known: {', '.join(known)}.",
            )  # fmt: skip
        return language

    def _severity(self) -> Severity:
        name = self._text("severity") or "error"
        if name.casefold() not in _SEVERITIES:
            raise self._error(f"'severity' must be error or warning, not {name!r}", "severity")
        return _SEVERITIES[name.casefold()]

    def _expect(self) -> Expect:
        match self._text("expect") or "absent":
            case "present":
                return "present"
            case "absent":
                return "absent"
            case other:
                raise self._error(f"'expect' must be present or absent, not {other!r}", "expect")

    def _fix(self) -> Any:
        fix = self._entry.get("fix")
        if fix is not None and not isinstance(fix, (str, Mapping)):
            raise self._error("'fix' is the text that takes the place of what was found", "fix")
        return fix

    def _globs(self, key: str) -> tuple[str, ...]:
        patterns = self._texts(key)
        for pattern in patterns:
            try:
                compile_all(pattern)
            except BadGlob as error:
                raise self._error(f"{pattern!r} is no pattern: {error.reason}", key) from None
        return patterns

    def _snippets(self, key: str) -> tuple[Snippet, ...]:
        texts = self._texts(key)
        if len(texts) > MOST_SNIPPETS:
            raise self._error(f"More than {MOST_SNIPPETS} snippets under {key!r}", key)
        listed = isinstance(self._entry.get(key), list)
        return tuple(
            Snippet(text, self._loaded.place(*self._at, key, *([number] if listed else [])))
            for number, text in enumerate(texts)
        )
