"""Layers: a call passes that passes every policy."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import ConfigError
from toolcrib.policy.layers import (
    ORGANISATION,
    PRESENT,
    TRUSTED,
    Layer,
    Layers,
    personal_layer,
)
from toolcrib.policy.model import Constraint, Policy, ToolPolicy
from toolcrib.running.program import ArgDef, Executor

NAMES = ["git_push", "git_log", "git_status", "kubectl_delete"]
ARG = ArgDef("n", type="integer")
constraints = st.builds(
    Constraint,
    st.sampled_from([None, "[0-9]", "1.*"]),
    st.sampled_from([None, 0.0, 5.0]),
    st.sampled_from([None, 3.0, 9.0]),
)
rules = st.builds(ToolPolicy, st.none(), st.dictionaries(st.just("n"), constraints, max_size=1))
policies = st.builds(
    Policy,
    enabled_by_default=st.booleans(),
    tools=st.dictionaries(st.sampled_from(NAMES), rules),
    deny=st.lists(st.sampled_from([*NAMES, "git_*", "*"]), max_size=2).map(tuple),
)
layers = st.one_of(
    policies.map(lambda policy: Layer(PRESENT, "p", policy)),
    policies.map(lambda policy: Layer(ORGANISATION, "o", policy)),
    st.just(Layer(PRESENT, "broken", None, ConfigError("broken"))),
)


def passes(stack: list[Layer], name: str, value: int) -> bool:
    found = Layers(stack).decide(name)
    return found is not None and found.problem(ARG, value) is None


@given(
    st.lists(layers, max_size=4),
    layers,
    st.integers(0, 4),
    st.sampled_from(NAMES),
    st.integers(0, 12),
)
def test_adding_a_layer_never_allows_more(
    stack: list[Layer], more: Layer, at: int, name: str, value: int
) -> None:
    """T-5: policies intersect, wherever the new one stands."""
    taller = [*stack[:at], more, *stack[at:]]
    assert not passes(taller, name, value) or passes(stack, name, value)


@given(st.lists(layers, min_size=1, max_size=4), st.sampled_from(NAMES), st.integers(0, 12))
def test_what_passes_passes_every_layer_alone(stack: list[Layer], name: str, value: int) -> None:
    """T-5: the opposite, too: what each allows alone, all together allow."""
    assert passes(stack, name, value) == all(passes([each], name, value) for each in stack)


def test_an_organisation_can_say_all_but_one() -> None:
    """T-5, C-7: `deny` wins, and `default` is enabled unless written."""
    layer = personal_layer(ORGANISATION, "policy.yaml", b"deny: [git_push, 'kube*']\n")
    stack = Layers([layer])
    assert stack.decide("git_log") is not None
    assert stack.decide("git_push") is None and stack.decide("kubectl_delete") is None
    written = personal_layer(ORGANISATION, "p", b"default: disabled\ntools: {git_log: {}}\n")
    assert Layers([written]).decide("git_push") is None


def test_docker_wins_and_two_images_refuse() -> None:
    """T-5: `executor`."""
    local = Layer(PRESENT, "p", Policy(enabled_by_default=True))
    one = Layer(ORGANISATION, "o", Policy(Executor("docker", "a:1"), enabled_by_default=True))
    other = Layer(PRESENT, "q", Policy(Executor("docker", "b:1"), enabled_by_default=True))
    assert Layers([one, local]).executor.image == "a:1"
    assert Layers([one, local]).decide("x") is not None
    assert Layers([one, other]).decide("x") is None


def _docker(name: str, *, waits: bool = False, **more: Any) -> Layer:
    executor = Executor("docker", "a:1", **more)
    return Layer(name, name, Policy(executor, enabled_by_default=True), waits=waits)


def test_a_container_that_nobody_has_trusted_is_not_started() -> None:
    """T-5: docker wins over local, but an edit of the policy must not choose what runs."""
    local = Layer(TRUSTED, "p", Policy(enabled_by_default=True))
    for stack in ([_docker(PRESENT, waits=True)], [local, _docker(PRESENT, waits=True)]):
        assert Layers(stack).decide("x") is None
        assert Layers(stack).executor.type == "local"
    assert Layers([_docker(PRESENT)]).decide("x") is not None


def test_a_layer_that_waits_only_takes_away_from_a_container() -> None:
    """T-5: volumes and network are what was trusted, or less."""
    trusted = _docker(TRUSTED, volumes=("/a:/a", "/b:/b"))
    more = _docker(PRESENT, waits=True, volumes=("/a:/a", "/:/host"), network="host")
    stack = Layers([trusted, more])
    assert stack.decide("x") is not None
    assert stack.executor.volumes == ("/a:/a",) and stack.executor.network is None
    less = _docker(PRESENT, waits=True, network="none")
    assert Layers([trusted, less]).executor.network == "none"


def test_of_networks_of_containers_the_strictest_holds() -> None:
    """T-5: none, then docker's own, and host last; two others cannot be joined."""
    host, own = _docker(ORGANISATION, network="host"), _docker(PRESENT)
    assert Layers([host, own]).executor.network is None
    assert Layers([host]).executor.network == "host"
    other = [_docker(ORGANISATION, network="one"), _docker(PRESENT, network="two")]
    assert Layers(other).decide("x") is None
