"""A new decision record: the next number, the form of its neighbours, links both ways."""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.errors import ConfigError, UsageError
from toolcrib.files.decoding import decode
from toolcrib.packs.architecture.library.records import DocumentRecord, LinkKind
from toolcrib.packs.architecture.library.sources import SUFFIX, Source
from toolcrib.packs.architecture.reading.links import inverse
from toolcrib.packs.architecture.reading.metadata import file_number
from toolcrib.packs.architecture.records.forms import Particulars, restate, write_record

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library

SPOKEN: dict[LinkKind, str] = {
    "supersedes": "Supersedes",
    "superseded_by": "Superseded by",
    "amends": "Amends",
    "amended_by": "Amended by",
    "relates_to": "Relates to",
}

_LONGEST_SLUG = 60


@dataclass(frozen=True, slots=True)
class Draft:
    """A file to be written: where, and what. `old` is None for a new file.

    A changed file keeps its encoding, its byte order mark and its line ends.
    """

    path: Path
    file: str
    text: str
    old: str | None = None
    encoding: str = "utf-8"
    newline: str = "\n"


@dataclass(frozen=True, slots=True)
class Relation:
    """A link that the new decision shall have."""

    kind: LinkKind
    record: DocumentRecord


def draft_decision(
    library: Library,
    title: str,
    relations: Sequence[Relation] = (),
    *,
    status: str = "Proposed",
    folder: str | None = None,
    today: datetime.date | None = None,
) -> list[Draft]:
    """The new record, then the existing records that must be updated to link to it."""
    title = " ".join(title.split())
    if not slug(title):
        raise UsageError(f"The title {title!r} has no letters to make a file name of")
    source = _folder(library, folder)
    today = today or datetime.date.today()
    neighbours = [
        record
        for record in library.records("adr")
        if library.sources[record.root] is source and record.is_decision
    ]
    number, name = _name(neighbours, title, today)
    heading = f"{int(number)}. {title}" if number and _numbered(neighbours) else title
    given = Particulars(
        heading,
        today.isoformat(),
        status,
        [f"{SPOKEN[each.kind]} {_link(each.record, source, library)}" for each in relations],
    )
    like = library.document(neighbours[-1]) if neighbours else None
    text = write_record(like, _template(library, source), given)
    new = Draft(source.root.path / name, source.file(name), text)
    return [new, *(_answer(library, each, new, f"[{heading}]") for each in relations)]


def write_drafts(drafts: Sequence[Draft]) -> None:
    """Write them; a file that is there already is never overwritten by a new one."""
    new, *changed = drafts
    new.path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with new.path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(new.text)
    except FileExistsError:
        raise UsageError(f"{new.file} exists already") from None
    for draft in changed:
        if draft.text != draft.old:
            draft.path.write_text(draft.text, encoding=draft.encoding, newline=draft.newline)


def slug(title: str) -> str:
    """A title as a file's name: small letters, digits and dashes."""
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", folded)
    kept: list[str] = []
    for word in words:
        if kept and len("-".join([*kept, word])) > _LONGEST_SLUG:
            break
        kept.append(word[:_LONGEST_SLUG])
    return "-".join(kept)


def _answer(library: Library, relation: Relation, new: Draft, here: str) -> Draft:
    """The other side of a link, where the other decision has to say so."""
    record = relation.record
    source = library.sources[record.root]
    path = source.root.path / record.path
    raw = source.root.read(record.path).data
    decoded = decode(raw)
    old = library.text(record)
    if relation.kind == "relates_to":
        return Draft(path, record.file, old, old)
    target = _relative(path.parent, new.path)
    sentence = f"{SPOKEN[inverse(relation.kind)]} {here}({target})"
    text = restate(old, sentence, further=relation.kind != "supersedes")
    if text is None:
        raise ConfigError(
            f"{record.file} states no status that could be changed to {sentence!r}",
            next="Give it a line `Status: accepted`, or leave the link out.",
        )
    encoding = "utf-8-sig" if decoded.bom and decoded.encoding == "utf-8" else decoded.encoding
    return Draft(path, record.file, text, old, encoding, "\r\n" if b"\r\n" in raw else "\n")


def _folder(library: Library, folder: str | None) -> Source:
    """The folder asked for, else the one with the most decisions, else the first of them."""
    sources = [source for source in library.sources if source.kind == "adr"]
    if folder is not None:
        wanted = folder.strip("/")
        for source in sources:
            if source.folder.strip("/") == wanted:
                return source
        raise UsageError(
            f"{folder} is no folder of decisions",
            next=f"Known are: {', '.join(source.folder for source in sources)}.",
        )
    own = [record for record in library.records("adr") if not record.scope]
    used = Counter(record.root for record in own if record.is_decision)
    if used:
        return library.sources[used.most_common(1)[0][0]]
    return next((source for source in sources if source.root.path.is_dir()), sources[0])


def _template(library: Library, source: Source) -> str | None:
    """The team's own template, a file of the folder whose name says so."""
    for record in library.records("adr"):
        if library.sources[record.root] is source and "template" in record.stem.casefold():
            return library.text(record)
    return None


def _numbered(neighbours: Sequence[DocumentRecord]) -> bool:
    """Whether headings begin with the number here; so they do in a folder of our own."""
    return not neighbours or any(re.match(r"\d+[.:)]? ", each.title) for each in neighbours)


def _name(
    neighbours: Sequence[DocumentRecord], title: str, today: datetime.date
) -> tuple[str | None, str]:
    """The number as it is written here, and the file's name; folders of dates have no numbers."""
    written = [(record, file_number(record.path)) for record in neighbours]
    numbered = [(record, number) for record, number in written if number]
    dated = [r for r in neighbours if re.match(r"\d{4}-\d{2}-\d{2}", r.stem)]
    if dated and len(dated) > len(numbered):
        return None, f"{today.isoformat()}-{slug(title)}{SUFFIX}"
    highest = max((int(number) for _, number in numbered), default=0)
    width = max((len(number) for _, number in numbered), default=4)
    prefix = _prefix(numbered[-1][0].stem, numbered[-1][1]) if numbered else ""
    number = str(highest + 1).zfill(width)
    return number, f"{prefix}{number}-{slug(title)}{SUFFIX}"


def _prefix(stem: str, number: str) -> str:
    """What stands before the number: `adr-`; a date would not be today's."""
    before = stem.partition(number)[0]
    return "" if re.search(r"\d", before) else before


def _link(record: DocumentRecord, source: Source, library: Library) -> str:
    target = library.sources[record.root].root.path / record.path
    return f"[{record.title}]({_relative(source.root.path, target)})"


def _relative(folder: Path, target: Path) -> str:
    """`target` as seen from `folder`, with `/` between."""
    common = 0
    for mine, theirs in zip(folder.parts, target.parts, strict=False):
        if mine != theirs:
            break
        common += 1
    up = [".."] * (len(folder.parts) - common)
    return "/".join([*up, *target.parts[common:]])
