"""Other words for what a mined proposal says: other verbs, and options cut to a word or two."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from pathlib import Path

TAKEN = (
    "Let's go with {x}.", "{x} it is.", "Pick {x}.", "Roll out {x}.", "{x} is the way to go.",
    "We are going to rely on {x}.", "{x} should be our default.", "Bring in {x}.",
    "I'd settle for {x}.", "Build it with {x}.", "Standardise on {x}.",
)  # fmt: skip
GIVEN_UP = (
    "Ditch {x}.", "Get rid of {x}.", "No more {x}.", "Phase out {x}.", "{x} has to go.",
    "Let's drop {x}.", "Ban {x}.", "We are done with {x}.", "Rip out {x}.", "Say goodbye to {x}.",
    "{x} is off the table.", "We shouldn't rely on {x}.", "Never touch {x} again.",
)  # fmt: skip
REPLACED = (
    "Swap {c} for {x}.", "Trade {c} for {x}.", "Let's have {x} rather than {c}.", "{c} -> {x}",
    "I prefer {x} over {c}.", "Ditch {c} and go with {x}.", "{x} should take the place of {c}.",
    "Out with {c}, in with {x}.", "Exchange {c} for {x}.", "Port everything from {c} to {x}.",
)  # fmt: skip
_LEADING = re.compile(
    r"^(?:(?:use|using|keep|add|create|introduce|adopt|implement|a|an|the|new|run|make|support|to"
    r"|our)\s+)+",
    re.I,
)
_SHARE = 0.4


def cut(option: str, chance: random.Random) -> str:
    """The first word or the first two of an option."""
    words = _LEADING.sub("", re.sub(r"\([^)]*\)", "", option)).split()
    return " ".join(word.strip(",.;:\"'") for word in words[: chance.choice((1, 2, 2))])


def reworded(cases: list[dict]) -> list[dict]:
    """Some of the cases, said in other words; always the same ones."""
    chance = random.Random(11)
    found = []
    for case in cases:
        kind, option = case["kind"], case.get("option")
        chosen = (case.get("chosen") or [None])[0]
        thing = chosen if kind in ("s_option", "c_stop") else option
        sentences = {
            "s_option": TAKEN,
            "c_rejected_bare": TAKEN,
            "c_stop": GIVEN_UP,
            "s_neg": GIVEN_UP,
            "c_replace": REPLACED,
        }.get(kind)
        if not sentences or not thing or chance.random() > _SHARE:
            continue
        if chance.random() < 0.5:
            thing, chosen = cut(thing, chance), cut(chosen or "", chance)
        if thing:
            text = chance.choice(sentences).format(x=thing, c=chosen)
            found.append({**case, "proposal": text})
    return found


WAYS = Path(__file__).with_name("ways.txt")
_LONGEST = 5
_KINDS = {
    "s_option": "taken",
    "c_rejected_bare": "taken",
    "c_stop": "given_up",
    "s_neg": "given_up",
}


def ways() -> dict[tuple[str, str], list[str]]:
    """The sentences of `ways.txt`, by their set and kind."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    key = ("", "")
    for line in WAYS.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            _, number, kind = line.split()
            key = (number, kind)
        elif line and not line.startswith("#"):
            found[key].append(line)
    return found


def said_in(sentences: list[str], kind: str, cases: list[dict]) -> list[dict]:
    """Each case with a short option, said in one of some sentences; always the same ones."""
    chance = random.Random(7)
    found = []
    for case in cases:
        chosen = (case.get("chosen") or [None])[0]
        thing = chosen if case["kind"] in ("s_option", "c_stop") else case.get("option")
        own = _KINDS.get(case["kind"])
        if own != kind and not (kind == "harmless" and own == "taken"):
            continue
        if thing and len(thing.split()) <= _LONGEST:
            text = chance.choice(sentences).format(x=thing)
            case = {**case, "proposal": text}
            found.append({**case, "expected": "related"} if kind == "harmless" else case)
    return found
