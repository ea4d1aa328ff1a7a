"""Printed text made plain: no colours, no overstriking, no tabs, bounded in size."""

from __future__ import annotations

import re

from toolcrib.packs.climax.importer.help_text.brackets import unbracketed_lists

LONGEST_TEXT = 1_000_000
LONGEST_LINE = 1_000
MOST_LINES = 20_000

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]{0,40}[ -/]{0,10}[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|.)"
)
_OVERSTRUCK = re.compile(r".\x08")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_DASHES = str.maketrans(
    {
        "\u2010": "-", "\u2011": "-", "\u2212": "-", "\u00ad": None, "\u200b": None, "\ufeff": None,
        "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u2028": "\n",
        "\u2029": "\n", "\u0085": "\n",
    }
)  # fmt: skip


_BOX_TITLE = re.compile(r"\s*[╭┌┏][─━═-]*\s*(?P<title>[^─━═╮┐┓]*?)\s*[─━═-]*[╮┐┓]?\s*")
_BOX_END = re.compile(r"\s*[╰└┗][─━═]*[╯┘┛]?\s*")
_BOX_SIDE = re.compile(r"^(\s*)[│┃║](?=\s)|\s[│┃║]\s*$")
_FRAMED = re.compile(r"^[ \t]*[╭┌┏]", re.M)


# `--sort[=]<name>`: the value has to be there, the sign need not.
_LOOSE_EQUALS = re.compile(r"\[=\](?=[<\w])")
# `--(no-)glaze`: round brackets around what others have in square ones.
_ROUND_NO = re.compile(r"(?<=[\s,]--)\((no[-_]?)\)(?=[a-z])")
# `• -o, --output FILE`: an option of a list with bullets.
_BULLET = re.compile(r"^([ \t]*)[•·▪‣●](?=[ \t]+--?[A-Za-z])", re.M)
# `[!] --source`: an option that a mark of its own may stand before.
_MARKED = re.compile(r"^([ \t]*)\[!\](?=[ \t]+-)", re.M)
# `--mode=a  OR  -m1`: a wide gap around the word between two spellings is no column.
_SPACED_OR = re.compile(r"(?<=\S)(?: {2,}OR +| +OR {2,})(?=--?[A-Za-z0-9?!#])")
# `-a  does this   | -b  does that`: the one bar of a line, between two columns of options.
_BAR_BETWEEN = re.compile(r"^([ \t]*-[^|\[\n]*) {2}\|(?= --?[A-Za-z0-9][^|\n]*$)", re.M)
# `-e [ --extended ] arg   tells more`, `-h, -? [--help] : tells`: the long spelling in brackets,
# which mean nothing else.
_BRACKETED_LONG = re.compile(
    r"^([ \t]*-\w(?:, -[?\w])?) \[ ?(--[\w-]+) ?\]((?: [^ \n:]+)?)(?= {2}| :|$)", re.M
)
# `-glaze (-g) <colour>   which one`: another spelling in brackets, before the value.
_SPELLED_AGAIN = re.compile(r"^([ \t]*-[\w-]+) \((-\w+)\)((?: <[^<>\n]+>)?)(?= {2}|$)", re.M)
# `--glaze COLOUR (-g)`: the short spelling in brackets, behind the value.
_SHORT_BEHIND = re.compile(
    r"^([ \t]*--[a-z][\w-]*)((?: (?:[A-Z][\w-]*|<[^<>\n]+>|[a-z][a-z-]*))?) \((-\w)\)(?= {2}|$)",
    re.M,
)
# `rename <pot> \\` and `<name>  renames it`: a line that goes on, as in a shell.
_CONTINUED = re.compile(r"(?<=[^\s\\]) \\\n[ \t]*(?=[<\[A-Z])")
# A tab right behind an option begins the next column, even where a single blank is left of it.
_TAB_BEHIND = re.compile(r"^([ ]*-[\w-]+)\t(?=\S)", re.M)
# `fire ........... Fires a pot`: dots that lead from one column to the next.
_LEADERS = re.compile(r"^([ \t]+\S[^\n]*? )(\.{4,})(?= \S)", re.M)
_LOGGED = re.compile(r"(?:[a-z]+:|\[[a-z]+\]) +")
_FEWEST_LOGGED = 5
_RULED_TITLE = re.compile(r"\s*[─━═]{3,}\s+(?P<title>\S.{0,60}?)\s+[─━═]{3,}\s*")
_RULED = re.compile(r"\s*[─━═—=_~-]{4,}\s*")


def plain_lines(text: str) -> list[str]:
    """Return the lines of a printed text, right-stripped, with tabs made spaces."""
    text = text[:LONGEST_TEXT].replace("\r\n", "\n").translate(_DASHES)
    text = _LOOSE_EQUALS.sub("=", _OVERSTRUCK.sub("", _ESCAPES.sub("", text)))
    text = _ROUND_NO.sub(r"[\1]", text)
    text = _SPACED_OR.sub(" OR ", _MARKED.sub(r"\1   ", _BULLET.sub(r"\1 ", text)))
    text = _BRACKETED_LONG.sub(r"\1, \2\3   ", _BAR_BETWEEN.sub(r"\1   ", text))
    text = _SHORT_BEHIND.sub(r"\1, \3\2 ", text)
    text = _TAB_BEHIND.sub(_widened, _SPELLED_AGAIN.sub(r"\1, \2\3 ", text))
    text = _LEADERS.sub(lambda match: match[1] + " " * len(match[2]), _CONTINUED.sub(" ", text))
    if _FRAMED.search(text):
        text = "\n".join(map(_unframed, text.split("\n")))
    lines = _underlined(_unprefixed(text.split("\n")[:MOST_LINES]))
    cut = (line.expandtabs(8)[:LONGEST_LINE] for line in lines)
    return unbracketed_lists([_UNPRINTABLE.sub("", line).rstrip() for line in cut])


def _widened(option: re.Match[str]) -> str:
    """An option and its tab, which is two blanks wide at least."""
    return f"{option[1]}  " if len(option[1]) % 8 == 7 else option[0]


def _unprefixed(lines: list[str]) -> list[str]:
    """The lines without the word that a logger puts before each: `help:    usage: kiln`."""
    first = _LOGGED.match(next((line for line in lines if line.strip()), ""))
    if first is None:
        return lines
    mark = first[0].rstrip()
    logged = sum(line.startswith(mark) for line in lines)
    filled = sum(bool(line.strip()) for line in lines)
    if logged < _FEWEST_LOGGED or logged < 0.9 * filled:
        return lines
    return [line.removeprefix(mark) for line in lines]


def _underlined(lines: list[str]) -> list[str]:
    """The lines without the rules below and around headings; a heading gets a colon."""
    found: list[str] = []
    for line in lines:
        titled = _RULED_TITLE.fullmatch(line)
        if titled is not None:
            found.append(f"{titled['title'].rstrip(':')}:")
            continue
        above = found[-1].rstrip() if found else ""
        if not (_RULED.fullmatch(line) and above and len(above) < 60 and "  " not in above.strip()):
            found.append(line)
        elif not above.endswith(":") and above[-1].isalpha():
            found[-1] = f"{above}:"
    return found


def _unframed(line: str) -> str:
    """A line without the frame that some libraries draw around a section."""
    title = _BOX_TITLE.fullmatch(line)
    if title is not None:
        return f"{title['title']}:" if title["title"] else ""
    if _BOX_END.fullmatch(line):
        return ""
    return _BOX_SIDE.sub(r"\1 ", line)


def indent_of(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip(" "))


def squeezed(text: str) -> str:
    """Text on one line, with single spaces."""
    return " ".join(text.split())


def shortened(text: str, limit: int) -> str:
    """The beginning of a text: whole sentences if they fit, else whole words and an ellipsis."""
    text = squeezed(text)
    if len(text) <= limit:
        return text
    head = text[:limit]
    stop = max(head.rfind(". "), head.rfind("; "))
    if stop >= limit // 3:
        return head[: stop + 1].rstrip(";")
    return head[: max(head.rfind(" ", 0, limit - 1), limit // 2)].rstrip(" ,;:") + "…"


def unbracketed(name: str) -> str:
    """`<file>` without its brackets; `<key>=<value>` as it is."""
    whole = name.startswith("<") and name.endswith(">") and name.count("<") == 1
    return name[1:-1] if whole else name
