"""The decisions and their links as a graph: for Mermaid, and as a picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from toolcrib.packs.architecture.library.records import DocumentRecord, LinkKind
from toolcrib.packs.architecture.reading.links import inverse

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library

# Links are drawn from the newer word to the older: the other half says the same.
_PASSIVE: tuple[LinkKind, ...] = ("superseded_by", "amended_by", "deprecated_by")
_WORDS = {
    "supersedes": "supersedes",
    "amends": "amends",
    "deprecates": "deprecates",
    "relates_to": "relates to",
}
_COLOURS = {
    "accepted": "#2e7d32",
    "proposed": "#1565c0",
    "rejected": "#b71c1c",
    "deprecated": "#8d6e63",
    "superseded": "#757575",
}
_OTHER = "#546e7a"


@dataclass(frozen=True, slots=True)
class Edge:
    """One link between two decisions, by uri."""

    source: str
    target: str
    kind: LinkKind


@dataclass(frozen=True, slots=True)
class Graph:
    """Decisions in the order of their numbers and dates, and the links between them."""

    decisions: tuple[DocumentRecord, ...]
    edges: tuple[Edge, ...]


def decision_graph(library: Library, *, related: bool = True) -> Graph:
    """The graph of a library; without `related`, only links that change a decision."""
    decisions = [record for record in library.records("adr") if record.is_decision]
    decisions.sort(key=_when)
    known = {record.uri for record in decisions}
    found: dict[tuple[str, str], LinkKind] = {}
    for record in decisions:
        for link in record.links:
            if link.uri in known and link.uri is not None:
                _note(found, record.uri, link.uri, link.kind)
    edges = [
        Edge(source, target, kind)
        for (source, target), kind in found.items()
        if related or kind != "relates_to"
    ]
    return Graph(tuple(decisions), tuple(edges))


def mermaid(graph: Graph) -> str:
    """The graph as a Mermaid flowchart, a colour for each status."""
    names = {record.uri: f"d{number}" for number, record in enumerate(graph.decisions)}
    lines = ["flowchart LR"]
    for record in graph.decisions:
        label = _mermaid_text(f"{record.adr_id}: {_plain_title(record)}")
        lines.append(f'  {names[record.uri]}["{label}"]:::{_status_class(record)}')
    for edge in graph.edges:
        arrow = "-.->" if edge.kind == "relates_to" else "-->"
        word = _WORDS[edge.kind]
        lines.append(f"  {names[edge.source]} {arrow}|{word}| {names[edge.target]}")
    used = sorted({_status_class(record) for record in graph.decisions})
    lines += [f"  classDef {name} stroke:{_colour(name)},stroke-width:2px" for name in used]
    return "\n".join(lines) + "\n"


def svg(graph: Graph, title: str = "Decisions") -> str:
    """The graph as a picture: one line per decision, the links as arcs beside them."""
    return _Picture(graph, title).draw()


def _note(found: dict[tuple[str, str], LinkKind], one: str, other: str, kind: LinkKind) -> None:
    """Keep one edge for each pair; the stronger word wins over a mere relation."""
    if kind in _PASSIVE:
        one, other, kind = other, one, inverse(kind)
    known = found.get((one, other)) or found.get((other, one))
    if known is None:
        found[one, other] = kind
    elif known == "relates_to" and kind != "relates_to":
        found.pop((other, one), None)
        found[one, other] = kind


def _when(record: DocumentRecord) -> tuple[int, str, str]:
    number = record.number if record.number is not None else 1_000_000
    return number, record.date or "", record.uri


def _plain_title(record: DocumentRecord) -> str:
    """The title without the number that stands beside it."""
    return (
        re.sub(r"^\W*(?:(?:adr|madr|rfc)[-_ #]*)?\d+[.:)\]]*[ \t–-]*", "", record.title, flags=re.I)
        or record.title
    )


def _status_class(record: DocumentRecord) -> str:
    return record.status if record.status in _COLOURS else "other"


def _colour(status: str) -> str:
    return _COLOURS.get(status, _OTHER)


def _mermaid_text(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace("#", "#35;")
    )


_STYLE = """
  svg { background: #ffffff; font: 14px system-ui, sans-serif; }
  text { fill: #1c1c1e; } .dim { fill: #6b6b70; font-size: 12px; }
  .gone text.title { text-decoration: line-through; fill: #6b6b70; }
  path.arc { fill: none; stroke-width: 1.8; }
  .supersedes, .deprecates { stroke: #c62828; } .amends { stroke: #1565c0; stroke-dasharray: 7 4; }
  .relates_to { stroke: #9e9e9e; stroke-width: 1.1; stroke-dasharray: 2 4; }
  @media (prefers-color-scheme: dark) {
    svg { background: #16171a; } text { fill: #ececf1; } .dim { fill: #a0a0a8; }
  }
"""


class _Picture:
    """Rows from top to bottom in the order of time; arcs bulge to the left of them."""

    ROW = 34
    TOP = 64
    WIDTH = 980
    BADGE = 92

    def __init__(self, graph: Graph, title: str) -> None:
        self._graph = graph
        self._title = title
        self._rows = {record.uri: number for number, record in enumerate(graph.decisions)}
        longest = max((self._span(edge) for edge in graph.edges), default=0)
        self._gutter = 40 + min(260, int(18 * longest**0.75))

    def draw(self) -> str:
        """The whole picture."""
        height = self.TOP + self.ROW * max(1, len(self._graph.decisions)) + 24
        title = escape(self._title)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.WIDTH} {height}" '
            f'width="{self.WIDTH}" height="{height}" role="img" aria-labelledby="title desc">',
            f'<title id="title">{title}</title>',
            f'<desc id="desc">{escape(self._summary())}</desc>',
            f"<style>{_STYLE}</style>",
            *self._arrowheads(),
            *self._legend(),
            *(self._arc(edge) for edge in self._ordered_edges()),
            *(self._row(record) for record in self._graph.decisions),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _summary(self) -> str:
        return (
            f"{len(self._graph.decisions)} decisions from top to bottom in the order of time, "
            f"and {len(self._graph.edges)} links between them."
        )

    def _arrowheads(self) -> Iterable[str]:
        colours = {"supersedes": "#c62828", "deprecates": "#c62828", "amends": "#1565c0"}
        for kind, colour in colours.items():
            yield (
                f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
                f'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{colour}"/>'
                "</marker>"
            )

    def _legend(self) -> Iterable[str]:
        x = 20
        kinds = {edge.kind for edge in self._graph.edges}
        for kind in ("supersedes", "amends", "deprecates", "relates_to"):
            if kind in kinds:
                yield f'<path class="arc {kind}" d="M{x},28 h34"/>'
                yield f'<text class="dim" x="{x + 42}" y="32">{_WORDS[kind]}</text>'
                x += 130
        for status in sorted({_status_class(record) for record in self._graph.decisions}):
            yield f'<circle cx="{x + 6}" cy="28" r="6" fill="{_colour(status)}"/>'
            yield f'<text class="dim" x="{x + 18}" y="32">{status}</text>'
            x += 104

    def _row(self, record: DocumentRecord) -> str:
        y = self._y(record.uri)
        x = self._gutter
        gone = record.status in ("superseded", "deprecated", "rejected")
        name = escape(_shortened(record.adr_id or "", 11))
        title = escape(_shortened(_plain_title(record), (self.WIDTH - x - self.BADGE - 120) // 8))
        return (
            f'<g class="{"gone" if gone else "live"}"><title>{escape(self._tip(record))}</title>'
            f'<circle cx="{x}" cy="{y}" r="6" fill="{_colour(_status_class(record))}"/>'
            f'<text x="{x + 14}" y="{y + 5}" font-weight="600">{name}</text>'
            f'<text class="title" x="{x + self.BADGE + 14}" y="{y + 5}">{title}</text>'
            f'<text class="dim" x="{self.WIDTH - 20}" y="{y + 5}" text-anchor="end">'
            f"{escape(record.date or '')}</text></g>"
        )

    def _tip(self, record: DocumentRecord) -> str:
        return f"{record.title} — {record.status_text or record.status or 'no status'}"

    def _arc(self, edge: Edge) -> str:
        one, other = self._y(edge.source), self._y(edge.target)
        x = self._gutter - 9
        bulge = x - max(24, min(self._gutter - 16, int(18 * self._span(edge) ** 0.75) + 14))
        marker = "" if edge.kind == "relates_to" else f' marker-end="url(#{edge.kind})"'
        return (
            f'<path class="arc {edge.kind}" d="M{x},{one} C{bulge},{one} {bulge},{other} '
            f'{x},{other}"{marker}/>'
        )

    def _ordered_edges(self) -> Sequence[Edge]:
        """Mere relations first, so that what matters is drawn over them."""
        return sorted(
            self._graph.edges, key=lambda edge: (edge.kind != "relates_to", -self._span(edge))
        )

    def _span(self, edge: Edge) -> int:
        return abs(self._rows[edge.source] - self._rows[edge.target])

    def _y(self, uri: str) -> int:
        return self.TOP + self.ROW * self._rows[uri] + self.ROW // 2


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"
