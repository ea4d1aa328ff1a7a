"""In which order the options and operands of a command have to stand.

Most programs take their options anywhere, and some only before their operands. What the usage of a
plain program shows is followed; of others it is found out by asking for help behind an operand.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from toolcrib.packs.climax.importer.ask import Printed
from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.help_text.style import JOINING
from toolcrib.packs.climax.importer.model import HelpOption, HelpPage, Style

# No file, no image, no unit and no host is called so.
_NOTHING = "/dev/null/none"
_DASHES_REFUSED = re.compile(r"['\"`]--['\"`]|(?:option|argument|flag|file)s?:? --?(?:\s|$)|\s--: ")
_USAGE = re.compile(r"^[ \t]*(?:usage\b|(?:syntax|synopsis)[ \t]*:)", re.I | re.M)
UNKNOWN_HELP = re.compile(
    r"(?:unknown|unrecogni[sz]ed|invalid|illegal|bad) (?:option|argument|flag|switch):?"
    r"[ \t'\"`]*--?(?:help\b|h(?!\w)|-)",
    re.I,
)
_MISUSED = re.compile(
    r"\b(?:bad|invalid|illegal|unknown|unrecogni[sz]ed|unexpected|wrong)"
    r" (?:[a-z]+ )?(?:usage|command[- ]line|options?|arguments?|flags?|switch|parameters?)\b",
    re.I,
)
# `Unrecognized option (--)`: what the dashes are quoted with is no part of a word.
_DASHES = re.compile(r"(?<![\w-])--(?![\w-])")
_NUMBERS = re.compile(r"\d+(?:(?:, ?| ?\| ?|/)?(?:or )?(?: ?or )?\d+)*")

Asked = Callable[[Sequence[str]], Awaitable[Printed]]
"""Runs the program with these words behind it."""


def told(page: HelpPage) -> HelpPage | None:
    """The page with the order that its usage shows; None if that has to be found out.

    A program that reads its options by hand, letter by letter, or with the system's own library may
    give them a meaning for what follows. Libraries that look for them everywhere do not, and some
    of those take the word behind an option for its value.
    """
    short = not any(flag.startswith("--") for option in page.options for flag in option.flags)
    plain = page.style in (Style.GNU, Style.MAN) or (page.style is Style.UNKNOWN and short)
    if not plain or not page.options_first:
        return None
    several = _takes_several if short and _are_words(page.options) else _may_take_more
    if any(map(several, page.options)):
        return None
    return replace(page, operands_last=True)


def _may_take_more(option: HelpOption) -> bool:
    """Whether an option may take the words behind it, however many they are."""
    if option.is_switch:
        return False
    # Of `-shape [0, 1, or 2]`, no file is taken for the number.
    listed = bool(option.enum) or _NUMBERS.fullmatch(option.value or "") is not None
    apart = option.value_optional and not (option.joined or option.glued or listed)
    return apart or _takes_several(option)


def _takes_several(option: HelpOption) -> bool:
    return "..." in (option.value or "")


def _are_words(options: Sequence[HelpOption]) -> bool:
    """Whether most options are words behind one dash: who reads them so reads them by hand."""
    words = sum(any(len(flag) > 2 for flag in option.flags) for option in options)
    return 2 * words > len(options)


async def found_out(
    page: HelpPage, path: tuple[str, ...], name: str, asked: str, ask: Asked
) -> HelpPage:
    """The page with the order that the program shows when it is `asked` for help behind an operand.

    Where options are none behind an operand, a `--` is the way of the usual libraries to have them
    stand first; a program that may not know that word has its operands last.
    """
    printed = await ask((*path, _NOTHING, "--help"))
    same = printed.text == asked or same_page(printed.text, page, (name, *path))
    # Of `--help` it complains behind an operand, too, if it looks there for options.
    unread = UNKNOWN_HELP.search(asked) and not UNKNOWN_HELP.search(printed.text)
    # One that prints its usage for every mistake has told nothing by printing it here.
    if same and not unread and (path or not printed.exit_code):
        return page
    if page.style not in JOINING and not page.options_last:
        return replace(page, operands_last=True)
    dashes = await ask((*path, "--", _NOTHING))
    plain = await ask((*path, _NOTHING))
    # Where `--` means what it should, nothing is said of it that is not said without it.
    taken = len(_DASHES.findall(dashes.text)) > len(_DASHES.findall(plain.text))
    # Or it is taken for what the command wants, and something is done that fails without it.
    taken = taken or bool(plain.exit_code and not dashes.exit_code)
    # "bad usage" is said of it, or of nothing.
    misused = _MISUSED.search(dashes.text) and not _MISUSED.search(plain.text)
    taken = taken or bool(misused or (dashes.exit_code and not plain.exit_code))
    usage_for_it = _USAGE.search(dashes.text) and not _USAGE.search(plain.text)
    if taken or usage_for_it or _DASHES_REFUSED.search(f"{dashes.stdout}\n{dashes.stderr}"):
        return replace(page, operands_last=not page.options_last)
    return replace(page, flags_first=True)


def same_page(text: str, page: HelpPage, shown: tuple[str, ...]) -> bool:
    """Whether a text is the help that was read before, but for a detail."""
    options = {flag for option in parse_help(text, shown).options for flag in option.flags}
    known = {flag for option in page.options for flag in option.flags}
    return len(known & options) * 2 > len(known)
