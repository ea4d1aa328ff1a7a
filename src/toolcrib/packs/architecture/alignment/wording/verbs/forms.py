"""The forms of English verbs: one table entry stands for all of them."""

from __future__ import annotations

from collections.abc import Iterator

# Forms of the past that no rule makes: verb, past, participle where it differs.
_IRREGULAR = """
    become became; begin began begun; bid bade; bite bit bitten; break broke broken;
    bring brought; build built; burn burnt; buy bought; cast cast; cut cut; draw drew drawn;
    drive drove driven; eat ate eaten; fall fell fallen; feel felt; fight fought; find found;
    flee fled; forget forgot forgotten; forbid forbade forbidden; forgo forwent forgone;
    forsake forsook forsaken; freeze froze frozen; get got gotten; give gave given; go went gone;
    grow grew grown; hang hung; have had; hit hit; hold held; keep kept; lay laid; leave left;
    let let; lose lost; make made; meet met; outgrow outgrew outgrown; overthrow overthrew
    overthrown; pay paid; put put; quit quit; rid rid; run ran; say said; see saw seen; sell sold;
    send sent; set set; shake shook shaken; shed shed; show showed shown; shrink shrank shrunk;
    shut shut; sink sank sunk; slay slew slain; spend spent; spin spun; split split; stand stood;
    steal stole stolen; stick stuck; stink stank stunk; strike struck stricken; swear swore sworn;
    sweep swept; take took taken; tear tore torn; throw threw thrown; undo undid undone;
    unwind unwound; win won; wind wound; withdraw withdrew withdrawn; withhold withheld;
    write wrote written; be was been; come came; do did done; sunset sunset; know knew known;
    bury buried; wear wore worn; mean meant; rise rose risen; lie lay lain; spurn spurned"""
# Of more than one syllable, with the stress on the last: the consonant is doubled as well.
_STRESSED = frozenset("forbid expel repel dispel commit admit omit unplug offset cancel".split())  # noqa: SIM905
_VOWELS = frozenset("aeiou")
_SHORTEST = 3


def _irregular() -> dict[str, list[str]]:
    entries = (entry.split() for entry in _IRREGULAR.split(";"))
    return {verb: past for verb, *past in entries}


_PAST = _irregular()


def forms(verb: str) -> Iterator[str]:
    """A verb with its endings: "ditch", "ditches", "ditched", "ditching"."""
    yield verb
    root = verb
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        root = verb[:-1]
    elif verb.endswith("y") and verb[-2] not in _VOWELS:
        yield f"{verb[:-1]}ies"
        yield f"{verb[:-1]}ied"
        yield f"{verb}ing"
        return
    elif _doubles(verb):
        root = verb + verb[-1]
    yield f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"
    yield f"{verb[:-2]}ying" if verb.endswith("ie") else f"{root}ing"
    yield from _PAST.get(verb, (f"{root}ed",))


def every_form(verbs: str) -> dict[str, str]:
    """Every form of some verbs, with the verb that it is of."""
    return {form: verb for verb in verbs.split() for form in forms(verb)}


def _doubles(verb: str) -> bool:
    """Whether the last consonant is written twice before an ending: "drop", but not "clean"."""
    if len(verb) < _SHORTEST or verb[-1] in _VOWELS | set("wxy") or verb[-2] not in _VOWELS:
        return False
    if verb in _STRESSED:
        return True
    before = verb[:-2]
    return before[-1:] not in _VOWELS and _VOWELS.isdisjoint(before.removeprefix("qu"))
