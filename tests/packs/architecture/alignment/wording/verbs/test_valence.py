"""The table of what words do to a thing."""

from __future__ import annotations

from toolcrib.packs.architecture.alignment.wording.verbs import valence
from toolcrib.packs.architecture.alignment.wording.verbs.lexicon import PLACING, TAKING
from toolcrib.search.stem import stem

# Verbs of which a thing is the object in either sense; `attitude.py` asks for more than the verb.
EITHER = {"drop", "leave", "lose", "end", "stop", "trade", "switch", "phase", "wind", "break"}


def test_no_verb_both_takes_a_thing_and_ends_it() -> None:
    """A-7: a verdict is earned; a verb that says both would earn none."""
    verbs = set(valence.ENDING.values()) - EITHER
    assert not {verb for verb in verbs if stem(verb) in TAKING | PLACING}


def test_a_particle_with_which_a_thing_stays_is_told_apart() -> None:
    """A-7: "roll out X" takes it, "rip out X" does not."""
    assert "roll" in valence.STAYS["out"]
    assert "ripped" in valence.PARTICLES["out"]
    assert not set(valence.PARTICLES["out"]) & {"roll", "carry", "try", "build"}


def test_what_is_said_of_a_bad_thing_is_no_praise() -> None:
    """A-7: complaints and praise have no word in common."""
    assert not valence.BAD & {"good", "fine", "best", "right", "perfect", "great"}
