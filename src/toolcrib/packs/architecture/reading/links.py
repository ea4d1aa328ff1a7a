"""Links between decisions: found in the text, then resolved to documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from toolcrib.files.markdown.inline import hrefs
from toolcrib.files.markdown.outline import Outline, lines_with
from toolcrib.packs.architecture.library.records import DecisionLink, LinkKind
from toolcrib.packs.architecture.reading.status import is_status_heading

# `Superseded: 2019-12-19 by`, `superseded on 3 March 2020 by`.
_WHEN = r"[ ]*:?[ ]+(?:[oi]n[ ]+)?\(?(?:\d[\d./-]{5,9}|(?:\w{1,9}[ ,.]+){0,2}\d{4})\)?,?"
# The first that matches at a place wins: "superseded by" before "supersedes".
_VERBS: tuple[tuple[LinkKind, str], ...] = (
    (
        "superseded_by",
        r"(?:super[sc]e+ded|replaced|obsoleted|overridden|supplanted|reverted)"
        rf"(?:[ _-]+in[ ]part)?(?:{_WHEN})?[ _-]*by|replaced[ ]with",
    ),
    ("deprecated_by", r"(?:deprecated|retired)[ _-]*(?:by|in[ ]favou?r[ ]of)"),
    ("amended_by", r"(?:amended|updated|extended|refined|clarified|modified|revised)[ _-]*by"),
    (
        "supersedes",
        r"super[sc]e+des?(?:[ ]of)?|superseding|replaces|obsoletes|overrides|reverts"
        r"|replacement[ ](?:for|of)",
    ),
    ("deprecates", r"deprecates"),
    (
        "amends",
        r"amend(?:s|ment[ ]to|ment[ ]of)|updates|extends|refines|clarifies|modifies|revises",
    ),
    (
        "relates_to",
        r"relat(?:es|ed)(?:[ _-]*(?:to|decisions?|adrs?|records?))?|see[ _-]*also|depends[ _-]*on"
        r"|builds[ ]on|required[ _-]*by|references|influenced[ ]by|informed[ ]by|links?",
    ),
)
_VERB = re.compile("|".join(rf"(?P<{kind}>\b(?:{pattern})\b)" for kind, pattern in _VERBS), re.I)
_INVERSE: dict[LinkKind, LinkKind] = {
    "supersedes": "superseded_by",
    "superseded_by": "supersedes",
    "amends": "amended_by",
    "amended_by": "amends",
    "deprecates": "deprecated_by",
    "deprecated_by": "deprecates",
    "relates_to": "relates_to",
}

_TARGET = re.compile(
    r"(?<!!)\[(?P<text>[^\]\n]*)\]\([ \t]*(?P<href>[^)\s]+)[^)\n]*\)"
    r"|\[\[(?P<wiki>[^\]\n|#]+)[^\]\n]*\]\]"
    r"|\b(?P<name>(?:m?adr|[tp]?dr|rfc|decision)[-_ #]*\d{1,5})\b"
    r"|(?P<file>\b[\w./-]+\.md\b)"
    r"|(?<![\w./-])(?P<number>\d{1,5})(?![\w./-]*\w)",
    re.I,
)
# `Superseded [19](0019-x.md)`, `Superseded: 0019`, `Superseded → ADR-19`: a status without "by".
# A year or a day says when, and names no record.
_BARE = re.compile(
    r"[^\w\[]*(?P<label>status\b[^\w\[]*)?super[sc]e+ded(?=\W)[\s:→>=–—(*_-]*"
    r"(?=\[\[|\[[^\]\n]*\]\(|(?:m?adr|[tp]?dr|rfc|decision)[-_ #]*\d"
    r"|(?!(?:19|20)\d\d\b)\d{1,5}[^\w\n]*$)",
    re.I,
)
# What may stand between a verb and its object, and between two objects of one verb.
_LONGEST_LINE = 500
_FAR = 100
_AND = re.compile(r"(?:[\s,;:&*_.()#]|and|or|also|by|as well as|decisions?|adrs?)*", re.I)
_SECTIONS = ("link", "relat", "see also", "supersed", "more information")
# A part of every verb: lines without any are passed over quickly.
_HINTS = (
    "uperse", "UPERSE", "uperce", "eplace", "bsolete", "mend", "eprecat", "efine", "elate",
    "xtend", "larif", "evise", "epends on", "uilds on", "ee also", "verrid", "evert", "EVERT",
    "upplant", "etired", "pdate", "odifie", "equired by", "eferences", "nfluenced by",
    "nformed by", "ink",
)  # fmt: skip


def inverse(kind: LinkKind) -> LinkKind:
    """What the other decision would say of the same link."""
    return _INVERSE[kind]


def find_links(outline: Outline, front_matter: Mapping[str, Any]) -> tuple[DecisionLink, ...]:
    """Return the links that a document states, with their targets as they are written.

    A verb (`Superseded by`, `Amends`) counts in the head of a document, in its status and links
    sections and in front matter; a plain Markdown link to another document is `relates_to`.
    What stands in fenced code is an example and links nothing.
    """
    found: dict[tuple[str, str], DecisionLink] = {}
    for link in _stated(outline, front_matter):
        found.setdefault((link.kind, link.target), link)
    spoken_for = {target for _, target in found}
    for href, at in hrefs(outline.prose):
        if href not in spoken_for and _is_document(href):
            spoken_for.add(href)
            found["relates_to", href] = DecisionLink("relates_to", href, line=outline.line(at))
    return tuple(found.values())


def _stated(outline: Outline, front_matter: Mapping[str, Any]) -> Iterator[DecisionLink]:
    for key, value in front_matter.items():
        label = str(key).replace("_", " ").replace("-", " ").strip()
        verb = _VERB.fullmatch(label)
        if verb:
            yield from _from_values(_kind(verb), value)
        elif label.casefold() == "status" and isinstance(value, str):
            yield from _from_line(value[:_LONGEST_LINE], None, status=True)
    states = [each for each in outline.sections if is_status_heading(each.title)]
    for start, end in _regions(outline):
        text = outline.prose[start:end]
        for at in lines_with(text, _HINTS):
            line_end = text.find("\n", at)
            line = text[at : line_end if line_end >= 0 else None][:_LONGEST_LINE]
            inside = any(each.start < start + at < each.end for each in states)
            yield from _from_line(line, outline.line(start + at), status=inside)


def _regions(outline: Outline) -> Iterator[tuple[int, int]]:
    """The head of the document and its sections on status and links, as offsets."""
    yield 0, len(outline.head)
    for section in outline.sections:
        if section.end > len(outline.head):
            title = section.title[:40].casefold()
            if title.startswith(_SECTIONS) or is_status_heading(section.title):
                yield max(section.start, len(outline.head)), section.end


def _from_line(line: str, number: int | None, *, status: bool) -> Iterator[DecisionLink]:
    bare = _BARE.match(line)
    if bare and (status or bare["label"]):
        for target in _objects(line[bare.end() :]):
            yield DecisionLink("superseded_by", target, line=number)
        return
    verbs = [verb for verb in _VERB.finditer(line) if not _inside_link(line, verb.start())]
    ends = [verb.start() for verb in verbs[1:]] + [len(line)]
    for verb, until in zip(verbs, ends, strict=False):
        for target in _objects(line[verb.end() : until]):
            yield DecisionLink(_kind(verb), target, line=number)


def _objects(text: str) -> Iterator[str]:
    """What a verb speaks of: the first name near it, and those joined to it by commas or `and`."""
    end = 0
    for match in _TARGET.finditer(text):
        gap = text[end : match.start()]
        joined = _AND.fullmatch(gap)
        if not joined and (end or match["number"] or len(gap) > _FAR):
            return
        end = match.end()
        written = _written(match)
        if written:
            yield written


def _written(match: re.Match[str]) -> str | None:
    href = match["href"]
    if href is None:
        return match["wiki"] or match["name"] or match["file"] or match["number"]
    if not href.startswith(("http:", "https:", "#", "mailto:")):
        return href
    named = _TARGET.search(match["text"])
    return named["name"] if named and _is_document(href) else None


def _from_values(kind: LinkKind, value: Any) -> Iterator[DecisionLink]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, Mapping):
            item = next(iter(item.values()), None)
        if isinstance(item, bool) or item is None:
            continue
        text = str(item).strip()
        targets = [_written(match) for match in _TARGET.finditer(text)]
        for target in targets or re.split(r"[,;]\s*", text):
            if target and target.casefold() not in ("none", "n/a", "-", "~"):
                yield DecisionLink(kind, target)


def _kind(verb: re.Match[str]) -> LinkKind:
    return verb.lastgroup  # type: ignore[return-value]  # the groups are named after the kinds


def _inside_link(line: str, at: int) -> bool:
    """Whether `at` is within the text or the target of a Markdown link."""
    opened = line.rfind("[", 0, at)
    closed = line.find(")", at)
    return (
        opened >= 0 and closed >= 0 and "](" in line[opened:closed] and ")" not in line[opened:at]
    )


def _is_document(href: str) -> bool:
    path = href.split("#", 1)[0]
    return path.endswith((".md", ".markdown")) or "/adr/" in path


@dataclass(frozen=True, slots=True)
class Address:
    """The address of one document, for resolving links to it."""

    uri: str
    root: int
    path: str
    number: int | None


class Directory:
    """Ties a written target to the one document that it means, or to none.

    It is filled when it is first asked: most changes bring no link with them.
    """

    def __init__(self, addresses: Callable[[], Iterable[Address]]) -> None:
        self._addresses: Callable[[], Iterable[Address]] | None = addresses
        self._by_path: dict[tuple[int, str], str] = {}
        self._by_name: dict[str, list[Address]] = {}
        self._by_number: dict[int, list[Address]] = {}

    def resolve(self, target: str, root: int, path: str) -> str | None:
        """The uri that `target` means in the document at `path`; None when unknown or unclear."""
        found = self.candidates(target, root, path)
        return found[0] if len(found) == 1 else None

    def candidates(self, target: str, root: int, path: str) -> tuple[str, ...]:
        """The uris of all that `target` may mean in the document at `path`."""
        if self._addresses is not None:
            self._fill(self._addresses())
        written = unquote(target.split("#", 1)[0]).strip()
        found = self._by_path.get((root, _joined(path, written)))
        if found:
            return (found,)
        stem = _name(written.rstrip("/"))
        named = self._by_name.get(stem)
        if named:
            return _nearest(named, root)
        # `0016-another-title.md` is not the decision 16 but a broken link: no guess by number.
        number = re.fullmatch(r"(?:[a-z]+[-_ #]*)?(\d{1,5})", stem, re.I)
        return _nearest(self._by_number.get(int(number[1]), ()), root) if number else ()

    def _fill(self, addresses: Iterable[Address]) -> None:
        self._addresses = None
        for address in addresses:
            self._by_path[address.root, address.path] = address.uri
            self._by_name.setdefault(_name(address.path), []).append(address)
            if address.number is not None:
                self._by_number.setdefault(address.number, []).append(address)


def _nearest(found: Sequence[Address], root: int) -> tuple[str, ...]:
    """Those that can be meant: of several, the ones in the same folder of decisions."""
    among = [each for each in found if each.root == root] or found
    return tuple([each.uri for each in among])


def _name(path: str) -> str:
    """What a document is called: its file's name, or that of the folder it is the index of."""
    *folders, last = path.casefold().split("/")
    stem = last.removesuffix(".md")
    return folders[-1] if stem in ("readme", "index") and folders else stem


def _joined(path: str, relative: str) -> str:
    """`relative` as seen from the file at `path`, without leaving the root."""
    if relative.startswith("/"):
        return relative.lstrip("/")
    parts = path.split("/")[:-1]
    for part in relative.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
