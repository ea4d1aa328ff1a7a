"""The options that a record considered, and its explicit choice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from toolcrib.packs.architecture.alignment.record.parts import Part, plain_text, unmarked, with_role
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses
from toolcrib.packs.architecture.alignment.wording.naming import BRACKETS, Named, named
from toolcrib.packs.architecture.alignment.wording.words import Phrase, phrase, share

_MOST = 40
_MOST_SIBLINGS, _SHORT = 10, 4
_LONGEST, _LONGEST_LISTED = 200, 8
_LONGEST_LIST = 2_000
_SAME = 0.66
_ITEM = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+•]|\d+[.)]|[a-zA-Z][.)])[ \t]+(?P<text>\S.*)$", re.M)
# A paragraph that begins with a label in bold letters: "**Option 1:** Environment variables".
_BOLD = re.compile(
    r"^[ \t]*(?:\*\*|__)(?:\[[^\]\n]{1,20}\]\s*)?(?P<text>(?:option|alternative|approach|proposal"
    r"|solution|candidate|choice|variant)\s*#?(?:\d{1,2}[a-z]?|[A-Z])\b[^\n]*)$",
    re.M | re.I,
)
_LABEL = re.compile(
    r"^\W*(?:(?:considered )?(?:option|alternative|approach|proposal|solution|candidate|choice"
    r"|variant|possibility)"
    r"(?:\s+#?|\s*#))(?P<label>\d{1,2}[a-z]?|[A-Za-z](?![A-Za-z]))\b\s*(?:[-:–—.)\]]+\s*)?",
    re.I,
)
# A list of options without a heading: "Options: A, B or C", or the items below it.
_LISTED_HERE = re.compile(
    r"(?:^|[.!] )[ \t*_>]*(?:the )?(?:(?:possible|available|main|other|considered) )?"
    r"(?P<what>options|alternatives|candidates)(?: (?:considered|are|were|evaluated|include))?"
    r"[ \t*_]*:[ \t*_]*(?P<rest>[^\n]*)$",
    re.M | re.I,
)
_MAY_LIST = re.compile(r"options|alternatives|candidates", re.I)
# What a sentence speaks of that introduces a list of options.
_OF_OPTIONS = re.compile(
    r"\b(?:options|alternatives|approaches|possibilities|candidates|solutions|choices|ways"
    r"|strategies)\b",
    re.I,
)
_ENDED = re.compile(r"[.!?]\s")
_MOST_LINES, _LONGEST_LINE = 4, 400
# That they are weighed, and not what a program can be told.
_WEIGHED = re.compile(
    r"\b(?:consider\w*|evaluat\w+|explor\w+|compar\w+|weigh\w*|investigat\w+|looked|discuss\w+"
    r"|possible|several|few|some|different|various|main|two|three|four|available|other|could)\b"
    r"|^\W*\w+\W*$",
    re.I,
)
# They were all looked at by somebody who then took something.
_TRIED = re.compile(
    r"\b(?:considered|evaluated|explored|compared|investigated|looked (?:at|into)"
    r"|discussed|tried)\b",
    re.I,
)
_BLANK = re.compile(r"\n[ \t]*\n")
_IN_A_ROW = re.compile(r"[,;]\s+(?:and |or |vs\.? )?|(?<!\s)\s+(?:or|vs\.?|versus)\s+")
_REMARK = re.compile(r"(?<=\S)\s+\[[^\]]*\]?\W*$")  # "CircleCI [default]"
_MARKED = re.compile(r"^[\s*_]*\[[A-Z ]{3,20}\]\s*")  # "[SELECTED] Option 1"
_LETTERED = re.compile(r"^\W*[A-Z]\)\s+\S")
# A label that tells no more than that nothing changes: "Status quo: remain on X".
_AS_IT_IS = re.compile(
    r"^(?:the )?(?:status quo|current (?:state|situation|setup|solution|approach)|no change"
    r"|as[- ]is|do(?:ing)? nothing|baseline)(?::|\s+[-–—])\s+(?=\S)",
    re.I,
)
_NUMBER = re.compile(r"^\W*(?P<label>\d{1,2}|[A-Z])\s*[.):]\s+")
PLACEHOLDER = re.compile(
    r"\\?\[option|\{(?:title|option)|\bjustification\b|^\W*(?:tbd|todo|option \d\W*\])$", re.I
)
# Where the name of an option ends and its explanation begins.
_EXPLAINED = re.compile(
    r"(?:(?<!\s)\s+[-–—]+\s+|:\s|:$|\.\s|;|(?<!\s)\s+\((?=[a-z])|,\s+(?:because|since|as|which|but|so|where"
    r"|with)\b"
    r"|(?<!\s)\s+(?:because|since)\b|\s\|)"
)
_NOT_AN_OPTION = re.compile(
    r"^\W*(?:good|bad|neutral|pros?|cons?|advantages?|disadvantages?|positive|negative|summary"
    r"|comparison|conclusion|decision|details?|example|overview|note|see|description|links?|tl;?dr"
    r"|pros and cons|pros/cons|pros & cons|benefits|drawbacks|why|how|evaluation|results?|risks?"
    r"|other considerations|chosen|consequences|none|n/a|tbd|background|discussion|references?"
    r"|option|alternative|rationale|requirements|research)s?\b(?:\W*$|:|,| because)"
    # A question has options and is none: "How to ship the parcels".
    r"|^\W*how (?:to|do|does|should|can|could|shall|will|is|are)\s",
    re.I,
)
_SIGNED = re.compile(r"^\W*`?[+±-]`?(?:\s|$)|^[✅❌👍👎➕➖]")
_TURNED_DOWN = re.compile(
    r"\((?:[^()]*\b)?(?:rejected|discarded|not chosen|dismissed)\b[^()]*\)|❌|\brejected\b\s*$",
    re.I,
)
_TAKEN = re.compile(
    r"\((?:[^()]*\b)?(?<!not )(?:chosen|selected|accepted|recommended|preferred|decided)\b[^()]*\)"
    r"|✅|⭐|\b(?:(?-i:RECOMMENDED|CHOSEN|SELECTED))\b"
    r"|[-–—:]\s*(?:the |our )?(?:chosen|selected|preferred|recommended|accepted)(?: \w+)?\W*$",
    re.I,
)
_CHOSEN = re.compile(
    r"(?:\b(?<!\bas )(?:chosen?|selected|preferred|recommended|accepted|winning)(?! by\b)\s*"
    r"(?:options?|alternatives?|solutions?|approach(?:es)?|choices?|outcome|technology|tool)?"
    r"|^[^\w\n]*decision(?: outcome)?)\b"
    r"(?P<what>[^:\n.]{0,60}?)\s*:[ \t*_]*(?P<rest>[^\n]*)",
    re.I | re.M,
)
_CHOSEN_HEADING = re.compile(
    r"^(?:decision outcome|decision|chosen(?: \w+)?|outcome|selected(?: \w+)?"
    r"|solution)\s*(?:[:–—]|\s-)\s*(?P<rest>\S.*)$",
    re.I,
)
# The quotation ends where the sentence goes on: the name may have quotation marks of its own.
_QUOTED = re.compile(
    r"^[^\w\"“«]*[\"“«](?P<name>.{2,160}?)[\"”»]+(?=\W*$|\s*[,.;(–—-]|\s+(?:because|since|as)\b)"
    r"|^[^\w']*'(?P<single>[^']{2,160})'(?=\W|$)"
)
_QUOTED_LAST = re.compile(r":\s*[\"“«](?P<name>[^\"”»]{2,160})[\"”»]\W*$")
BECAUSE = re.compile(
    r"(?:(?<!\s)|(?=,)),?\s+\b(?:because|since|due to|for the following|as it|as we|as this"
    r"|as the|so that|given)\b|[.;](?:\s|$)|(?<!\s)\s+[-–—]\s+|,\s+(?=(?:which|it|this|we|but)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Option:
    """An option in the record's words; `chosen` is None where the record does not say."""

    name: str
    label: str = ""
    chosen: bool | None = None
    alternative: bool = False

    @property
    def phrase(self) -> Phrase:
        """What it names; what stands in brackets behind it only explains."""
        return phrase(BRACKETS.sub("", self.name)) or phrase(self.name)

    @property
    def named(self) -> Named:
        """Its words in their order; what stands in brackets behind it only explains."""
        return named(BRACKETS.sub("", self.name))

    @property
    def wanted(self) -> bool:
        """Whether it says yes to what it names: "do not test scripts" does not."""
        clauses = read_clauses(self.name)
        return clauses[0].wanted if clauses else True


def option_name(text: str) -> tuple[str, str]:
    """The name of an option and its label, from a heading or the line of a list."""
    text = unmarked(text).strip(' \t"“”#.:')
    label = ""
    found = _LABEL.match(text) or _NUMBER.match(text)
    if found:
        label = found["label"].casefold()
        text = text[found.end() :]
    text = _AS_IT_IS.sub("", text)
    text = _REMARK.sub("", _TURNED_DOWN.sub("", _TAKEN.sub("", text)))
    cut = _EXPLAINED.search(text, 3)
    if cut and phrase(text[: cut.start()]):
        text = text[: cut.start()]
    return text.strip(" \t\"“”'.:,[]"), label


def read_options(body: str, found: Sequence[Part]) -> list[Option]:
    """All options that the record lists, each once, in its order."""
    options: list[Option] = []
    for part, inside in with_role(list(found), "options", "rejected"):
        earlier = len(options)
        for option in _options_in(body, part, inside):
            at = _same(options, earlier, option)
            if at is None:
                options.append(option)
                continue
            known = options[at]
            label = known.label or option.label
            chosen = option.chosen if known.chosen is None else known.chosen
            options[at] = replace(known, label=label, chosen=chosen)
    if not options:
        headed = (each.title for each in found if each.role == "option")
        options = [one for title in headed for one in _option(title, False, False)]
    return (options or _listed_in_text(body))[:_MOST]


def _listed_in_text(body: str) -> list[Option]:
    """The options of a list in the midst of the text."""
    if not _MAY_LIST.search(body):
        return []
    text = plain_text(body)
    for found in _LISTED_HERE.finditer(text):
        row = _IN_A_ROW.split(unmarked(found["rest"]).strip(" .")) if found["rest"].strip() else []
        below = text[found.end() :].strip().split("\n\n")[0]
        names = row or _items(below)
        alternative = found["what"].casefold() == "alternatives"
        options = [one for each in names for one in _option(each, False, alternative)]
        if len(options) > 1 and all(len(each.name.split()) <= _LONGEST_LISTED for each in options):
            return options
    return []


@dataclass(frozen=True, slots=True)
class Introduced:
    """The items of a list that a sentence introduces as options."""

    options: tuple[Option, ...] = ()
    tried: bool = False
    """Whether somebody looked at them all, and then took something."""
    in_decision: bool = False


def introduced(body: str, found: Sequence[Part]) -> Introduced:
    """The first list of options that has no heading of its own; consequences list none."""
    for part in found:
        if part.role in ("options", "rejected", "aside", "consequences"):
            continue
        text = body[part.body_start : part.own_end]
        if not _OF_OPTIONS.search(text):
            continue  # as of nearly every part
        lines = plain_text(text).split("\n")
        for at in _list_starts(lines):
            intro = _introduction(lines, at)
            if not _OF_OPTIONS.search(intro) or not _WEIGHED.search(intro):
                continue
            paragraphs = _BLANK.split("\n".join(lines[at:]))
            items = _items("\n".join(_while_listed(paragraphs)))
            options = tuple(one for item in items for one in _option(item, False, False))
            if len(options) > 1:
                tried = _TRIED.search(intro) is not None
                return Introduced(options, tried, part.role == "decision")
    return Introduced()


def _list_starts(lines: Sequence[str]) -> Iterator[int]:
    """The lines that are the first of a list, or of one below an item that heads it."""
    last = -1
    for at, line in enumerate(lines):
        if not _ITEM.match(line):
            last = last if not line.strip() or line.startswith((" ", "\t")) else -1
            continue
        if _depth(line) > last:
            yield at
        last = _depth(line)


def _introduction(lines: Sequence[str], at: int) -> str:
    """The last sentence before a list."""
    before = at - 1
    while before >= 0 and not lines[before].strip():
        before -= 1
    told: list[str] = []
    while before >= 0 and lines[before].strip() and len(told) < _MOST_LINES:
        told.insert(0, lines[before].strip()[-_LONGEST_LINE:])
        if _ITEM.match(lines[before]):
            break
        before -= 1
    return _ENDED.split(" ".join(told))[-1]


def _while_listed(paragraphs: Sequence[str]) -> Iterator[str]:
    """The paragraphs of a list: items as far in as the first one, and what stands below them."""
    first = _depth(paragraphs[0])
    for each in paragraphs:
        depth = _depth(each)
        if depth < first or (depth == first and not _ITEM.match(each)):
            return
        yield each


def _depth(text: str) -> int:
    """How far in a text begins."""
    return len(text) - len(text.lstrip(" \t"))


def siblings(body: str, found: Sequence[Part], chosen: Sequence[str]) -> list[Option]:
    """The things that stand in one list with the chosen one, outside of a list of options."""
    wanted = [phrase(name).core for name in chosen if phrase(name)]
    for part in found if wanted else ():
        if part.role in ("options", "rejected", "aside", "consequences"):
            continue
        listed = _items(body[part.body_start : part.own_end])
        if not 2 <= len(listed) <= _MOST_SIBLINGS:
            continue
        items = [option_name(plain_text(each))[0] for each in listed]
        names = [phrase(each) for each in items]
        if any(len(each.core) > _SHORT for each in names):
            continue
        hit = [any(core and core == each.core for core in wanted) for each in names]
        if sum(hit) == 1:
            return [
                Option(name, chosen=taken)
                for name, taken, words in zip(items, hit, names, strict=True)
                if words
            ]
    return []


def _same(options: Sequence[Option], earlier: int, option: Option) -> int | None:
    """Which of the options is the same once more: described again in a later part, say."""
    own = phrase(option.name)
    for at, known in enumerate(options):
        if phrase(known.name) == own:
            return at
    scores = [evenly_alike(phrase(known.name), own) for known in options[:earlier]]
    best = max(scores, default=0.0)
    return scores.index(best) if best >= _SAME else None


def evenly_alike(one: Phrase, two: Phrase) -> float:
    """How alike two phrases are, each word counting the same."""
    return mean(share(one.core, two, _evenly), share(two.core, one, _evenly))


def _evenly(_: str) -> float:
    return 1.0


def mean(one: float, two: float) -> float:
    """The harmonic mean: high only where both are."""
    return 2 * one * two / (one + two) if one + two else 0.0


def _options_in(body: str, part: Part, inside: Sequence[Part]) -> Iterator[Option]:
    alternative = (
        "alternative" in part.title.casefold() and "considered alt" not in part.title.casefold()
    )
    rejected = part.role == "rejected"
    own = plain_text(body[part.body_start : part.own_end])
    bold = [each[0] for each in _BOLD.finditer(own)]
    for number, text in enumerate(bold or _items(own), 1):
        yield from _option(text, rejected, alternative, str(number))
    outer = min((each.level for each in inside), default=0)
    for each in inside:
        own_role = each.role in ("other", "decision", "options", "context")
        labelled = each.level == outer + 1 and _LABEL.match(unmarked(each.title))
        if (each.level == outer and own_role) or labelled:
            yield from _option(each.title, rejected, alternative)


def _option(text: str, rejected: bool, alternative: bool, place: str = "") -> Iterator[Option]:
    text = plain_text(text)
    if (
        _NOT_AN_OPTION.match(unmarked(text))
        or _SIGNED.match(text)
        or text.rstrip(" *_").endswith("?")
    ):
        return
    name, label = option_name(_MARKED.sub("", text))
    if not phrase(name) or len(name) > _LONGEST or _NOT_AN_OPTION.match(name):
        return
    chosen = (
        False if rejected or _TURNED_DOWN.search(text) else True if _TAKEN.search(text) else None
    )
    yield Option(name, label or place, chosen, alternative)


def _items(text: str) -> list[str]:
    """The items of the outermost list of a text; of an item that only heads others, those."""
    items = list(_ITEM.finditer(text))
    if not items:
        return []
    depths = [len(each["indent"].expandtabs(4)) for each in items]
    least = min(depths)
    found: list[str] = []
    heads = False
    for at, each in enumerate(items):
        if depths[at] <= least + 1:
            inner = at + 1 < len(items) and depths[at + 1] > least + 1
            heads = inner and _is_head(each["text"])
            if heads:
                continue
        elif not heads or (depths[at] > depths[at - 1] and not _is_head(items[at - 1]["text"])):
            continue
        found.append(each["text"])
    return found


def _is_head(text: str) -> bool:
    """Whether an item only heads those below it: "Search provider:"."""
    return unmarked(text).rstrip().endswith(":")


def chosen_names(body: str, found: Sequence[Part]) -> list[str]:
    """What the record says outright that it chose, in its words."""
    names: list[str] = []
    for part in found:
        heading = _CHOSEN_HEADING.match(unmarked(plain_text(part.title)))
        if heading:
            names.append(option_name(heading["rest"])[0])
    for part, inside in with_role(list(found), "decision"):
        labelled = [each.title for each in inside if _is_labelled(each.title)]
        if len(labelled) == 1:  # "### Option 2: …", the one that is told of
            lettered = _LETTERED.match(unmarked(labelled[0]))  # there the letter tells it
            names.append(unmarked(labelled[0]) if lettered else option_name(labelled[0])[0])
        text = plain_text(body[part.body_start : _before_consequences(part, inside)])
        for each in _CHOSEN.finditer(text):
            if "reason" not in each["what"].casefold():
                names.extend(_named(each["rest"], text[each.end() :]))
    return [name for name in dict.fromkeys(names) if not PLACEHOLDER.search(name)]


def _is_labelled(title: str) -> bool:
    """Whether a heading has the label of an option: "Option 2: …", "B) …"."""
    plain = unmarked(title)
    return bool(_LABEL.match(plain) or _LETTERED.match(plain))


def _before_consequences(part: Part, inside: Sequence[Part]) -> int:
    return next((each.body_start for each in inside if each.role == "consequences"), part.end)


def _named(rest: str, below: str) -> Iterator[str]:
    rest = unmarked(rest).strip()
    if rest:
        quoted = _QUOTED.match(rest)
        if quoted:
            yield quoted["name"] or quoted["single"]
            return
        cut = BECAUSE.search(rest, 2)
        yield option_name(rest[: cut.start()] if cut else rest)[0]
        return
    for text in _items(below.split("\n\n")[0] or below[:_LONGEST_LIST].strip().split("\n\n")[0]):
        quoted = _QUOTED_LAST.search(unmarked(text))  # - for what: "the option"
        if quoted:
            yield quoted["name"]
            continue
        cut = BECAUSE.search(text, 2)
        yield option_name(text[: cut.start()] if cut else text)[0]
