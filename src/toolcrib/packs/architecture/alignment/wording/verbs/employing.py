"""The ways in which a clause puts a thing to work, without a word of choice.

"Let X do it", "X could do it", "do it in X", "on an X box", "hook up X". A thing that is only
spoken of, or that something is repaired in, is not put to work.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolcrib.packs.architecture.alignment.wording.clauses import FRAME
from toolcrib.packs.architecture.alignment.wording.verbs.forms import every_form
from toolcrib.packs.architecture.alignment.wording.verbs.lexicon import KNOWN, SERVING
from toolcrib.packs.architecture.alignment.wording.verbs.making import made_with
from toolcrib.packs.architecture.alignment.wording.verbs.valence import ENDING
from toolcrib.search.stem import stem


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What may stand between a preposition and the name.
_BEFORE = _words(
    """a an the our my your its their own another some one two several new local hosted managed
    self-hosted small little separate dedicated shared central plain simple single proper real
    amazon aws google azure microsoft apache cloud"""
)
# Of these a thing is the owner or the maker: on an "X box" runs X.
_HOSTS = _words(
    """account accounts action actions add-on addon addons agent agents api apis app application
    backend board boards bot box boxes broker bucket buckets build builds changelog channel
    channels chart charts class classes client cloud cluster clusters code component components
    config configuration container containers control dashboard dashboards database db diagram
    diagrams document documents driver editor engine environment extension file files flag flags
    form format forms function functions gem hook hooks image images instance instances
    integration job jobs library licence license machine machines model models module modules
    node nodes notation page pages panel pipeline pipelines plugin plugins pod pods pool project
    projects provider queue queues registry repository rule rules runner runners runtime schema
    script scripts server servers service services setup site stack stacks step steps storage
    store stream streams style syntax system table tables task tasks template templates test
    tests toggle toggles tool topic topics volume volumes worker workers workflow workflows
    workspace"""
)
_ENDS = _words(
    """for as to in on and or so into with where when instead next at over behind from of everywhere
    like until while which that because if rather too also again directly via through by using but
    unless once only alone now today tomorrow here there per before after then plus without under
    inside within"""
)
_MODAL = _words("can could will would should shall must may might")
_ADVERBS = _words("also then just simply now always again even already both each")
_LETS = _words("let have make")
# Behind these a thing is the means, whatever the verb is.
_MEANS = _words("with through via using in into inside within by as atop onto following")
# Behind these a word may stand before the name: "with inline X".
_PLAINLY = _words("with through via using as")
# Behind these only where something is done there, or goes there.
_PLACES = _words("on from to at over under")
_GOES = frozenset(
    every_form(
        """archive back base broadcast build collect commit convert copy deliver deploy develop
        dispatch do draw dump emit execute export file forward gather generate get hand hold host
        install keep launch load log mail manage migrate mirror move offload outsource pass persist
        pipe place plan port post preserve print provision publish push put queue record release
        render replicate report rewrite roll route run save schedule send serve set ship start store
        stream submit switch sync take test track train transfer upload write authenticate log
        register resolve sign subscribe"""
    )
)
# What comes from a thing is made there, and not only fetched.
_COMES = frozenset(
    every_form(
        """call check deploy drive execute generate get host install launch manage provision publish
        release render run send serve ship start test trigger"""
    )
)
# Behind other words only these are verbs for certain: "the posts are kept on X".
_SURELY = _words(
    """get gets go goes lives runs sits sent kept held built put drawn written done taken run sits
    serve serves"""
)
# "Keep an eye on X"
_SAYINGS = frozenset(every_form("back do get hand hold keep pass put set take"))
# In what is there already something is only put right.
_REPAIRS = frozenset(
    every_form(
        """adjust bump change check clean correct debug delete describe discuss document enlarge
        examine explain fix find improve increase inspect investigate limit lower merge patch pin
        protect raise reduce remove rename repair replace reset restart restrict review rotate
        shrink tag tidy tune turn update upgrade"""
    )
)
# Where something is only named.
_LISTS = (
    "agenda|list|backlog|docs|documentation|glossary|readme|roadmap|footer|minutes|survey|slides"
)
_SET_UP = re.compile(
    r"^\W*(?:set up|pull in|bring in|bring up|roll out|spin up|stand up|fire up|hook up|hook in"
    r"|sign up (?:for|with|to)|install|embed|include|bundle|mount|introduce|import|deploy|adopt"
    r"|integrate|plug in|wire in|wire up|enable|configure|provision|subscribe to|buy|get|book|rent"
    r"|order|licen[cs]e|lease|purchase|hire"
    r"|pilot|trial|try|try out|switch on|turn on|add|pull|wheel in|go for|go with|reach for|host"
    r"|launch|run"
    r"|practi[sc]e|follow|employ|prefer|embrace|standardi[sz]e on"
    r"|(?:wire|hook|plug|drop|bake|build)(?=\s[^,;]{1,40}\s(?:into|in)\b)"
    r"|put(?=\s[^,;]{1,40}\s(?:in front|before|between|behind|into|in place|on top)\b))\s+"
    r"(?:(?:an?|the|our|some|own|another|amazon|aws|google|azure|apache)\s+){0,2}"
    rf"(?P<thing>[^\s,;]+)(?: v?\d[\d.]{{0,8}}| (?:{'|'.join(sorted(_HOSTS))})\b)?"
    r"(?=\W*$|[,;]|\s+(?:for|as|to|in|on|and|so"
    r"|into|with|where|when|instead|next|at|over|behind|via|from|everywhere)\b)"
    rf"(?!\s+(?:to|into|in|on) (?:the|our|an?)(?: \w+)? (?:{_LISTS})s?\b)",
    re.I,
)
# These only point to a thing: "put a link to X into the footer".
_POINTERS = frozenset(
    form
    for each in _words(
        """link access call reference connection visit letter question change fix patch answer
        request"""
    )
    for form in (each, f"{each}s", f"{each}es")
)
# Behind these a thing is what something is compared with, is about, or belongs to.
_OF_OTHERS = _words(
    """from than like unlike about of for between versus vs beside besides except against behind
    after"""
)
_FORMER = _words("old former previous existing current legacy abandoned earlier retired")
# These people and papers go with a thing; nobody takes it by them.
_PEOPLE_OF = _words(
    """account accounts bill bills consultant consultants contract developer developers docs
    documentation engineer engineers expert experts folks history invoice invoices licence license
    logo maintainer maintainers page pages people team teams user users vendor vendors outage
    outages bug bugs issue issues"""
)
# What follows is told of something else: "for the partner, who runs on X".
_ASIDE = re.compile(
    r"(?<=\w)\W+(?:which|who|whose|that|because|since|when|whenever|while|if|whether|how|why|where"
    r"|after|before|until|unless)\b",
    re.I,
)
_GOES_ON = re.compile(
    r"(?<=\w)\s(?:is|are|gets?|will|should|must|shall)\s(?=\w+(?:ed|en|t)? \w)", re.I
)
_TOKEN = re.compile(r"[^\s,;:()]+|[,;:()]")
_DASHED = re.compile(r"\s[–—-]\s+(?P<thing>[^\s,;]+)\W*$")
_LISTING = frozenset((",", "and", "or", "&"))
_FEWEST = 2
_LETTING = re.compile(r"^\W*(?:please\s+)?(?:let|have|could|can|might)\s", re.I)
_OBJECTS = _words("the our a an all every each old any its their")
_OURS = _words("our the")
# Of these most sayings are made: "X can take a hike".
_LIGHT = _words("be take go get come do have make give see meet need die rest stay wait know")


class _Named(NamedTuple):
    """Where a thing is named in a clause, from `start` to `end`."""

    words: Sequence[str]
    start: int
    end: int

    @property
    def link(self) -> int:
        """The place of the word that leads to it, behind which only small words stand; or -1."""
        at = self.start - 1
        while at >= 0 and self.words[at] in _BEFORE:
            at -= 1
        return at

    @property
    def after(self) -> str:
        """The word behind it."""
        return self.words[self.end] if self.end < len(self.words) else ""


def sets_up(text: str, words: Collection[str]) -> bool:
    """Whether a clause begins with setting a thing up: "set up X for the new site"."""
    found = _SET_UP.match(FRAME.sub("", text))
    return found is not None and found["thing"].strip(".:()").casefold() in words


@lru_cache(2_000)
def employs(text: str, words: frozenset[str]) -> bool:
    """Whether a clause puts the thing of such words, in small letters, to work."""
    text = _main(text)
    bare = FRAME.sub("", text)
    if sets_up(text, words):
        return True
    dashed = _DASHED.search(bare)  # "a service for the mail - X"
    if dashed is not None and dashed["thing"].strip(".").casefold() in words:
        return True
    able = _LETTING.match(text) is not None
    return any(
        _is_at_work(each, able) or _is_means(each) or _is_to_be(each)
        for each in _places(_tokens(text), words)
    )


def _main(text: str) -> str:
    """A clause without what is told of something else in it, from there on or in its midst."""
    aside = _ASIDE.search(text)
    if aside is not None and len(text[: aside.start()].split()) == 1:
        aside = _ASIDE.search(text, aside.end())  # "move that pipeline to X"
    if aside is None:
        return text
    verbs = [each for each in _GOES_ON.finditer(text, aside.end()) if each.start() > aside.end()]
    # "The tests that click through the pages are written with X": there it goes on.
    return text[: aside.start()] + (text[verbs[-1].start() :] if verbs else "")


def merely_named(text: str, words: frozenset[str]) -> bool:
    """Whether a clause only speaks of the thing of such words, and nothing is done by it.

    It is compared, left, owned by somebody, a part of something else, or what is put right.
    """
    return all(map(_is_spoken_of, _places(_tokens(_main(text)), words)))


def _is_spoken_of(named: _Named) -> bool:
    words, start, _ = named
    link = words[named.link] if named.link >= 0 else ""
    if link in _OF_OTHERS or not _FORMER.isdisjoint(words[max(0, start - 2) : start]):
        return True
    if named.after in _PEOPLE_OF or named.after in _POINTERS:
        return True
    head = next((each for each in words if each not in _BEFORE), "")
    means = link in _PLAINLY or link in ("in", "on", "into", "to", "by")
    return head in _REPAIRS and not means


def _tokens(text: str) -> list[str]:
    """The words of a clause in small letters, without what only leads to it."""
    bare = FRAME.sub("", text)
    tokens = [
        each.strip(".'\"`*[]“”’").removesuffix("'s").removesuffix("’s").casefold()
        for each in _TOKEN.findall(bare)
    ]
    return [each for each in tokens if each]


def _places(tokens: Sequence[str], words: Collection[str]) -> list[_Named]:
    """Where the thing is named: each run of its words."""
    found: list[_Named] = []
    for at, token in enumerate(tokens):
        # "X.create" is a part of X.
        if token not in words and token.partition(".")[0] not in words:
            continue
        start = found.pop().start if found and found[-1].end == at else at
        found.append(_Named(tokens, start, at + 1))
    return found


def _is_at_work(named: _Named, able: bool) -> bool:
    """Whether a thing does something: "let X scan the images", "X could trim the log"."""
    words, start, end = named
    before = [each for each in words[:start] if each not in _BEFORE]
    if before and (len(before) > 1 or before[0] not in _LETS):
        return False
    rest = list(words[end:])
    while rest and rest[0] in _MODAL | _ADVERBS:
        able = able or rest[0] in _MODAL
        rest.pop(0)
    if len(rest) < _FEWEST or rest[0] in _LIGHT or rest[0] in _ENDS:
        return False
    if rest[0] in ENDING and rest[1] not in _OBJECTS:
        return False  # but "X could trim the log"
    if able or before or rest[0] in SERVING:
        return True
    if rest[0] == "is" and rest[1] in _OURS:
        return True  # "X is our cache"
    return rest[0].endswith("s") and rest[1] in _OBJECTS and stem(rest[0]) in KNOWN


def _is_to_be(named: _Named) -> bool:
    """Whether something is told to be a thing: "the events should be X"."""
    words, at = named.words, named.link
    is_told = at > 1 and words[at] in ("be", "become") and words[at - 1] in _MODAL
    return is_told and _is_closed(words, named.end)


def _is_means(named: _Named) -> bool:
    """Whether something is done with, in or on a thing, or goes there."""
    words, end = named.words, named.end
    listed = _Named(words, _first_of_list(words, named.start), end)
    if made_with(words, listed.start, end):
        return True
    at = listed.link
    if at > 0 and words[at - 1] in _PLAINLY:
        at -= 1
    if at < 0 or not _is_closed(words, end):
        return False
    link, head = words[at], words[0]
    if link == "behind":
        return at < listed.start - 1 and named.after in _HOSTS  # "behind an X flag"
    if link in _PLACES:
        return _is_done(words[:at], link)
    return link in _MEANS and (head not in _REPAIRS or link in ("with", "through", "via", "using"))


def _is_done(before: Sequence[str], link: str) -> bool:
    """Whether the words before a place say that something is done there, or goes there."""
    if not before:
        return False  # "on X, …"
    if link == "from":
        return not _COMES.isdisjoint(before)
    if link == "to" and before[-1] in _POINTERS:
        return False
    if before[0] in _GOES:
        return link in ("at", "under") or before[0] not in _SAYINGS
    return any(each in _SURELY or (each in _GOES and each.endswith("ed")) for each in before[1:])


def _first_of_list(tokens: Sequence[str], start: int) -> int:
    """Where a list begins of which a thing is an item: "to A, B and X"."""
    while start > 1 and tokens[start - 1] in _LISTING:
        start -= 2
        if tokens[start] in _LISTING:  # "A, and X"
            start -= 1
    return max(start, 0)


def _is_its_noun(tokens: Sequence[str], at: int) -> bool:
    """Whether a word in the plural names what a thing has or is made with: "X macros"."""
    word = tokens[at]
    if not word.isalpha() or word in _PEOPLE_OF or stem(word) in KNOWN:
        return False
    ends = (
        tokens[at + 1 : at + 2] == [] or tokens[at + 1] in _ENDS or not tokens[at + 1][0].isalnum()
    )
    return word.endswith("s") or (ends and not word.endswith(("ed", "ing", "ly")))


def _is_closed(tokens: Sequence[str], end: int) -> bool:
    """Whether a name ends there, or only what is its own follows: "on an X box"."""
    if end < len(tokens) and (tokens[end] in _HOSTS or _is_its_noun(tokens, end)):
        end += 1
    return end >= len(tokens) or tokens[end] in _ENDS or not tokens[end][0].isalnum()
