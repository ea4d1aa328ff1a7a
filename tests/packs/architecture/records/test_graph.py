"""The decisions and their links, as Mermaid and as a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.records.graph import Graph, decision_graph, mermaid, svg

ROOT = Path(__file__).parents[4]
FILES = {
    "docs/adr/0001-old.md": '# 1. Old <&> "one"\n\n## Status\n\nSuperseded by ADR 3\n',
    "docs/adr/0002-mid.md": "# 2. Middle\n\n## Status\n\nAccepted\n\nSee [one](0001-old.md).\n",
    "docs/adr/0003-new.md": "# 3. New\n\nDate: 2024-01-01\n\n## Status\n\nAccepted\n\n"
    "Supersedes [1. Old](0001-old.md)\n\nAmends ADR 2\n",
    "docs/adr/0004-odd.md": "# 4. Odd\n\nStatus: demonstrated\n",
    "docs/adr/README.md": "# Decisions\n",
}


@pytest.fixture
def graph(shelve: Callable[..., Library]) -> Graph:
    return decision_graph(shelve(FILES))


def test_each_pair_is_linked_once_from_the_newer_word(graph: Graph) -> None:
    """A-1: links between ADRs."""
    assert [record.adr_id for record in graph.decisions] == ["0001", "0002", "0003", "0004"]
    assert {(each.source[-4:], each.target[-4:], each.kind) for each in graph.edges} == {
        ("0003", "0001", "supersedes"),
        ("0003", "0002", "amends"),
        ("0002", "0001", "relates_to"),
    }


def test_relations_can_be_left_out(shelve: Callable[..., Library]) -> None:
    edges = decision_graph(shelve(FILES), related=False).edges
    assert {each.kind for each in edges} == {"supersedes", "amends"}


def test_mermaid_has_a_node_for_each_decision_and_quotes_what_it_must(graph: Graph) -> None:
    text = mermaid(graph)
    assert text.startswith("flowchart LR\n")
    assert '  d0["0001: Old &lt;&amp;> &quot;one&quot;"]:::superseded\n' in text
    assert "  d2 -->|supersedes| d0\n" in text
    assert "  d1 -.->|relates to| d0\n" in text
    assert ":::other" in text


def test_the_picture_is_well_formed_and_shows_everything(graph: Graph) -> None:
    root = ET.fromstring(svg(graph, "Decisions of <shop>"))
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in root.iter(f"{space}text")]
    assert 'Old <&> "one"' in texts
    assert "2024-01-01" in texts
    assert root.find(f"{space}title").text == "Decisions of <shop>"  # type: ignore[union-attr]
    arcs = [each for each in root.iter(f"{space}path") if "C" in each.get("d", "")]
    assert len(arcs) == 3


def test_an_empty_library_gives_an_empty_picture() -> None:
    ET.fromstring(svg(Graph((), ())))
    assert mermaid(Graph((), ())) == "flowchart LR\n"


def test_the_picture_in_the_documentation_is_current() -> None:
    """The example's decisions, as `toolcrib architecture graph --svg` draws them."""
    shop = ROOT / "examples" / "shop"
    picture = ROOT / "docs" / "images" / "shop-decisions.svg"
    assert picture.read_text() == svg(decision_graph(Library(shop)), "Decisions of shop")
