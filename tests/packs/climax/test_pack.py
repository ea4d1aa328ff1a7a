"""The pack: from files to a shelf, live and in good health."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.errors import ConfigError, DuplicateTool
from toolcrib.packs.climax.config.config_set import load_config_set
from toolcrib.packs.climax.config.known_good import is_known_good
from toolcrib.packs.climax.config.sources import identities
from toolcrib.packs.climax.config.validation import validate_files
from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.packs.climax.settings import ClimaxSettings, detect
from toolcrib.policy.repository.places import found_configs, found_policies

ONE = "command: echo\ntools: [{name: one, description: First}]\n"
TWO = "command: echo\ntools: [{name: two}]\n"


def tools(pack: ClimaxPack) -> list[str]:
    shelf = pack.contribute().unlisted
    assert shelf is not None
    assert len(shelf) == len(list(shelf))
    return [tool.name for tool in shelf]


def test_configs_are_found_where_a_repo_keeps_them(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """S-2: `toolcrib serve` finds CLI configs; in tools/ only what looks like one."""
    assert not detect(tmp_path)
    write("jobs: [build]\n", "tools/ci.yaml")
    assert not detect(tmp_path)
    write(ONE, "tools/one.yaml")
    write(TWO, "climax/two.yml")
    write("default: enabled\n", "climax/policy.yaml")
    assert detect(tmp_path)
    assert found_configs(tmp_path) == ["climax/two.yml", "tools/one.yaml"]
    assert found_policies(tmp_path, found_configs(tmp_path)) == ["climax/policy.yaml"]
    assert tools(ClimaxPack(tmp_path, ClimaxSettings())) == ["one", "two"]


def test_a_policy_that_lies_beside_the_configs_holds(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-7: nobody has to remember to name it."""
    write(ONE, "climax/one.yaml")
    write(TWO, "climax/two.yaml")
    write("tools: {two: }\n", "climax/policy.yaml")
    assert tools(ClimaxPack(tmp_path, ClimaxSettings())) == ["two"]


@pytest.mark.parametrize("policy", ["climax/policy.yml", "climax/policy.yaml"])
@pytest.mark.parametrize("config", ["climax/one.yaml", "tools/one.yaml"])
def test_a_policy_of_the_repo_holds_for_all_configs_that_are_found(
    write: Callable[..., Path], tmp_path: Path, policy: str, config: str
) -> None:
    """C-7: neither its suffix nor the folder of the configs opens what it closes."""
    write(ONE, config)
    write("default: disabled\n", policy)
    assert tools(ClimaxPack(tmp_path, ClimaxSettings())) == []


def test_a_policy_that_is_a_dangling_link_closes_everything(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-7: a policy that cannot be read denies; it is not taken for none."""
    write(ONE, "climax/one.yaml")
    (tmp_path / "climax/policy.yaml").symlink_to("nowhere")
    with pytest.raises(ConfigError, match=r"No such file: .*policy\.yaml"):
        ClimaxPack(tmp_path, ClimaxSettings()).contribute()


def test_two_policies_are_an_error_that_names_both(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-7: contradictory policies deny; which of them holds is never a guess."""
    write(ONE, "tools/one.yaml")
    write(TWO, "climax/two.yaml")
    write("default: enabled\n", "climax/policy.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings())
    assert tools(pack) == ["one", "two"]
    write("default: disabled\n", "tools/policy.yaml")
    both = "Two policies are found, .*: climax/policy.yaml and tools/policy.yaml"
    with pytest.raises(ConfigError, match=both):
        ClimaxPack(tmp_path, ClimaxSettings()).contribute()
    pack.refresh([])
    assert tools(pack) == []
    named = ClimaxSettings(policy="climax/policy.yaml")
    assert tools(ClimaxPack(tmp_path, named)) == ["one", "two"]
    assert [
        (each.file, bool(each.errors)) for each in validate_files(tmp_path, ClimaxSettings()).files
    ] == [
        ("climax/two.yaml", False),
        ("tools/one.yaml", False),
        ("climax/policy.yaml", True),
        ("tools/policy.yaml", True),
    ]


def test_a_pattern_for_configs_may_mean_the_policy_too(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """S-4: `configs = ["tools/*.yaml"]` with `policy = "tools/policy.yaml"` just works."""
    write(ONE, "tools/one.yaml")
    write(TWO, "tools/two.yaml")
    write("tools: {two: }\n", "tools/policy.yaml")
    settings = ClimaxSettings(configs=("tools/*.yaml",), policy="tools/policy.yaml")
    assert tools(ClimaxPack(tmp_path, settings)) == ["two"]
    assert validate_files(tmp_path, settings).valid
    unnamed = ClimaxSettings(configs=("tools/*.yaml",))
    with pytest.raises(ConfigError, match="A config needs the key 'command'"):
        ClimaxPack(tmp_path, unnamed).contribute()


def test_what_a_person_named_has_to_be_right(write: Callable[..., Path], tmp_path: Path) -> None:
    """C-3, C-7: mistakes in named files are errors at load."""
    write(ONE, "one.yaml")
    write(ONE, "same.yaml")
    write("command: [", "broken.yaml")
    cases: list[tuple[dict[str, Any], type[Exception]]] = [
        ({"configs": ("one.yaml", "same.yaml")}, DuplicateTool),
        ({"configs": ("broken.yaml",)}, ConfigError),
        ({"configs": ("one.yaml",), "policy": "missing.yaml"}, ConfigError),
    ]
    for settings, error in cases:
        with pytest.raises(error):
            ClimaxPack(tmp_path, ClimaxSettings(**settings)).contribute()


def test_of_what_was_only_found_the_rest_is_served(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """S-2: one broken file does not take everything along, and is told."""
    write(ONE, "climax/one.yaml")
    write("command: [", "climax/broken.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings())
    assert tools(pack) == ["one"]
    assert any("climax/broken.yaml" in each.text for each in pack.health() if each.level == "error")


def test_changes_are_served_without_a_restart(write: Callable[..., Path], tmp_path: Path) -> None:
    """S-5: changed, added and removed configs and policies."""
    one = write(ONE, "climax/one.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings())
    assert tools(pack) == ["one"]
    assert not pack.refresh([])
    write(TWO, "climax/two.yaml")
    assert pack.refresh([]).tools
    assert tools(pack) == ["one", "two"]
    write(ONE.replace("First", "Changed"), "climax/one.yaml")
    assert pack.refresh([]).tools
    shelf = pack.contribute().unlisted
    assert shelf is not None
    changed = shelf.get("one")
    assert changed is not None
    assert changed.description == "Changed"
    one.unlink()
    assert pack.refresh([]).tools
    assert tools(pack) == ["two"]
    write("", "climax/policy.yaml")
    assert pack.refresh([]).tools
    assert tools(pack) == []


def test_a_broken_config_leaves_the_last_good_one(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """S-5: the last good state stays, and doctor says that it is not the newest."""
    write(ONE, "one.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings(configs=("one.yaml",)))
    assert tools(pack) == ["one"]
    write("command: [", "one.yaml")
    pack.refresh([])
    assert tools(pack) == ["one"]
    assert pack.health()[0].level == "error"
    write(ONE, "one.yaml")
    pack.refresh([])
    assert pack.health()[0].level == "ok"


@pytest.mark.parametrize(
    "damage", ["command: [", "command: echo\ntools: [{name: two}, {name: one}]\n"]
)
def test_a_found_config_that_broke_stays_as_it_was(
    write: Callable[..., Path], tmp_path: Path, damage: str
) -> None:
    """S-5, C-3: the last good one stays, marked degraded; one that is deleted goes."""
    path = write(ONE, "climax/one.yaml")
    write(TWO, "climax/a_two.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings())
    assert tools(pack) == ["one", "two"]
    write(damage, "climax/one.yaml")
    pack.refresh([])
    assert tools(pack) == ["one", "two"]
    assert pack.health()[0].level == "error"
    write(ONE, "climax/a_two.yaml")
    pack.refresh([])
    assert tools(pack) == ["one"]
    path.unlink()
    write(TWO, "climax/a_two.yaml")
    pack.refresh([])
    assert tools(pack) == ["two"]
    assert pack.health()[0].level == "ok"


@pytest.mark.parametrize("damage", ["broken", "gone", "contradictory"])
def test_without_a_sound_policy_nothing_goes(
    write: Callable[..., Path], tmp_path: Path, damage: str
) -> None:
    """C-7: policy missing, unreadable, contradictory: deny, also while it is served."""
    write(ONE, "one.yaml")
    policy = write("default: enabled\n", "policy.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings(configs=("one.yaml",), policy="policy.yaml"))
    assert tools(pack) == ["one"]
    if damage == "gone":
        policy.unlink()
    else:
        policy.write_text(
            "tools: [" if damage == "broken" else "tools: {one: {args: {x: {min: 1}}}}"
        )
    pack.refresh([])
    assert tools(pack) == []
    policy.write_text("default: enabled\n# repaired\n")
    pack.refresh([])
    assert tools(pack) == ["one"]


def test_a_tightened_policy_holds_even_if_a_config_broke_meanwhile(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-7: the last good configs are used, but the last good policy is not."""
    write(ONE, "one.yaml")
    write("default: enabled\n", "policy.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings(configs=("one.yaml",), policy="policy.yaml"))
    assert tools(pack) == ["one"]
    write("command: [", "one.yaml")
    write("default: disabled\n", "policy.yaml")
    pack.refresh([])
    assert tools(pack) == []


def test_a_start_that_finds_everything_as_it_was_reads_nothing(
    write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-5, C-1: files that were sound and did not change are read when a tool is asked for."""
    path = write(ONE, "one.yaml")
    os.utime(path, ns=(0, 0))
    monkeypatch.setattr("toolcrib.packs.climax.config.known_good._TICK_NS", -(10**18))
    settings = ClimaxSettings(configs=("one.yaml",))
    ClimaxPack(tmp_path, settings).contribute()
    looked: list[Path] = []

    def watched_load(project: Path, *more: Any) -> Any:
        looked.append(project)
        return load_config_set(project, *more)

    monkeypatch.setattr("toolcrib.packs.climax.config.config_set.load_config_set", watched_load)
    pack = ClimaxPack(tmp_path, settings)
    pack.contribute()
    assert looked == []
    assert tools(pack) == ["one"]
    assert looked == [tmp_path]
    write("command: [", "one.yaml")
    with pytest.raises(ConfigError):
        ClimaxPack(tmp_path, settings).contribute()
    with pytest.raises(ConfigError):
        ClimaxPack(tmp_path, ClimaxSettings(configs=("one.yaml",), strict=True)).contribute()


@pytest.mark.parametrize(
    "text", [ONE + "color: red\n", ONE.replace("echo", "echo $HOME"), "command: ["]
)
def test_what_is_not_sound_for_sure_is_read_at_every_start(
    write: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """C-1, C-11: warnings, errors and variables are looked at each time."""
    monkeypatch.setattr("toolcrib.packs.climax.config.known_good._TICK_NS", -(10**18))
    write(text, "one.yaml")
    settings = ClimaxSettings(configs=("one.yaml",))
    with contextlib.suppress(ConfigError):
        ClimaxPack(tmp_path, settings).contribute()
    assert not is_known_good(tmp_path, settings, identities(tmp_path, settings))


def test_the_files_and_their_folders_are_watched(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """S-5: what may change is known, but not what ships with toolcrib."""
    one = write(ONE, "sub/one.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings(configs=("sub/one.yaml", "git")))
    assert one in pack.watched()
    assert one.parent in pack.watched()
    assert not any(path.name == "git.yaml" for path in pack.watched())


def test_health_names_missing_programs_and_programs_named_by_callers(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-8, FAULTS: what `doctor` has to say."""
    write("command: nosuchprogram\ntools: []\n", "a.yaml")
    write(
        "command: sh -c\ntools: [{name: any, args: [{name: script, positional: true}]}]\n", "b.yaml"
    )
    pack = ClimaxPack(tmp_path, ClimaxSettings(configs=("a.yaml", "b.yaml"), sandbox="off"))
    texts = [(each.level, each.text) for each in pack.health()]
    assert ("warning", "a.yaml: nosuchprogram is not installed") in texts
    assert ("warning", "any runs a program that its caller names") in texts
    assert ("warning", "sandbox: off") in texts


def test_strict_settings_make_errors_of_warnings(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-11: `--strict`."""
    write(ONE + "color: red\n", "one.yaml")
    ClimaxPack(tmp_path, ClimaxSettings(configs=("one.yaml",))).contribute()
    with pytest.raises(ConfigError, match="color"):
        ClimaxPack(tmp_path, ClimaxSettings(configs=("one.yaml",), strict=True)).contribute()


def test_every_setting_is_described() -> None:
    """S-4: each key of `[climax]` has its sentence."""
    import dataclasses

    assert all(each.metadata["doc"] for each in dataclasses.fields(ClimaxSettings))
    json.dumps({each.name: each.default for each in dataclasses.fields(ClimaxSettings)})
