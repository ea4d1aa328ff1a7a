"""In which order the words of a call have to stand (C-2, C-13)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
import yaml

from toolcrib.packs.climax.importer import order
from toolcrib.packs.climax.importer.ask import Printed
from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.model import HelpPage
from toolcrib.packs.climax.importer.program import import_program

GNU = "Usage: kiln [OPTION]... [POT]...\n\n  -h, --heat=DEGREES   fire at DEGREES\n"
LETTERS = "usage: kiln [-q] [-o file] pot\n  -q   be quiet\n  -o file   write there\n"


WORDS = (
    "usage: kiln [options] pot\n  -quiet   be quiet\n  -shape [0, 1, or 2]\n  -log [file]   log\n"
)
NUMBERS = "usage: kiln [-q] [-s [0, 1, or 2]] pot\n  -q   be quiet\n  -s [0, 1, or 2]   its shape\n"


@pytest.mark.parametrize("text", [GNU, LETTERS, WORDS, NUMBERS])
def test_operands_stand_last_where_the_usage_of_a_plain_program_has_them_so(text: str) -> None:
    """C-13: what an option does may be meant for the operands behind it."""
    page = order.told(parse_help(text, ("kiln",)))
    assert page is not None and page.operands_last


@pytest.mark.parametrize(
    "text",
    [
        "Usage: kiln POT [OPTION]...\n\n  -h, --heat=DEGREES   fire at DEGREES\n",
        "Usage: kiln [options] <pot>\n\n  --quiet   be quiet\n",
        "usage: kiln [-q] [-o [file]] pot\n  -q   be quiet\n  -o [file]   write there\n",
        "usage: kiln [-h] [--now] pot\n\noptions:\n  --now   at once\n",
    ],
    ids=["options last", "a library of its own", "an optional value", "argparse"],
)
def test_nothing_is_told_by_a_usage_of_another_kind(text: str) -> None:
    """C-13: behind the options, an operand might be taken for the value of one."""
    assert order.told(parse_help(text, ("kiln",))) is None


def found_out(text: str, answers: dict[str, Printed]) -> HelpPage:
    async def ask(words: Sequence[str]) -> Printed:
        return answers.get(" ".join(words), Printed("", "no such pot", 1))

    page = parse_help(text, ("kiln",))
    return asyncio.run(order.found_out(page, (), "kiln", text, ask))


def test_a_program_that_may_not_know_dashes_has_its_operands_last() -> None:
    """C-13: where help is none behind an operand, options come first, and nothing between."""
    page = found_out("Usage: kiln [options] <pot>\n\n  --quiet   be quiet\n", {})
    assert page.operands_last and not page.flags_first


def test_dashes_stand_between_where_a_usual_library_takes_them() -> None:
    """C-13: of an option that takes several words, only `--` is the end."""
    text = "usage: kiln [-h] [--with POT [POT ...]] shelf ...\n\noptions:\n  --with POT [POT ...]\n"
    nothing = Printed("", "kiln: no such shelf", 1)
    page = found_out(text, {"-- /dev/null/none": nothing, "/dev/null/none": nothing})
    assert page.flags_first and not page.operands_last


def test_a_refusal_of_dashes_leaves_operands_last() -> None:
    """C-13: `kernel: error` for `--`, and options only before the operands."""
    text = "usage: kiln [-h] [--out POT] shelf ...\n\noptions:\n  --out POT   where\n"
    page = found_out(text, {"-- /dev/null/none": Printed("", "usage: kiln [-h]\n", 2)})
    assert page.operands_last


def test_operands_that_the_usage_has_first_stay_there() -> None:
    """C-13: `kiln POT [options]`, whatever is said of help behind an operand."""
    text = "Usage: kiln <pot> [options]\n\n  -quiet   be quiet\n"
    assert not found_out(text, {}).operands_last


def test_an_imported_config_puts_the_operands_behind_the_flags() -> None:
    """C-2, C-13: told by an empty flag, which needs no new key."""

    async def ask(words: Sequence[str]) -> Printed:
        return Printed(GNU)

    tools: list[dict[str, Any]] = yaml.safe_load(import_program("kiln", runner=ask).yaml_text)[
        "tools"
    ]
    assert tools[0]["args"][0] == {"name": "pot", "type": "array", "positional": True, "flag": ""}


@pytest.mark.parametrize(
    "refusal", [Printed("", "kiln: bad usage\n", 1), Printed("", "no such pot\n", 1)]
)
def test_dashes_that_alone_make_a_call_fail_are_not_put_before_operands(refusal: Printed) -> None:
    """C-13: some programs read their options by hand, and take `--` for one that they lack."""
    text = "usage: kiln [-h] [--out POT] pot\n\noptions:\n  --out POT   where\n"
    fine = Printed("fired nothing\n")
    page = found_out(text, {"-- /dev/null/none": refusal, "/dev/null/none": fine})
    assert page.operands_last and not page.flags_first


@pytest.mark.parametrize(
    "complaint", ["unexpected positional arguments: ['none']", "unknown config option: =none"]
)
def test_words_that_are_no_operands_behind_dashes_stand_without_them(complaint: str) -> None:
    """C-13: some programs keep what follows `--` for another one."""
    text = "usage: kiln [-h] [--out POT] pot\n\noptions:\n  --out POT   where\n"
    refused = Printed("", f"error: {complaint}\n", 1)
    plain = Printed("", "error: no pot there\n", 1)
    page = found_out(text, {"-- /dev/null/none": refused, "/dev/null/none": plain})
    assert page.operands_last and not page.flags_first
