"""Letters behind one dash: `[-46AaCf]` are as many options as it has letters."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from toolcrib.packs.climax.importer.help_text.text import squeezed
from toolcrib.packs.climax.importer.help_text.usage.variant import Variant
from toolcrib.packs.climax.importer.model import HelpOption, Known

# `[-abKlnNoP]`: more letters than a word would have in such an order.
_CLUSTER = re.compile(r"-(?=.*[a-z])(?=.*[A-Z])([A-Za-z0-9?#@]{6,})")
_PROSE = re.compile(r"[a-z]{2,}\b")


def is_long_word(option: HelpOption) -> bool:
    """`-name`: a program that writes its options so has no clusters of letters."""
    return any(re.fullmatch(r"-[a-z][a-z0-9_-]+", flag) for flag in option.flags)


def unclustered(option: HelpOption, known: Known, *, letters: bool) -> list[HelpOption]:
    """`[-46AaCf]` are as many options as it has letters.

    Where an option may be a word behind one dash (not `letters`), all of them have to be known.
    """
    flag = option.flags[0]
    each = [f"-{letter}" for letter in flag[1:]]
    one_by_one = len(option.flags) == 1 and re.fullmatch(r"-[A-Za-z0-9?#@]{2,}", flag) is not None
    if not one_by_one or len(set(each)) < len(each) or flag in known:
        return [option]
    if all(one in known for one in each):
        return []
    mixed = (not flag.islower() and not flag[1:].isalpha()) or flag.lower() != flag
    if not letters or option.value is not None or not (mixed or each == sorted(each)):
        return [option]
    return [HelpOption((one,)) for one in each]


def without_clustered_values(
    options: Sequence[HelpOption], variants: Sequence[Variant]
) -> list[HelpOption]:
    """The options, where letters of `[-abc]` take no value: what looks like one is a sentence.

    `-n no host names` has but a blank before it.
    """
    shown = [option for variant in variants for option in variant.options()]
    valued = {flag for option in shown if not option.is_switch for flag in option.flags}
    clusters = (_CLUSTER.fullmatch(each.main) for each in shown if each.is_switch)
    letters = {f"-{letter}" for cluster in clusters if cluster for letter in cluster[1]} - valued
    return [_told(each) if _is_sentence(each, letters) else each for each in options]


def _is_sentence(option: HelpOption, letters: Collection[str]) -> bool:
    """Whether what an option of a cluster seems to take begins what is said of it."""
    alone = len(option.flags) == 1 and option.main in letters
    return alone and not (option.joined or option.glued) and bool(_PROSE.match(option.value or ""))


def _told(option: HelpOption) -> HelpOption:
    said = squeezed(f"{option.value} {option.description}")
    return replace(option, value=None, value_optional=False, description=said)
