"""Categories, collections, files and skills as plain objects, for tools and for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolcrib.core.support.suggest import did_you_mean, nearest
from toolcrib.packs.guide.content.content import ContentLibrary
from toolcrib.packs.guide.content.definitions import Category, Collection
from toolcrib.packs.guide.content.index import DocumentEntry
from toolcrib.packs.guide.errors import NotFound
from toolcrib.packs.guide.rules.skills import MANUAL, Skills

JSON = dict[str, Any]

PAGE = 500


def shown(made: Category | Collection) -> JSON:
    """A definition with its name and where it comes from."""
    return {"name": made.name, **made.to_json(), "origin": made.origin}


def categories(library: ContentLibrary) -> list[JSON]:
    """All categories, with how many documents each has."""
    known = library.definitions().categories
    return [
        {**shown(known[name]), "documents": len(library.index(known[name]).documents)}
        for name in sorted(known)
    ]


def collections(library: ContentLibrary) -> list[JSON]:
    """All collections."""
    known = library.definitions().collections
    return [shown(known[name]) for name in sorted(known)]


def category_files(library: ContentLibrary, name: str, pattern: str | None, start: int = 0) -> JSON:
    """The documents of a category, a page of them."""
    known = library.definitions().categories
    if name not in known:
        raise _unknown("category", name, known)
    index = library.index(known[name])
    if pattern is None:
        return _page(index.documents, start)
    selection = library.select(name, pattern)
    return _page(selection.documents, start)


def collection_files(library: ContentLibrary, name: str, start: int = 0) -> JSON:
    """The documents that a collection means, a page of them, and what it asks for in vain."""
    known = library.definitions().collections
    if name not in known:
        raise _unknown("collection", name, known)
    selection = library.select(name)
    page = _page(selection.documents, start)
    page["missing"] = [each.expression for each in selection.missing]
    return page


def skill(skills: Skills, name: str | None, file: str = MANUAL) -> JSON:
    """The list of skills, or one file of one of them."""
    if name is None:
        return {
            "skills": [
                {"name": each.name, "description": each.description} for each in skills.all()
            ]
        }
    found = skills.get(name)
    entry = found.file(file)
    document = skills.read(entry)
    return {
        "name": found.name,
        "description": found.description,
        "file": file,
        "uri": found.uri(entry),
        "content": document.body.strip("\n") if file == MANUAL else document.text,
        "files": [found.inside(each) for each in found.files],
    }


def _page(documents: Sequence[DocumentEntry], start: int) -> JSON:
    page = documents[start : start + PAGE]
    answer: JSON = {
        "files": [
            {"document": each.key, "uri": each.uri, "size": each.entry.size} for each in page
        ],
        "total": len(documents),
    }
    if start + PAGE < len(documents):
        answer["next"] = start + PAGE
    return answer


def _unknown(what: str, name: str, known: dict[str, Any]) -> NotFound:
    return NotFound(
        f"No {what} is named {name!r}{did_you_mean(name, known)}",
        data={"nearest": nearest(name, known)},
        next=f"Call {what}_list for all of them.",
    )
