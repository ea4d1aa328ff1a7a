"""Inline Markdown: links, comments and emphasis, and a text without them."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Brackets and parentheses may be nested once; possessive, so that no text makes it look twice.
_LINK = re.compile(
    r"!?\[(?P<words>(?:[^\[\]\n]|\[[^\[\]\n]*+\])*+)\]"
    r"(?:\((?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]\n]*+\])"
)
_COMMENT = re.compile(r"\\?<!--[\s\S]*?(?:-->|\Z)")
_LONGEST = 2_000  # of the words and of the target of a link, in characters
_URL = re.compile(r"\bhttps?://[^\s)>\]]+")


def without_links(text: str) -> str:
    """The text with each link and image replaced by its label."""
    for _ in range(2):  # a picture may itself be a link
        if "](" not in text and "][" not in text:
            break
        text = _LINK.sub(_words, text)
    return text


def without_comments(text: str) -> str:
    """The text without HTML comments; an unclosed one extends to the end."""
    return _COMMENT.sub(" ", text) if "<!--" in text else text


def without_urls(text: str) -> str:
    """The text without URLs."""
    return _URL.sub(" ", text) if "://" in text else text


def plain_words(text: str) -> str:
    """A piece of text in one line, without links, bold type and code marks."""
    return " ".join(without_links(text).replace("**", "").replace("`", "").split())


def hrefs(text: str) -> Iterator[tuple[str, int]]:
    """Each link's target and its offset in `text`; pictures are left out."""
    at = text.find("](")
    while at >= 0:
        end = text.find(")", at, at + _LONGEST)
        opened = text.rfind("[", max(0, at - _LONGEST), at)
        if end > 0 and opened >= 0 and text[opened - 1 : opened] != "!":
            words = text[at + 2 : end].split(None, 1)
            if words:
                yield words[0].strip("<>"), at + 2
        at = text.find("](", at + 2)


def _words(link: re.Match[str]) -> str:
    return link["words"]
