"""What the sentences of a decision say is used: "we will use X", "publish it as X"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolcrib.packs.architecture.alignment.things.technologies import is_technology
from toolcrib.packs.architecture.alignment.wording.clauses import FRAME, Clause
from toolcrib.packs.architecture.alignment.wording.negation import VERB_OFF
from toolcrib.packs.architecture.alignment.wording.verbs.lexicon import KNOWN
from toolcrib.search.stem import stem

_USING = re.compile(
    r"\b(?:us(?:e|es|ed|ing)|ad[ao]pt(?:s|ed|ing)?|cho(?:ose|oses|osing|se|sen)|select(?:s|ed"
    r"|ing)?|pick(?:ed)?"
    r"|(?:go|going|went|gone|stick|stay|keep) with|opt(?:ed)? for"
    r"|settl(?:e|ed|ing) (?:on|upon|for)|decid(?:e|ed) (?:on|upon|for|against)|land(?:ed)? on"
    r"|standardi[sz](?:e|ed|ing) on|agreed (?:on|upon)|commit(?:ted)? to|(?:switch|migrate|mov|move"
    r"|chang)(?:e|ed|ing)? to"
    r"|(?:build|built|building) (?:up)?on(?: top of)?"
    r"|embed(?:s|ded|ding)?|bundl(?:e|es|ed|ing)|vendor(?:s|ed|ing)?|packag(?:e|es|ed|ing)"
    r"|recommend(?:s|ed)?|pay(?:ing)? for|subscribe to|prefer(?:s|red)?"
    r"|utili[sz](?:e|es|ed|ing)|leverag(?:e|es|ing)|written in|built (?:on|with)|based on"
    r"|implement(?:ed)? (?:with|in)"
    r"|introduc(?:e|es|ed|ing)|install(?:s|ed|ing)?|deploy(?:s|ed|ing)?|enabl(?:e|es|ed|ing)"
    r"|implement(?:s|ed|ing)?|tak(?:e|es|ing)|rely on|keep(?:s|ing)?|creat(?:e|es|ed|ing)"
    r"|add(?:s|ed|ing)?|expos(?:e|es|ed|ing)|defin(?:e|es|ed|ing)|provision(?:s|ed|ing)?"
    r"|(?:author|rewrit|wrap|import|writ|stor|host|run|build|buil|kept|keep|sav|serv|manag|mov|migrat|rout|send|sent"
    r"|scan|check|tak|bring|brought|integrat|connect|render|generat|deploy|publish|encrypt|sign"
    r"|validat|format|translat|track|monitor|test|protect|secur|authenticat|log|report)\w*\b[^;]{0,70}?\b(?:in|within|on|with|onto|into|through|via|by|to))"
    r"\s+(?P<thing>\S.{1,100})",
    re.I,
)
_DECIDES = re.compile(
    r"\b(?:we|will|should|shall|must|decid\w+|decision|recommend\w*|propos\w+|going|team"
    r"|project|suggest\w*"
    r"|choos\w+|chose\w*|approach|prefer\w*|i)\b",
    re.I,
)
_UNTIL = re.compile(
    r"(?<!\s)\s+(?:for|to|as|because|since|when|where|which|that|so|instead|rather|over|in order"
    r"|due|in|inside|within|on|before|after|containing|across|under|from|by|using|between"
    r"|alongside|behind|outside)\b|[,;:(]",
    re.I,
)
_REMOVES = re.compile(
    rf"^\W*(?:(?:we|will|should|must|to)\s+)*(?:{VERB_OFF})\b(?:\s+support for\b)?", re.I
)
_WITH = re.compile(r"(?<!\s)\s+(?:with|of)\b", re.I)
_OWNER = re.compile(r"(?<!\S)\S+['’]s\b")  # "X's type" is a type
LISTED = re.compile(r"(?<!\s)\s*(?:[/,]|\band\b|\bor\b|&|\s\+\s)\s*")
"""Where a list of things is cut."""
_ASIDE = re.compile(r" ?\([^()]*\)")
# "All events use X" is a rule, "the server uses X" only explains.
_RULE = re.compile(r"^\W*(?:all|every|each|any|new)\b", re.I)
_FIRST_WORD = re.compile(r"^\W*([A-Za-z]+)\b(?!-)")
_FORM = re.compile(r"(?:[^s]s|ing|ed)$")
_MEANS = re.compile(
    r"\b(?:with|via|using|through|as(?= an? ))\s+(?:(?:the|an?|our)\s+)?(?P<thing>\S.{1,100})"
)
_RUNS = re.compile(
    r"^\W*(?:run|execute|call|apply|employ|integrate|include|start|launch|standardi[sz]e on|pin"
    r"|prefer)\s+(?:(?:the|an?|our)\s+)?(?P<thing>\S.{1,100})",
    re.I,
)
# "X was chosen", "X will be used for the tests"
_TAKEN = re.compile(
    r"^\W*(?:(?:the|our|so|therefore|thus|hence)\W+)*(?P<thing>\S[^,;:]{1,80}?)\s+"
    r"(?:was|were|is|are|has been|have been|(?:will|shall|should|must|is to|are to) be)\s+"
    r"(?:(?:also|now|therefore|thus|hereby|then)\s+)?"
    r"(?:chosen|selected|picked|adopted|preferred|recommended|introduced|used|our choice"
    r"|the (?:choice|winner|tool of choice|preferred \w+|chosen \w+))\b"
    # "X seems to be the better option"
    r"|^\W*(?:(?:therefore|thus|so|hence|overall|[^,;]{3,80}),?\s+)?"
    r"(?P<better>[A-Z]\S*(?: (?:on )?[A-Z]\S*){0,2})\s+"
    r"(?:is|seems(?: to be)?|appears(?: to be)?|looks like) (?:an?|the) (?:clear(?:ly)? )?"
    r"(?:better|best|right|preferred|obvious) (?:option|choice|fit|candidate|tool|solution|placed"
    r"|suited)\b"
    r"(?! than| (?:if|when|where|because)\b)",
    re.I,
)
# What is only spoken of: "the reasons for selecting X", "the cost of using X".
_SPOKEN_OF = re.compile(
    r"\b(?:reasons?|motivations?|arguments?|case|history|costs?|benefits?|advantages?|drawbacks?"
    r"|downsides?|disadvantages?|problems?|issues?|possibility|idea|price|risks?|experience"
    r"|difficult\w+)\s+(?:for|of|against|with|in)$",
    re.I,
)
# "Implementing X does not need Y" tells of X, and decides nothing.
_SUBJECT = re.compile(
    r"\w+ing\s[^,;:]{2,80}?\s(?:(?:do|does|did|is|are|was|were|has|have|will|would|can|may)\b"
    r"|(?:require|mean|make|allow|give|bring|lead|need|help|enable|simplifie|avoid|reduce)s\b)"
    # "Tests in X services are named …" tells of tests.
    r"|\w+[^\Ws]s\s(?:in|within|on|with|onto|into|through|via|by|to)\s[^,;:]{2,80}?\s"
    r"(?:are|were|have|will|must|should|shall|can|may|get)\s",
    re.I,
)
# "Drop the use of X"
_ENDED = re.compile(rf"\b(?:{VERB_OFF})(?:\s+(?:the|our|any|all))?$", re.I)
_OF = re.compile(r"of\s+(?:(?:the|our|an?|any)\s+)?", re.I)

# "The X service will not be included in …" refuses the X service.
_IS_REFUSED = re.compile(
    r"^\W*(?P<thing>[^,;]{2,60}?)\s(?:will|must|shall|should|may|can|is|are)\s"
    r"(?:not|no longer|never)\s(?:be )?(?:included|used|supported|accepted|allowed|permitted"
    r"|shipped|installed|bundled|adopted|introduced|considered)\b",
    re.I,
)
_WHO_WILL_NOT = re.compile(
    r"^\W*(?!we\b|i\b|the team\b)[^,;]{1,60}?\b(?:will|must|shall|should|can|may|does|do) not\b"
    r"(?! be\b)",
    re.I,
)


def tells_of(text: str) -> bool:
    """Whether a clause only tells of a thing: "using X will spare us the Y"."""
    return bool(_SUBJECT.match(text))


def refused_thing(text: str) -> str:
    """What a clause refuses that names nothing as used.

    "We no longer accept code that relies on X" refuses all of that; "X will not …" refuses no X.
    """
    passive = _IS_REFUSED.match(text)
    return passive["thing"] if passive is not None else _WHO_WILL_NOT.sub("", text)


# "We will not integrate X into Y": X is refused, and Y is where it would have been.
_BROUGHT = re.compile(
    r"\b(?:integrat|includ|bundl|ship|packag|embed|add|bring|import|merg|build|install|deploy)"
    r"(?:e|es|ed|ing)?\s(?P<thing>[^,;]{2,60}?)\s(?:in|into|to|onto|within|inside|as)\s",
    re.I,
)


def things_used(clause: Clause) -> list[str]:
    """The things that a clause of a decision takes or gives up."""
    text = _ASIDE.sub("", clause.text)
    if not clause.wanted and _SUBJECT.match(text):
        return []  # "using X will spare us the Y": X is wanted, whatever it spares
    brought = None if clause.wanted else _BROUGHT.search(text)
    if brought is not None and _decides(text[: brought.start()].strip()):
        return LISTED.split(_named(brought["thing"]))
    taken = _TAKEN.match(text)
    found = [_named(taken["thing"] or taken["better"])] if taken is not None else list(_used(text))
    # "From A to B", "B instead of A", "remove A"
    if not found and (clause.chooses or _REMOVES.match(text)):
        until = _UNTIL.split(_REMOVES.sub("", text))[0]
        # "Instead of an integration with X": the integration is given up, and not X.
        found = LISTED.split(until if clause.wanted else _WITH.split(until)[0])
    return found


def _used(text: str) -> Iterator[str]:
    """What a clause says is used; "it uses …" only explains."""
    found = _USING.search(text)
    while found is not None:
        before = text[: found.start()].strip()
        told = _SPOKEN_OF.search(before) or (_SUBJECT.match(found[0]) and not before)
        if _decides(before) and not told:
            ended = _ENDED.search(before) and _OF.match(found["thing"])
            yield _named(found["thing"][ended.end() :] if ended else found["thing"])
        # "Implement a workflow using X": one verb may stand behind another.
        found = _USING.search(text, found.start("thing"))
    if is_order(text):
        yield from (_named(each["thing"]) for each in _MEANS.finditer(text))
        yield from _run(text)


def _run(text: str) -> Iterator[str]:
    """What an order puts to work: "run X in the pipeline"."""
    found = _RUNS.match(text)
    if found is not None:
        yield _named(found["thing"])


def _named(text: str) -> str:
    return _OWNER.sub(_owned, _UNTIL.split(text)[0])


def _owned(found: re.Match[str]) -> str:
    """An owner is what is used only where it is a known thing: "X's DNS interface" is X's."""
    owner = re.sub(r"['’]s$", "", found[0])
    return owner if is_technology(owner) else " "


def _decides(before: str) -> bool:
    """Whether the words before a verb make a decision of it."""
    if not FRAME.sub("", f"{before} ").strip() or _DECIDES.search(before) or _RULE.match(before):
        return True
    return is_order(before)


def is_order(text: str) -> bool:
    """Whether a text begins with a verb as an order does: "generate a client …"."""
    first = _FIRST_WORD.match(text)
    return first is not None and not _FORM.search(first[1]) and stem(first[1].lower()) in KNOWN
