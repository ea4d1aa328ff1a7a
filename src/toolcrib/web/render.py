"""Templates and texts of strangers: everything that is shown is escaped or cleaned here."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"
LONGEST_DOCUMENT: Final = 200_000
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)
_TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "s",
    "code", "pre", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "a", "del",
}  # fmt: skip
_SCHEMES = {"http", "https", "mailto"}
OWN_URI: Final = re.compile(r"(?:architecture|guide|directive|toolcrib)://")


class Renderer:
    """Makes pages; `prefix` stands before every address."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(HERE / "templates"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= {"url": self.url, "static": self.static}
        self._environment.filters |= {
            "visible": visible, "pretty": pretty, "number": _number, "tokens": _tokens,
        }  # fmt: skip

    def url(self, path: str) -> str:
        """An address of the page."""
        return f"{self.prefix}{path}"

    def static(self, name: str) -> str:
        """The address of a style or script, with a hash that changes when it does."""
        return f"{self.prefix}/static/{static_name(name)}"

    def page(self, template: str, **values: Any) -> bytes:
        """One page."""
        return self._environment.get_template(template).render(**values).encode("utf-8", "replace")

    def markdown(self, text: str) -> Markup:
        """A document as cleaned HTML; what is too long is cut by the caller."""
        import nh3

        parser = _parser()
        tokens = parser.parse(text)
        for token in tokens:
            for child in token.children or ():
                if child.type == "link_open":
                    self._lead(child)
        cleaned = nh3.clean(
            parser.renderer.render(tokens, parser.options, {}),
            tags=_TAGS,
            attributes={"a": {"href"}},
            url_schemes=_SCHEMES,
            link_rel="noopener noreferrer nofollow",
        )
        return Markup(cleaned)  # noqa: S704 - cleaned above

    def _lead(self, link: Any) -> None:
        """Our own uris lead to the page's own reader, others where they say, files nowhere."""
        target = str(link.attrGet("href") or "")
        if OWN_URI.match(target):
            link.attrSet("href", f"{self.prefix}/library?uri={quote(target, safe='')}")
        elif not re.match(r"(?i)(?:https?|mailto):", target):
            link.attrs.pop("href", None)


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    return (
        MarkdownIt("commonmark", {"html": False, "linkify": False})
        .enable(["table", "strikethrough"])
        .disable("image")
    )


@cache
def _static(name: str) -> bytes:
    """A static file; a script names the others as they are served."""
    body = (STATIC / name).read_bytes()
    if name.endswith(".js") and name != "page.js":
        body = body.replace(b"./page.js", f"./{static_name('page.js')}".encode())
    return body


@cache
def static_name(name: str) -> str:
    """The name of a static file with the hash of its content."""
    digest = hashlib.sha256(_static(name)).hexdigest()[:10]
    stem, _, suffix = name.rpartition(".")
    return f"{stem}.{digest}.{suffix}"


@cache
def static_files() -> dict[str, bytes]:
    """The static files by the names that pages use."""
    names = [path.name for path in STATIC.iterdir() if path.suffix in (".css", ".js", ".svg")]
    return {static_name(name): _static(name) for name in names}


def visible(text: object) -> Markup | str:
    """Text with hidden characters written out."""
    plain = str(text)
    if not _HIDDEN.search(plain):
        return plain
    return Markup("").join(
        Markup('<span class="hidden-char">⟨U+{}⟩</span>').format(f"{ord(piece):04X}")
        if _HIDDEN.match(piece)
        else escape(piece)
        for piece in re.split(f"({_HIDDEN.pattern})", plain)
        if piece
    )


def pretty(value: Any) -> Markup | str:
    """A JSON value over several lines, hidden characters written out."""
    return visible(json.dumps(value, indent=2, ensure_ascii=False))


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"


def _tokens(value: int) -> str:
    return f"≈ {value:,}"
