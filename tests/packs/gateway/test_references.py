"""References: resolved in one pass, at the start, and never shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toolcrib.packs.gateway.entries import ConfiguredServer
from toolcrib.packs.gateway.references import Unresolved, resolve, secret_names


def entry(**more: Any) -> ConfiguredServer:
    given = {"name": "s", "source": "user", "kind": "stdio", "file": "f", "line": 1}
    return ConfiguredServer(**{**given, "home": Path("/"), **more})  # type: ignore[arg-type]


def resolved(entry: ConfiguredServer, **environment: str) -> Any:
    return resolve(entry, Path("/repo"), {"k": "s3cret-value"}.__getitem__, environment)


def test_every_form_is_resolved_in_one_pass() -> None:
    """X-5: ${VAR}, ${env:VAR}, ${VAR:-default}, ${workspaceFolder}, ~; one pass."""
    made = resolved(
        entry(
            command="${A}", args=("${env:B}/x", "${C:-dflt}", "${workspaceFolder}/y", "$A"),
            env={"T": "secret:k"},
        ),
        A="${B}",
        B="b",
    )  # fmt: skip
    assert made.command == "${B}"
    assert made.args == ["b/x", "dflt", "/repo/y", "$A"] and made.env == {"T": "s3cret-value"}


def test_what_is_not_set_is_named() -> None:
    """X-5: the sentence names server and variable."""
    with pytest.raises(Unresolved) as told:
        resolved(entry(env={"X": "${GITHUB_TOKEN}"}))
    assert str(told.value) == "Server 's' needs the variable GITHUB_TOKEN, which is not set"


def test_resolved_values_are_masked_and_plain_ones_are_not() -> None:
    """X-5: secrets, headers, secret-looking names from 4, others from 8 characters; not HOME."""
    made = resolved(
        entry(
            env={"A": "${API_KEY}", "B": "${REGION}", "C": "${HOME}", "D": "${LONGER}"},
            headers={"X": "secret:k"},
        ),
        API_KEY="abcd",
        REGION="eu-west",
        HOME="/home/somebody",
        LONGER="12345678",
    )
    text = "abcd eu-west /home/somebody 12345678 s3cret-value"
    assert made.masked(text) == "*** eu-west /home/somebody *** ***"


def test_secrets_are_taken_out_of_answers_and_other_values_are_not() -> None:
    """X-5, T-18: secret:NAME and ${NAME} that looks like a secret, at any depth."""
    made = resolved(
        entry(env={"KEY": "secret:k", "B": "${MY_TOKEN}", "C": "${LONGER}"}),
        MY_TOKEN="t0ken-of-mine",
        LONGER="12345678",
    )
    deep: list[Any] = ["s3cret-value"]
    for _ in range(5000):
        deep = [deep]
    answer = made.redacted(
        {
            "text": "s3cret-value t0ken-of-mine 12345678",
            "s3cret-value": [{"x": "t0ken-of-mine"}, 1],
            "deep": deep,
        }
    )
    assert answer["text"] == "***KEY*** ***MY_TOKEN*** 12345678"
    assert answer["***KEY***"] == [{"x": "***MY_TOKEN***"}, 1]
    inner = answer["deep"]
    while isinstance(inner[0], list):
        inner = inner[0]
    assert inner == ["***KEY***"]


def test_secrets_are_named_before_they_are_fetched() -> None:
    """X-5: secret:NAME is the whole value."""
    found = secret_names(entry(env={"A": "secret:one", "B": "x secret:two"}))
    assert found == ["one"]


def test_the_home_folder_is_meant_at_the_beginning_of_a_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """X-5: ~ in command, args, cwd and env."""
    monkeypatch.setenv("HOME", "/home/me")
    made = resolved(entry(command="~/bin/x", args=("~",), cwd="~/y", env={"A": "~/z", "B": "a~/z"}))
    assert (made.command, made.args, made.cwd) == ("/home/me/bin/x", ["/home/me"], "/home/me/y")
    assert made.env == {"A": "/home/me/z", "B": "a~/z"}
