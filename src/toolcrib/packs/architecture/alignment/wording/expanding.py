"""Sentences written out: contractions, and ways of speaking whose no is none."""

from __future__ import annotations

import re

_CONTRACTED = (
    (re.compile(r"\b(wo|sha)n['’]t\b", re.I), r"will not"),
    (re.compile(r"\b(can)['’]t\b|\bcannot\b", re.I), r"can not"),
    (re.compile(r"n['’]t\b", re.I), r" not"),
    (re.compile(r"\bdont\b", re.I), r"do not"),
    (re.compile(r"['’](?:d|ll|re|ve|m)\b", re.I), r" "),
    (re.compile(r"\blet['’]s\b(?!\s+(?-i:[A-Z]))", re.I), r" "),  # but not of "Let's Encrypt"
    (re.compile(r"^\W*(?:why|how about) not\b", re.I), r" "),
    # "Docker-free" is without it; of a name all words with a capital belong to it.
    (re.compile(r"(?<![\w-])((?:[A-Z][\w.+#]* )*[\w.+#]+)-free\b"), r"without \1"),
    (re.compile(r"\bneither\b(.*?)\bnor\b", re.I), r"neither\1or"),
    (re.compile(r"\ban? ((?:[\w-]+ ){1,4})of (?:its|their|our) own\b", re.I), r"a separate \1"),
    (re.compile(r"\b(?:its|their) own\b", re.I), r"separate"),
    # Who turns down what is not X asks for X.
    (
        re.compile(
            r"\b(?:turn(?:s|ed|ing)? down|refus(?:e|es|ing)|reject(?:s|ing)?|block(?:s|ing)?"
            r"|bounc(?:e|es|ing)|fail(?:s|ing)? on)\s+((?:[\w'’-]+ ){1,5})"
            r"(that|which|who) (is|are|do|does|has|have) not\b",
            re.I,
        ),
        r"require \1\2 \3",
    ),
    # So does who accepts nothing without it.
    (
        re.compile(
            r"\bwithout ([^;]{3,120}?),? (?:is|are|will be|must be|should be)"
            r" (?:no longer|not|never) (?:accepted|acceptable|allowed|permitted|possible"
            r"|merged|supported)\b",
            re.I,
        ),
        r"require \1",
    ),
    # Which ones are meant is said before the verb: "answers without a fixed shape go to X".
    (
        re.compile(
            r"^(\W*(?:[\w'’-]+ ){1,4})without (?:(?:an?|the|any) )?(?:[\w'’-]+ ){1,3}"
            r"(?=(?:go|goes|live|lives|stay|stays|move|moves|run|runs|get|gets|end up|land|are|is"
            r"|should|must|will|can|belong|belongs)\b)",
            re.I,
        ),
        r"\1",
    ),
    # What is said not to be X is non-X: "a destructor that is not virtual".
    (re.compile(r"\b(?:that|which) (?:is|are) not ([a-z]{4,})(?=\W*$|[,;])", re.I), r"non-\1"),
    (re.compile(r"\b(front|back) end\b", re.I), r"\1end"),
    (re.compile(r",?\s\bout[- ]of[- ]the[- ]box\b", re.I), r""),
    (re.compile(r",?\s\(?(?:whether )?or not\b(?=\W|$)", re.I), r""),
    (re.compile(r"\b(?:nothing|nobody|no one|none) (?:but|else than|other than)\b", re.I), r"only"),
    (re.compile(r"\byes/no\b", re.I), r"binary"),
    # A condition in capitals is quoted code: "add IF NOT EXISTS to the writes".
    (re.compile(r"\b(?:(?:IF|WHERE|AND) NOT [A-Z]+|NOT (?:NULL|FOUND|IN|EXISTS))\b"), r" "),
    (re.compile(r"\bby hand\b", re.I), r"manually"),
    # For how long says nothing of the thing: "remove X (for now)".
    (re.compile(r",?\s\(?for (?:now|the moment|the time being)\b\)?", re.I), r""),
)

_MAY_BE_CONTRACTED = re.compile(
    r"['’]|annot|ont|not\b|\bnor\b|-free\b|for (?:now|the)|\bown\b| end\b|the[- ]box"
    r"|\b(?:but|than|without)\b|yes/no|by hand|of (?:its|their|our) own",
    re.I,
)


def expand(text: str) -> str:
    """Write out what is contracted, so that `not` stands alone."""
    if _MAY_BE_CONTRACTED.search(text):
        for pattern, whole in _CONTRACTED:
            text = pattern.sub(whole, text)
    return text
