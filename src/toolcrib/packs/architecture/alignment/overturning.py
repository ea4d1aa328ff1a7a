"""Whether a whole decision record, as a proposal, overturns an existing one.

A record that replaces another says so: by a higher version in its title, or by words such as
"supersedes" and "our earlier decision", if one decision stands out as its subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from toolcrib.packs.architecture.alignment.corpus import Decisions, Related
from toolcrib.packs.architecture.alignment.proposal import Proposal, version

_SAYS_SO = re.compile(
    r"\b(?:supersed\w+|superced\w+|revert\w*|revisit\w*|reconsider\w*|overturn\w*"
    r"|(?:previous|earlier|original|initial|prior|old|existing|first) (?:adr|decision|approach|"
    r"design|architecture|solution|strategy|proposal|implementation|version|rfc|rules?)"
    r"|previously (?:decided|documented|used|agreed|chose\w*|described|defined)"
    r"|we (?:had )?(?:originally|initially|previously) \w+"
    r"|no longer (?:valid|applies|true|holds?|needed|required|used|relevant)|outdated"
    r"|this (?:adr|document|rfc|decision|proposal) (?:replaces|updates|revises|changes))\b",
    re.I,
)
_ADDS = re.compile(
    r"\b(?:add(?:s|ed|ing|itional)?|extend\w*|extension\w*|support\w*|phase|annex|part|introduc\w+|"
    r"provid\w+|enabl\w+|also|further|more)\b",
    re.I,
)
# How alike titles of two versions must be, and how far one decision must stand out, as a share of
# its score; among a handful of decisions one of them always does.
_SAME_SUBJECT = 0.6
_STANDS_OUT = 0.5
_HANDFUL = 5


def newer_version(proposal: Proposal, related: Related, decisions: Decisions) -> bool:
    """Whether the proposal's title is that of the decision with a higher version."""
    theirs = related.decision
    if version(proposal.title) <= version(theirs.title) or _ADDS.search(proposal.title):
        return False
    return decisions.likeness(proposal.subject, theirs.subject) >= _SAME_SUBJECT


def says_so(proposal: Proposal, older: Sequence[Related]) -> str | None:
    """The sentence in which the proposal overturns the first of the older decisions, if it does."""
    if not older or _ADDS.search(proposal.title):
        return None
    second = older[1].score if len(older) > 1 else 0.0
    apart = (older[0].score - second) / older[0].score if older[0].score else 0.0
    if apart * min(len(older), _HANDFUL) / _HANDFUL < _STANDS_OUT:
        return None
    return next((each for each in proposal.sentences if _SAYS_SO.search(each)), None)
