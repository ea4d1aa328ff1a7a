"""What policies say of the tools of other servers: each word, each layer, each argument."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import ConfigError
from toolcrib.policy.layers import ORGANISATION, PERSON, PRESENT, TRUSTED, Layer, Layers
from toolcrib.policy.model import ToolPolicy
from toolcrib.policy.reader import parse_policy
from toolcrib.policy.repository.places import PolicySource
from toolcrib.policy.servers import (
    ServerPolicies,
    ServerTool,
    argument_problem,
    in_vain,
    verdict,
    verdicts,
)

READS = ServerTool("github", "get", read_only=True)
WRITES = ServerTool("github", "create")


def layer(text: str, name: str = PRESENT) -> Layer:
    return Layer(name, "policy.yaml", parse_policy(text.encode(), "policy.yaml"))


def allows(text: str, tool: ServerTool, name: str = PRESENT) -> bool:
    return verdict(layer(text, name), tool).rules is not None


@pytest.mark.parametrize(
    ("text", "reads", "writes"),
    [
        ("default: enabled", True, True),
        ("default: disabled", False, False),
        ("servers: {github: enabled}", True, True),
        ("servers: {github: read-only}", True, False),
        ("servers: {github: disabled}\ndefault: enabled", False, False),
        ("servers: {gitlab: enabled}", False, False),
        ("servers: {gitlab: disabled}\ndefault: enabled", True, True),
        ("tools: {github__create: {}}", False, True),
        ("tools: {github__create: {}}\nservers: {github: disabled}", False, False),
        ("default: enabled\ndeny: [github__c*]", True, False),
        ("servers: {github: enabled}\ndeny: [github__get]", False, True),
    ],
)
def test_each_word_means_what_it_says(text: str, reads: bool, writes: bool) -> None:
    """X-23: enabled, read-only, disabled; deny first; a named tool although its server is not."""
    assert (allows(text, READS), allows(text, WRITES)) == (reads, writes)


@pytest.mark.parametrize("name", [PRESENT, TRUSTED])
def test_the_repository_closes_a_server_of_the_person_only_by_name(name: str) -> None:
    """X-23: its default speaks of its own configs and servers."""
    own = ServerTool("github", "create", personal=True)
    assert allows("default: disabled", own, name)
    assert verdict(Layer(name, "policy.yaml", None), own).rules is not None
    assert not allows("servers: {github: disabled}", own, name)
    assert not allows("deny: [github__create]", own, name)


@pytest.mark.parametrize("name", [ORGANISATION, PERSON])
def test_organisation_and_person_speak_for_every_server(name: str) -> None:
    """X-23: one policy; a layer that is broken refuses everything."""
    own = ServerTool("github", "create", personal=True)
    assert not allows("default: disabled", own, name)
    assert verdict(Layer(name, "policy.yaml", None), own).rules is None


def test_a_call_must_pass_every_layer_and_each_names_its_line() -> None:
    """X-23, T-5: what one layer closes stays closed; the verdict has file and line."""
    both = Layers([layer("servers: {github: enabled}", PERSON),
                   layer("default: disabled\nservers:\n  github: read-only")])  # fmt: skip
    told = verdicts(both, WRITES)
    assert [each.rules is not None for each in told] == [True, False]
    assert str(told[1].place) == "policy.yaml:3" and "readOnlyHint" in str(told[1].why)
    assert "nobody has checked" in str(verdicts(both, READS)[1].why)
    assert verdicts(None, WRITES) == []


RULES = parse_policy(
    b"tools:\n  s__t:\n    args:\n      repo: {pattern: 'shop-.*'}\n      n: {min: 1, max: 9}\n",
    "p",
).tools["s__t"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"repo": "shop-web", "n": 3}, None),
        ({}, None),
        ({"other": {"deep": 1}}, None),
        ({"repo": ["shop-a", "shop-b"]}, None),
        ({"repo": "private"}, "does not match"),
        ({"repo": ["shop-a", "private"]}, "does not match"),
        ({"n": 10}, "at most 9"),
        ({"n": "3"}, "at least 1"),
        ({"repo": {"name": "shop-web"}}, "texts and numbers only"),
        ({"repo": None}, "texts and numbers only"),
        ({"repo": [["shop-a"]]}, "texts and numbers only"),
    ],
)
def test_arguments_are_checked_by_their_top_level_names(arguments: Any, word: str | None) -> None:
    """X-23: patterns and bounds; what cannot be compared is refused."""
    problem = argument_problem([RULES], arguments, {})
    assert (problem is None) if word is None else word in str(problem)


def test_an_argument_that_is_left_out_counts_by_its_default() -> None:
    """X-23: what the server would take instead is checked, too."""
    schema = {"properties": {"repo": {"default": "private"}, "n": True}}
    assert "does not match" in str(argument_problem([RULES], {}, schema))
    assert argument_problem([RULES], {"repo": "shop-a"}, schema) is None


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.booleans() | st.text(), st.lists)))
def test_any_arguments_are_judged_and_never_break(arguments: dict[str, Any]) -> None:
    """X-23: a stranger's arguments are data."""
    assert isinstance(argument_problem([RULES, ToolPolicy()], arguments, {}), str | None)


def test_a_server_that_nobody_has_is_told_with_the_nearest_name() -> None:
    """X-23: a policy that names a server in vain."""
    (warning,) = in_vain(Layers([layer("servers:\n  gitub: disabled")]), ["github"])
    assert "did you mean 'github'" in str(warning) and warning.where is not None
    assert in_vain(Layers([layer("servers: {github: enabled}")]), ["github"]) == []
    assert in_vain(None, []) == []


def test_policies_are_read_anew_when_they_change_and_a_broken_one_refuses(tmp_path: Path) -> None:
    """X-23, X-16: an edit holds at once; a policy that cannot be used closes the repo's servers."""
    file = tmp_path / "climax" / "policy.yaml"
    file.parent.mkdir()
    policies = ServerPolicies(tmp_path, PolicySource(), None)
    assert policies.layers is None and not policies.refresh()
    file.write_text("default: enabled\n")
    assert policies.refresh() and verdicts(policies.layers, WRITES)[0].rules is not None
    file.write_text("default: sometimes\n")
    assert policies.refresh() and verdicts(policies.layers, WRITES)[0].rules is None
    assert policies.problems and file in policies.watched()


@pytest.mark.parametrize("servers", ["[github]", "5", "github"])
def test_what_is_said_of_servers_in_another_shape_is_an_error_with_its_place(servers: str) -> None:
    """X-23, C-7: a mistake in a policy is told with its place, whatever it is."""
    with pytest.raises(ConfigError, match=r"policy\.yaml:1:1: 'servers' must be a mapping"):
        layer(f"servers: {servers}")
