"""Secrets that are written into entries."""

from __future__ import annotations

import pytest

from toolcrib.cli.adoption.literals import (
    KeptSecrets,
    in_arguments,
    is_secret,
    with_literals,
    without_literals,
)
from toolcrib.cli.adoption.translation import Translation


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_TOKEN", "abc"),
        ("OPENAI_API_KEY", "sk-proj-1234567890abcdef"),
        ("Authorization", "Bearer abc"),
        ("PASSWORD", "hunter2"),
        ("GITHUB_PAT", "x1y2z3"),
        ("DATABASE_URL", "postgres://me:hunter2@db/x"),
        ("ANYTHING", "ghp_abcdefghijklmnop1234"),
    ],
)
def test_a_secret_is_known_by_its_name_or_its_look(name, value) -> None:
    """X-27: literal values under names that look like secrets."""
    assert is_secret(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_TOKEN", "${GITHUB_TOKEN}"),
        ("GITHUB_TOKEN", "secret:github"),
        ("AUTH_ENABLED", "true"),
        ("API_KEY", ""),
        ("LOG_LEVEL", "debug"),
        ("HOST", "db.example.com"),
        ("DATABASE_URL", "postgres://db/x"),
        ("LANG", "en_US.UTF-8"),
    ],
)
def test_what_is_no_secret_stays_in_the_open(name, value) -> None:
    """X-27: references, switches and plain words."""
    assert not is_secret(name, value)


def test_an_entry_gets_names_and_the_values_go_elsewhere(tmp_path) -> None:
    """X-27: `secret:NAME` instead of the value, in env, headers and the client secret."""
    kept = KeptSecrets(tmp_path, {})
    given = Translation(
        {
            "url": "https://x",
            "headers": {"Authorization": "Bearer t0ken", "X": "plain"},
            "env": {"A_KEY": "k", "B": "from a file"},
            "oauth": {"client_id": "me", "client_secret": "s3cret"},
        },
        {("env", "B")},
    )
    entry = without_literals("my.srv", given, kept)
    assert entry["headers"] == {"Authorization": "secret:my-srv-Authorization", "X": "plain"}
    assert entry["env"] == {"A_KEY": "secret:my-srv-A_KEY", "B": "secret:my-srv-B"}
    assert entry["oauth"] == {"client_id": "me", "client_secret": "secret:my-srv-client_secret"}
    assert kept.values["my-srv-Authorization"] == "Bearer t0ken"
    assert with_literals(entry, kept.value) == given.entry
    assert given.entry["env"]["A_KEY"] == "k"


def test_two_values_never_share_a_name_and_one_value_has_one(tmp_path) -> None:
    """X-27: what a person has mapped already is not replaced."""
    (tmp_path / "old").write_text("same")
    mapped = {"old": {"file": str(tmp_path / "old")}, "env": {"env": "X"}}
    kept = KeptSecrets(tmp_path, mapped)
    assert kept.keep("old", "same") == "old"
    assert kept.keep("old", "other") == "old-2"
    assert kept.keep("old", "other") == "old-2"
    assert kept.keep("env", "value") == "env-2"
    assert kept.value("env") is None
    assert set(kept.values) == {"old-2", "env-2"}


def test_a_secret_among_the_arguments_is_noticed() -> None:
    """X-27: it cannot be moved to a file, so a person is told."""
    assert in_arguments({"args": ["--api-key", "sk-1"]})
    assert in_arguments({"args": ["--token=abc"]})
    assert in_arguments({"args": ["postgres://me:hunter2@db/x"]})
    assert not in_arguments({"args": ["--token", "--verbose", "-y", "@scope/auth-server"]})
    assert not in_arguments({"args": ["--token", "${TOKEN}"], "url": "https://x/mcp"})
