"""The content library: from an expression to documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.errors import ConfigError, FileRefused, FileUnreadable
from toolcrib.core.support.records import bare, record
from toolcrib.core.support.suggest import nearest
from toolcrib.files.globs import compile_glob
from toolcrib.files.root import FileEntry, Root
from toolcrib.packs.guide.content.definitions import (
    DEFAULT_PATTERNS,
    FILE,
    Category,
    Collection,
    make_category,
    make_collection,
    read_file,
)
from toolcrib.packs.guide.content.expressions import Term, is_name
from toolcrib.packs.guide.content.expressions import parse as parse_expression
from toolcrib.packs.guide.content.index import CategoryIndex, DocumentEntry, without_extension
from toolcrib.packs.guide.content.tree import Kept, Tree
from toolcrib.packs.guide.errors import GuideError, InvalidExpression, NotFound, StoreError
from toolcrib.packs.guide.rules.rules import DESCRIPTIONS, scan
from toolcrib.packs.guide.rules.skills import HOMES, MANUAL, homes_of_parts
from toolcrib.packs.guide.settings import GuideSettings
from toolcrib.packs.guide.state.last_known import LastKnown
from toolcrib.packs.guide.state.store import Store

if TYPE_CHECKING:
    from toolcrib.files.markdown.document import Document

_DEEPEST = 20


@bare
class Definitions:
    """Everything that a name in an expression can mean, and what could not be used."""

    categories: dict[str, Category] = field(default_factory=dict)
    collections: dict[str, Collection] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted({*self.categories, *self.collections})


@record
class Unmatched:
    """A part of an expression that matched nothing."""

    expression: str
    reason: str
    nearest: tuple[str, ...] = ()


@bare
class Selection:
    """The documents that an expression selects, each once, and what matched nothing."""

    documents: Sequence[DocumentEntry]
    missing: list[Unmatched]


class ContentLibrary:
    """The content of one project."""

    def __init__(self, project: Path, settings: GuideSettings, store: Store, key: str) -> None:
        self.root = Root(project)
        self.settings = settings
        self.store = store
        self.key = key
        self.content = settings.content.strip("/")
        self.tree = Tree(self.root, self.content)
        self.folders = [self.content]
        """The folders of the categories, as they were last asked for."""
        self._stored = LastKnown(store, key)
        self._rules = Kept(lambda: scan(self.root))
        self._indexes: dict[str, tuple[Category, list[FileEntry], CategoryIndex]] = {}
        self._found: tuple[list[FileEntry], list[Category]] | None = None
        self._file: tuple[FileEntry, Definitions] | None = None

    def definitions(self, *, rules: bool = True) -> Definitions:
        """All categories and collections as they are now; a bad source never hides the others."""
        found = Definitions()
        if rules:
            for name, named in self.rule_files().items():
                if named:
                    found.categories[name] = _rules_category(name)
        for category in self._folders():
            found.categories[category.name] = category
        for later in (self._from_file(), self._from_store()):
            found.categories |= later.categories
            found.collections |= later.collections
            found.problems += later.problems
        known = found.categories.values()
        self.folders = sorted({self.content, *(c.dir for c in known if c.origin != "rules")})
        return found

    def rule_files(self) -> dict[str, list[tuple[str, FileEntry]]]:
        """The rule files and skills of the repository by category."""
        if not self.settings.rules:
            return {}
        found = dict(self._rules.get(watched=False))
        found["skills"] = found["skills"] + [
            (entry.path[len(home) + 1 :], entry)
            for home in reversed(HOMES)
            for entry in self.root.walk(home, suffixes=(MANUAL,), hidden=True)
        ]
        return found

    def found_anywhere(self) -> list[str]:
        """The rule files that are known, and the homes of skills in parts of the repository."""
        known = self._rules.known or {}
        manuals = [entry.path for _, entry in known.get("skills", ())]
        rules = {
            entry.path
            for name, named in known.items()
            if name not in ("skills", "docs")
            for _, entry in named
        }
        return [*sorted(rules), *homes_of_parts(manuals)]

    def skill_homes(self) -> list[str]:
        """Where skills are: in the root, and in parts of the repository."""
        if not self.settings.rules:
            return list(HOMES)
        manuals = (entry.path for _, entry in self._rules.get(watched=False)["skills"])
        return [*HOMES, *homes_of_parts(manuals)]

    def index(self, category: Category) -> CategoryIndex:
        """The documents of a category; made anew only when its files were walked anew."""
        if category.origin == "rules":
            named = self.rule_files().get(category.name, [])
            return CategoryIndex(category, dict(named).items())
        files = self.tree.files(category.dir)
        known = self._indexes.get(category.name)
        if known is not None and known[0] == category and known[1] is files:
            return known[2]
        made = CategoryIndex.of(category, files)
        self._indexes[category.name] = (category, files, made)
        return made

    def select(self, expression: str, pattern: str | None = None) -> Selection:
        """The documents that an expression means; raises `InvalidExpression`."""
        terms = parse_expression(expression)
        if pattern is not None:
            terms = _with_pattern(expression, terms, pattern)
        names = {term.name for term in terms}
        known = self.definitions(rules=not names.isdisjoint(DESCRIPTIONS))
        if not names <= known.categories.keys():  # a collection may speak of rules
            known = self.definitions()
        missing: list[Unmatched] = []
        parts = [self._term(term, known, missing, ()) for term in terms]
        if len(parts) == 1 and terms[0].name in known.categories:
            return Selection(parts[0], missing)
        once: dict[str, DocumentEntry] = {}
        for part in parts:
            for document in part:
                once.setdefault(document.path, document)
        return Selection(list(once.values()), missing)

    def read(self, document: DocumentEntry) -> Document:
        """A document as it is now; raises `FileRefused` or `FileUnreadable`."""
        from toolcrib.files.markdown.document import parse  # a start needs none of it

        blob = self.root.read(document.path)
        return parse(document.path, blob.data)

    def find(self, category: str, name: str) -> DocumentEntry:
        """One document by category and name, with or without extension, or `NotFound`."""
        known = self.definitions()
        if category not in known.categories:
            raise NotFound(f"No category is named {category!r}")
        found = self.index(known.categories[category]).get(name)
        exact = [each for each in found if each.name == name]
        if len(exact or found) != 1:
            raise NotFound(f"No document is named {name!r} in {category!r}")
        return (exact or found)[0]

    def documents(self) -> Iterator[DocumentEntry]:
        """Every document of every category."""
        for category in self.definitions().categories.values():
            yield from self.index(category).documents

    def forget(self) -> None:
        """Look at all files again at the next use."""
        self.tree.forget()
        self._rules.forget()

    def close(self) -> None:
        """Close the folder."""
        self.root.close()

    def _term(
        self, term: Term, known: Definitions, missing: list[Unmatched], inside: tuple[str, ...]
    ) -> Sequence[DocumentEntry]:
        if term.name in known.categories:
            return self._from_category(term, known.categories[term.name], missing)
        if term.name in known.collections:
            return self._from_collection(term, known, missing, inside)
        names = known.names()
        missing.append(
            Unmatched(
                str(term),
                f"no category or collection is named {term.name!r}",
                tuple(nearest(term.name, names)),
            )
        )
        return []

    def _from_category(
        self, term: Term, category: Category, missing: list[Unmatched]
    ) -> Sequence[DocumentEntry]:
        index = self.index(category)
        documents, unmatched = _select(term, category, index)
        if not term.patterns and not documents:
            missing.append(Unmatched(term.name, "the category has no documents"))
        for pattern in unmatched:
            missing.append(_unmatched(term.name, pattern, index))
        return documents

    def _from_collection(
        self, term: Term, known: Definitions, missing: list[Unmatched], inside: tuple[str, ...]
    ) -> Sequence[DocumentEntry]:
        if term.name in inside or len(inside) > _DEEPEST:
            missing.append(Unmatched(term.name, "the collection contains itself"))
            return []
        found: list[DocumentEntry] = []
        for expression in known.collections[term.name].expressions:
            for each in parse_expression(expression):
                found += self._term(each, known, missing, (*inside, term.name))
        if not term.patterns:
            return found
        globs = [compile_glob(pattern, extension=True) for pattern in term.patterns]
        kept = [each for each in found if any(glob.matches(each.name) for glob in globs)]
        if not kept:
            missing.append(Unmatched(str(term), "nothing in the collection matches"))
        return kept

    def _folders(self) -> list[Category]:
        """Each sub-folder of the guide folder, and the documents that lie directly in it."""
        files = self.tree.files(self.content)
        if self._found is None or self._found[0] is not files:
            names = self._first_names(files)
            found = [
                Category(name, f"{self.content}/{name}", origin="folder")
                for name in sorted(names)
                if name != FILE and names[name] and is_name(name)
            ]
            loose = any(not folder for name, folder in names.items() if name != FILE)
            if loose and is_name(self.content) and not names.get(self.content):
                flat = tuple(pattern.removeprefix("**/") for pattern in DEFAULT_PATTERNS)
                found.append(Category(self.content, self.content, flat, origin="folder"))
            self._found = (files, found)
        return self._found[1]

    def _first_names(self, files: list[FileEntry]) -> dict[str, bool]:
        """The names directly in the guide folder, and whether each is a folder."""
        start = len(self.content) + 1
        names = (entry.path[start:].partition("/") for entry in files)
        return {name: bool(slash) for name, slash, _ in names}

    def unusable_folders(self) -> list[str]:
        """Sub-folders of the guide folder whose names no expression could address."""
        names = self._first_names(self.tree.files(self.content))
        return sorted(name for name, folder in names.items() if folder and not is_name(name))

    def _from_file(self) -> Definitions:
        """The definitions of `guide.toml`; while it is broken, the last good ones count."""
        path = f"{self.content}/{FILE}"
        entry = self.root.stat(path)
        if entry is None:
            self._file = None
            return Definitions()
        if self._file is not None and self._file[0] == entry:
            return self._file[1]
        last = self._file[1] if self._file is not None else Definitions()
        try:
            blob = self.root.read(path)
            text = blob.data.decode("utf-8-sig")
            made = Definitions(*read_file(text, path))
        except (ConfigError, FileRefused, FileUnreadable, UnicodeDecodeError) as error:
            made = Definitions(last.categories, last.collections, [f"{path}: {error}"])
        self._file = (entry, made)
        return made

    def _from_store(self) -> Definitions:
        """What was added by tools; without a store, the rest of the content is still there."""
        made = Definitions()
        try:
            categories, collections = self._stored.read(made.problems)
        except StoreError as error:
            made.problems.append(str(error))
            return made
        for name, value in categories.items():
            try:
                made.categories[name] = make_category(name, value, "store")
            except GuideError as error:
                made.problems.append(f"Category {name!r} of the store: {error}")
        for name, value in collections.items():
            try:
                made.collections[name] = make_collection(name, value, "store")
            except GuideError as error:
                made.problems.append(f"Collection {name!r} of the store: {error}")
        return made


def _select(
    term: Term, category: Category, index: CategoryIndex
) -> tuple[Sequence[DocumentEntry], list[str]]:
    """The documents that a term means, and the patterns that found nothing.

    Of a category that begins at the project's root, `docs/setup` is also how people write the
    file docs/setup.md: what is not found by its pattern is looked for as such a path.
    """
    documents, unmatched = index.select(term.patterns)
    if category.dir or not unmatched:
        return documents, list(unmatched)
    paths = {pattern: f"{term.name}/{pattern}" for pattern in unmatched}
    documents, missing = index.select(tuple(paths.get(each, each) for each in term.patterns))
    return documents, [pattern for pattern in unmatched if paths[pattern] in missing]


def _rules_category(name: str) -> Category:
    return Category(name, "", ("**",), DESCRIPTIONS[name], "rules")


def _with_pattern(expression: str, terms: tuple[Term, ...], pattern: str) -> tuple[Term, ...]:
    """`("lang", "python")` is `lang/python`; a pattern beside another one means nothing."""
    doubled = next((term for term in terms if term.patterns), None)
    if doubled is not None:
        raise InvalidExpression(
            f"The expression {expression!r} already has a pattern, and pattern={pattern!r} "
            "gives another",
            next="Give one or the other.",
        )
    found: list[Term] = []
    for term in terms:
        single, *more = parse_expression(f"{term.name}/{pattern}")
        if more:
            raise InvalidExpression(
                f"pattern={pattern!r} is more than one: a comma separates expressions",
                next="Separate patterns with a plus, or write the comma as [,].",
            )
        found.append(single)
    return tuple(found)


def _unmatched(name: str, pattern: str, index: CategoryIndex) -> Unmatched:
    near = tuple(f"{name}/{each}" for each in index.nearest(pattern))
    if index.folder(pattern):
        reason = f"{pattern!r} is a folder: {name}/{pattern}/** means all that is in it"
        return Unmatched(f"{name}/{pattern}", reason, (f"{name}/{pattern}/**", *near))
    shown = near or tuple(f"{name}/{without_extension(d.name)}" for d in index.documents[:3])
    return Unmatched(f"{name}/{pattern}", "nothing in the category matches", shown)
