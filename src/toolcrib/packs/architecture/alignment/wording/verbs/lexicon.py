"""Verbs by what they do with their object: take it, work with it, or turn against it.

Each list has everyday words, collected without looking at any proposal; a word in none of them is
unknown and decides nothing (`deeds.py`). Words that say no outright are in `negation.py`.
"""

from __future__ import annotations

from toolcrib.packs.architecture.alignment.wording.verbs.forms import every_form
from toolcrib.packs.architecture.alignment.wording.words import DOING
from toolcrib.search.stem import stem

# To take a thing, or to stay with it.
_TAKING = """
    accept acceptance acquire adopt adoption advocate agree appoint approve assume authorise
    authorize award back base bet bless build buy carry champion choose commit confirm continue
    converge count crown default defer delegate depend designate double elect embed embrace employ
    endorse engage enlist entrust establish exploit favour favor focus follow go grab grant
    gravitate greenlight hand harness hire hold hook incorporate install introduce introduction
    invest keep land lean leverage like love maintain mandate make nod nominate onboard opt
    outsource pick pilot plan plug plump prefer prescribe proceed procure promote propose purchase
    pursue rally ratify reach recommend recruit reinstate reliance rely remain resort restore retain
    reuse rollout sanction select selection settle side sign slot spin stand standardise standardize
    start stay stick subscribe suggest support swear switch take trial trust try turn use utilise
    utilize vote want welcome wire work yes"""
# To do one's work with it, on it or by it.
_WORKING = """
    accelerate access accommodate act activate adapt add address administer aggregate alert align
    allocate allow analyse analyze anchor animate annotate answer append apply archive arrange
    assemble assert assess assign assist associate attach audit augment authenticate author automate
    await backup balance batch begin bind book bootstrap bootup bridge bring broadcast browse buffer
    build bump bundle cache calculate call capture cast catch centralise centralize chain change
    chart check claim classify clean clone cluster code collect colocate combine commission
    communicate compare compile complement complete compose compress compute concatenate conduct
    configure conform connect consolidate construct consult consume contain contribute control
    convert convey coordinate copy correlate couple cover craft crawl create curate customise
    customize debug declare decode decorate decrypt dedicate define deliver demonstrate deploy
    derive describe design detect determine develop diagnose direct discover dispatch display
    distribute divide document download draft draw drive duplicate edit emit enable encapsulate
    encode encrypt enforce enhance enqueue enrich ensure enter equip estimate evaluate examine
    exchange execute expand export expose express extend extract facilitate feed fetch file fill
    filter find fix form format formulate forward found fork format fuel fund gate gather generate
    get give glue govern graph group grow guard guide handle hash have help hide highlight hold host
    identify implement import improve include increase index infer inform inherit inject insert
    inspect instantiate instruct instrument integrate intercept interface interpret invoke issue
    iterate join judge label launch lay lead learn let lift limit link lint list listen live load
    localise localize locate lock log look manage manipulate map mark match materialise materialize
    measure merge meter migrate mirror mock model modularise modularize monitor mount move name
    navigate negotiate nest notify observe obtain offer offload open operate optimise optimize
    orchestrate order organise organize outline output overlay override package page paint parse
    partition pass patch perform permit persist pin pipe place plan plot poll populate port position
    power precompute prefix prepare present preserve print prioritise prioritize process produce
    profile program project propagate protect prototype prove provide provision proxy publish pull
    push put query queue raise rank reach read realise realize rebase rebuild receive reconcile
    record recover redirect reduce refactor reference refine reflect refresh register release render
    repair repeat replace replicate reply report represent request require resolve respond restart
    restrict retrieve retry return review rewrite roll rotate route run sample sandbox save scale
    scan schedule scope score scrape script search seal secure seed seek send separate serialise
    serialize serve set setup shape shard share shell shift ship show sign simplify simulate sit
    solve sort source spawn specify split stage standardise start steer step stitch store stream
    structure stub style submit subscribe summarise summarize supervise supply surface survey
    sync synchronise synchronize tag tailor target teach tell template test throttle tie track train
    transcode transfer transform translate transmit transport traverse treat trigger tune type
    understand unify update upgrade upload validate verify version visualise visualize wait walk
    warn watch wrap write"""
# Of these, the ones that put their object in place; the others only work on what is there.
_PLACING = """
    activate apply assemble attach bundle code commission compose configure construct create
    define deploy derive design develop draft emit enable enforce enter execute expose form generate
    host implement import include inherit inject instantiate integrate invoke issue join launch load
    mount name offer open operate package perform place port power produce provide provision
    register release require return run schedule script serve set ship spawn specify stage start
    write"""
# What a thing does that serves somebody: its subject is at work.
_SERVING = """
    aggregate alert analyse analyze answer archive assemble authenticate balance build bundle
    cache calculate catch check collect compile compress compute configure control convert
    coordinate copy cover create decide decode deliver deploy detect direct distribute download
    draw drive enable encode encrypt enforce execute export expose extract feed fetch filter find
    format forward gather generate govern group guard handle hash host identify import index
    inspect install keep limit lint list listen load log look manage map measure monitor notify
    open orchestrate package parse pass perform persist poll power prepare present proxy process
    produce protect provide provision publish pull push query read record redirect refresh
    register release render replicate report resolve retrieve return review route run sample
    save scan schedule search secure send serve show sign sort split start store stream sync
    synchronise synchronize tag test track transfer transform translate trigger update upload
    validate verify watch wrap write"""
# What is said of a thing that is wanted.
_PRAISED = """
    answer best better choice default favourite favorite fine first fit future good great ideal need
    job norm okay perfect pick preferred recommended right room solution standard suit suitable sure
    sufficient way win winner"""
# To turn against a thing, to part from it, or to complain of it: never a yes.
_PARTING = """
    abhor annoy atrophy banish begrudge bemoan blame bleed bloat botch bother break burden choke
    clog complain condemn confuse criticise criticize cripple cull curb cure curse demote deplore
    despise detach detest dethrone disavow disappoint disconnect disentangle dislike dislodge disown
    displace dispose distance distrust divest divorce doubt downgrade drag drain drown eclipse eject
    emancipate endure eradicate erase escape evacuate evade evict excise exile exit expel expire
    extinguish extricate fail fear fewer fizzle flee flunk free frustrate grumble hamper harm hate
    haunt hinder hobble hurt jeopardise jeopardize jilt junk lack lament liberate loathe lose lost
    malign mourn neglect obliterate obsolete oppose outdate outlast outlive overstay pain pension
    perish plague postpone prune question quarrel regret reconsider reevaluate relegate relieve
    relinquish repel rescue resent rethink revisit rid rue sabotage scrub sever shed shrink shuffle
    sideline slash slow smother spurn stagnate starve stifle struggle suffer supplant suppress
    surrender suspect swamp tire topple trash trouble undermine unhook unlearn unload unseat unship
    untangle upend uproot vanish vilify wane waste weaken weary wither worry wreck wriggle yank
    wrong bad poor surplus useless pointless needless stale rotten clumsy ugly awful horrible
    terrible unwieldy cumbersome"""


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(each) for each in words.split())


TAKING = _stems(_TAKING)
"""Verbs that take a thing or stay with it."""
PLACING = _stems(_PLACING)
"""Verbs that put a thing in place."""
SERVING = frozenset(
    form for form in every_form(_SERVING) if not form.endswith(("ed", "ing", "lt", "pt"))
)
"""The forms of verbs that say what work a thing does."""
PRAISED = _stems(_PRAISED)
"""What is said of a thing that is wanted."""
KNOWN = DOING | TAKING | _stems(_WORKING) | PRAISED
"""All words by which a clause may say yes to a thing."""
PARTING = _stems(_PARTING) - KNOWN
"""Words of somebody who does not want a thing, or suffers from it."""
