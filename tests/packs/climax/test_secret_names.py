"""Secrets of a config, all the way to a command and out of what it prints."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path

import pytest

from toolcrib.core.tool import CallContext, ToolOutput
from toolcrib.discovery.index import ToolIndex
from toolcrib.packs.climax.secret_names import secret_names
from toolcrib.policy.secrets import GH_KEYRING, Secrets
from toolcrib.running.limits import Limits
from toolcrib.running.program import CLIConfig, ToolDef, ToolTable
from toolcrib.running.runtime import Runtime
from toolcrib.running.sandbox.ladder import Sandbox

VALUE = 's3cret/value+with "quotes"'


def called(
    script: str, env: dict[str, str], project: Path, limits: Limits | None = None
) -> ToolOutput:
    defined = ToolDef("shop_deploy", words=(script,))
    config = CLIConfig("sh -c", ToolTable.of([defined]), ("sh", "-c"), env=env)
    resolved = ToolIndex.from_configs([config], None).get("shop_deploy")
    assert resolved is not None

    async def whole() -> ToolOutput:
        secrets = Secrets({"github": {"env": "SOURCE"}})
        sandbox = Sandbox("off", project)
        runtime = Runtime(project, sandbox, limits, secret_names=secret_names, fetch=secrets.fetch)
        try:
            return await runtime.call(resolved, {}, CallContext())
        finally:
            await runtime.close()

    return asyncio.run(whole())


@pytest.fixture(autouse=True)
def _source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE", VALUE)


def test_a_command_gets_the_value_and_nobody_else(tmp_path: Path) -> None:
    """T-17, T-18: it is in the environment of the command, and in nothing that leaves the call."""
    script = (
        'echo "$TOKEN" > got; echo "plain $TOKEN"; echo "error $TOKEN" >&2; '
        'for pad in "" x xx; do printf %s "$pad$TOKEN" | base64; done'
    )
    output = called(script, {"TOKEN": "secret:github"}, tmp_path)
    assert (tmp_path / "got").read_text() == f"{VALUE}\n"
    shown = str(output.content) + str(output.structured)
    assert VALUE not in shown
    assert base64.b64encode(VALUE.encode()).decode()[:12] not in shown
    assert shown.count("***TOKEN***") >= 10


def test_a_value_at_the_cut_of_a_long_output_is_removed(tmp_path: Path) -> None:
    """T-18: across the borders of pieces: no part of it stays at either end of the cut."""
    for shift in range(0, 60, 7):
        dots = "/dev/zero | tr '\\0' ."
        script = f'head -c {512 - shift} {dots}; printf %s "$TOKEN"; head -c 9000 {dots}'
        output = called(script, {"TOKEN": "secret:github"}, tmp_path, Limits(output=1024))
        text = output.content[0]["text"]
        for size in range(4, len(VALUE)):
            assert VALUE[:size] not in text


def test_what_is_not_mapped_is_told(tmp_path: Path) -> None:
    """T-17: unmapped: `error_type: "secret"`; the process is not started."""
    output = called("touch ran", {"TOKEN": "secret:gitlab"}, tmp_path)
    assert output.is_error
    assert output.structured is not None
    assert output.structured["error_type"] == "secret"
    assert "gitlab" in output.content[0]["text"]
    assert "[secrets] gitlab" in output.content[0]["text"]
    assert not (tmp_path / "ran").exists()


def test_a_variable_that_looks_like_a_secret_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-18: `$NAME` that looks like a secret; others are not touched."""
    monkeypatch.setenv("API_TOKEN", "value-from-environment")
    monkeypatch.setenv("REGION", "eu-central-1")
    env = {"API_TOKEN": "$API_TOKEN", "REGION": "$REGION"}
    output = called('echo "$API_TOKEN $REGION"', env, tmp_path)
    assert output.content[0]["text"] == "***API_TOKEN*** eu-central-1"


def test_gh_gets_its_token_from_the_keyring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-17: where gh keeps its token in a keyring, the server asks for it outside."""
    config = CLIConfig("gh", ToolTable.of([]), ("gh",), file="gh (bundled)")
    monkeypatch.setenv("GH_CONFIG_DIR", str(tmp_path))
    assert secret_names(config) == {}
    (tmp_path / "hosts.yml").write_text("github.com:\n    user: me\n")
    assert secret_names(config) == {"GH_TOKEN": GH_KEYRING}
    (tmp_path / "hosts.yml").write_text("github.com:\n    oauth_token: x\n")
    assert secret_names(config) == {}
