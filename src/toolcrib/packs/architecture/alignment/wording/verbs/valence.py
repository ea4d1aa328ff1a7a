"""What verbs, nouns and predicates do to the thing that they are said of.

A table of classes, each with its reason, as dictionaries of synonyms have them: to end a thing, to
take it away, to leave it, to refuse it, to complain of it. A word stands here for what it means in
any text, so that a proposal that nobody has seen is covered; how a word and a thing have to
stand to each other is told in `attitude.py`.
"""

from __future__ import annotations

from toolcrib.packs.architecture.alignment.wording.verbs.forms import every_form

# To end it: it does not exist afterwards.
_ENDED = """
    abolish abort annihilate amputate annul asphyxiate axe behead bulldoze burn bury cancel
    cease chop crush decapitate decimate decommission defeat defenestrate deinstall delete
    demolish deprecate destroy discontinue dismantle dissolve eliminate end eradicate erase
    euthanise euthanize evaporate exterminate extinguish extirpate guillotine halt incinerate
    invalidate kibosh kill liquidate mothball murder nix nuke nullify obliterate overthrow
    pulverise pulverize purge quash quell quench quit raze repeal rescind retire revoke ruin
    sack scotch scrap scuttle shelve shred shutter slaughter slay smash smother snuff squash
    squelch sterilise stifle stop strangle sunset suppress suspend terminate topple torch
    torpedo undo unmake unplug unwind uproot vanquish vaporise vaporize void wreck zap zero"""
# To take it away from where it is.
_REMOVED = """
    banish bench blacklist boot chuck quarantine cull deactivate debar deinstall delist demote
    depose deselect dethrone detox disable discard discharge disinfect dislodge dismiss
    disinvite dispel displace divest drop dump eject evict excise exclude excommunicate exile
    exorcise expel expunge extricate extrude jettison junk lop oust outlaw pare pension pluck
    prune relegate remove rip root scrub sever shave shed sideline slash strike strip supersede
    supplant sweep toss trash trim unbundle undeploy uninstall unhook unhitch unload unpick
    unpin unseat unship untangle vacate weed wean wipe withdraw yank overturn undercut upend
    eschew"""
# To leave it, or to have no more to do with it.
_LEFT = """
    abandon desert disavow disown ditch divorce dodge evacuate evade exit flee flunk forget
    forsake jilt leave lose neglect outgrow reject relinquish renounce repudiate sacrifice shun
    sidestep deny refuse skip spurn surrender transcend unfollow unlearn unsubscribe ghost snub"""
# To keep it from coming, or to say no to it.
_REFUSED = """
    avert avoid ban block boycott decline delay derail disallow discourage discredit
    disfavour disfavor disqualify embargo forbid forestall forgo freeze hinder impede inhibit
    oppose ostracise ostracize outvote postpone preclude prevent prohibit protest rebuff refute
    repel resist stall stonewall stymie thwart veto"""
# To undo the choice of it.
_REVERSED = """
    backpedal backtrack countermand overrule reconsider reevaluate reexamine regret retract
    retire retreat reverse revert revisit rethink rue second-guess unchoose undo question doubt"""
# To shrink it: what gets less and less of it wants none of it.
_SHRUNK = """
    curb curtail cut decrease diminish downplay downscale downsize lessen limit minimise
    minimize phase reduce restrict cure loosen lower break shrink taper whittle wind"""
# To put another in its place.
_REPLACED = "replace exchange swap substitute trade supersede obsolete"
# To feel badly about it.
_DISLIKED = """
    abhor bemoan begrudge curse deplore despise detest disdain dislike distrust dread fear hate
    lament loathe mistrust mourn resent scorn"""
# What a thing does that comes to its end, or that lets people down.
_ENDS = """
    bow cease collapse croak crumble decay depart die disappear disappoint disintegrate dwindle
    end evaporate expire fade fail fizzle flop flounder lapse languish leave perish recede
    retire rot sink stagnate stink suck terminate topple underperform vanish wane wilt wither
    stop overstay underdeliver backfire misfire implode"""
# What a thing does to people who want to be rid of it.
_TORMENTS = """
    annoy anger bedevil bore burden cripple daunt depress disgust drain enrage exasperate
    exhaust frustrate hamper handicap hamstring harm haunt hinder hobble hurt infuriate irk
    irritate madden obstruct overburden overwhelm plague slow sabotage torment torture trouble
    vex waste wear wreck scare"""
# "is …": what nobody keeps of which this is said.
_BAD = """
    abandoned abysmal antiquated archaic awful bad bloated broken brittle buggy bygone clumsy
    counterproductive cumbersome dangerous dated dead deprecated detrimental dire disastrous
    dispensable done doomed dreadful dubious dying excessive expendable expensive extinct
    failing faulty finished flawed fragile futile gone harmful hated hopeless horrible hurtful
    ill-advised ill-suited impossible impractical inadequate inappropriate inept inferior
    inflated insane insecure insufferable insufficient intolerable lacking lame lousy
    meaningless misguided needless negligible obsolete off out outdated outmoded outworn over
    overblown overcomplicated overengineered overpriced overrated overvalued overweight painful
    passé past pathetic pointless poor problematic questionable redundant regrettable retired
    ridiculous risky rotten rubbish senseless shaky sluggish stale stupid suboptimal superfluous
    terminal terrible tired tiresome toast toxic troublesome ugly unacceptable unbearable
    underwhelming undesirable undesired uneconomic unfit unfortunate unhelpful unloved
    unmaintained unmanageable unnecessary unneeded unpopular unreliable unsafe unsatisfactory
    unsound unsuitable unsuited unsupported unsustainable untenable unusable unwanted unwelcome
    unwieldy unwise unworkable useless wasteful weak worse worst worthless wrong defunct history
    kaput unviable unaffordable passe moribund stillborn beaten bust overkill overdue"""
# "is … than Y", "is …": what is held against a thing.
_WORSE = """
    slower heavier pricier costlier dearer clumsier clunkier harder weaker uglier bulkier
    flakier buggier riskier trickier"""
# "costs more", "takes longer", "needs too much": what one would rather not spend.
_SPENDS = "cost take need require eat consume demand swallow"
_TOO_MUCH = "more longer twice forever ages double triple extra"
# "is a …": the same as a noun, and what is given to a thing that has to go.
_BAD_NOUNS = """
    abomination albatross anachronism antique ballast bane blight bloat blunder bomb bother
    bottleneck bottomless burden clutter corpse crutch curse deadweight debacle debt dinosaur
    disappointment disaster disgrace disservice distraction dud embarrassment error evil failure
    farce fiasco flop folly fossil goner hassle headache hindrance horror impediment irritant
    joke laggard legacy leftover letdown liability maze menace mess millstone misadventure
    misfire misfit misstep mistake monster monstrosity museum-piece nightmare noise non-starter
    nonstarter nuisance obstacle overkill oversight pain pest pitfall plague problem quagmire
    relic regret rubbish scourge shambles stopgap swamp thorn threat time-sink trap trouble
    white-elephant waste weakness weight wreck zombie loser has-been cul-de-sac ripoff rip-off"""
_ENDING_NOUNS = """
    abandonment abolition alternative alternatives amputation annulment ban boycott burial
    cancellation cessation conclusion countdown death decommissioning deinstallation deletion
    demise demolition departure deprecation destruction detox discontinuation dismantling
    dismissal divorce downfall elimination embargo end ending eradication escape eviction
    exclusion execution exit exodus expiry expulsion extinction eulogy farewell fall funeral
    goodbye halt moratorium obituary obsolescence offboarding ouster phase-out phaseout
    prohibition purge rejection removal repeal replacement replacements requiem retirement
    retreat rundown shutdown stop substitute substitutes successor sunset sunsetting suspension
    swansong teardown termination uninstallation veto wind-down withdrawal"""
# Where a thing ends, and what is given to it when it has to go.
_LAST_PLACES = """
    axe bin boot cemetery chop coffin door dustbin elbow grave graveyard guillotine heave-ho
    hook museum notice oblivion p45 pink-slip rest sack scrap scrapheap scrapyard send-off skip
    trash wake wastebasket wayside past history archive archives attic shredder pasture autopsy
    exile drawer mothballs ice freezer dump dumpster curb kerb scaffold shed knackers void"""
# Verbs that end a thing only with what follows them; before it or behind it.
_WITH_PARTICLE = {
    "out": """
        back bail blot boot bow clean bounce buy carve cast churn clear cross crowd cut die
        drive drop drum ease edge edit fade fall filter flush force freeze get grow hound kick
        knock leave lock keep move muscle opt peter phase pull push put read rip root rub rule
        scrape shut snuff squeeze stamp step strike strip swap sweep take tear throw thin toss
        turf vote wash wean weed whittle wipe write yank chuck iron hoist shake smoke sort stub
        switch walk wriggle worm contract cop duck chicken pass chop gouge dig""",
    "off": """
        back blow brush call cast come cross cut die drop ease fend finish get hands keep kill
        laugh lay leave level lop migrate move pay peel pension polish pull ration rip sell
        shake shave sheer shrug shut shy stave steer step stop strike swear switch take tear
        tail trim turn wait ward wave wean wipe write scare send slough split transition convert
        jump hop roll""",
    "away": """
        back blow break cart cast chase chip chuck clear do drift drive explain fade file
        fritter get give go grind hide keep lock look migrate move pare pass pull push put run
        send shift shy sign slip stay steer step stow strip sweep swing switch take tear throw
        toss transition trim turn veer walk wash wean whisk wish wither""",
    "down": """
        back boil bring burn close cool cut die dial draw gun hunt knock let mow paint pare play
        pull put ramp run scale shoot shout shut slim spin stand step strike take talk tear thin
        throttle tone turn vote wear whittle wind tamp pipe crack""",
    "aside": "brush cast lay leave move push put set shove step sweep toss throw wave",
    "overboard": "throw toss chuck kick go push",
    "back": """
        claw cut dial hold keep pare pull push roll scale take turn walk wind""",
    "behind": "leave put",
    "apart": "take tear rip pull pick",
    "up": "give pass break wrap",
    "through": "be",
}
# Verbs that part from a thing with a preposition: "escape from X", "bail on X".
_PARTING_WITH = {
    "from": """
        abstain back away break decouple defect depart deport desist detach deter deviate
        disconnect disengage disentangle dissociate distance divorce disassociate divert
        emancipate escape evict exclude excuse exit extract extricate flee free graduate heal
        hide insulate isolate liberate migrate move part quit recoil recover refrain remove
        rescue resign retire retreat run save secede separate shield shift shrink shy spare step
        switch transition unbind unchain uncouple unfetter unhook unlock unplug untangle untie
        pull cut vanish walk wean withdraw wake redeem unglue""",
    "of": """
        beware clear cleanse cure despair dispose divest free purge quit relieve repent rid shot
        sick steer strip tire weary tired wary""",
    "on": "bail give rat renege welch sour quit foreclose pass",
    "with": "break dispense finish part quit stop done through",
    "to": "object averse",
    "against": """
        advise argue campaign caution counsel crusade decide fight guard lobby militate object
        plead preach protest rail rebel revolt rule speak vote warn turn""",
    "without": "do go manage live survive",
}
# With these behind a verb a thing goes nowhere: "roll out X", "write it down".
_STAYS = {
    "out": """
        act branch bring build carry check figure fill find fit flesh hand help hold kit lay
        make map pick point print reach roll scale set spell stand start test try turn work give
        send spin single iron sort read kick rig plan""",
    "off": "kick set show sign start trade base feed spin work run hang branch finish",
    "down": "write note lay break jot pin nail track hand drill set settle narrow double hunker ",
    "as": "leave",
    "in": "leave",
    "on": "leave",
    "alone": "leave",
    "unchanged": "leave",
    "untouched": "leave",
    "enabled": "leave",
    "running": "leave",
    "up": """
        set spin start bring back bump build scale speed sign pick take stand roll open beef
        keep wire hook link fire boot ramp step size dig follow prop queue warm move end""",
    "back": "bring come get go give put report call fall",
    "behind": "get stand rally line",
    "through": "go pass route run follow send see push pull walk carry",
}
# Nouns that only say that a thing is used or wanted: what is done to them is done to it.
_USE_OF = """
    use usage reliance dependence dependency dependencies addiction attachment exposure
    commitment support work investment investments effort efforts idea plan plans proposal
    notion choice decision decisions move switch migration bet adoption rollout introduction
    trial pilot experiment contract licence license subscription relationship ties links love
    faith trust hope time money days era age chapter story adventure honeymoon romance journey
    dream talk push case argument appetite need demand interest anything everything all
    instances instance traces trace remnants remains rest last copies copy bits part parts
    places place mentions references calls installation deployment habit obsession flirtation
    affair thought thoughts spending budget funding development maintenance hosting enthusiasm
    patience sun sand run reign rule life"""


ENDING = every_form(
    " ".join((_ENDED, _REMOVED, _LEFT, _REFUSED, _REVERSED, _SHRUNK, _REPLACED, _DISLIKED))
)
"""Every form of a verb that ends its object, takes it away, leaves or refuses it."""
WEAKER = frozenset(f"{_SHRUNK} {_REFUSED} {_REVERSED}".split())
"""Of these, the verbs of which another object is as likely: "limit the size of X"."""
ENDS = every_form(_ENDS)
"""Every form of a verb that says that its subject ends or lets people down."""
TORMENTS = every_form(_TORMENTS)
"""Every form of a verb that says that its subject hurts."""
BAD = frozenset((*_BAD.split(), *_WORSE.split()))
"""What is said of a thing that nobody wants."""
SPENDS = every_form(_SPENDS)
"""Every form of a verb that says that its subject wants something of us."""
TOO_MUCH = frozenset(_TOO_MUCH.split())
"""So much of it nobody likes to give."""
BAD_NOUNS = frozenset(_BAD_NOUNS.split())
"""The same as nouns."""
ENDING_NOUNS = frozenset(_ENDING_NOUNS.split())
"""What is the end of a thing, or where it ends."""
LAST_PLACES = frozenset(_LAST_PLACES.split()) | ENDING_NOUNS
"""The same, and where a thing is sent that has to go."""
USE_OF = frozenset(_USE_OF.split())
"""Nouns that stand for the use of a thing."""
PARTICLES = {particle: every_form(verbs) for particle, verbs in _WITH_PARTICLE.items()}
"""For each particle the verbs that part from a thing with it."""
PARTING_WITH = {link: every_form(verbs) for link, verbs in _PARTING_WITH.items()}
"""For each preposition the verbs that part from what follows it."""
STAYS = {particle: every_form(verbs) for particle, verbs in _STAYS.items()}
"""For each particle the verbs with which a thing stays all the same."""
