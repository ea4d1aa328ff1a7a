"""Templates and texts of strangers: everything that is shown is escaped or cleaned here."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from toolcrib.web.views.calls import kind_of
from toolcrib.web.views.text import HIDDEN, mark_of, marked, unturned

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"
LONGEST_DOCUMENT: Final = 200_000
_TAGS = {
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "strong", "em", "s",
    "code", "pre", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "a", "del",
}  # fmt: skip
_CODE = ("code_inline", "code_block", "fence")
_SO_FAR: Final = Markup("<!-- so far -->")
_SCHEMES = {"http", "https", "mailto"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_OTHERS = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
Lead = Callable[[str], str | None]
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
        self._environment.globals |= {
            "url": self.url, "static": self.static, "quoted": quoted, "so_far": _SO_FAR,
        }  # fmt: skip
        self._environment.filters |= {
            "visible": visible, "pretty": pretty, "number": number, "tokens": _tokens,
            "clock": _clock, "kind": kind_of, "marked": lambda text: marked(str(text)),
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

    def pieces(self, template: str, **values: Any) -> Iterator[bytes]:
        """One page, what stands before `so_far` by itself: it is shown while the rest is made."""
        whole: list[str] = []
        for piece in self._environment.get_template(template).generate(**values):
            before, found, after = piece.partition(_SO_FAR)
            whole.append(before)
            if found:
                yield "".join(whole).encode("utf-8", "replace")
                whole = [after]
        yield "".join(whole).encode("utf-8", "replace")

    def markdown(self, text: str, lead: Lead | None = None) -> Markup:
        """A document as cleaned HTML; what is too long is cut by the caller.

        `lead` knows the uris of the files that a document links to.
        """
        import nh3

        parser = _parser()
        tokens = parser.parse(unturned(text))
        for token in tokens:
            for each in (token, *(token.children or ())):
                if each.type == "link_open":
                    self._lead(each, lead)
                elif each.type in _CODE:
                    each.content = marked(each.content)
                elif each.type in ("heading_open", "heading_close"):
                    each.tag = f"h{min(int(each.tag[1]) + 1, 6)}"  # the page has its own first one
        cleaned = nh3.clean(
            parser.renderer.render(tokens, parser.options, {}),
            tags=_TAGS,
            attributes={"a": {"href"}},
            url_schemes=_SCHEMES,
            link_rel="noopener noreferrer nofollow",
        )
        return Markup(cleaned)  # noqa: S704 - cleaned above

    def _lead(self, link: Any, lead: Lead | None) -> None:
        """Our own uris lead to the page's own reader, others where they say, files nowhere."""
        target = str(link.attrGet("href") or "")
        if not _SCHEME.match(target) and lead is not None:
            target = lead(target) or target
        if OWN_URI.match(target):
            link.attrSet("href", f"{self.prefix}/library?uri={quote(target, safe='')}")
        elif not _OTHERS.match(target):
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
    if not HIDDEN.search(plain):
        return plain
    return Markup("").join(
        Markup('<span class="hidden-char">{}</span>').format(mark_of(piece))
        if HIDDEN.fullmatch(piece)
        else escape(piece)
        for piece in re.split(f"({HIDDEN.pattern})", plain)
        if piece
    )


def pretty(value: Any) -> Markup | str:
    """A JSON value over several lines, hidden characters written out."""
    return visible(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def number(value: float) -> str:
    """A number as people write it: a tenth below a hundred, none above."""
    if not math.isfinite(value):  # a record may hold anything
        return str(value)
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"


def quoted(text: object) -> str:
    """One step of a path, percent-encoded."""
    return quote(str(text), safe="", errors="replace")


def _tokens(value: int) -> str:
    return f"≈ {value:,}"


def _clock(time: str) -> str:
    """The time of day of an instant, or all of it where it is written in another way."""
    return time[11:19] if len(time) > 19 and time[10] == "T" else time
