"""The library as MCP resources: listed, read by uri, completed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolcrib.core.errors import FileRefused, InvalidParams, ResourceNotFound
from toolcrib.core.pack import Contents, Resource, ResourceTemplate
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.files.root import RootUnavailable
from toolcrib.packs.architecture.library.records import KINDS, SCHEME, DocumentRecord, Kind

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library

TEMPLATES = (
    ResourceTemplate(
        f"{SCHEME}adr/{{adr_id}}",
        name="adr",
        title="Architecture decision",
        description="A decision by its number as the file name writes it, or by the file's name",
    ),
    ResourceTemplate(
        f"{SCHEME}guidelines/{{path}}",
        name="guideline",
        title="Architecture guideline",
        description="A guideline by its path, without .md",
    ),
    ResourceTemplate(
        f"{SCHEME}patterns/{{path}}",
        name="pattern",
        title="Architecture pattern",
        description="A pattern by its path, without .md",
    ),
)


class LibraryResources:
    """Lists and reads the documents of a library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._listed: tuple[int, list[Resource]] = (-1, [])

    def resources(self) -> Sequence[Resource]:
        """All guidelines, patterns and decisions, sorted by uri.

        A template or an index page in a folder of decisions is read by its uri, and not listed.
        """
        snapshot = self._library.snapshot
        version, listed = self._listed
        if version != snapshot.version:
            listed = [
                _resource(record)
                for record in snapshot.records
                if record.kind != "adr" or record.is_decision
            ]
            self._listed = (snapshot.version, listed)
        return listed

    def templates(self) -> Sequence[ResourceTemplate]:
        """One template for each kind of document."""
        return TEMPLATES

    async def read(self, uri: str) -> Sequence[Contents]:
        """The document's text as it is now."""
        return [await in_thread(self._read, uri)]

    def complete(self, uri_template: str, argument: str, value: str, given: JSON) -> list[str]:
        """Names and ids that begin like `value`, then those that have it within."""
        kind = uri_template.removeprefix(SCHEME).partition("/")[0]
        if kind not in KINDS or argument not in ("path", "adr_id"):
            return []
        return complete_names(self._library, kind, value)

    def _read(self, uri: str) -> Contents:
        record = self._library.find(uri)
        try:
            return Contents(record.uri, self._library.text(record))
        except FileRefused:
            raise ResourceNotFound(uri) from None
        except RootUnavailable as error:
            raise InvalidParams(
                f"{record.uri} is unavailable", why=error.what, data={"uri": uri}
            ) from error


def complete_names(library: Library, kind: Kind, value: str) -> list[str]:
    """The names of documents of one kind that `value` could grow into, best first."""
    wanted = value.casefold()
    ranked: list[tuple[int, str]] = []
    for record in library.records(kind):
        name = record.name
        folded = name.casefold()
        if folded.startswith(wanted) or folded.lstrip("0").startswith(wanted or "\0"):
            ranked.append((0, name))
        elif wanted in folded or wanted in record.stem.casefold():
            ranked.append((1, name))
        elif wanted in record.title.casefold():
            ranked.append((2, name))
    return [name for _, name in sorted(ranked)]


def _resource(record: DocumentRecord) -> Resource:
    return Resource(
        record.uri,
        name=record.name,
        title=record.title,
        description=_description(record) or None,
        size=record.size,
    )


def _description(record: DocumentRecord) -> str:
    """The description of a resource: for a decision, its status comes first."""
    if record.status is None:
        return record.description
    standing = record.status.capitalize()
    if record.date:
        standing += f", {record.date}"
    return f"{standing}. {record.description}".rstrip()
