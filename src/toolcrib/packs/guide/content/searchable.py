"""Content, rules and skills as they are offered to the one search over all packs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from toolcrib.core.pack import KnowledgeKind, Searchable
from toolcrib.files.markdown.document import parse
from toolcrib.files.root import FileEntry
from toolcrib.packs.guide.content.content import ContentLibrary
from toolcrib.packs.guide.rules.skills import MANUAL, Skill, Skills


def searchable(library: ContentLibrary, skills: Skills) -> Iterator[Searchable]:
    """Every document of every category, and the instructions of every skill."""
    for skill in skills.all():
        manual = skill.file(MANUAL)
        read = partial(_read_skill, library, skill, manual)
        yield Searchable("skill", skill.uri(manual), manual.path, _stamp(manual), read)
    for document in library.documents():
        if document.origin == "rules" and document.category == "skills":
            continue
        is_rule = document.origin == "rules" and document.category != "docs"
        kind: KnowledgeKind = "rule" if is_rule else "content"
        read = partial(_read, library, document.entry)
        yield Searchable(kind, document.uri, document.path, _stamp(document.entry), read)


def _read(library: ContentLibrary, entry: FileEntry) -> tuple[str, str]:
    document = parse(entry.path, library.root.read(entry.path).data)
    said = document.front_matter.get("description")
    return document.title, f"{said}\n{document.body}" if isinstance(said, str) else document.body


def _read_skill(library: ContentLibrary, skill: Skill, manual: FileEntry) -> tuple[str, str]:
    _, text = _read(library, manual)
    return skill.name, text if skill.description in text else f"{skill.description}\n{text}"


def _stamp(entry: FileEntry) -> str:
    return f"{entry.size} {entry.mtime_ns} {entry.inode}"
