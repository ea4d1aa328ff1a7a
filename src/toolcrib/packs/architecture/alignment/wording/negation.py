"""Words that say no, and how many of them a text has."""

from __future__ import annotations

import re

VERB_OFF = (
    r"stop(?:s|ped|ping)?|ceas(?:e|es|ed|ing)|quit(?:s|ting)?|avoid(?:s|ed|ing)?"
    r"|drop(?:s|ped|ping)?|ditch(?:es|ed|ing)?|dump(?:s|ed|ing)?|abandon(?:s|ed|ing)?"
    r"|discontinu(?:e|es|ed|ing)|remov(?:e|es|ed|ing|al of)|delet(?:e|es|ed|ing)"
    r"|deprecat(?:e|es|ed|ing|ion of)|retir(?:e|es|ed|ing)|decommission(?:s|ed|ing)?"
    r"|eliminat(?:e|es|ed|ing)|disabl(?:e|es|ed|ing)|disallow(?:s|ed|ing)?|forbid(?:s|den|ding)?"
    r"|prohibit(?:s|ed|ing)?|ban(?:s|ned|ning)?|reject(?:s|ed|ing)?|refrain(?:s|ed|ing)?(?: from)?"
    r"|prevent(?:s|ed|ing)?|sunset(?:s|ting)?|scrap(?:s|ped|ping)?|discard(?:s|ed|ing)?"
    r"|exclud(?:e|es|ed|ing)|omit(?:s|ted|ting)?|forgo(?:es|ing)?|forego|shun(?:s|ned|ning)?"
    r"|uninstall(?:s|ed|ing)?|undo(?:es|ing)?|refus(?:e|es|ed|ing)|declin(?:e|es|ed|ing)"
    r"|dismiss(?:es|ed|ing)?|axe[ds]?|kill(?:s|ed|ing)?(?: off)?|shelv(?:e|es|ed|ing)"
    r"|cancel(?:s|led|ling|ed|ing)?|skip(?:s|ped|ping)?|revok(?:e|es|ed|ing)|rescind(?:s|ed|ing)?"
    r"|outlaw(?:s|ed|ing)?|purg(?:e|es|ed|ing)|eschew(?:s|ed|ing)?|veto(?:es|ed|ing)?"
    r"|abolish(?:es|ed|ing)?|unsubscrib(?:e|es|ed|ing)(?: from)?|terminat(?:e|es|ed|ing)"
    r"(?! (?:(?:the|our|all|its|your|any) )?(?:\w+ )?(?:TLS|SSL|HTTPS|certificates?|connections?)"
    r"\b)"
    r"|withdraw(?:s|n|ing)?(?: from)?|repeal(?:s|ed|ing)?|unwind(?:s|ing)?|wind(?:s|ing)? down"
    r"|shut(?:s|ting)? down|pull(?:s|ed|ing)? out(?: of)?|end(?:s|ed|ing)? (?:the|our) use of"
    r"|leav(?:e|es|ing)(?= (?-i:[A-Z])\w+(?: and\b|\W*$| for\b| behind\b))"
    r"|overturn(?:s|ed|ing)?|dispens(?:e|es|ed|ing) with|do(?:ing)? away with|get(?:ting)? rid of"
    r"|got rid of|be(?:ing)? rid of|phas(?:e|es|ed|ing) out|rip(?:s|ped|ping)? out"
    r"|strip(?:s|ped|ping)? out|tak(?:e|es|ing) out|throw(?:s|ing|n)? (?:away|out)|giv(?:e|es"
    r"|ing) up(?: on)?"
    # But what is pulled out of a file is read there.
    r"|(?:throw|toss|tak|rip|kick|phas|leav|cut|strip"
    r"|pull(?!(?:s|ing|ed)? (?:\S+ ){1,8}?out of"
    r" (?!(?:production|service|use|the (?:stack|build)))\w)"
    r"|tear|cast|put|weed|vot|push|chuck|set|freez|edg|eas)"
    r"(?:e|es|s|ing|ed)?(?= (?:\S+ ){1,8}?(?:away|out|aside|behind(?: us)?(?! \w)"
    r"|overboard|to rest|to bed|to sleep|to the sword)(?:[ .,;!]|$))"
    r"|(?:roll|scal|dial|wind|claw)(?:e|es|s|ed|ing)?(?= (?:\S+ ){1,6}?back(?:[ .,;!]|$))"
    r"|send(?:s|ing)?(?= (?:\S+ ){1,6}?packing\b)"
    r"|(?:kiss|wav)(?:e|es|ed|ing)?(?= (?:\S+ ){1,6}?(?:goodbye|farewell|off)(?:[ .,;!]|$))"
    r"|had (?:it|enough)(?: with| of)|consign(?:s|ed|ing)?(?= (?:\S+ ){1,6}?to (?:history|the)\b)"
    r"|(?:turn|switch)(?:s|es|ing|ed)?(?! (?:\S+ ){0,4}?on (?:and|or) off\b)"
    r"(?= (?:\S+ ){1,4}?off(?:[ .,;!]|$))"
    r"|set(?:s|ting)?(?= (?:\S+ ){1,5}?to (?:false|off|none|null|zero|disabled)(?:[ .,;!]|$))"
    r"|out (?:it|they) go(?:es)?|(?:out|away|overboard) with"
    r"|let(?:s|ting)?(?= (?:\S+ ){1,4}?(?:(?-i:go)|die|rot|fade|wither|lapse|perish|expire)"
    r"(?:[ .,;!]|$))"
    r"|(?:giv|show)(?:e|s|es|ing)?(?= (?:\S+ ){1,4}?(?:the boot|the axe|the chop|the sack"
    r"|the door|the elbow|a miss|a wide berth)(?:[ .,;!]|$))"
    r"|(?:find|seek|look(?:ing)? for|search(?:ing)? for|evaluate)(?: \w+){0,2}"
    r" (?:substitute|replacement|alternative|successor)s? (?:for|to|of)"
    # Idioms, in the words that people have for it.
    r"|turn(?:s|ed|ing)? (?:our|your|my|their|its|the) backs? (?:on|to)|put(?:s|ting)? an end to"
    r"|pull(?:s|ed|ing)? the plug on|clos(?:e|es|ed|ing) the door (?:on|to)|say(?:s|ing)? no to"
    r"|(?:bid|wav|say)(?:e|es|s|ing|ding)? (?:farewell|goodbye|adieu|bye) to"
    r"|wash(?:es|ed|ing)? (?:our|my) hands of|mov(?:e|es|ed|ing) (?:on from|past|beyond)"
    r"|step(?:s|ped|ping)? back from|let(?:s|ting)? go of"
    r"|cut(?:s|ting)? (?:ties|loose|back)(?: with| from| on)|swear(?:s|ing)? off|back(?:s|ed|ing)?"
    r" away from|(?:keep|stay)(?:s|ing)? (?:away|clear) (?:of|from)"
    r"|call(?:s|ed|ing)? it quits with|lay(?:s|ing)? to rest|mak(?:e|es|ing) do without"
    r"|toss(?:es|ed|ing)?(?: out)?|bur(?:y|ies|ied|ying)|oust(?:s|ed|ing)?"
    r"|nix(?:es|ed|ing)?(?= (?:the|our|that|all) )"  # but not the package manager
    r"|jettison(?:s|ed|ing)?|mothball(?:s|ed|ing)?|offboard(?:s|ed|ing)?|nuk(?:e|es|ed|ing)"
    r"|outgr(?:ow|ows|ew|own|owing)|turn(?:s|ed|ing)? down|writ(?:e|es|ing) off"
    r"|boycott(?:s|ed|ing)?|blacklist(?:s|ed|ing)?|unplug(?:s|ged|ging)?|expung(?:e|es|ed|ing)"
    r"|evict(?:s|ed|ing)?|excis(?:e|es|ed|ing)|eradicat(?:e|es|ed|ing)|banish(?:es|ed|ing)?"
    r"|expel(?:s|led|ling)?|relinquish(?:es|ed|ing)?|renounc(?:e|es|ed|ing)|unship(?:s|ped|ping)?"
    r"|pension(?:s|ed|ing)? off|eras(?:e|es|ed|ing)(?: (?:all|every|any)(?: traces?)? of)?"
    r"|(?:free|frees|freed|freeing|liberat\w+|extricat\w+|disentangl\w+|emancipat\w+|detach\w*"
    r"|divorc\w+|distanc\w+|rid|rids|ridding|cur(?:e|es|ed|ing)|reliev\w+|rescu\w+) (?:us|ourselves"
    r"|everybody|everyone|(?:the|our) (?:\w+ )?(?:team|teams|code|codebase|project|repo|repository"
    r"|build|builds|app|application|system|platform|service|services)) (?:from|of)"
    r"|enough (?:of|with)|time(?:['’]s| is) up for|call(?:s|ed|ing)? time on"
    r"|forget(?:s|ting)?(?: about)?(?! to\b| that\b| it\b)"
    r"|weed(?:s|ed|ing)? out|root(?:s|ed|ing)? out"
    r"|tear(?:s|ing)? (?:out|down)|discourag(?:e|es|ed|ing)"
    r"|resist(?:s|ed|ing)?|object(?:s|ed|ing)? to"
    r"|turn(?:s|ed|ing)? off|switch(?:es|ed|ing)? off|leav(?:e|es|ing) out|left out|cut(?:s"
    r"|ting)? out"
    r"|part(?:s|ing)? (?:ways |company )?with|say(?:ing)? goodbye to"
    r"|done with(?! (?:it|that|this)\b)"
    r"|steer(?:ing)? clear of"
    r"|back(?:ing)? out of|opt(?:s|ed|ing)? out of|wean(?:s|ed|ing)?(?: \w+)? off(?: of)?"
    r"|rul(?:e|es|ed|ing) out"
    r"|(?:mov|migrat|switch|transition|shift|chang|walk|turn|break|step|tear)(?:e|es|ed|ing|s)?"
    r"(?: \w+){0,2}? away(?: from)?"
    r"|(?:mov|migrat|com|get|tak|switch)(?:e|es|ed|ing|s|ting)?(?: \w+){0,2}? off(?: of)?"
    r"|(?:mov|migrat)(?:e|es|ed|ing)(?: \w+){0,2}? out of|away from"
    r"|revert(?:s|ed|ing)?(?! (?:back )?to\b)|roll(?:s|ed|ing)? back(?! to\b)"
)
# The same as nouns: "the retirement of X", "our withdrawal from X".
_NOUN_OFF = (
    r"(?:retire|abandon)ment|(?:remov|withdraw|dismiss|repeal|refus)al|cancell?ation"
    r"|(?:delet|deprecat|eliminat|discontinuat|terminat|reject|revocat|exclus|omiss|prohibit|evict"
    r"|eradicat|prevent|abolit|expuls)ion|decommissioning"
)
# "By the end of the year" gives nothing up: these have to begin what is said.
_END_OFF = (
    r"^\W*(?:the |our |an? )?(?:end|death|demise|sunset|departure|exit|divorce|escape|farewell"
    r"|goodbye)"
)
# What nobody keeps who calls it so.
_WORTHLESS = (
    r"mistake|misstep|blunder|overkill|dead end|dead weight|dead wood|deadweight|liability|relic"
    r"|folly|nuisance|waste of \w+|misfit|wrong (?:choice|tool|call|turn|fit|approach|way|answer)"
    r"|bad (?:choice|idea|fit|call|bet)|poor (?:choice|fit)|lost cause|burden|millstone|dinosaur"
    r"|thorn in our side|legacy|more than (?:we|i|anybody|anyone) (?:need|want|asked for)s?"
    r"|more trouble than|noise|trouble|hassle|bloat|ballast|clutter"
)
_GONE = (
    r"(?:be|been|being|gets?|is|are) (?:replaced|superseded|supplanted|substituted|swapped out)"
    r"(?! (?:by|with|for|in)\b)|"
    rf"(?:is|are|be|been|was|were|has become|have become|became|becomes|turned out to be)"
    rf" (?:(?:an?|the|our|just|nothing but|simply|only|pure|clearly|too|now|much|big|huge|real) )*"
    rf"(?:{_WORTHLESS})|"
    r"(?:is|are|be|been|being|gets?|was|were) (?:now )?(?:out|gone|obsolete|history|over|dead"
    r"|unwanted"
    r"|superfluous|outdated|off the table|no option|unnecessary|out of the question)\b"
    r"|(?:has|have|need|needs|must|should|ought|can|will) (?:to )?go(?=\s*$|\s*[.,;])"
    r"|go(?:es)? away|(?:to the|on the|in the|into the) (?:scrapheap|bin|dustbin|trash)"
    r"|(?:must|should|has to|have to|needs to) die\b|bit(?:e|es) the dust|rests? in peace"
    r"|gets? (?:the sack|the boot|the axe|the chop)\b"
    r"|(?:has|have) (?:had (?:its|their) day|outlived (?:its|their) \w+|run (?:its|their) course"
    r"|overstayed (?:its|their) welcome|reached (?:its |their |the )?end of life)"
    r"|days are (?:numbered|over)|(?:is|are) (?:a thing of the past|past (?:its|their) prime"
    r"|yesterday['’]s \w+)"
)
# "Test it against its story", "a request against the code": only somebody can be against a thing.
_AGAINST = (
    r"(?:(?:decid|vot|advis|argu|speak|stand)\w*|recommend\w*|choos\w+|chose|am|is|are|be|was|i|we"
    r"|team|^\W*)\s*\bagainst"
)
NEGATION = re.compile(
    rf"(?<![\w:-])(?:no (?:reason|need|point|use)(?: (?:to|in|for|of))?"
    rf"|no longer|not any ?more|any ?more|no more|never"
    # "Not just a version", but not "do not just drop it".
    rf"|not(?! only)(?! (?:just|merely|simply) (?:an?|the|one|some|by|in|on|with|for|as|about)\b)"
    rf"|no(?=\s+\w)(?! (?:way|getting|going|path) (?:around|round|past)\b"
    rf"| (?:alternative|substitute|replacement) (?:to|for)\b)"
    rf"|nor|neither|none of"
    rf"|nothing(?! (?:but|else|other|except|short))|nobody|nowhere"
    rf"|without(?! (?:an? |any )?(?:replacement|substitute|successor)s?\b)"
    rf"|hardly|scarcely"
    rf"|{_AGAINST}|opposed to|except|minus"
    rf"|(?:{_NOUN_OFF}|{_END_OFF}) (?:of|from|to|for)|go(?:es|ing)? wrong"
    rf"|{VERB_OFF}|{_GONE})(?![\w-])",
    re.I,
)
_BARE_VERB = re.compile(
    r"stop|cease|quit|drop|dump|ban|reject|kill|cancel|skip|delete|revert|abandon|cut out|undo"
    r"|purge|axe"
    r"|scrap|discard|prevent|omit|exclude|disable|block|decline|dismiss|veto|remove",
    re.I,
)
_LAST_WORD = re.compile(r"([\w'’-]+)[^\w,;:.]*$")
_BEFORE_A_VERB = frozenset(
    """
    to will would should shall must can could may might we i you they us lets let let's and or not
    never no longer then please also just now do does did by that team further rather than better
    simply ll d either neither cannot both of for
    """.split()  # noqa: SIM905
)
_NAME_ENDS = re.compile(r"\s*(?:$|[.,;:!)]|(?:for|as|to|in|on|and|or|instead|over|when|is)\b)")
_JOINED = re.compile(r"\s*(?:,|/|and|or|&|and then|and later)\s*", re.I)
_ANYMORE = re.compile(r"^any ?more$", re.I)
# "A removed shipment", "of deleted ones": which ones are meant, and not what becomes of them.
_PARTICIPLE = re.compile(r"\w+(?:ed|wn|den)", re.I)
_WHICH = re.compile(
    r"\b(?:an?|the|any|each|every|all|some|these|those|its|their|our|of|for|with|from|to|on|about"
    r"|than|recently|already|previously|once)\s+$",
    re.I,
)
_WHAT = re.compile(r"\s+\w{2,}(?!\w)", re.I)
_BY_WHOM = re.compile(r"\s+(?:by|from|in|on|and|or|if|when|because|to|for|with|is|are)\b", re.I)
# "Mentions are done with X" are made by it; "we are done with X" have had enough of it.
_DONE = re.compile(r"\b(?!(?:we|i|you|they|us|am)\b)\w+ (?:is|are|be|gets?|was|were) $", re.I)
_MAY_GO = re.compile(
    r"\b(?:what|that|something|anything|things?|which|can|could|may|might) $", re.I
)
# "Deleting an account becomes a job": what is done there is only spoken of.
_DEED = re.compile(
    r"\W*(?:the )?\w+ing\s[^,;]{2,80}?\s(?:becomes?|goes|happens?|runs|takes (?:a|the)|works"
    r"|moves|stays|needs|requires?|triggers|creates|starts|means|asks|(?:is|are|gets)"
    r" (?:\w+ly )?(?:done|made|handled|performed|queued|run|carried out|logged|recorded)"
    r" (?:by|with|in|via|through|as|on))\b",
    re.I,
)


def is_noun(text: str, match: re.Match[str]) -> bool:
    """Whether what looks like a verb that negates says no to nothing: "soft delete"."""
    return _only_tells(text, match) or _is_name(text, match)


def _only_tells(text: str, match: re.Match[str]) -> bool:
    """Whether it says which things are meant, or what work is spoken of."""
    start, word = match.start(), match[0].casefold()
    if word.startswith("done with"):
        return _DONE.search(text, 0, start) is not None
    if word.endswith("wrong"):
        return _MAY_GO.search(text, 0, start) is not None
    if _PARTICIPLE.fullmatch(word):
        which = _WHICH.search(text, 0, start) and _WHAT.match(text, match.end())
        return bool(which) and not _BY_WHOM.match(text, match.end())
    return (
        word.endswith("ing") and _DEED.match(text, start) is not None and not text[:start].strip()
    )


def _is_name(text: str, match: re.Match[str]) -> bool:
    if not _BARE_VERB.fullmatch(match[0]) and not match[0][0].isupper():
        return False
    before = _LAST_WORD.search(text, 0, match.start())
    if before is None or before[1].lower() in _BEFORE_A_VERB:
        return False
    if _BARE_VERB.fullmatch(match[0]):
        return True
    # With a capital among small letters it is a name: "parse it with Jettison".
    return before[1].islower() and _NAME_ENDS.match(text, match.end()) is not None


def negations(text: str, until: int | None = None) -> int:
    """How many words of a text negate, of those that begin before the place `until`.

    `no longer … any more` is one, and so is `deprecate and remove`.
    """
    count, end = 0, -1
    for match in NEGATION.finditer(text):
        if until is not None and match.start() >= until:
            break
        if is_noun(text, match):
            continue
        again = count and (_JOINED.fullmatch(text, end, match.start()) or _ANYMORE.match(match[0]))
        count += 0 if again else 1
        end = match.end()
    return count


def sign_of(text: str, until: int | None = None) -> int:
    """-1 where a text negates, once or an odd number of times."""
    return -1 if negations(text, until) % 2 else 1


def sign_before_a_move(text: str) -> int:
    """The sign of what leads to "from A to B": "move away" is no negation there."""
    return -1 if re.search(r"\b(?:not|never|no longer|stop|avoid|refrain)\b", text, re.I) else 1


def without_negation(text: str) -> str:
    """A text without the words that negate."""
    return NEGATION.sub(lambda found: found[0] if is_noun(text, found) else " ", text)


def blanked(text: str) -> str:
    """A text with blanks for the words that negate, each letter in its place."""
    return NEGATION.sub(
        lambda found: found[0] if is_noun(text, found) else " " * len(found[0]), text
    )
