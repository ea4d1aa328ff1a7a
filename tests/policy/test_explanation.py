"""Why a policy allows a call or refuses it, rule by rule."""

from __future__ import annotations

from toolcrib.policy.explanation import explain
from toolcrib.policy.layers import Layers, personal_layer
from toolcrib.running.program import ArgDef, ToolDef

POLICY = b"""\
default: disabled
tools:
  count:
    args:
      pieces: {max: 500}
"""
TOOL = ToolDef("count", "", args=(ArgDef("pieces", type="integer"),))


def test_each_rule_is_named_with_its_place_and_what_it_has_against_a_call() -> None:
    """W-10, T-5: the steps of `policy explain`, with file:line:column."""
    layers = Layers([personal_layer("repository", "policy.yaml", POLICY)])
    steps = explain(layers, TOOL, {"pieces": 900})
    assert [step.allows for step in steps] == [True, False]
    assert steps[1].rule == "tools.count.args.pieces" and "500" in (steps[1].why or "")
    assert str(steps[1].where).startswith("policy.yaml:5")
    assert all(step.allows for step in explain(layers, TOOL, {"pieces": 5}))


def test_without_a_policy_everything_that_is_configured_may_be_called() -> None:
    """T-5: nothing refuses, and the explanation says so."""
    (step,) = explain(None, TOOL, {"pieces": 900})
    assert step.allows and step.rule.startswith("no policy")
