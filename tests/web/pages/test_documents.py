"""Documents as the page shows them."""

from __future__ import annotations

from pathlib import Path

from toolcrib.packs.architecture.library.library import Library
from toolcrib.web.pages.documents import leading, read_document
from toolcrib.web.render import LONGEST_DOCUMENT, Renderer

SHOP = Path(__file__).parents[3] / "examples" / "shop"


def test_a_link_to_another_document_leads_to_the_pages_own_reader(tmp_path: Path) -> None:
    """W-7: links only http, https, mailto and our own uris, which lead to the page's own reader."""
    library = Library(SHOP)
    record = library.find("architecture://adr/0007")
    lead = leading(library, record)
    assert (
        lead("0004-store-prices-as-decimal-text.md#x")
        == library.find("architecture://adr/0004").uri
    )
    assert lead("../../../../../etc/passwd") is None and lead("#here") is None
    html = read_document(Renderer("/p"), library, record)["html"]
    assert 'href="/p/library?uri=architecture%3A%2F%2Fadr%2F0004' in html


def test_hostile_prose_stays_prose() -> None:
    """W-7: no HTML, no images, no styles, no other scheme; relations are told to nobody."""
    text = (
        "<script>alert(1)</script> <img src=x onerror=alert(1)> ![x](file:x.png)\n\n"
        "[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///x) [d](//evil.example)\n"
        "[e](JAVASCRIPT:alert(1)) [f](https://good.example) `a\u202eb` {{7*7}}\n"
    )
    html = str(Renderer().markdown(text, lambda target: None))
    assert "<script" not in html and "<img" not in html and "{{7*7}}" in html
    assert html.count("href=") == 1 and 'href="https://good.example"' in html
    assert 'rel="noopener noreferrer nofollow"' in html and "a⟨U+202E⟩b" in html


def test_what_is_too_long_is_cut_and_says_so(tmp_path: Path) -> None:
    """W-7: above 200,000 characters a document is cut, with a link to the raw text."""
    adr = tmp_path / "docs" / "adr"
    adr.mkdir(parents=True)
    (adr / "0001-long.md").write_text("# Long\n\n" + "w" * 1_000_000)
    library = Library(tmp_path)
    shown = read_document(Renderer(), library, library.find("architecture://adr/0001"))
    assert shown["cut"] and len(shown["html"]) < LONGEST_DOCUMENT + 1000
    assert shown["raw"].endswith("&raw=1")
