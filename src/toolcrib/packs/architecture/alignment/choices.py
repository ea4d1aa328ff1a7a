"""What a sentence chooses, what it gives up, and what for: "use Y instead of X for Z"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolcrib.packs.architecture.alignment.proposal import DOING, terms

_GIVEN_UP = (
    r"replac(?:e|es|ed|ing|ement (?:of|for))|supersed(?:e|es|ed|ing)|supercedes?"
    r"|revert(?:s|ed|ing)?|instead of|rather than|in place of"
    r"|migrat(?:e|es|ed|ing|ion) (?:\w+ )?(?:away from|from|off|out of)"
    r"|mov(?:e|es|ed|ing) (?:\w+ )?(?:away from|from|off|out of)|away from"
    r"|(?:switch|chang|convert|transition)(?:e|es|ed|ing)?(?: \w+)? (?:away )?from"
    r"|no longer(?: be| to)?(?: us(?:e|es|ed|ing)| needs?| supports?| rely(?: on)?| requires?)?"
    r"|remov(?:e|es|ed|ing|al of)|drop(?:s|ped|ping)?(?: support for)?"
    r"|stop(?:s|ped|ping)?(?: using)?|deprecat(?:e|es|ed|ing|ion of)|retir(?:e|es|ed|ing)"
    r"|decommission(?:s|ed|ing)?|get(?:ting)? rid of|abandon(?:s|ed|ing)?|disabl(?:e|es|ed|ing)"
    r"|phas(?:e|es|ed|ing) out|eliminat(?:e|es|ed|ing)|discontinu(?:e|es|ed|ing)"
    r"|(?:do|does|will|would|should|must) not use|don['’]t use|not using|without using"
    r"|delet(?:e|es|ed|ing)|disallow(?:s|ed|ing)?|undo(?:es|ing)?"
)
_GIVEN_UP_BEFORE = (
    r"in favou?r of|(?:is|are|was|were|be|been|being|gets?) (?:now )?(?:replaced|removed|"
    r"superseded|superceded|deprecated|dropped|retired|reverted|abandoned|outdated|obsolete|decommissioned|"
    r"discontinued|eliminated|phased out|disallowed)|no longer|end of life|unmaintained"
)
GIVEN_UP = re.compile(rf"\b(?:{_GIVEN_UP})\b", re.I)
GIVEN_UP_BEFORE = re.compile(rf"\b(?:{_GIVEN_UP_BEFORE})\b", re.I)

_WITH = re.compile(r"\b(?:with|by|to|in favou?r of)\b", re.I)
_OVER = re.compile(r"\b(?:instead of|rather than|in place of|over|and not)\b", re.I)
_TO = re.compile(
    r"\b(?:mov(?:e|es|ed|ing)|migrat(?:e|es|ed|ing|ion)|switch(?:es|ed|ing)?|upgrad(?:e|es|ed|ing)"
    r"|transition(?:s|ed|ing)?|chang(?:e|es|ed|ing)|go(?:es|ing)? back|mov(?:e|ing) back)\b"
    r"[^.]{0,60}?\bto\b",
    re.I,
)
_PURPOSE = re.compile(r"\b(?:for|as|to|when|in order to)\b", re.I)
_NEGATED = re.compile(
    r"^\W*(?:no|not|don['’]t|do not|stop|remov\w*|drop\w*|disabl\w*|disallow\w*|forbid\w*|avoid\w*|"
    r"retir\w*|deprecat\w*|delet\w*|abandon\w*|without|never)\b",
    re.I,
)
# "Store money as cents" chooses cents, for money; "use AWS as host" is the other way round.
_SHAPED = re.compile(
    r"^\W*(?:always )?(?:stor(?:e|ing)|keep(?:ing)?|represent(?:ing)?|sav(?:e|ing)|persist(?:ing)?|"
    r"encod(?:e|ing)|model(?:l?ing)?|treat(?:ing)?|expos(?:e|ing)|writ(?:e|ing)|format(?:ting)?|"
    r"return(?:ing)?|send(?:ing)?|hold(?:ing)?|serv(?:e|ing)|deliver(?:ing)?|express(?:ing)?|"
    r"log(?:ging)?|document(?:ing)?|describ(?:e|ing)|configur(?:e|ing)|defin(?:e|ing))\b",
    re.I,
)
_SHAPE = re.compile(r"\b(?:as|in|into|with|by|through|via|using)\b", re.I)
# How many words behind (or before) a word of giving up still belong to it.
_REACH = 9


@dataclass(frozen=True, slots=True)
class Choice:
    """The stems of what is chosen, of what is given up for it, and of the purpose."""

    chosen: frozenset[str] = frozenset()
    given_up: frozenset[str] = frozenset()
    purpose: frozenset[str] = frozenset()
    negated: bool = False


def read_choice(title: str) -> Choice:
    """Read a title, or a sentence that is as short as one."""
    negated = bool(_NEGATED.match(title))
    given_up = GIVEN_UP.search(title)
    moved = _TO.search(title)
    over = _OVER.search(title)
    if over:
        head, tail = title[: over.start()], title[over.end() :]
        left, purpose = _split(tail)
        chosen, other = _split(head)
        return Choice(_stems(chosen), _stems(left), _stems(f"{purpose} {other}"), negated)
    if given_up and not (moved and moved.start() < given_up.start()):
        tail = title[given_up.end() :]
        turn = _WITH.search(tail)
        left, purpose = _split(tail[: turn.start()] if turn else tail)
        chosen, other = _split(tail[turn.end() :]) if turn else ("", "")
        return Choice(_stems(chosen), _stems(left), _stems(f"{purpose} {other}"), negated)
    if moved:
        chosen, purpose = _split(title[moved.end() :])
        return Choice(_stems(chosen), frozenset(), _stems(purpose), negated)
    shape = _SHAPE.search(title) if _SHAPED.match(title) else None
    if shape:
        return Choice(
            _stems(title[shape.end() :]), frozenset(), _stems(title[: shape.start()]), negated
        )
    chosen, purpose = _split(title)
    return Choice(_stems(chosen), frozenset(), _stems(purpose), negated)


def _split(text: str) -> tuple[str, str]:
    """What stands before and behind the first word of purpose."""
    found = _PURPOSE.search(text)
    if found is None or not _stems(text[: found.start()]):
        return text, ""
    return text[: found.start()], text[found.end() :]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem for stem in terms(text) if stem not in DOING)


def given_up_in(sentence: str) -> list[frozenset[str]]:
    """The stems near each word of giving up: what is replaced, removed, moved away from."""
    found = []
    for cue in GIVEN_UP.finditer(sentence):
        found.append(frozenset(terms(" ".join(sentence[cue.end() :].split()[:_REACH]))))
    for cue in GIVEN_UP_BEFORE.finditer(sentence):
        found.append(frozenset(terms(" ".join(sentence[: cue.start()].split()[-_REACH:]))))
    return [stems for stems in found if stems]
