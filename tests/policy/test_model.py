"""Policies: what may be called, with which values. In doubt, no."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.growth import assert_grows_slowly
from toolcrib.core.errors import ConfigError, InvalidArguments
from toolcrib.files.content_cache import ContentCache
from toolcrib.packs.climax.config.config import load_config
from toolcrib.policy.check import check_policy
from toolcrib.policy.model import Constraint, Executor, Policy, full_match
from toolcrib.policy.reader import load_policy
from toolcrib.running.program import ArgDef

CONFIG = """
    command: touch
    tools:
      - name: make_file
        description: Makes a file
        args:
          - {name: path, positional: true, required: true}
          - {name: depth, type: integer, default: 3}
      - name: other
"""
POLICY = """
    executor:
      type: docker
      image: alpine:3
      volumes: ["$DATA:/data", "~/x:/x"]
      working_dir: /data
      network: none
    default: disabled
    tools:
      make_file:
        description: Only in the morning
        args:
          path: {pattern: "[a-z/]+[.]txt"}
          depth: {min: 1, max: 5}
      other:
"""


@pytest.fixture
def mistake(write: Callable[..., Path]) -> Callable[[str], ConfigError]:
    def provoke(text: str) -> ConfigError:
        with pytest.raises(ConfigError) as caught:
            load_policy(write(text, "policy.yaml"), "policy.yaml")
        return caught.value

    return provoke


def test_every_key_of_the_contract_is_read(write: Callable[..., Path]) -> None:
    """C-7: executor, default, tools with description and args."""
    policy = load_policy(write(POLICY), environment={"DATA": "/srv", "HOME": "/h"})
    assert policy.executor == Executor(
        "docker", "alpine:3", ("/srv:/data", "/h/x:/x"), "/data", "none"
    )
    assert not policy.enabled_by_default
    rules = policy.decide("make_file")
    assert rules is not None
    assert rules.description == "Only in the morning"
    assert rules.args == {
        "path": Constraint(pattern="[a-z/]+[.]txt"),
        "depth": Constraint(min=1, max=5),
    }
    assert policy.decide("other") is not None
    assert policy.decide("unnamed") is None


def test_an_empty_policy_disables_everything(write: Callable[..., Path]) -> None:
    """C-7: the default is disabled."""
    assert load_policy(write("")).decide("anything") is None


def test_enabled_by_default_lets_the_others_through(write: Callable[..., Path]) -> None:
    """C-7: `default: enabled`."""
    policy = load_policy(write("default: enabled\n"))
    assert policy.decide("anything") is not None


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("default: off", 1, "'default' must be one of: disabled, enabled"),
        ("defualt: enabled", 1, "Unknown key 'defualt'; did you mean 'default'?"),
        ("tools: {t: {args: {a: {patern: x}}}}", 1, "did you mean 'pattern'?"),
        ("tools: {t: {arg: {}}}", 1, "Unknown key 'arg'; did you mean 'args'?"),
        ("executor: {type: podman}", 1, "'type' must be one of: local, docker"),
        ("executor: {type: docker}", 1, "needs the key 'image'"),
        ("executor: {type: docker, image: -x}", 1, "is not possible here"),
        ("executor: {type: docker, image: i, volumes: [-v]}", 1, "is not possible here"),
        ("executor: {type: docker, image: i, volumes: [$NOPE]}", 1, "$NOPE is not set"),
        ("tools:\n  t: {args: {a: {pattern: '('}}}", 2, "The pattern is not valid"),
        ("tools:\n  t: {args: {a: {pattern: '(?=a)'}}}", 2, "The pattern is not valid"),
        ("tools: {t: {args: {a: {min: x}}}}", 1, "'min' must be a number"),
        ("tools: {t: {args: {a: {min: .nan}}}}", 1, "'min' must be a number"),
        ("tools: {t: {args: {a: {min: 5, max: 1}}}}", 1, "'min' is above 'max'"),
        ("tools: [t]", 1, "'tools' must be a mapping"),
        ("tools:\n  t: yes", 2, "must be a mapping"),
        ("tools: [", 2, "not valid YAML"),
    ],
)
def test_half_a_policy_is_none(
    mistake: Callable[[str], ConfigError], text: str, line: int, what: str
) -> None:
    """C-7: contradictory, unreadable, misspelt: refused as a whole, with the place."""
    error = mistake(text + "\n")
    assert what in error.what
    assert error.where is not None
    assert (error.where.file, error.where.line) == ("policy.yaml", line)


def test_a_missing_policy_is_an_error(tmp_path: Path) -> None:
    """C-7: deny: fail closed."""
    with pytest.raises(ConfigError, match="No such file"):
        load_policy(tmp_path / "nope.yaml")


@pytest.mark.parametrize(
    ("constraint", "value", "allowed"),
    [
        (Constraint(pattern="a+"), "aaa", True),
        (Constraint(pattern="a+"), "aaab", False),
        (Constraint(pattern="a+"), "baaa", False),
        (Constraint(pattern="a+"), "aaa\n", False),
        (Constraint(pattern="a|b"), "ab", False),
        (Constraint(pattern="[0-9]+"), 42, True),
        (Constraint(pattern="é+"), "éé", True),
        (Constraint(pattern=".*"), "\ud800", False),
        (Constraint(min=1), 1, True),
        (Constraint(min=1), 0, False),
        (Constraint(max=5), 5.1, False),
        (Constraint(min=1, max=5), math.nan, False),
        (Constraint(max=5), math.nan, False),
        (Constraint(min=1), "2", False),
        (Constraint(), "anything", True),
    ],
)
def test_patterns_match_all_of_a_value_and_bounds_never_let_nan_pass(
    constraint: Constraint, value: Any, allowed: bool
) -> None:
    """C-7: pattern is a full match; NaN never passes."""
    assert (constraint.problem(ArgDef("x"), value) is None) is allowed


def test_a_refusal_names_the_argument_the_value_and_the_rule() -> None:
    """C-7: the message helps to correct the call."""
    problem = Constraint(pattern="[a-z]+").problem(ArgDef("name"), "Bad")
    assert problem == "Argument 'name': 'Bad' does not match the pattern '[a-z]+' of the policy"
    assert Constraint(max=5).problem(ArgDef("n"), 7) == "Argument 'n' must be at most 5, got 7"
    assert Constraint(min=5).problem(ArgDef("n"), 1) == "Argument 'n' must be at least 5, got 1"


def test_a_catastrophic_pattern_takes_linear_time() -> None:
    """C-7: RE2: `(a+)+$` on a long text is decided at once."""
    assert not full_match("(a+)+$", "a" * 50_000 + "b")
    assert_grows_slowly(lambda size: full_match("(a+)+$", "a" * size + "b"), 10_000)


@pytest.mark.parametrize(
    ("policy", "what"),
    [
        ("tools: {make_file: {args: {pth: {pattern: x}}}}", "has no argument 'pth'; did you mean"),
        ("tools: {make_file: {args: {path: {max: 3}}}}", "'min' and 'max' are for numbers"),
        ("tools: {make_file: {args: {depth: {max: 2}}}}", "is against the policy"),
    ],
)
def test_a_policy_that_does_not_fit_the_config_is_an_error(
    write: Callable[..., Path], tmp_path: Path, policy: str, what: str
) -> None:
    """C-7, C-11: defaults are checked at load, and a rule is never in vain unnoticed."""
    config, _ = load_config(write(CONFIG), tmp_path)
    with pytest.raises(ConfigError) as caught:
        check_policy(load_policy(write(policy, "p.yaml")), [config])
    assert what in caught.value.what


def test_a_tool_that_no_config_has_is_a_warning(write: Callable[..., Path], tmp_path: Path) -> None:
    """C-7: a policy may be shared, but a misspelt name should be seen."""
    config, _ = load_config(write(CONFIG), tmp_path)
    (warning,) = check_policy(load_policy(write("tools: {make_fiel: }", "p.yaml")), [config])
    assert "'make_fiel', which no config has; did you mean 'make_file'?" in str(warning)


def test_what_comes_from_the_cache_is_what_was_parsed(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-7: the same policy, parsed or kept."""
    path, cache = write(POLICY), ContentCache(tmp_path / "kept", b"k" * 32)
    env = {"DATA": "d", "HOME": "h"}
    policies: list[Policy] = [load_policy(path, cache=cache, environment=env) for _ in range(2)]
    assert policies[0] == policies[1]


def test_a_disabled_tool_is_neither_found_nor_callable(
    write: Callable[..., Path], crib: Any
) -> None:
    """C-4, C-7: policy-disabled tools never appear, and are unknown to climax_call."""
    write(CONFIG)
    write("tools: {make_file: }", "policy.yaml")
    settings = {"configs": ("tools.yaml",), "policy": "policy.yaml"}
    listed, called, summary = crib.ask_all(
        [
            ("climax_search", {"query": "other"}),
            ("climax_call", {"tool_name": "other"}),
            ("climax_search", {}),
        ],
        **settings,
    )
    assert "other" not in [entry["tool_name"] for entry in listed.structured["results"]]
    assert called.is_error
    assert "Unknown tool: other" in called.content[0]["text"]
    assert summary.structured["summary"][0]["tool_count"] == 1


def test_a_rejected_call_never_starts_a_process(
    write: Callable[..., Path], crib: Any, tmp_path: Path
) -> None:
    """C-7: rejected calls never start a process."""
    write(CONFIG)
    write("tools: {make_file: {args: {path: {pattern: 'ok[.]txt'}}}}", "policy.yaml")
    settings = {"configs": ("tools.yaml",), "policy": "policy.yaml"}
    with pytest.raises(InvalidArguments, match="does not match the pattern"):
        crib.ask("make_file", {"path": "evil.txt"}, **settings)
    assert not (tmp_path / "evil.txt").exists()
    # The tool has a depth that touch does not know: it ran, which is all that matters here.
    assert crib.ask("make_file", {"path": "ok.txt"}, **settings).is_error


def test_the_policy_describes_a_tool_in_its_own_words(
    write: Callable[..., Path], crib: Any
) -> None:
    """C-7: `tools.<name>.description`."""
    write(CONFIG)
    write("tools: {make_file: {description: Ask first.}}", "policy.yaml")
    found = crib.ask(
        "climax_search", {"query": "make_file"}, configs=("tools.yaml",), policy="policy.yaml"
    )
    assert found.structured["results"][0]["description"] == "Ask first."
