"""Where one clause of a sentence ends and the next begins."""

from __future__ import annotations

import re

from toolcrib.packs.architecture.alignment.wording.negation import VERB_OFF, negations
from toolcrib.packs.architecture.alignment.wording.words import phrase

# Where one clause ends and the next begins. A comma does so only before a word that starts anew.
_BREAK = re.compile(
    r"\s*(?:;|\s[–—]\s|\s--?\s|(?<=\w\w)[.!](?=\s|$)"
    r"|:(?=\s|$)(?!\s(?:true|false|null|\d+|\[|\{))"
    r"|(?<=\))\s(?=(?-i:We|The|This|It)\s)"
    r"|(?<!anything),?\s+(?:but|whereas|however|although|though)\b(?!\s+not\b|\s+never\b)"
    r"|,\s+while\b(?!\s+not\b)"
    r"|,\s+(?:yet|still)\b"
    r"|,?\s+and\s+(?=(?:do|does|will|should|shall|must|can|would) not\b|not\b|never\b|no\b|stop\b"
    r"|(?:instead|rather)\b|then\b|(?:we|it|they)\b)"
    r"|,?\s+and\s+(?=(?:go|stay|stick) with\b|(?:use|adopt|take|pick|choose|introduce|try|keep"
    r"|start|let)\b"
    r"|(?:switch|move|migrate) to\b|(?:opt|settle) (?:for|on)\b|(?:bring in|rely on)\b)"
    r"|\s+by\s+(?=(?!using\b)\w+ing\b)"
    r"|\s+and\s+(?=(?!(?:an?|the|all|its?|our)\b)[a-z]+ (?:the|an?|each|every|all|our|its|their|it"
    r"|them)\b)"
    r"|,\s+(?=(?:so|because|since|as|which|who|it|they|we|this|these|that|those|only|no|nobody"
    r"|nothing|do not|never|then|the|there|he|she|one|both|with|let|use|keep)\b)"
    r"|,\s+(?=(?:write|put|run|store|send|build|move|take|go|make|host|publish|deploy|have|give|do"
    r"|read|save|call|set|switch|return|generate|serve|keep|start|adopt|pick|choose)\b)"
    rf"|,?\s+and\s+(?=(?:{VERB_OFF})\b)"
    rf"|,\s+(?=(?:{VERB_OFF})\b))\s*",
    re.I,
)
# Who gives one thing up "and writes" another does two things; these words are never nouns.
_AND_DOES = re.compile(
    r",?\s+and\s+(?=(?:write|put|send|make|have|give|read|save|publish|deploy|generate|serve|let"
    r"|bring|rely|move|migrate|rewrite|install|configure|convert|create|implement|provide|expose"
    r"|enable|render|parse|become|begin|do|follow|get|stay|stick|go)\s+\w"
    r"|(?:talk|speak|connect|log|report|point|subscribe|listen|post) (?:to|in|into|with)\b)"
    # Before these a word is a verb: "and fetch inside of the request".
    r"|,?\s+and\s+(?=[a-z]+\s+(?:inside|into|directly|straight|everything|only|instead)\b)"
    # "Ditch X, Y will do"
    r"|,\s+(?=[^,;]{2,80}?\b(?:will|should|can|shall|must|do(?:es)? (?:the job|it|as well)"
    r"|suffices?|(?:is|are) (?:enough|all|plenty|sufficient))\b)",
    re.I,
)
# What follows a comma and is no list is no longer given up: "drop A, two lines of B do as well".
_SPLICED = re.compile(
    r",\s+(?=(?:(?!and\b|or\b|nor\b)[^\s,;]+\s+){3,}(?!and\b|or\b|nor\b)[^\s,;]+\W*$)", re.I
)
# "Instead of A, take B": the comma ends no clause.
_INSTEAD = re.compile(r"^\W*(?:instead of|rather than|in place of|in lieu of)\b[^,;.]+,", re.I)

# A condition, a reason or a concession at the beginning decides nothing.
_GIVEN = re.compile(
    r"^\W*(?:if|once|as soon as|in case|unless|until|since|because|given that|now that|as long as"
    r"|although|though|even though|while|whereas|much as|as much as)\b[^,;]{3,200},\s*(?=\w)",
    re.I,
)
_CONTRAST = re.compile(r"\b(?:but|yet|still|however|although|though|while|whereas)\b", re.I)
# "X is fine, but …", "I like X, but …": what is granted is not what is proposed.
_GRANTS = re.compile(
    r"\b(?:is|are|was|were|looks?|seems?|works?|worked|serves?|served|did|does|may be|might be)\b"
    r"[^,;]{0,40}\b(?:fine|good|great|nice|okay|ok|well|solid|decent|popular|mature|powerful"
    r"|tempting|attractive|appealing)\b"
    r"|^\W*(?:i|we)(?: \w+)? (?:like|love|enjoy|appreciate)\b",
    re.I,
)


def pieces(sentence: str) -> list[str]:
    """The pieces of a sentence, without those that only grant something or say on which terms."""
    given = _GIVEN.match(sentence)
    if given and phrase(sentence[given.end() :]):
        sentence = sentence[given.end() :]
    head = _INSTEAD.match(sentence)
    at, found = 0, []
    for cut in _BREAK.finditer(sentence, head.end() if head else 0):
        piece = sentence[at : cut.start()]
        rest = sentence[cut.end() :]
        if not (_CONTRAST.search(cut[0]) and _GRANTS.search(piece) and phrase(rest)):
            found.append(piece)
        at = cut.end()
    return [*found, sentence[at:]]


def deeds(piece: str) -> list[str]:
    """A piece cut where it gives up one thing and then does something else."""
    cut = _AND_DOES.search(piece) or _SPLICED.search(piece)
    if cut is None or not negations(piece[: cut.start()]) or not phrase(piece[: cut.start()]):
        return [piece]
    return [piece[: cut.start()], piece[cut.end() :]]
