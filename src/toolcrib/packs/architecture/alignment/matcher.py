"""Matches between the clauses of a proposal and the stances of a record.

Each rule says why the two concern the same thing; similarity of the texts is not a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from toolcrib.packs.architecture.alignment.carrying import Carrying, whole
from toolcrib.packs.architecture.alignment.corpus import Decision, Decisions
from toolcrib.packs.architecture.alignment.opposing import Opposing
from toolcrib.packs.architecture.alignment.proposal import Proposal
from toolcrib.packs.architecture.alignment.record.mentions import Mention
from toolcrib.packs.architecture.alignment.record.stances import (
    Stance,
    as_mentioned,
    is_only_choice,
)
from toolcrib.packs.architecture.alignment.rivals import LEAST, Rivals
from toolcrib.packs.architecture.alignment.signal import Signal, settled
from toolcrib.packs.architecture.alignment.things.technologies import (
    often_several,
    technologies_in,
    words_of,
)
from toolcrib.packs.architecture.alignment.wording.clauses import Clause, read_clauses
from toolcrib.packs.architecture.alignment.wording.naming import (
    begins_with,
    heads_differ,
    is_spelt_out,
    merely_said,
    named,
    said_names,
    telling_words,
)
from toolcrib.packs.architecture.alignment.wording.stating import goes_back, goes_back_to
from toolcrib.packs.architecture.alignment.wording.verbs.attitude import Attitude, core_of
from toolcrib.packs.architecture.alignment.wording.verbs.deeds import (
    attitude_to,
    spoken,
    understood,
)
from toolcrib.packs.architecture.alignment.wording.verbs.employing import employs
from toolcrib.packs.architecture.alignment.wording.words import (
    OPPOSITES,
    WHERE,
    Stems,
    other_number,
    phrase,
    share,
    stems_in,
    versions,
)

_WHOLE = 0.95
_MOSTLY = 0.6
_HALF = 0.45
# A sentence denied must be met as a whole; one that is used only as evidence never counts fully.
_DENIED, _USED = 0.75, 0.85
# What a subject alone, which states nothing, must reach to be a conflict.
_PLAINLY = 0.9
_SAME_PURPOSE = 0.34
_AT_LENGTH = 3
_FEWEST_SHARED = 2
# How telling a name must be that is mentioned in passing, as a share of one in a single record.
_RARE = 0.6
# Sums of rarities, as a share of that of an unknown word: how telling words must be that stand for
# an option cut short, for a name among other words.
_TELLING, _NAME = 0.3, 0.2
_EVERYDAY_STEM = 2.0
_FEWEST_SAID = 3


class Matcher:
    """Finds the signals between one proposal and the decisions of a library."""

    def __init__(self, proposal: Proposal, decisions: Decisions) -> None:
        self.proposal = proposal
        self._weigh = decisions.weigh
        self._rarity = decisions.rarity
        self._most = decisions.rarity("")
        self._rarest = decisions.rarest
        self._clauses = tuple(dict.fromkeys(proposal.firm_clauses))
        self._cores = {each: core_of(each) for each in self._clauses}
        self._twins = {
            each: replace(core, wanted=not each.wanted) for each, core in self._cores.items()
        }
        both = dict.fromkeys((*self._clauses, *self._cores.values(), *self._twins.values()))
        self._names_said = [
            (named(sentence), clauses[0])
            for sentence in proposal.spoken
            if (clauses := read_clauses(sentence))
        ]
        self._all_words = frozenset(stem for clause in self._clauses for stem in clause.words.core)
        self._versions = {clause: versions(clause.words) for clause in both}
        self._opposites = {
            clause: [
                (stem, opposite)
                for stem in clause.words.core
                for opposite in OPPOSITES.get(stem, ())
                if opposite not in clause.words.all
            ]
            for clause in both
        }
        self._opposing = Opposing(decisions, self._opposites)
        self._things = {clause: technologies_in(clause.text) for clause in both}
        self._rivals = Rivals(decisions, self._things)
        self._new_names = {clause: clause.names_taken() for clause in self._clauses}
        done_by = ((clause, clause.done_by_names()) for clause in self._clauses)
        self._done_by = {clause: names for clause, names in done_by if names}
        self._spoken = {clause: spoken(clause.text, clause.wanted) for clause in self._clauses}
        self._carrying = Carrying(decisions, self._spoken, self._things)
        self._attitudes: dict[tuple[Clause, Stems, Stems], Attitude] = {}

    def signals(self, decision: Decision) -> list[Signal]:
        """All signals that count, for and against."""
        found: list[Signal] = []
        whole_record = self.proposal.position is not None
        for clause in self._clauses:
            if self.proposal.states:
                found.extend(self._rivalled(clause, decision))
            opposed = list(self._opposing.signals(clause, decision, whole_record))
            found.extend(opposed or self._carried(clause, decision))
            for stance, strength in () if opposed else self._met(clause, decision):
                agrees = clause.wanted == stance.wanted
                plainly = stance.kind != "said" and strength >= _PLAINLY
                if agrees or self.proposal.states or plainly:
                    found.append(Signal(strength, agrees, clause, stance, stance.kind))
        cases = decision.position.cases_of
        found = settled([*self._understood(found, decision), *self._turned(decision)], cases)
        return found or settled([*self._mentioned(decision), *self._returned(decision)], cases)

    def _returned(self, decision: Decision) -> Iterator[Signal]:
        """What a clause goes back to that the record tells of, and decided otherwise."""
        for clause in self._clauses if self.proposal.position is None else ():
            goal = goes_back_to(clause.text) if clause.wanted else ""
            for name, sentence in decision.position.former(goal) if goal else ():
                if self._rarity_of_name(name) >= _RARE * self._rarest:
                    stance = as_mentioned(Mention(name, wanted=False, sentence=sentence))
                    yield Signal(LEAST, False, clause, stance, "used")

    def _mentioned(self, decision: Decision) -> Iterator[Signal]:
        """The telling names of a clause that the record uses, or turned down, in passing."""
        if not self.proposal.states or self.proposal.position is not None:
            return
        for clause in self._clauses:
            if not clause.wanted:
                continue
            named = clause.taken
            if named is None:  # as the record writes them: `x.y` is one name
                named = clause.words.raw | decision.position.names.within(clause.text)
            for mention in decision.position.mentions.among(named):
                if self._rarity_of_name(mention.name) < _RARE * self._rarest:
                    continue
                hit = whole(frozenset((mention.name,)), clause.text)
                if not hit or (merely_said(hit, clause.text) and not clause.takes(hit)):
                    continue
                stance = as_mentioned(mention)
                if self._attitude(clause, stance) in ("parts", "open"):
                    continue
                if mention.wanted and self._is_done_otherwise(clause, decision):
                    continue
                if mention.left and clause.takes({mention.name}):
                    least = 1  # what a project leaves it leaves for all that it does with it
                else:
                    least = 0 if mention.wanted else _FEWEST_SHARED
                if self._is_same_matter(clause, stance, decision, least):
                    yield Signal(LEAST, mention.wanted, clause, stance, "used")

    def _is_same_matter(
        self, clause: Clause, stance: Stance, decision: Decision, least: int
    ) -> bool:
        """Whether a clause speaks, beside a thing, of what the record speaks of.

        Of more than one word that is shared, it must be a good part of what is said.
        """
        rest = clause.words.core - stance.focus.all
        if least > 1 and share(rest, decision.vocabulary, self._weigh) < _SAME_PURPOSE:
            return False
        return len(rest & decision.counts.keys()) >= least

    def _rivalled(self, clause: Clause, decision: Decision) -> Iterator[Signal]:
        """Another thing than what the record chose, for the same purpose."""
        known = self._rivals.known(clause, decision, self._all_words)
        new = self._rivals.unknown(clause, decision, self._new_names[clause])
        for strength, stance, taken in (*known, *new):
            yield Signal(strength, False, clause, stance, "rival", taken)

    def _carried(self, clause: Clause, decision: Decision) -> Iterator[Signal]:
        """What the record tells everybody to do, done without a word of choice."""
        if not self.proposal.states or self.proposal.position is not None:
            return
        if self._is_done_otherwise(clause, decision):
            return
        for strength, stance in self._carrying.met(clause, decision):
            yield Signal(strength, clause.wanted, clause, stance, "used")

    def _turned(self, decision: Decision) -> Iterator[Signal]:
        """The signals of clauses that part from a thing, or take it, by a saying or its verb."""
        for clause in self._clauses if self.proposal.position is None else ():
            said = self._spoken[clause].all
            done = {
                self._attitude(clause, stance)
                for stance in decision.position.choices
                if not said.isdisjoint(stance.focus.all)
            }
            for doing, other in (("parts", self._twins[clause]), ("takes", self._cores[clause])):
                met = self._met(other, decision) if doing in done else ()
                for stance, strength in met:
                    if self._attitude(clause, stance) != doing:
                        continue
                    agrees = other.wanted == stance.wanted
                    if agrees or self.proposal.states or strength >= _PLAINLY:
                        yield Signal(strength, agrees, other, stance, stance.kind)

    def _is_done_otherwise(self, clause: Clause, decision: Decision) -> bool:
        """Whether a clause does its work by a thing of which the record's decision says nothing.

        It carries no decision out then, however many of the record's words it has.
        """
        names = self._done_by.get(clause) if self._done_by else None
        return names is not None and not names.keys() <= decision.position.own_raw

    def _attitude(self, clause: Clause, stance: Stance) -> Attitude:
        """What a clause does to the thing of a stance, beside what negates in it."""
        return self._doing(clause, stance.focus.all, stance.words.all)

    def _doing(self, clause: Clause, thing: Stems, own: Stems) -> Attitude:
        """What a clause does to a thing; of most stances it has the same few words."""
        said = self._spoken[clause]
        key = (clause, thing & said.all, own & said.all)
        if key not in self._attitudes:
            self._attitudes[key] = attitude_to(said, key[1], key[2])
        return self._attitudes[key]

    def _understood(self, found: Sequence[Signal], decision: Decision) -> list[Signal]:
        """The signals by words that are known; a rival that is spoken of somehow leaves a doubt."""
        known = [each for each in found if self._is_understood(each, decision)]
        doubtful = {each.clause for each in found if each.rule == "rival" and each not in known}
        return [each for each in known if not (each.agrees and each.clause in doubtful)]

    def _is_understood(self, signal: Signal, decision: Decision) -> bool:
        """Whether the clause says what is to be done with the thing in words that are known."""
        clause, stance = signal.clause, signal.stance
        thing = stance.focus.all
        if signal.rule == "rival":
            others = signal.taken or (*self._things[clause], *self._new_names[clause])
            thing = phrase(" ".join(others)).all
            doing = self._doing(clause, thing, thing)
            if doing == "plain" and (clause.names_only or signal.taken):
                return True  # "replace the policies by X rules", "let X run the tests"
        else:
            doing = self._attitude(clause, stance)
        if doing in ("parts", "open"):
            return False
        by_name = signal.rule != "rejected" and signal.strength < _PLAINLY
        if signal.agrees and clause.wanted and by_name and goes_back(clause.text):
            return False  # who goes back to something does not stay with what is in force
        otherwise = signal.rule == "said" and not signal.agrees and clause.wanted
        if doing == "takes" or otherwise or self._tells_of_work(signal, thing, decision):
            return True
        long = len(self._all_words - thing) >= _AT_LENGTH  # shorter ones may be sayings
        if long and doing == "plain" and any(employs(clause.text, each) for each in stance.groups):
            return True
        return understood(self._spoken[clause], thing, decision.position.own_stems)

    def _tells_of_work(self, signal: Signal, thing: Stems, decision: Decision) -> bool:
        """Whether a proposal says so much beside a thing that it is no saying about it.

        "X has had its day" is short, and none of its words is one of the record's. Who tells at
        length of the record's matters and of the thing works with it, whatever the verb is. To
        oppose the record, it takes more of them: harmless work names what was rejected, too.
        """
        rest = self._all_words - thing
        shared = len(rest & decision.counts.keys())
        return len(rest) >= _AT_LENGTH and shared >= (1 if signal.agrees else _FEWEST_SHARED)

    def outright(self, decision: Decision) -> Signal | None:
        """The option that a short proposal names word for word; none where two disagree."""
        found: list[tuple[int, Signal]] = []
        for said, clause in self._names_said:
            for own, stance in decision.position.named_options:
                count = said.means(own)
                if count and self._fits_rest(said.rest(count), decision):
                    # The stance is wanted where the option says yes to its thing and was chosen.
                    agrees = (said.wanted == own.wanted) == (stance.kind == "chosen")
                    found.append((count, Signal(1.0, agrees, clause, stance, stance.kind)))
        longest = max((count for count, _ in found), default=0)
        best = [signal for count, signal in found if count == longest]
        return best[0] if len({each.agrees for each in best}) == 1 else None

    def _fits_rest(self, rest: str, decision: Decision) -> bool:
        """Whether what follows a name, as a rule its purpose, is what the record speaks of."""
        words = phrase(rest).core
        return not words or share(words, decision.vocabulary, self._weigh) >= _SAME_PURPOSE

    def _met(self, clause: Clause, decision: Decision) -> Iterator[tuple[Stance, float]]:
        """What the record stands for that a clause speaks of, and how surely it does."""
        fits = self._fits(clause, decision)
        met: list[tuple[Stance, float]] = []
        for stance in decision.position.choices:
            if self._has_opposite(clause, stance):
                continue
            strength = self._option(clause, stance, decision)
            if stance.kind == "used":
                strength = min(strength, _USED)
            if not fits and not (clause.wanted and stance.wanted):
                strength /= 2  # for another purpose one may decide otherwise
            if strength >= LEAST:
                met.append((stance, strength))
        yield from (each for each in met if not self._outdone(clause, each[0], decision))
        if self._is_done_otherwise(clause, decision):
            return
        for stance in decision.position.saying(clause.words, 1 / _FEWEST_SAID):
            strength = self._said(clause, stance)
            if strength >= LEAST and not self._says_opposite(clause, stance):
                yield stance, strength

    def _outdone(self, clause: Clause, stance: Stance, decision: Decision) -> bool:
        """Whether a clause says all that it says of one thing, and more, of one on the other side.

        Who says "React Loadable" does not mean "React Lazy". A title that shares no word with the
        options says what they are for: "Persist Dex" is not met by "Dex, in memory".
        """
        said = stance.focus.core & clause.words.all
        options = [
            each for each in decision.position.choices if each.kind in ("chosen", "rejected")
        ]
        for other in options:
            if other.wanted == stance.wanted:
                continue
            theirs = other.focus.core & clause.words.all
            more = theirs - said
            if sum(map(self._rarity, more)) < _TELLING * self._most:
                continue
            if said <= other.focus.all:
                return True
            if stance.kind == "title" and not any(said & each.focus.all for each in options):
                return True
        return False

    def _has_opposite(self, clause: Clause, stance: Stance) -> bool:
        """Whether a clause has the opposite of a word by which the record says its choice."""
        return any(
            opposite in stance.focus.core and stem not in stance.words.all
            for stem, opposite in self._opposites[clause]
        )

    def _says_opposite(self, clause: Clause, stance: Stance) -> bool:
        """Whether a clause says a sentence of the decision again, but for a word that denies it."""
        return clause.wanted == stance.wanted and any(
            opposite in stance.words.core and stem not in stance.words.all
            for stem, opposite in self._opposites[clause]
        )

    def _fits(self, clause: Clause, decision: Decision) -> bool:
        """Whether a choice is made for a purpose that the record speaks of."""
        if not clause.chooses or not clause.purpose:
            return True
        return share(clause.purpose.core, decision.vocabulary, self._weigh) >= _SAME_PURPOSE

    def _option(self, clause: Clause, stance: Stance, decision: Decision) -> float:
        """An option is meant by its own words, or by those that tell it from the others."""
        ours, theirs = clause.focus, stance.focus
        if self._other_version(clause, stance):
            return 0.0
        named = self._named(clause, stance, decision)
        if ours.all.isdisjoint(theirs.all):
            return named
        hits = [stem for stem in stance.apart or theirs.core if stem in ours.all]
        back = share(ours.core, stance.words, self._weigh)
        forth = share(theirs.core, clause.words, self._weigh)
        if back >= _WHOLE:  # nothing else is said: the option, whole or cut short
            if forth >= _MOSTLY and (hits or forth == 1):
                exact = min(forth, share(clause.words.core, stance.words, self._weigh))
                return 0.7 + 0.2 * forth + 0.1 * exact
            telling = sum(map(self._rarity, hits)) >= _TELLING * self._most
            return max(named, LEAST + 0.3 * forth if telling else 0.0)
        if not hits or not forth or clause.taken is not None:
            return named
        if not stance.apart:  # of words that stand on both sides nobody can tell which is meant
            alone = clause.wanted and is_only_choice(stance, decision.position.choices)
            if alone and self._singled_out(clause, stance, decision):
                named = max(named, LEAST)
            return named
        if is_spelt_out(stance.text, clause.text):
            named = max(named, LEAST + 0.1 * forth)
        if self._singled_out(clause, stance, decision):
            named = max(named, LEAST + 0.1 * forth + 0.1 * back)
        return max(named, 0.9 * 2 * forth * back / (forth + back))

    def _singled_out(self, clause: Clause, stance: Stance, decision: Decision) -> bool:
        """Whether a longer clause has all the words that tell one option from the others.

        They must be telling, and the others such as the record uses: "the needs are fetched by a
        data loader" takes "data loaders", and so does nothing that only speaks of data.
        """
        own = stance.apart or stance.focus.core
        own = own - WHERE or own  # "beside the file" is "alongside the file"
        if stance.kind == "used" or not own <= clause.focus.all:
            return False
        if sum(map(self._rarity, own)) < _TELLING * self._most:
            return False
        rest = clause.words.core - own
        whole = stance.kind == "title" and len(own) >= _FEWEST_SHARED
        least = _SAME_PURPOSE if whole or (clause.wanted and stance.wanted) else _MOSTLY
        return share(rest, decision.vocabulary, self._weigh) >= least

    def _other_version(self, clause: Clause, stance: Stance) -> bool:
        """Whether the two speak of versions, and of none in common."""
        ours = self._versions[clause]
        theirs = versions(phrase(stance.text)) if ours else frozenset()
        return bool(theirs) and ours.isdisjoint(theirs)

    def _named(self, clause: Clause, stance: Stance, decision: Decision) -> float:
        """A name is enough, also among other words."""
        ours = clause.focus if clause.chooses else clause.words
        named = ours.raw if clause.taken is None else clause.taken
        if clause.wanted and stance.wanted:  # "keep the receipts as documents in X"
            named |= self._new_names.get(clause, frozenset())
        hits = said_names(stance.names, named)
        things = stance.things & self._things_in(clause, named)
        if not things and (not hits or self._is_merely_said(hits, clause, stance)):
            return 0.0
        found = sum(map(self._rarity_of_name, hits))
        titled = stance.kind == "title" and clause.takes(hits)  # "from X to Y" is about X, too
        opposed = clause.wanted != stance.wanted
        if opposed and not (things or titled) and found < _NAME * self._most:
            return 0.0
        if self._is_everywhere(hits, clause, stance):
            return 0.0
        removed = not stance.wanted and stance.kind != "rejected"
        other = heads_differ(hits, clause.text, stance.text, removed)
        if (removed or not things) and other and not (removed and employs(clause.text, hits)):
            return 0.0  # an "X user" is no "X role"
        told = 1.0 if things else max(self._told(hits, each) for each in stance.groups)
        if told < (_MOSTLY if stance.kind == "rejected" else _HALF):
            return 0.0
        back = share(ours.core, stance.words, self._weigh)
        fit = share(ours.core - stance.words.all, decision.vocabulary, self._weigh)
        leads = clause.chooses and begins_with(hits, clause.text)
        if stance.wanted and not clause.wanted and back < _SAME_PURPOSE and not leads:
            return 0.0  # "the X server must not …" says no to something else
        if opposed and not (things or leads or titled) and max(back, fit) < _SAME_PURPOSE:
            forth = share(stance.focus.core, clause.words, self._weigh)
            if forth < _MOSTLY:
                return 0.0  # a part of a name among words of which the record knows nothing
        return LEAST + 0.1 * told + 0.1 * fit + 0.1 * back

    @staticmethod
    def _is_merely_said(hits: frozenset[str], clause: Clause, stance: Stance) -> bool:
        """Whether names are said only as everyday words; of an option that may be a part of it."""
        if stance.kind == "used" and not clause.takes(hits):  # as a means it is the thing
            return merely_said(hits, clause.text)
        return stance.kind == "rejected" and hits < stance.names and merely_said(hits, clause.text)

    def _is_everywhere(self, hits: frozenset[str], clause: Clause, stance: Stance) -> bool:
        """Whether a rejected option is named only by what half of the records speak of."""
        if stance.kind != "rejected" or stance.apart <= clause.words.all:
            return False
        return sum(map(self._rarity_of_name, hits)) < _NAME * self._most

    def _told(self, hits: frozenset[str], names: frozenset[str]) -> float:
        """How much of some names is said."""
        whole = sum(map(self._rarity_of_name, names))
        return sum(map(self._rarity_of_name, hits & names)) / whole if whole else 0.0

    def _things_in(self, clause: Clause, named: frozenset[str]) -> frozenset[str]:
        """The known things of a clause, of which a project has one, that some words name."""
        return frozenset(
            name
            for name, kind in self._things[clause].items()
            if not often_several(kind) and not named.isdisjoint(words_of(name))
        )

    def _rarity_of_name(self, name: str) -> float:
        """How telling a name is; the stem of one may be an everyday word."""
        stems = stems_in(name)
        rarity = max(map(self._rarity, stems), default=0.0)
        return rarity if name in stems else max(rarity, _EVERYDAY_STEM)

    def _said(self, clause: Clause, stance: Stance) -> float:
        """A sentence of the decision said again, or a part of it; denied only as a whole."""
        ours, theirs = clause.words, stance.words
        if len(stance.focus.core) < 2 and len(theirs.core) < _FEWEST_SAID:
            return 0.0
        if other_number(ours, theirs) or clause.focus.all.isdisjoint(theirs.all):
            return 0.0  # another number, or only what it is for is said there
        forth = share(theirs.core, ours, self._weigh)
        back = share(ours.core, theirs, self._weigh)
        surely = min(forth, back)
        if clause.wanted != stance.wanted:
            return surely if surely >= _DENIED and len(stance.focus.core) > 1 else 0.0
        if back >= _WHOLE and telling_words(clause.text, ours.core) >= _FEWEST_SAID:
            return max(_DENIED, min(forth, _USED))
        return surely
