"""The JSON Schemas for configs and policies agree with the loader."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.files.yaml import load
from toolcrib.packs.climax.config.config import BUNDLED, load_config
from toolcrib.policy.reader import load_policy

SCHEMAS = BUNDLED.parent / "schemas"
GOOD_CONFIGS = [
    "command: x\ntools: []",
    "command: x\ntools:\n  - name: a",
    "command: x\ndescription:\nenv:\ntags:\ntools:\n  - {name: a, args: }",
    "command: x\nenv: {A: 1}\ntools:\n  - {name: a, args: [{name: b, default: 1, flag: -1}]}",
    "command: x\ntools:\n  - {name: a.b/c:d-e, timeout: 0.5, args: [{name: b, enum: [x]}]}",
]
BAD_CONFIGS = [
    "tools: []",
    "command: x",
    "[]",
    "command: [x]\ntools: []",
    "command: x\ntools: {}",
    "command: x\ntools: [{description: a}]",
    "command: x\ntools: [{name: a b}]",
    "command: x\ntools: [{name: climax_search}]",
    "command: x\ntools: [{name: a, timeout: -1}]",
    "command: x\ntools: [{name: a, timeout: soon}]",
    "command: x\ntools: [{name: a, args: [{name: b, type: int}]}]",
    "command: x\ntools: [{name: a, args: [{name: b, required: maybe}]}]",
    "command: x\ntools: [{name: a, args: [{name: b, enum: []}]}]",
    "command: x\ntools: [{name: a, args: [{type: string}]}]",
]
GOOD_POLICIES = [
    "",
    "default: enabled",
    "tools: {a: , b: {}, c: {args: {d: {pattern: x, min: 1, max: 2.5}, e: }}}",
    "executor: {type: docker, image: i, volumes: [a:b], working_dir: /x, network: none}",
]
BAD_POLICIES = [
    "default: maybe",
    "other: 1",
    "tools: [a]",
    "tools: {a: {description: [x]}}",
    "tools: {a: {args: {b: {min: x}}}}",
    "tools: {a: {args: {b: {pat: x}}}}",
    "executor: {type: docker}",
    "executor: {type: podman}",
    "executor: {type: docker, image: -x}",
    "executor: {type: docker, image: i, volumes: x}",
]


def validator(name: str) -> Any:
    schema = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    return jsonschema_rs.Draft202012Validator(schema)


CONFIG, POLICY = validator("config.schema.json"), validator("policy.schema.json")


@pytest.mark.parametrize("text", GOOD_CONFIGS + BAD_CONFIGS)
def test_schema_and_loader_agree_on_configs(
    write: Callable[..., Path], tmp_path: Path, text: str
) -> None:
    """C-1: what an editor accepts can be loaded, and what it marks cannot."""
    try:
        load_config(write(text), tmp_path)
        loads = True
    except ConfigError:
        loads = False
    assert loads is (text in GOOD_CONFIGS)
    assert CONFIG.is_valid(load(text, "x").value) is loads


@pytest.mark.parametrize("text", GOOD_POLICIES + BAD_POLICIES)
def test_schema_and_loader_agree_on_policies(write: Callable[..., Path], text: str) -> None:
    """C-7: the same for policies."""
    try:
        load_policy(write(text))
        loads = True
    except ConfigError:
        loads = False
    assert loads is (text in GOOD_POLICIES)
    assert POLICY.is_valid(load(text, "x").value) is loads


@pytest.mark.parametrize("path", sorted(BUNDLED.glob("*.yaml")), ids=lambda path: path.stem)
def test_bundled_configs_fit_the_schema(path: Path) -> None:
    """C-8: what ships is right by both."""
    assert CONFIG.is_valid(load(path.read_text(encoding="utf-8"), path.name).value)


def test_unknown_keys_are_marked_by_editors_too() -> None:
    """C-1: no new keys."""
    assert not CONFIG.is_valid({"command": "x", "tools": [], "color": "red"})
    assert not CONFIG.is_valid({"command": "x", "tools": [{"name": "a", "shell": True}]})


def test_the_examples_of_the_skill_can_be_loaded(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-8: the skill teaches what works."""
    skill = (BUNDLED.parent / "skill" / "SKILL.md").read_text(encoding="utf-8")
    config, policy = (
        block.split("```")[0] for block in skill.split("```yaml\n")[1:] if block.split("```")[0]
    )
    loaded, warnings = load_config(write(config), tmp_path)
    assert not warnings
    assert len(loaded.tools) == 2
    assert load_policy(write(policy, "policy.yaml")).decide("shop_orders_note") is not None
