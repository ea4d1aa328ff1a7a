"""Secrets: where they come from, and how long they stay."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from support.waiting import until_async
from toolcrib.core.errors import ConfigError
from toolcrib.core.support.known_secrets import KNOWN
from toolcrib.policy import secrets
from toolcrib.policy.secrets import SecretMissing, Secrets, secret_name

VALUE = "s3cret-value-of-some-length"


def fetched(table: dict[str, Any], name: str = "x", **more: Any) -> str:
    return asyncio.run(Secrets(table, "config.toml", **more).fetch(name))


def test_a_secret_comes_from_each_of_its_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-17: env, file and command; one newline at the end is not part of it."""
    monkeypatch.setenv("TOKEN", VALUE)
    (tmp_path / "file").write_text(f"{VALUE}\n")
    assert fetched({"x": {"env": "TOKEN"}}) == VALUE
    assert fetched({"x": {"file": str(tmp_path / "file")}}) == VALUE
    command = {"command": ["printf", f"{VALUE}\\n"]}
    assert fetched({"x": command}, find=shutil.which) == VALUE
    (tmp_path / "file").write_text(f"{VALUE}\n\n")
    assert fetched({"x": {"file": str(tmp_path / "file")}}) == f"{VALUE}\n"


def test_what_is_not_mapped_is_named_with_its_cure() -> None:
    """T-17: which name is missing and how to map it."""
    with pytest.raises(SecretMissing) as caught:
        fetched({"github": {"env": "X"}}, "githbu")
    assert caught.value.code == "secret"
    assert "'githbu' is not mapped; did you mean 'github'" in str(caught.value)
    assert "[secrets] githbu = " in str(caught.value)


@pytest.mark.parametrize(
    "entry",
    [{"env": "TOOLCRIB_NOT_SET"}, {"file": "/nonexistent/file"}, {"command": ["false"]},
     {"command": ["not-a-program-at-all"]}, {"command": ["true"]}],
)  # fmt: skip
def test_what_cannot_be_fetched_says_why(entry: dict[str, Any]) -> None:
    """T-17: the reason, and where to look."""
    with pytest.raises(SecretMissing, match="could not be fetched"):
        fetched({"x": entry}, find=shutil.which)


def test_a_failing_command_does_not_tell_what_it_printed() -> None:
    """T-17: never in an error."""
    entry = {"command": ["sh", "-c", f"echo {VALUE}; echo token={VALUE} >&2; exit 3"]}
    with pytest.raises(SecretMissing) as caught:
        fetched({"x": entry}, find=shutil.which)
    assert "ended with 3" in str(caught.value)
    assert VALUE not in str(caught.value)


@pytest.mark.parametrize(
    "entry",
    ["TOKEN", {}, {"env": "A", "file": "B"}, {"vault": "x"}, {"command": "op read"}, {"env": 1}],
)
def test_an_entry_that_does_not_fit_is_an_error(entry: Any) -> None:
    """T-17: exactly one of env, file, keyring, command."""
    with pytest.raises(ConfigError, match=r"\[secrets\] x"):
        Secrets({"x": entry}, "config.toml")


def test_a_program_is_found_once_before_any_command_runs(tmp_path: Path) -> None:
    """T-14: what is put into its place later is not started."""
    found: list[str] = []

    def find(name: str) -> str | None:
        found.append(name)
        return shutil.which(name)

    made = Secrets({"x": {"command": ["printf", VALUE]}}, find=find)
    before = list(found)
    assert asyncio.run(made.fetch("x")) == VALUE
    assert found == before


def test_a_value_is_kept_for_five_minutes_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-17: fetched at the call, kept in memory at most so long."""
    assert secrets.KEPT == 300
    monkeypatch.setattr(secrets, "KEPT", 0.05)
    counter = tmp_path / "count"
    entry = {"command": ["sh", "-c", f"echo x >> {counter}; echo {VALUE}"]}

    async def whole() -> int:
        made = Secrets({"x": entry}, find=shutil.which)
        await made.fetch("x")
        KNOWN.remember("X", VALUE)
        await made.fetch("x")
        once = len(counter.read_text().splitlines())
        await until_async(lambda: not made._kept, 5)
        await made.fetch("x")
        return once

    assert asyncio.run(whole()) == 1
    assert len(counter.read_text().splitlines()) == 2
    KNOWN.forget("X", VALUE)


def test_a_name_is_the_whole_value() -> None:
    """T-17: `secret:NAME` is the whole value."""
    assert secret_name("secret:github") == "github"
    assert secret_name("Bearer secret:github") is None
