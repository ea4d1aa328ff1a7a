"""Whether a text states a decision, names a subject, or tells how things are."""

from __future__ import annotations

import re

from toolcrib.packs.architecture.alignment.wording.negation import NEGATION

_DECISION_TO = re.compile(r"^\W*(?:the )?decision to\s+", re.I)
# What begins so, or has such a word in it, states what is to be done; others name a subject.
_STATES = re.compile(
    r"^\W*(?:(?:reintroduce|reinstate|restore|revive|readopt|redesign|restructure|recommend|include"
    r"|leverage|utili[sz]e|employ|embrace|use|adopt|choose|select|replace|remove|drop|add|introduce|implement|create"
    r"|define|allow|default(?= to\b)"
    r"|disallow|disable|enable|make|move|migrate|switch|stop|store|keep|run|build|write|deploy|host"
    r"|manage|provide|restrict|require|enforce|extract|merge|split|separate|combine"
    r"|centrali[sz]e|give"
    r"|do not|don'?t|only|never|always|avoid|no|prefer|rely|handle|generate|reduce|increase|upgrade"
    r"|convert|extend|expose|deprecate|delete|rename|refactor|rewrite|set|send|serve|track|record"
    r"|restart|retire|turn|unify|standardi[sz]e|simplify|isolate|publish|push|pull|package|let"
    r"|limit"
    r"|log|mark|map|maintain|integrate|ignore|hide|encrypt|encode|consolidate|configure|cache"
    r"|bundle"
    r"|fix|get|defer|offer|put|go|start|bring|pick|ditch|swap|trade|exchange|ban|get rid|rip"
    r"|ship|sign|stub|sync|throttle|trust|validate|verify|wrap|emit|embed|escape|execute"
    r"|expire|export|import|fail|fetch|filter|fork|freeze|gather|guard|inject|inline|install"
    r"|invalidate|join|launch|load|measure|mirror|mock|mount|negotiate|notify|offload|open"
    r"|organi[sz]e|override|parse|pay|persist|pin|place|poll|port|preserve|promote|propagate"
    r"|protect|raise|read|rebuild|redirect|reject|render|replicate|reset|resolve|retain|retry"
    r"|return|reuse|revoke|rotate|save|scale|secure|seed|seriali[sz]e|skip|stream|strip|submit"
    r"|subscribe|supply|suspend|tie|transform|translate|treat|trigger|trim|truncate|upload"
    r"|vendor|wait|warn|watch|decouple|detect|discard|distribute|document|duplicate|ensure"
    r"|establish|align|annotate|assign|attach|block|bind|call|check|collect|compile|compress"
    r"|compute|connect|copy|deliver|derive|describe|deny"
    r"|keep|accept|stick|hold"
    r"|phase|support|apply|automate|authenticate|abandon|revert|route|scan|show|hash|format"
    r"|lint|test)\b"
    r"|\w+ing\b(?=\s+\w)(?! \w+(?:$| (?:framework|tool|library|strategy|approach|service|process"
    r"|policy)\b)))"
    r"|\b(?:will|should|must|shall|instead of|rather than|without|in favou?r of)\b",
    re.I,
)


# A sentence about how things are or were decides nothing, unless it says that they stay so.
_STATE = re.compile(
    r"\b(?:currently|at the moment|at present|so far|until now|previous(?:ly)?|formerly"
    r"|historically|used to|has been using|have been using|as of now|did (?:already )?use|had used"
    r"|(?:was|were) using|it is (?:\w+ )?(?:common|usual|typical|customary|possible|tempting)"
    r"|(?:widely|commonly|already) used)\b",
    re.I,
)
_KEEPS = re.compile(
    r"\b(?:will|should|shall|must|decid\w+|keep\w*|continu\w+|stay\w*|remain\w*|propos\w+|chos\w+"
    r"|choos\w+|recommend\w*)\b",
    re.I,
)

# Who returns to something does not stay with what is in force.
_RETURNS = re.compile(
    r"\b(?:back (?:to|on|in|into|onto|under|with)|again|(?:as|like) before|return(?:s|ing)? to"
    r"|revert(?:s|ing)?(?: back)? to|bring(?:s|ing)? [^,;]{2,60} back)\b",
    re.I,
)


# "OIDC as the default login", "NestJS as our framework": a name, and what it is taken for.
_AS = re.compile(
    r"^\W*(?:(?-i:[A-Z])[\w.+#-]*\s){0,2}(?-i:(?:[A-Z][\w.+#-]*[A-Z0-9]|[a-z]+[A-Z])[\w.+#-]*)\s+as\s+"
    r"|^\W*\S+(?: \S+){0,2} as (?:the|our|an?) (?:(?:only|sole|single|main) )?"
    r"(?:default|standard|primary|preferred)\b",
    re.I,
)


def states(text: str) -> bool:
    """Whether a text states a decision, and does not only name a subject."""
    text = _DECISION_TO.sub("", text)
    return bool(_STATES.search(text) or _AS.match(text) or NEGATION.match(text))


_EXAMPLE = re.compile(r"^\W*(?:for example|for instance|e\.g|imagine|consider|suppose)\b", re.I)


def gives_an_example(sentence: str) -> bool:
    """Whether a sentence only explains by an example."""
    return bool(_EXAMPLE.match(sentence))


def tells_the_present(sentence: str) -> bool:
    """Whether a sentence only tells how things are or were."""
    return bool(_STATE.search(sentence)) and not _KEEPS.search(sentence)


_GOAL = re.compile(
    r"\b(?:back (?:to|on|onto)|return(?:s|ing)? to|revert(?:s|ing)?(?: back)? to)\s+"
    r"(?P<goal>[^,;]{2,60}?)(?=\W*$|[,;]|\s(?:for|in|on|as|when|with|and|because|until)\s)",
    re.I,
)
# "Give the orders a UUID key again"
_AGAIN = re.compile(r"(?P<goal>[^,;]{2,80}?)\s+(?:again|back on|once more)\b", re.I)


def goes_back_to(text: str) -> str:
    """What a text returns to, if it says so."""
    found = _GOAL.search(text) or _AGAIN.match(text)
    return found["goal"] if found else ""


def goes_back(text: str) -> bool:
    """Whether a text returns to how things were before."""
    return bool(_RETURNS.search(text))


# What nobody is to do; most other negations tell why, or what follows.
_FORBIDS = re.compile(
    r"\b(?:must|should|shall|may|can|do|will) not\b|\b(?:must|should|shall|may)n['’]t\b|\bcannot\b"
    r"|\bnot to (?:use|adopt|introduce|have|allow|support|add|store|build|rely|write|run)\b"
    r"|\b(?:never|avoid|no longer|don['’]t|not (?:allowed|permitted|acceptable|supported)"
    r"|disallow\w*|forbid\w*|forbidden|prohibit\w*|discourag\w+|ban(?:ned|s)?|reject(?:s|ed)?)\b",
    re.I,
)

# What cannot happen to a thing speaks for it: "X cannot be overridden".
_GUARANTEES = re.compile(
    r"\b(?:cannot|can not|can['’]t|must not|never) (?:be )?(?:overridden|bypassed|circumvented"
    r"|lost|leaked|forged|tampered with|broken|undone|deleted|modified|changed|guessed"
    r"|intercepted|corrupted|overwritten|skipped|forgotten|lose|leak|break)\b",
    re.I,
)


def forbids(sentence: str) -> bool:
    """Whether a sentence tells everybody not to do something."""
    return bool(_FORBIDS.search(_GUARANTEES.sub(" ", sentence)))


# Here things are named that make trouble, and not what is used.
_COMPLAINS = re.compile(
    r"\b(?:problems?|troubles?|issues?|difficult\w*|unreliable|drawbacks?) (?:with|in|of|about)\b"
    r"|^\W*even though\b",
    re.I,
)
# Here something is only thought of, or was tried out.
_WEIGHS = re.compile(
    r"\b(?:could|might|would) (?:also |as well |be |use |have )|\b(?:trialled|tried out|looked at"
    r"|explored|another (?:option|way|approach)|alternatively)\b"
    r"|^\W*[\w .+-]{2,40}? (?:has|have|is|are|could|looks?|seems?|offers?|provides?)\b"
    r"[^.;]*,? but\b",
    re.I,
)


# What is left to others, or left out, is not decided here.
_CONCEDES = re.compile(
    r"\bstill (?:be )?(?:possible|allowed|permitted|able|free|valid|fine)\b"
    r"|\b(?:can|may) still\b|\b(?:excluded|exempt\w*) from\b|\bout of scope\b"
    r"|\b(?:not|without) (?:affect|touch|chang)\w*\b"
    r"|\b(?:do|does|did)(?: not|n['’]t) (?:need|have) to\b"
    r"|\bexceptions? (?:(?:is|are) made|to (?:this|the) (?:rule|decision))\b",
    re.I,
)


_GRANTED = re.compile(r"^\W*(?:while|although|though|even though)\b[^,;]{3,400},\s*", re.I)


def concedes(sentence: str) -> bool:
    """Whether a sentence only tells what is left to others, or not part of the decision."""
    return bool(_CONCEDES.search(_GRANTED.sub("", sentence)))


def complains(sentence: str) -> bool:
    """Whether a sentence names things that make trouble, and not what is used."""
    return bool(_COMPLAINS.search(sentence))


def weighs(sentence: str) -> bool:
    """Whether a sentence only thinks of something, or tells what was tried out."""
    return bool(_WEIGHS.search(sentence))


_ONLY = re.compile(
    r"[^,;:]{0,60}?\b(?:only|solely|exclusively|just)\s(?P<case>(?:for|when|where|if|in|until|as)\s.{3,200})",
    re.I,
)


def only_for(sentence: str, thing: str) -> str:
    """The case for which alone a sentence allows a thing: "with X support only for …"."""
    at = sentence.casefold().find(thing.casefold()) if thing else -1
    found = _ONLY.match(sentence, at + len(thing)) if at >= 0 else None
    return found["case"] if found else ""
