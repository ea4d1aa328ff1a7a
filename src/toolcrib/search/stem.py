"""A small English stemmer: `listing`, `lists` and `listed` all meet at `list`.

It follows the idea of Porter's suffix steps, cut down to what the words of commands,
flags and technical prose need. A stem is a key to match by, not a word to show.
"""

from __future__ import annotations

from typing import Final

_VOWELS: Final = frozenset("aeiouy")

# Longest first within a step; the stem before the suffix must hold at least one, for the
# second table two, vowel-consonant sequences.
_MEANING: Final = (
    ("ational", "ate"), ("ization", "ize"), ("isation", "ize"), ("fulness", "ful"),
    ("ousness", "ous"), ("iveness", "ive"), ("tional", "tion"), ("biliti", "ble"),
    ("ation", "ate"), ("alism", "al"), ("aliti", "al"), ("iviti", "ive"), ("izer", "ize"),
    ("iser", "ize"), ("ator", "ate"), ("ousli", "ous"), ("entli", "ent"), ("alli", "al"),
    ("icate", "ic"), ("alize", "al"), ("alise", "al"), ("ical", "ic"), ("ness", ""),
    ("ful", ""), ("eli", "e"), ("bli", "ble"), ("li", ""),
)  # fmt: skip
_ENDING: Final = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
    "ive", "ize", "ise", "ion", "al", "er", "or", "ic",
)  # fmt: skip


def stem(word: str) -> str:
    """Return the stem of a lower-case word; words with digits or beyond ASCII stay whole."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _plural(word)
    word = _tense(word)
    if word[-1] == "y" and len(word) > 2 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    word = _replace(word)
    word = _strip(word)
    return _tidy(word)


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith(("xes", "ches", "shes", "zes")):
        return word[:-2]
    if word[-1] == "s" and word[-2] not in "su" and not word.endswith("is"):
        return word[:-1]
    return word


def _tense(word: str) -> str:
    for suffix in ("ing", "ed"):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            if len(base) < 2 or not _has_vowel(base) or (suffix == "ed" and base[-1] == "e"):
                return word
            if base.endswith(("at", "bl", "iz")):
                return base + "e"
            if len(base) > 2 and base[-1] == base[-2] and base[-1] not in "lsz":
                return base[:-1]
            if _measure(base) == 1 and _closed(base):
                return base + "e"
            return base
    return word


def _replace(word: str) -> str:
    for suffix, other in _MEANING:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + other if _measure(base) > 0 else word
    return word


def _strip(word: str) -> str:
    for suffix in _ENDING:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            if suffix == "ion":  # creation, action; not region
                return base if base[-1:] in ("s", "t") and _measure(base) > 0 else word
            return base if _measure(base) > 1 else word
    return word


def _tidy(word: str) -> str:
    if word[-1] == "e":
        base = word[:-1]
        measure = _measure(base)
        if measure > 1 or (measure == 1 and not _closed(base)):
            word = base
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word


def _has_vowel(text: str) -> bool:
    return any(letter in _VOWELS for letter in text)


def _closed(text: str) -> bool:
    """Whether `text` ends consonant, vowel, consonant (`mak`, `fil`): it had an `e` behind."""
    return (
        len(text) > 2
        and text[-1] not in "aeiouwxy"
        and text[-2] in _VOWELS
        and text[-3] not in _VOWELS
    )


def _measure(text: str) -> int:
    """How many times a vowel is followed by a consonant."""
    count = 0
    vowel = False
    for letter in text:
        if letter in _VOWELS:
            vowel = True
        elif vowel:
            count += 1
            vowel = False
    return count
