"""U-3: the README: what, why, a minute to the first success, one picture; no link leads nowhere.

That its commands work as they are written is shown with those of all other pages, in test_snippets.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from support.pages import DOCS, ROOT, command_lines, snippets
from toolcrib.packs.climax.config.config import bundled_names
from toolcrib.settings import PACKS

README = (ROOT / "README.md").read_text()
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md"), *(DOCS / "decisions").glob("*.md")])
_LINK = re.compile(r"(?<!`)!?\[[^\]]*\]\(([^)\s]+)\)")
_WORDS = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
)
NUMBERS = dict(zip(_WORDS, range(2, 21), strict=True))


def anchors(page: Path) -> set[str]:
    """The fragments that a page can be entered by, as the site spells them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    slugs = {re.sub(r"[^\w\s-]", "", title).strip().lower().replace(" ", "-") for title in titles}
    return slugs | set(re.findall(r'id="([^"]+)"', page.read_text()))


def without_code(text: str) -> str:
    return re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_leads_nowhere(page):
    """U-3: files, and the headings in them."""
    for target in _LINK.findall(without_code(page.read_text())):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        path, _, fragment = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.name}: {target}"
        if fragment:
            assert fragment in anchors(file), f"{page.name}: {target}"


def test_it_says_what_it_is_and_shows_one_picture_and_the_demo():
    """U-3: a paragraph, a picture, two commands, a recording."""
    opening, _, _ = README.partition("![")
    assert opening.startswith("# toolcrib\n\ntoolcrib is one [MCP]") and len(opening) < 600
    assert re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README) == [
        "docs/images/toolcrib.svg",
        "docs/images/demo.svg",
    ]


def test_the_first_thing_to_type_are_the_two_commands():
    """U-3: toolcrib init && toolcrib install claude-code."""
    first = command_lines(snippets(ROOT / "README.md")[0].text)
    assert first == [["toolcrib", "init"], ["toolcrib", "install", "claude-code"]]


def test_every_pack_has_its_row_and_every_page_its_link():
    """U-3: nothing that is there goes unmentioned."""
    for pack in PACKS:
        page = {"gateway": "servers", "architecture": "architecture-pack"}.get(pack, pack)
        assert f"| [{pack}](docs/{page}.md) |" in README or pack == "custom"
    for page in DOCS.glob("*.md"):
        assert f"(docs/{page.name})" in README, page.name


def test_what_is_counted_is_counted_right():
    """U-3: numbers in words are numbers, too."""
    counted = re.search(r"(\w+) programs come described", README)
    assert NUMBERS[counted[1]] == len(bundled_names())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    security = (DOCS / "security.md").read_text()
    assert NUMBERS[re.search(r"(\w+) direct dependencies", security)[1]] == len(
        project["dependencies"]
    )
    assert f"## {project['version']}\n" in (ROOT / "CHANGELOG.md").read_text()


def test_no_speed_or_quality_is_claimed_outside_of_the_section_on_numbers():
    """U-3: numbers come from the benchmarks' commands alone."""
    rest = re.sub(r"## Numbers.*?(?=^## )", "", README, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"\d+(?:\.\d+)?\s?(?:ms|µs|MB|MiB|%|x faster|times)", rest)
