"""What is wrong in the library: links that lead nowhere, decisions without a status, open code."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.core.support.suggest import nearest
from toolcrib.files.markdown.fences import find_fences
from toolcrib.files.markdown.inline import hrefs
from toolcrib.files.markdown.outline import Outline
from toolcrib.packs.architecture.library.finds import WHOLE
from toolcrib.packs.architecture.library.records import SCHEME, DecisionLink, DocumentRecord
from toolcrib.packs.architecture.reading.metadata import is_form, is_template

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library

_ELSEWHERE = ("http:", "https:", "mailto:", "ftp:", "tel:", "data:", "#", "//", "{{", "<")
# `[A. Writer](@awriter)`, `(a@b.org)`: a person is meant, and no file of the repository.
_MENTION = re.compile(r"[\w.+-]*@[\w.-]*(?<!\.md)")
# `Reverted by discussion #1198`: what came after is named, but is no decision of the library.
_ELSEWHERE_BY = re.compile(r"\bby\s+\w")


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One thing to mend; an error fails the run, a warning does not."""

    level: Literal["error", "warning"]
    file: str
    line: int | None
    rule: str
    text: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.level}: {self.text} [{self.rule}]"


def lint(library: Library, paths: Sequence[str] = ()) -> list[LintFinding]:
    """Everything that is wrong, sorted by file and line; with `paths`, what concerns these.

    Decisions of a part of the repository count only for paths in that part.
    """
    found = [
        LintFinding("error", file, None, "unreadable", text)
        for file, text in library.snapshot.problems
        if not paths or _below(file, paths)
    ]
    records = linted(library, paths)
    for record in records:
        found.extend(_document(library, record))
        if record.is_decision:
            found.extend(_decision(library, record))
    concerned = {record.file for record in records}
    found.extend(each for each in _doubled(library) if each.file in concerned)
    return sorted(found, key=lambda each: (each.file, each.line or 0, each.rule, each.text))


def linted(library: Library, paths: Sequence[str] = ()) -> list[DocumentRecord]:
    """The documents that `lint` looks at."""
    return [
        record
        for record in library.records()
        if not _is_form(record) and (_counts(record.scope, paths) or _below(record.file, paths))
    ]


def _is_form(record: DocumentRecord) -> bool:
    """Whether it is a template: what its blanks lead to is not there yet."""
    blank = is_form(record.path) or is_template(record.title)
    return record.kind == "adr" and not record.is_decision and blank


def _counts(scope: str, paths: Sequence[str]) -> bool:
    if scope in ("", WHOLE):
        return not paths
    return any(path == scope or path.startswith(f"{scope}/") for path in paths)


def _below(file: str, paths: Sequence[str]) -> bool:
    return any(path in ("", ".") or file == path or file.startswith(f"{path}/") for path in paths)


def _document(library: Library, record: DocumentRecord) -> Iterator[LintFinding]:
    """Links of the document to files that are not there, and code that is never closed."""
    try:
        document = library.document(record)
    except (FileRefused, FileUnreadable):
        return
    outline = Outline(document.body)
    for href, at in hrefs(outline.prose):
        if _quoted(document.body, at) or _leads_somewhere(library, record, href):
            continue
        line = outline.line(at) + document.body_line - 1
        yield LintFinding("error", record.file, line, "broken-link", _broken(library, record, href))
    for fence in find_fences(document.body):
        if not fence.closed:
            line = outline.line(fence.start) + document.body_line - 1
            text = "the code block is never closed; what follows is read as code"
            yield LintFinding("warning", record.file, line, "open-fence", text)


def _decision(library: Library, record: DocumentRecord) -> Iterator[LintFinding]:
    if record.status is None:
        text = "the decision states no status; add a line such as `Status: accepted`"
        yield LintFinding("warning", record.file, None, "missing-status", text)
    for link in record.links:
        unknown = link.uri is None and not link.target.startswith(("http", "#"))
        if (
            unknown
            and link.kind != "relates_to"
            and not _leads_somewhere(library, record, link.target)
            # In running text a path is written as it is seen from the root.
            and not _exists_within(library.project, link.target)
        ):
            yield _untied(library, record, link)
    yield from _standing(library, record)


def _untied(library: Library, record: DocumentRecord, link: DecisionLink) -> LintFinding:
    """A reference that means no decision, or more than one: never a guess among them."""
    snapshot, spoken = library.snapshot, f"{link.kind.replace('_', ' ')} {link.target!r}"
    several = snapshot.directory.candidates(link.target, record.root, record.path)
    if several:
        files = ", ".join(sorted(snapshot.by_uri[uri].file for uri in several))
        text = f"{spoken}, which is the number or name of several: {files}; link to the one meant"
        return LintFinding("error", record.file, link.line, "ambiguous-reference", text)
    text = f"{spoken}, which is no decision here"
    return LintFinding("error", record.file, link.line, "unknown-reference", text)


def _standing(library: Library, record: DocumentRecord) -> Iterator[LintFinding]:
    """What a decision says of itself against what the others say of it."""
    replaced_by = library.snapshot.replaced_by.get(record.uri, ())
    own = any(link.kind in ("superseded_by", "deprecated_by") for link in record.links)
    elsewhere = _ELSEWHERE_BY.search(record.status_text or "")
    if record.status == "superseded" and not (replaced_by or own or elsewhere):
        text = "the decision is superseded, but nothing says by which one"
        yield LintFinding("warning", record.file, None, "no-successor", text)
    if record.status in ("accepted", "proposed") and replaced_by and not own:
        text = f"{', '.join(replaced_by)} supersedes it, but its own status is {record.status}"
        yield LintFinding("warning", record.file, None, "stale-status", text)


def _doubled(library: Library) -> Iterator[LintFinding]:
    for number, records in library.snapshot.by_number.items():
        if len(records) > 1:
            for record in records:
                others = ", ".join(each.file for each in records if each is not record)
                text = f"the number {number} is also that of {others}"
                yield LintFinding("warning", record.file, None, "doubled-number", text)


def _leads_somewhere(library: Library, record: DocumentRecord, href: str) -> bool:
    if href.startswith(SCHEME):
        return library.get(href) is not None or _found(library, href)
    if not href or href.startswith(_ELSEWHERE) or _MENTION.fullmatch(href):
        return True
    written = unquote(href.split("#", 1)[0].split("?", 1)[0])
    if not written:
        return True
    if written.startswith("/"):
        # A path of a web site or of the repository: who knows; only documents are looked for.
        inside = (library.project / written.lstrip("/")).exists()
        return inside or not written.endswith(".md")
    folder = library.sources[record.root].root.path / PurePosixPath(record.path).parent
    return _exists(library.project, folder / written)


def _found(library: Library, uri: str) -> bool:
    from toolcrib.core.errors import InvalidParams

    try:
        library.find(uri)
    except InvalidParams:
        return False
    return True


def _exists(project: Path, path: Path) -> bool:
    """Whether the file is there; what lies outside of the project cannot be judged."""
    plain = Path(os.path.normpath(path))
    return not plain.is_relative_to(project.absolute()) or plain.exists()


def _exists_within(project: Path, written: str) -> bool:
    """Whether the path, read from the project's root, is that of a file in it."""
    plain = Path(os.path.normpath(project.absolute() / written))
    return plain.is_relative_to(project.absolute()) and plain.is_file()


def _quoted(body: str, at: int) -> bool:
    """Whether the offset lies in `inline code`."""
    start = body.rfind("\n", 0, at) + 1
    return body.count("`", start, at) % 2 == 1


def _broken(library: Library, record: DocumentRecord, href: str) -> str:
    name = href.split("#", 1)[0].rsplit("/", 1)[-1]
    files = {each.path.rsplit("/", 1)[-1] for each in library.records(record.kind)}
    near = nearest(name, files, limit=1)
    return f"{href} leads nowhere" + (f"; nearest: {near[0]}" if near else "")
