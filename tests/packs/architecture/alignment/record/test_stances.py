from __future__ import annotations

from toolcrib.packs.architecture.alignment.record.mentions import Mention
from toolcrib.packs.architecture.alignment.record.practices import Practice
from toolcrib.packs.architecture.alignment.record.stances import as_mentioned, as_stance
from toolcrib.packs.architecture.alignment.wording.words import phrase


def test_a_practice_is_wanted_by_all_its_names() -> None:
    """A-7: what a record tells everybody to do is what it stands for, with its sentence."""
    said = "Mails are rendered by `MailView`."
    stance = as_stance(Practice(said, phrase(said), frozenset(("mailview",))))
    assert stance.wanted
    assert (stance.kind, stance.names, stance.sentence) == ("used", {"mailview"}, said)


def test_a_mention_is_wanted_or_turned_down_as_its_sentence_says() -> None:
    """A-7: a name in passing, with the sentence to quote."""
    for wanted in (True, False):
        stance = as_mentioned(Mention("mailview", wanted, "Not by `MailView`."))
        assert stance.wanted is wanted
        assert (stance.text, stance.sentence) == ("mailview", "Not by `MailView`.")
