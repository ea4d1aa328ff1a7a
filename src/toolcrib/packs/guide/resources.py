"""Documents and skills as resources: `guide://category/document` and `skill://name/file`."""

from __future__ import annotations

import base64
import threading
from collections.abc import Mapping, Sequence
from itertools import islice
from urllib.parse import unquote

from toolcrib.core.errors import FileRefused, FileUnreadable, ResourceNotFound
from toolcrib.core.pack import Contents, Resource, ResourceTemplate
from toolcrib.core.support.records import record
from toolcrib.core.support.workers import in_thread
from toolcrib.files.root import FileEntry
from toolcrib.packs.guide.content.index import DocumentEntry
from toolcrib.packs.guide.errors import NotFound
from toolcrib.packs.guide.rules.skills import MANUAL
from toolcrib.packs.guide.session import GuideSession

GUIDE = "guide://{category}/{+document}"
SKILL = "skill://{skill}/{+file}"
UNLISTED = ("docs", "skills")
"""Categories that are in no list: documentation is a template, a skill is `skill://…`."""
_LONGEST = 200
_MOST_COMPLETIONS = 100


@record
class _Card:
    """What a list says about a document without its text."""

    title: str
    description: str | None


class GuideResources:
    """The documents of all categories and the files of all skills."""

    def __init__(self, session: GuideSession) -> None:
        self._session = session
        self._cards: dict[str, tuple[FileEntry, _Card]] = {}
        self._lock = threading.Lock()
        self.listed: dict[str, FileEntry] | None = None
        """What the last listing showed, for whoever has to tell what changed since."""

    def resources(self) -> Sequence[Resource]:
        """All of them, sorted by uri; a document is read only when it is new or changed."""
        found: dict[str, Resource] = {}
        for document in self._session.library.documents():
            if not is_listed(document):
                continue
            card = self._card(document.entry)
            found[document.uri] = Resource(
                document.uri,
                document.key,
                title=card.title,
                description=card.description,
                mime_type=mime_type(document.name),
                size=document.entry.size,
            )
        for skill in self._session.skills().all():
            manual = skill.file(MANUAL)
            found[skill.uri(manual)] = Resource(
                skill.uri(manual),
                skill.name,
                title=f"Skill: {skill.name}",
                description=skill.description,
                mime_type=mime_type(MANUAL),
                size=manual.size,
            )
        self.listed = self.snapshot()
        return [found[uri] for uri in sorted(found)]

    def in_lists(self, entries: Mapping[str, FileEntry]) -> list[str]:
        """Those of the uris that a listing shows."""
        known = self._session.library.definitions().categories
        hidden = tuple(
            f"guide://{name}/"
            for name in UNLISTED
            if name in known and known[name].origin == "rules"
        )
        return [
            uri
            for uri in entries
            if not uri.startswith(hidden)
            and (not uri.startswith("skill://") or uri.endswith(f"/{MANUAL}"))
        ]

    def snapshot(self) -> dict[str, FileEntry]:
        """What there is now, listed or not, without reading a single document."""
        entries = {each.uri: each.entry for each in self._session.library.documents()}
        for skill in self._session.skills().all():
            entries |= {skill.uri(entry): entry for entry in skill.files}
        return entries

    def templates(self) -> Sequence[ResourceTemplate]:
        """One for each kind."""
        return [
            ResourceTemplate(GUIDE, "guide", "Guide content", "A document of a category"),
            ResourceTemplate(SKILL, "skill", "Agent skill", "SKILL.md or another file of a skill"),
        ]

    async def read(self, uri: str) -> Sequence[Contents]:
        """What a resource holds: text, or what is not text in base64."""
        return [await in_thread(self._read, uri)]

    def complete(
        self, uri_template: str, argument: str, value: str, given: dict[str, str]
    ) -> list[str]:
        """Names of categories, documents, skills and their files."""
        session = self._session
        names: list[str] = []
        if argument == "category":
            names = sorted(session.library.definitions().categories)
        elif argument == "document":
            known = session.library.definitions().categories
            if given.get("category") in known:
                index = session.library.index(known[given["category"]])
                names = [document.name for document in index.documents]
        elif argument == "skill":
            names = [skill.name for skill in session.skills().all()]
        elif argument == "file":
            skills = {skill.name: skill for skill in session.skills().all()}
            if given.get("skill") in skills:
                skill = skills[given["skill"]]
                names = [skill.inside(entry) for entry in skill.files]
        return [name for name in names if name.startswith(value)][:_MOST_COMPLETIONS]

    def _read(self, uri: str) -> Contents:
        scheme, _, rest = uri.partition("://")
        first, _, name = rest.partition("/")
        first, name = unquote(first), unquote(name)
        try:
            if scheme == "guide":
                path = self._session.library.find(first, name).path
            elif scheme == "skill":
                path = self._session.skills().get(first).file(name or MANUAL).path
            else:
                raise NotFound(uri)
            data = self._session.library.root.read(path).data
        except (NotFound, FileRefused):
            raise ResourceNotFound(uri, self._near(scheme, first, name)) from None
        from toolcrib.files.decoding import decode  # not for a start

        try:
            text: str | None = decode(data).text
        except FileUnreadable:
            text = None
        if scheme == "skill" and text is not None and text.encode("utf-8", "replace") != data:
            text = None  # its digest is that of these bytes
        if text is not None:
            return Contents(uri, text=text, mime_type=mime_type(path))
        blob = base64.b64encode(data).decode()
        return Contents(uri, blob=blob, mime_type="application/octet-stream")

    def _near(self, scheme: str, first: str, name: str) -> list[str]:
        """A few uris that the nearest can be found among; all of them would be too many."""
        if scheme == "skill":
            skills = self._session.skills().all()
            return [skill.uri(entry) for skill in skills for entry in skill.files]
        library = self._session.library
        known = library.definitions().categories
        if first in known:
            index = library.index(known[first])
            return [each.uri for short in index.nearest(name) for each in index.get(short)]
        return [f"guide://{category}/{name}" for category in known]

    def _card(self, entry: FileEntry) -> _Card:
        known = self._cards.get(entry.path)
        if known is not None and known[0] == entry:
            return known[1]
        card = self._made(entry)
        with self._lock:
            self._cards[entry.path] = (entry, card)
        return card

    def _made(self, entry: FileEntry) -> _Card:
        from toolcrib.files.markdown.document import parse  # a start needs none of it

        try:
            document = parse(entry.path, self._session.library.root.read(entry.path).data)
        except (FileRefused, FileUnreadable) as error:
            return _Card(entry.path.rsplit("/", 1)[-1], f"Cannot be read: {error}")
        said = document.front_matter.get("description")
        text = said if isinstance(said, str) else _first_paragraph(document.body)
        return _Card(document.title, _shortened(text) or None)


def is_listed(document: DocumentEntry) -> bool:
    """Whether a document is in lists: documentation is a template, a skill is `skill://…`."""
    return document.origin != "rules" or document.category not in UNLISTED


def mime_type(name: str) -> str:
    """The media type that a name promises; Markdown in all its spellings, else plain text."""
    if name.lower().endswith((".md", ".mdx", ".mdc", ".markdown")):
        return "text/markdown"
    return "text/plain"


def _first_paragraph(body: str) -> str:
    from toolcrib.files.markdown.fences import without_code
    from toolcrib.files.markdown.outline import paragraphs

    for text in islice(paragraphs(without_code(body)), 12):
        if not text.startswith(("#", "|", "<", "---", "![")):
            return text
    return ""


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1].rstrip() + "…"
