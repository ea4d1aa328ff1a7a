"""From text to what is matched by: words, stems, sentences, and the piece worth showing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import chain
from typing import Final

from toolcrib.search.stem import stem

_CHUNK: Final = re.compile(r"[^\W_]+")
_NOT_PLAIN: Final = re.compile(r"[^\x00-\x7f]{1,16}")
_BLANKS: Final = bytes(code if chr(code).isalnum() else 32 for code in range(128)) + bytes(128)
"""What becomes of each byte of plain text: what is neither letter nor digit is a blank."""
_PLAIN: Final = _BLANKS.lower()
_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^\W\da-zA-Z_]+")
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_SENTENCE_END: Final = re.compile(
    # Not behind initials: "the U.S. Web Design System" is one piece.
    r"(?<=[.!?])(?<![A-Z]\.[A-Z]\.)[\"')\]]*\s+(?=[\"'(\[]*[^\W_a-z])|\n\s*\n|\n(?=\s*[-*#>|])"
)

# Words that carry a sentence, not its meaning. They count only in a query that has no other.
_STOP: Final = """
    a about all am an and any are as at be been being but by can could did do does doing each
    for from had has have having how i if in into is it its itself just me more most my no nor not
    of off on only or other our out over own please s same shall she should so some such t than
    that the their them then there these they this those through to too under until up us very was
    we were what when where which while who whom why will with would you your via using use used
    given want wants need needs let lets also both between per whether m d ll re ve don doesn
    didn isn aren won"""
STOP_WORDS: Final = frozenset(stem(word) for word in _STOP.split())

# Words with which people talk to somebody who is to help them. A tool may be about them all the
# same, so they count, but little beside the words that say what it is to do.
_TALK: Final = """
    able anyone anything come curious give go going good got hello help hey hi interested kindly
    know like lot love many maybe much possible really say somebody someone something sure tell
    thank thanks thing think way wonder wondering"""
TALK: Final = frozenset(stem(word) for word in _TALK.split())

_KNOWN_LIMIT: Final = 200_000
_LINES: Final = 20_000
_LONGEST: Final = 64


class _Known(dict[str, tuple[str, ...]]):
    """The stems of each chunk that was met; a new one is learnt where it is asked for.

    A mapping that fills itself keeps the loop over a text's words out of Python.
    """

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(self) >= _KNOWN_LIMIT:
            self.clear()
        found = self[chunk] = _learn(chunk)
        return found


class _Telling(_Known):
    """The same without the stop words."""

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(self) >= _KNOWN_LIMIT:
            self.clear()
        found = self[chunk] = tuple(each for each in _known[chunk] if each not in STOP_WORDS)
        return found


_known: Final = _Known()
_telling: Final = _Telling()


def tokens(text: str) -> list[str]:
    """Return the stems of a text in order, identifiers split: `listFiles`, `--list-files`.

    A camel-case word gives its parts and itself (`GitHub`: `git`, `hub`, `github`); letters
    lose their accents; Chinese, Japanese and Korean runs give their pairs of characters.
    """
    return list(chain.from_iterable(map(_known.__getitem__, chunks(text))))


def telling(text: str) -> list[str]:
    """Return the stems of a text in order, without those that only carry the sentence."""
    return list(chain.from_iterable(map(_telling.__getitem__, chunks(text))))


class Repeated(dict[str, tuple[str, ...]]):
    """The stems of lines during one build of an index, each computed once."""

    def __missing__(self, line: str) -> tuple[str, ...]:
        if len(self) >= _LINES:
            self.clear()
        found = self[line] = tuple(telling(line))
        return found


def chunks(text: str) -> list[str]:
    """Return the runs of letters and digits of a text as they are written."""
    # For plain text a table of bytes does what the expression does, in a fifth of the time.
    if text.isascii():
        return text.encode().translate(_BLANKS).decode().split()
    return _CHUNK.findall(fold(text))


def plain_words(text: str) -> str:
    """Return plain ASCII in lower case, every run of what is no letter or digit one space."""
    return " ".join(text.encode().translate(_PLAIN).decode().split())


def fold(text: str) -> str:
    """Return the text without accents and compatibility forms; case is kept."""
    if text.isascii():
        return text
    # Of most texts few letters are not plain, and they are always the same: each run is known.
    return _NOT_PLAIN.sub(lambda run: _plain_run(run[0]), text)


@lru_cache(4_096)
def _plain_run(run: str) -> str:
    decomposed = unicodedata.normalize("NFKD", run)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words(text: str) -> list[str]:
    """Return the lower-case words of a text, identifiers split, unstemmed."""
    return [part.lower() for chunk in _CHUNK.findall(fold(text)) for part in split(chunk)]


def split(chunk: str) -> list[str]:
    """Split one run of letters and digits where its case changes."""
    if chunk.islower() or chunk.isupper() or chunk[1:].islower():
        return [chunk]
    return _CAMEL.findall(chunk) or [chunk]


def _learn(chunk: str) -> tuple[str, ...]:
    """The stems of a chunk that was not met before."""
    parts = [part.lower()[:_LONGEST] for part in split(chunk)]
    if len(parts) == 1 and chunk != chunk.lower():
        return _known[chunk.lower()]
    if len(parts) > 1 and len(chunk) <= 24:
        parts.append(chunk.lower())
    stems: list[str] = []
    for part in parts:
        stems += _pairs(part) if _WIDE.search(part) else (stem(part),)
    return tuple(stems)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def sentences(text: str) -> list[str]:
    """Split prose or Markdown into sentences and list items, whitespace made plain."""
    pieces = (" ".join(piece.split()) for piece in _SENTENCE_END.split(text) if piece)
    return [piece for piece in pieces if piece]


def excerpt(text: str, query: str, width: int = 200) -> str:
    """Return about `width` characters of the text around the words of the query.

    The window with the most different words of the query wins, the earliest of equals; cut
    ends are marked with an ellipsis. Without a match it is the beginning of the text.
    """
    plain = " ".join(text.split())
    if len(plain) <= width:
        return plain
    wanted = set(tokens(query)) - STOP_WORDS or set(tokens(query))
    marks = [
        (match.start(), match.end(), stems & wanted)
        for match in _CHUNK.finditer(plain)
        if (stems := set(tokens(match.group()))) & wanted
    ]
    best, best_count = 0, 0
    for at, (begin, _, _) in enumerate(marks):
        seen: set[str] = set()
        for _, end, hit in marks[at:]:
            if end - begin > width * 3 // 4:
                break
            seen |= hit
        if len(seen) > best_count:
            best, best_count = begin, len(seen)
    return _window(plain, max(0, best - width // 8), width)


def _window(plain: str, start: int, width: int) -> str:
    """Cut at word borders, `width` characters with the ellipses."""
    start = max(0, min(start, len(plain) - width))
    if start > 0:
        start += 1
        space = plain.find(" ", start, start + width // 4)
        start = space + 1 if space >= 0 else start
    stop = start + width - (start > 0)
    if stop < len(plain):
        space = plain.rfind(" ", stop - width // 4, stop)
        stop = space if space > start else stop - 1
    return ("…" if start > 0 else "") + plain[start:stop] + ("…" if stop < len(plain) else "")
