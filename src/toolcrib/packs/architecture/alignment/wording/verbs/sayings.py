"""Sayings that part from a thing or take it: common idioms of the language, X for the thing.

Articles and possessives are left out, and verbs stand in their plain form; `attitude.py` brings a
clause into the same form. What is in no dictionary of idioms stays unknown, and decides nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from toolcrib.packs.architecture.alignment.wording.verbs.forms import every_form

# To end it, to leave it, to refuse it.
_PARTING = """
put brakes on X; put end to X; put stop to X; put lid on X; put kibosh on X; put X to bed
put X to rest; put X to sleep; put X out of misery; put X out to pasture; put X on ice
put X on back burner; put X on hold; put X behind us; put X to sword; put X in past
pull plug on X; pull rug from under X; pull trigger on removal of X; close door on X
close book on X; close chapter on X; shut door on X; shut down X; slam door on X
draw line under X; draw curtain on X; ring down curtain on X; turn back on X; turn page on X
turn nose up at X; wash hands of X; see back of X; see last of X; call time on X; call halt to X
call it day with X; call it day on X; call it quits with X; call it quits on X; call X off
say goodbye to X; say farewell to X; say bye to X; say adieu to X; say no to X; say so long to X
bid farewell to X; bid adieu to X; bid goodbye to X; wave goodbye to X; kiss goodbye to X
wish X well; part way with X; part company with X; cut tie with X; cut tie to X; cut cord with X
cut cord to X; cut loss on X; cut loss with X; cut loose from X; cut X loose; cut X short
cut out X; break up with X; break bond with X; break habit of X; kick X habit; kick habit of X
bury X; burn bridge to X; burn bridge with X; jump ship from X; abandon ship on X; give up on X
give X up; give X boot; give X axe; give X chop; give X miss; give X wide berth
give X cold shoulder; give X elbow; give X heave ho; give X push; give X marching order
give X notice; give notice to X; hand X notice; hand X walk paper; give X walk paper
bid X farewell; bid X goodbye; bid X adieu; wish X farewell; kiss X goodbye; wave X goodbye
hit brake on X; slam brake on X; step on brake with X; wrong with X; doubt about X
have doubt about X; spare us X; save us X; independent of X; pack up X; pack X in; pack X up
pack in X; hang X up; exit strategy for X; way out of X; trouble of X; burden of X
serve notice on X; serve X notice; show X door; show X exit; show X red card; show X way out
send X pack; send X home; send X away; take axe to X; take knife to X; take hatchet to X
take hammer to X; take leave of X; take X out of service; take X off table; take X off list
take X off menu; take X behind shed; take X behind barn; take step back from X
take distance from X; take exception to X; throw towel in on X; throw in towel on X
throw X under bus; throw X to wolf; throw out X; throw X out; let go of X; let X go; let X die
let X rest; let X expire; let X lapse; let X slip; let X fall; let X fade; lay X to rest
lay X off; lay off X; leave X behind; leave X alone; leave X for dead; leave X out
leave X out of it; leave X to other; leave X on shelf; run away from X
run out of patience with X; run from X; stay away from X; stay clear of X; stay off X
steer clear of X; steer off X; keep away from X; keep clear of X; keep off X; keep hand off X
hand off X; move on from X; move past X; move beyond X; look beyond X; look past X
look elsewhere than X; get over X; get past X; get rid of X; get shot of X; get away from X
get off X; get X out of system; get X off back; get X off book; get X off plate; have it with X
have enough of X; have fill of X; have do with X; have second thought about X
have cold foot about X; be do with X; be through with X; be over X; be sick of X; be tire of X
be weary of X; be fed up with X; feed up with X; fall out of love with X; fall out with X
lose faith in X; lose patience with X; lose interest in X; lose trust in X; lose confidence in X
lose X; go off X; go cold on X; go sour on X; go without X; do without X; do away with X
make do without X; make X go away; make X history; make X disappear; make end of X
make clean break with X; make clean break from X; make case against X; case against X
have X gone; want X gone; want X out; want X dead; see X gone; see X go; see no future in X
see no future for X; enough of X; enough with X; time up for X; time to go for X
game over for X; curtain for X; last order for X; last call for X; end of line for X
end of road for X; beginning of end for X; drive last nail into X; put last nail into X
nail in coffin of X; nail in coffin for X; good riddance to X; farewell to X; goodbye to X
adieu to X; so long to X; bye bye X; goodbye X; farewell X; adieu X; rip X; to hell with X
down with X; away with X; out with X; off with X; no thank to X; thumb down to X
thumb down for X; hard pass on X; pass on X; sleep on X; sit on X; renege on X; bail on X
bail out of X; back out of X; back off X; bow out of X; opt out of X; pull out of X
drop out of X; check out of X; sign off from X; step off X; hold off on X; hold fire on X
hold back on X; hold off with X; wait with X; think twice about X; think again about X
reach end with X; come to end with X; draw stump on X; wrong about X; life after X
life without X; world without X; future without X; rid of X; free of X; free from X; far from X
anything but X; everything but X; anybody but X; anything else than X; anything other than X
something other than X; something else than X; better than X; sooner not X; rather not X
X rather not; X never again; X no thank; X thank but no thank; X not with us; X not for us
X over my dead body; X my foot; X begone; X be go; X overboard; X out; X away; let air out of X
clip wing of X; sound death knell for X; spell end for X; spell end of X; less X better
fewer X better; plug on X be pull; plug on X get pull; plug be pull on X; shine come off X
shine have come off X; bloom be off X; gloss come off X; run X into ground; sing swan song for X
hang X out to dry; hang up X; consign X to history; consign X to past; relegate X to history
confine X to history; condemn X to history; write obituary for X; write off X; write X off
rule out X; rule X out; cross X off; strike X off; sweep X away; sweep X aside
ship has sail for X; feed X to shredder; feed X to lion; nip X in bud; starve X
pour cold water on X; drive stake through heart of X; eat X for breakfast; blow whistle on X
swear off X; wean off X
"""
# What is said of it: it is at its end, or not worth having.
_OVER = """
X has have day; X have have day; X have see better day; X have run course; X run course
X bite dust; X have outlive usefulness; X outlive usefulness; X have outstay welcome
X outstay welcome; X have overstay welcome; X overstay welcome; X have wear out welcome
X wear out welcome; X wear thin; X have wear thin; X wear us out; X get on nerve; X get in way
X be in way; X stand in way; X get better of us; X let us down; X have let us down
X let side down; X keep let us down; X be ship that have sail; X ship have sail; X can wait
X must wait; X be non starter; X be nonstarter; X be no go; X be step back; X be step backward
X be mixed blessing; X drag us down; X hold us back; X hold back; X be holding us back
X weigh us down; X slow us down; X cost us; X cost fortune; X cost arm; X cost more than
X cost too much; X cost dear; X be more trouble than; X be more trouble; X have no place
X be more pain than; X be more work than; X be not worth; X be waste of; X be on way out
X be on last leg; X be on borrowed time; X be on chop block; X be on scrapheap
X be on death row; X be on ice; X be on hold; X be past prime; X be past sell by date
X be past best; X be past save; X be past it; X be past; X be beyond repair; X be beyond save
X be beyond hope; X be over hill; X be off table; X be out of question; X be out of date
X be out of favour; X be out of favor; X be out of time; X be out of run; X be out of place
X be dead in water; X be dead end; X be dead wood; X be dead weight; X be dead horse; X be dead
X be history; X be yesterday news; X be old news; X be old hat; X be thing of past; X be relic
X be blind alley; X be bridge too far; X be lost cause; X be bad idea; X be bad news
X be bad fit; X be bad bet; X be bad apple; X be wrong horse; X be wrong tool; X be wrong choice
X be wrong call; X be wrong way; X be wrong turn; X be wrong fit; X be someone else problem
X be fun while; X be nice while; X be good while; X be last resort; X be last thing
X be third wheel; X be fifth wheel; X be pain in neck; X be thorn in side; X be weak link
X be square peg; X be sink ship; X be one trick pony; X be flash in pan; X bite off
X kick bucket; X meet end; X meet maker; X meet waterloo; X leave building; X leave stage
X leave much to be desire; X leave lot to be desire; X leave us cold; X leave us
X exit stage left; X fall by wayside; X fall short; X fall flat; X fall apart
X go out of window; X go out window; X go way of dodo; X go way of dinosaur; X go belly up
X go south; X go down drain; X go to waste; X go; X get chop; X get boot; X get axe; X get sack
X get elbow; X get red card; X get push; X get heave ho; X get bin; X draw last breath
X breathe last; X make way; X make room; X step down; X step aside; X bow out; X take hike
X take walk; X take back seat; X take bow; X belong in museum; X belong in bin; X belong in past
X belong to past; X belong on scrapheap; X belong in trash; X belong in history book
X belong in attic; X rest in peace; X do more harm than; X cause more; X turn out wrong
X turn sour; X lose way; X lose appeal; X lose shine; X lose lustre; X lose charm
X have lose appeal; X have have chance; X have fail us; X fail us; X drive us mad
X drive us crazy; X drive us up wall; X drive us nut; X miss mark; X miss boat; X jump shark
X suck; X stink; X rot; X gather dust; X collect dust; X eat budget; X eat time; X eat into
X burn hole; X burn money; X bleed us dry; X run out of steam; X run out of road; X run out
X work badly; X serve no purpose; X have no future; X have had it; X have fall from grace
X pale in comparison; X pale beside
"""
# To take it, to stay with it, to want more of it.
_TAKING = """
give X another chance; give X chance; give X try; give X go; give X shot; give X go ahead
give X green light; give X nod; give X thumb up; give X second life; give X benefit of doubt
give green light to X; go for X; go all in on X; go all in with X; go ahead with X; go with X
sold on X; be sold on X; consider me sold on X; count me in for X; have use for X
see case for X; see point in X; see reason for X; see need for X; have need for X
have room for X; have time for X; have place for X; see future in X; see future for X
see value in X; let X spread; let X grow; let X live; let X stay; let X in; let X continue
let X run; let X take over; let X do; let X handle; have X do; have X handle; keep faith with X
keep faith in X; keep X alive; keep X in place; keep X around; keep X run; put faith in X
put trust in X; put money on X; put weight behind X; put X to work; put X to use; put X in place
put X first; put X into practice; throw weight behind X; throw lot in with X; cast lot with X
cast vote for X; cast die for X; pin hope on X; pin color to X; nail color to X; hang hat on X
bet farm on X; bet house on X; bank on X; swear by X; stand by X; stick by X; stick with X
stick to X; hold on to X; hang on to X; cling to X; hold fast to X; double down on X; lean on X
lean into X; build on X; rally behind X; rally around X; get behind X; get on board with X
come down on side of X; come out for X; come back to X; come round to X; insist on X
believe in X; be believer in X; believer in X; commit to X; be commit to X; be all for X
be better off with X; better off with X; be in favour of X; be in favor of X; be on board with X
be happy with X; be fan of X; be content with X; be at home with X; fall for X; fall back on X
plump for X; root for X; yes to X; say yes to X; nod to X; three cheer for X; hooray for X
hurrah for X; long live X; hail X; all hail X; thumb up for X; thumb up to X; tip hat to X
make X part of; make X standard; make X default; make X norm; make X rule; make X compulsory
make X mandatory; make X obligatory; make X official; make X home; make X backbone
make X permanent; make room for X; make way for X; make most of X; make switch to X
make move to X; take X on board; take X as; take to X; take up X; take chance on X; embark on X
turn X back on; switch X back on; turn X on again; switch X on again; put X back in
welcome X; bring X back; bring back X; bring in X; bring X in; roll X out; roll out X
see X through; no way around X; no get around X; nothing beat X; nothing but X
nothing else than X; choice fall on X; vote go to X; money be on X; bet be on X; set sight on X
set store by X; set heart on X; lay bet on X; expand X; extend X; widen X; renew X; prolong X
uphold X; reaffirm X; reconfirm X; cement X; enshrine X; preserve X; defend X; retain X
reinstate X; revive X; resurrect X; restore X; readopt X; X fit bill; X do trick; X do job
X do nicely; X do just fine; X tick box; X tick every box; X hit spot; X hit nail on head
X get vote; X get nod; X get job; X get go ahead; X get green light; X get blessing
X get thumb up; X win; X win day; X win hand down; X carry day; X rule; X rock; X shine
X deliver; X pay off; X earn keep; X earn place; X prove worth; X have prove worth
X pull weight; X hold up; X stand test of time; X stay; X stay put; X remain; X stay in place
X be here to stay; X be way to go; X be way forward; X be right call; X be right choice
X be right tool; X be right thing; X be right fit; X be right move; X be good call
X be good choice; X be good fit; X be good enough; X be best bet; X be safe bet; X be no brainer
X be plenty; X be enough; X be ample; X be compulsory; X be mandatory; X be obligatory
X be must; X be set in stone; X be settle; X be in; X be on; X be go; X be king
X be here for good; X be what we; X be what team; X be all we need; X be answer; X be future
X be gold standard; X be winner; X be keeper; X be perfect; X be ideal; X be non negotiable
X be worth it; X be worth effort; X be worth every penny; X be worth wait; X merit comeback
X deserve comeback; X deserve another chance; X deserve second chance; X deserve place
X deserve try; X suit us; X suit team; X serve us; X work for us; X keep go; X keep place
X keep seat; X get another chance; X take over; X take it from here; X take cake; X come back
X come out on top; X sound right; X look right; X feel right; X have blessing; X have support
X have vote; X have full support; X have back; X it be; X all way; X full steam ahead; X first
X last long; X carry on; X live on; X go on; X continue; X deserve another look; X for win
X for ever; X forever; X please; X everywhere; X across board; X by default; X as default
"""

LEMMA = every_form(
    """
    be become bid bite bleed blow bow break breathe bring burn bury buy call cast clip close
    come consider consign condemn confine cost count cross cut deserve do double draw drive drop
    earn eat embark end exit extend expand fall feed feel fit gather get give go hail hand hang
    have hit hold jump keep kick kiss lay lean leave let like lose look make meet merit miss
    move nail need opt pale part pass pay pin plump pour prove pull put rally reach relegate
    renew renege ring rock roll rot rule run sail say see send serve set shine show shut sign
    sing sit slam sleep sound spell stand starve stay steer step stick stink strike suck suit
    swear sweep take think throw tick tire turn wait want wash wave wean wear weigh welcome wish
    work write collect carry deliver uphold preserve defend reinstate revive reaffirm cement
    enshrine widen prolong restore retain resurrect bank bet root belong pack walk"""
) | {
    "is": "be", "are": "be", "am": "be", "were": "be", "been": "be", "being": "be", "days": "day",
    "ties": "tie", "losses": "loss", "bridges": "bridge", "curtains": "curtain", "hands": "hand",
    "thumbs": "thumb", "cheers": "cheer", "orders": "order", "legs": "leg", "packing": "pack",
    "boxes": "box", "hopes": "hope", "backs": "back", "ways": "way", "thanks": "thank",
    "thoughts": "thought", "doors": "door", "papers": "paper", "others": "other", "eyes": "eye",
    "ended": "end", "fed": "feed", "bins": "bin", "turned": "turn",
}  # fmt: skip
"""The plain form of every word of a saying that has other forms."""

# Before these words a saying may begin in the midst of a clause.
_LEADS = frozenset(
    """to and or we i us you they will would should shall must can could may might let not never
    team teams everybody everyone just then consider start begin plan propose suggest recommend want
    time it there be have no""".split()  # noqa: SIM905
)

_ANYTHING = frozenset(("anything", "everything", "something", "anybody", "better"))

_Pattern = tuple[tuple[str, ...], tuple[str, ...]]


def _index(*texts: str) -> dict[str, list[_Pattern]]:
    """The patterns by the word that stands next to the thing."""
    found: dict[str, list[_Pattern]] = defaultdict(list)
    for text in texts:
        for line in text.replace("\n", ";").split(";"):
            if line.strip():
                before, after = (
                    tuple(LEMMA.get(word, word) for word in each.split())
                    for each in f" {line} ".split(" X ")
                )
                if not before and len(after) > 1 and after[0] == "have":
                    after = after[1:]
                found[before[-1] if before else after[0]].append((before, after))
    return dict(found)


_PARTS = _index(_PARTING, _OVER)
_TAKES = _index(_TAKING)


def said_words() -> frozenset[str]:
    """All words of which the sayings are made."""
    return frozenset(f"{_PARTING} {_OVER} {_TAKING}".replace(";", " ").split()) - {"X"}


def parts(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether what stands around a thing is a saying that parts from it."""
    return _longest(_PARTS, before, after) > _longest(_TAKES, before, after)


def takes(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether what stands around a thing is a saying that takes it."""
    return _longest(_TAKES, before, after) > _longest(_PARTS, before, after)


def _longest(
    patterns: dict[str, list[_Pattern]], before: Sequence[str], after: Sequence[str]
) -> int:
    """How many words of the longest pattern are said; 0 where none is."""
    found = 0
    near = (*before[-1:], *after[:1])
    for word in near:
        for one, two in patterns.get(word, ()):
            if (
                _ends(before, one)
                and tuple(after[: len(two)]) == two
                and _whole(one, two, before, after)
            ):
                found = max(found, len(one) + len(two))
    return found


def _ends(words: Sequence[str], last: tuple[str, ...]) -> bool:
    return not last or tuple(words[-len(last) :]) == last


def _whole(
    one: tuple[str, ...], two: tuple[str, ...], before: Sequence[str], after: Sequence[str]
) -> bool:
    """What is said of a thing begins with it, and a single word is all that is said."""
    if not one and before:
        return False
    begins = one[:1] and one[0] not in _ANYTHING
    if begins and len(before) > len(one) and before[-len(one) - 1] not in _LEADS:
        return False  # "off with X" is no part of "kick off with X"
    return (
        len(one) + len(two) > 1 or len(before) + len(after) == 1 or (bool(one) and len(before) == 1)
    )
