"""Grants: who says what, and what holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.packs.climax.config.annotations import bundled_access
from toolcrib.packs.climax.config.config import bundled_names, load_configs
from toolcrib.policy.grants import GrantFile, Grants
from toolcrib.running.network.hosts import parse_network


def granted(*files: GrantFile, tool: str = "t", **more: Any) -> Any:
    return Grants(files, **more).of("c", "c.yaml", tool)


def repo(**table: Any) -> GrantFile:
    return GrantFile("toolcrib.toml", table, line_of=lambda path: len(path))


def person(**table: Any) -> GrantFile:
    return GrantFile("config.toml", table, private=True)


def test_nothing_said_is_no_network() -> None:
    """T-10: nothing said: `none`."""
    found = granted()
    assert found.access.network.word == "none"
    assert found.sources == ()


def test_a_table_of_a_tool_takes_the_place_of_its_configs() -> None:
    """T-11: `[climax.access.<config>.<tool>]` over `[climax.access.<config>]`, key by key."""
    file = repo(c={"network": ["a.example"], "reads": ["~/a"], "t": {"network": "public"}})
    assert granted(file).access.network.word == "public"
    assert granted(file).access.reads == ("~/a",)
    assert granted(file, tool="other").access.network.shown() == ["a.example"]
    assert granted(file).sources == ("toolcrib.toml:4", "toolcrib.toml:3")


def test_of_network_the_strictest_holds_and_the_rest_adds_up() -> None:
    """T-5, T-11: the person may forbid what a repository asks for, and each may add to lists."""
    found = granted(
        repo(c={"network": "public", "reads": ["~/a"]}),
        person(c={"network": ["a.example"], "reads": ["~/b"]}),
    )
    assert found.access.network.shown() == ["a.example"]
    assert found.access.reads == ("~/a", "~/b")
    assert (
        granted(repo(c={"network": "full"}), person(c={"network": "none"})).access.network.word
        == "none"
    )


def test_a_ceiling_holds_for_every_tool() -> None:
    """T-5: `[climax] network` in the person's or the organisation's file."""
    ceiling = [parse_network(["a.example"])]
    found = granted(repo(c={"network": "public"}), ceilings=ceiling).access.network
    assert found.allows("a.example", 443)
    assert not found.allows("b.example", 443)


def test_only_the_persons_file_opens_private_addresses() -> None:
    """T-10: refused unless the person's own file lists them."""
    table = {"network": ["db.internal"]}
    assert not granted(repo(c=table)).access.network.allows_private("db.internal", 443)
    assert granted(person(c=table)).access.network.allows_private("db.internal", 443)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"c": {"netwrok": "none"}}, "netwrok: is not a grant; did you mean 'network'"),
        ({"c": {"network": "*"}}, "network: '\\*' is none of none, public, full"),
        ({"c": {"network": ["*.com"]}}, "too wide"),
        ({"c": {"reads": "~/x"}}, "reads: must be a list of strings"),
        ({"c": {"t": {"writes": [1]}}}, r"\[climax.access.c.t\] writes: must be a list"),
        ({"c": "public"}, "c: must be a table"),
    ],
)
def test_what_does_not_fit_is_an_error_with_its_place(
    table: Mapping[str, Any], message: str
) -> None:
    """T-11: the field, the expectation, the nearest name."""
    with pytest.raises(ConfigError, match=message) as caught:
        Grants([repo(**table)])
    assert caught.value.where is not None
    assert caught.value.where.file == "toolcrib.toml"


def test_every_bundled_tool_says_what_network_it_needs() -> None:
    """T-10: all 313 of them, and no sidecar names a tool that is not there."""
    count = none = 0
    for name, config in zip(
        bundled_names(), load_configs(bundled_names(), None).configs, strict=True
    ):  # type: ignore[arg-type]
        sidecar = bundled_access(config.file)
        assert set(sidecar["network"]) == set(config.tools.lines), name
        for rule in sidecar["access"]:
            assert {tool for tool in rule["tools"] if tool != "*"} <= set(config.tools.lines)
        grants = Grants(bundled=bundled_access)
        for tool in config.tools.lines:
            count += 1
            none += grants.access(config.name, config.file, tool).network.word == "none"
    assert (count, none) == (313, 201)


@pytest.mark.parametrize(
    ("config", "tool", "word"),
    [
        ("git", "git_status", "none"),
        ("git", "git_push", "public"),
        ("posix", "posix_cat", "none"),
        ("npm", "npm_run", "none"),
        ("npm", "npm_install", "public"),
        ("kubectl", "kubectl_get", "full"),
        ("docker", "docker_pull", "none"),
        ("gh", "gh_pr_list", "hosts"),
        ("curl", "curl_get", "public"),
    ],
)
def test_bundled_grants_are_those_that_programs_need(config: str, tool: str, word: str) -> None:
    """T-10: to begin with."""
    access = Grants(bundled=bundled_access).access(config, f"{config} (bundled)", tool)
    assert access.network.word == word
    if tool == "git_push":
        assert access.network.allows("example.com", 22)
        assert access.sockets == ("ssh-agent",)
        assert access.changes_work_tree
    if config == "gh":
        assert access.network.allows("api.github.com", 443)
        assert not access.network.allows("example.com", 443)
        assert access.reads == ("~/.config/gh",)
    if config == "docker":
        assert access.sockets == ("docker",)
    if config == "posix":
        assert ".env" in access.hides
