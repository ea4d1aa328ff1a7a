"""The rules of trust in short texts: all of them, each worth reading."""

from __future__ import annotations

from toolcrib.policy.trust.rules import RULES


def test_every_rule_of_trust_can_be_explained() -> None:
    """T-22: `toolcrib explain T-…` knows all twenty-two."""
    assert sorted(RULES) == list(range(1, 23))
    assert all(len(text) > 40 and text.endswith(".") for text in RULES.values())
