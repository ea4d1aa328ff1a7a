"""A value that begins with `-` never becomes an option: all that FAULTS.md names, tried out."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcrib.core.errors import InvalidArguments
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import ToolOutput
from toolcrib.packs.climax.config.config import bundled_names, load_config, load_configs
from toolcrib.packs.climax.config.risks import programs_named_by_callers, runs_argument
from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.running.arguments import validate_arguments
from toolcrib.running.command import build_command
from toolcrib.running.program import ArgDef, CLIConfig, ToolDef

BUNDLED = load_configs(bundled_names(), Path("/")).configs
EVERY_TOOL = [(config, tool) for config in BUNDLED for tool in config.tools]
ATTACKS = [
    "--output=PWNED",
    "-oPWNED",
    "-O./pwn",
    "-O",
    "--open-files-in-pager=./pwn",
    "--upload-pack=./pwn",
    "--receive-pack=./pwn",
    "--exec=./pwn",
    "--compress-program=./pwn",
    "--checkpoint-action=exec=./pwn",
    "--checkpoint=1",
    "--to-command=./pwn",
    "-I./pwn",
    "-exec",
    "-delete",
    "-fprint",
    "--config=PWNED",
    "-KPWNED",
    "-c",
    "--",
]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A small repository, with a program that proves that it was run."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    (tmp_path / "file.txt").write_text("hello\nworld\n")
    (tmp_path / "pwn").write_text("#!/bin/sh\ntouch PWNED\n")
    (tmp_path / "pwn").chmod(0o755)
    for words in (["init", "-q"], ["add", "file.txt"], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], check=True)
    (tmp_path / "file.txt").write_text("hello\nchanged\n")
    return tmp_path


@pytest.fixture
def call(repo: Path) -> Callable[..., ToolOutput | None]:
    """Call a tool of a config in the repository; None if the call was refused."""

    def call(config: str, tool: str, **args: Any) -> ToolOutput | None:
        async def session() -> ToolOutput | None:
            pack = ClimaxPack(repo, ClimaxSettings(configs=(config,), sandbox="off"))
            shelf = pack.contribute().unlisted
            assert shelf is not None
            found = shelf.get(tool)
            assert found is not None, tool
            try:
                return await ToolExecutor().run(found, args)
            except InvalidArguments:
                return None
            finally:
                await pack.close()

        return asyncio.run(session())

    return call


@pytest.fixture
def naive(repo: Path) -> Callable[[str, str], str]:
    """A config as somebody would write it who has not thought of attacks."""

    def write(command: str, arg: str) -> str:
        path = repo / "naive.yaml"
        path.write_text(f"command: {command}\ntools: [{{name: t, args: [{arg}], timeout: 10}}]\n")
        return path.name

    return write


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize(
    "command",
    ["git log", "git diff", "git show", "git grep x", "git ls-remote", "sort", "tar -cf x.tar"],
)
def test_no_attack_becomes_an_option_of_a_naive_config(
    call: Callable[..., ToolOutput | None],
    naive: Callable[[str, str], str],
    repo: Path,
    command: str,
    attack: str,
) -> None:
    """C-10: as a positional, every one of them is refused before anything runs."""
    assert call(naive(command, "{name: x, positional: true}"), "t", x=attack) is None
    assert not (repo / "PWNED").exists()


@pytest.mark.parametrize(
    ("command", "arg", "attack"),
    [
        ("git log", "{name: x, flag: --author}", "--output=PWNED"),
        ("git log", "{name: x, flag: --author=}", "--output=PWNED"),
        ("git grep", "{name: x, flag: -e}", "-O./pwn"),
        ("git log", "{name: x, flag: -n}", "--output=PWNED"),
        ("git log", '{name: x, flag: "--"}', "--output=PWNED"),
        ("sort", "{name: x, flag: --field-separator}", "--output=PWNED"),
        ("tar -cf x.tar file.txt", "{name: x, flag: --exclude}", "--checkpoint-action=exec=./pwn"),
        ("curl -s", "{name: x, flag: -A}", "-oPWNED"),
    ],
)
def test_no_attack_becomes_an_option_behind_a_flag(
    call: Callable[..., ToolOutput | None],
    naive: Callable[[str, str], str],
    repo: Path,
    command: str,
    arg: str,
    attack: str,
) -> None:
    """C-10: behind a long flag it is a value, behind any other it is refused."""
    call(naive(command, arg), "t", x=attack)
    assert not (repo / "PWNED").exists()


def test_these_attacks_work_where_nobody_prevents_them(repo: Path) -> None:
    """C-10: the test itself can fail: without the builder, the attack succeeds."""
    subprocess.run(["git", "log", "--output=PWNED"], cwd=repo, check=True)
    assert (repo / "PWNED").exists()


@pytest.mark.parametrize(("config", "tool"), EVERY_TOOL, ids=[tool.name for _, tool in EVERY_TOOL])
def test_no_value_becomes_an_option_of_a_bundled_tool(config: CLIConfig, tool: ToolDef) -> None:
    """C-10: each attack on each argument of each bundled tool is refused or stays a value."""
    others = {arg.name: _harmless(arg) for arg in tool.args if arg.mandatory}
    for arg in tool.args:
        if arg.value_type != "string" or arg.enum:
            continue
        plain = validate_arguments(tool.args, {**others, arg.name: _as_given(arg, "VALUE")})
        honest = build_command(config, tool, plain).argv
        for attack in ATTACKS:
            try:
                values = validate_arguments(tool.args, {**others, arg.name: _as_given(arg, attack)})
                argv = build_command(config, tool, values).argv
            except InvalidArguments:
                continue
            assert argv in _the_same_with(honest, attack, arg)


def _the_same_with(argv: tuple[str, ...], value: str, arg: ArgDef) -> list[tuple[str, ...]]:
    """The command with another value, which must be a part of a word, not a word."""
    if arg.stdin or arg.cwd:
        return [argv]
    one_word = tuple(word.replace("=VALUE", f"={value}") for word in argv)
    joined = "\0".join(argv).replace("\0VALUE", f"={value}")
    return [one_word] if one_word != argv else [tuple(joined.split("\0"))]


def _as_given(arg: ArgDef, text: str) -> Any:
    return [text] if arg.type == "array" else text


def _harmless(arg: ArgDef) -> Any:
    if arg.enum:
        return arg.enum[0]
    plain: dict[str, Any] = {"string": "x", "integer": 1, "number": 1, "boolean": True}
    return [plain[arg.items]] if arg.type == "array" else plain[arg.type]


@settings(max_examples=300)
@given(
    st.sampled_from(EVERY_TOOL),
    st.lists(st.text(max_size=12) | st.sampled_from(ATTACKS), min_size=12, max_size=12),
)
def test_whatever_the_values_a_bundled_command_keeps_its_shape(
    pair: tuple[CLIConfig, ToolDef], texts: list[str]
) -> None:
    """C-10: options come from the config alone."""
    config, tool = pair
    given_values: dict[str, Any] = {}
    for arg, text in zip(tool.args, texts, strict=False):
        free = arg.value_type == "string" and not arg.enum
        given_values[arg.name] = _as_given(arg, text) if free else _harmless(arg)
    try:
        values = validate_arguments(tool.args, given_values)
        argv = build_command(config, tool, values).argv
    except InvalidArguments:
        return
    flags = {arg.effective_flag for arg in tool.args if arg.is_flag}
    own = {*config.base, *tool.words}
    for word in argv:  # a hyphen alone is a value to every program, never an option
        if word.startswith("-") and word not in {"-", *own, *flags}:
            assert any(word.startswith(flag.rstrip("=") + "=") for flag in flags), word


HOSTILE = {
    "core.fsmonitor": "./pwn",
    "core.pager": "./pwn",
    "core.editor": "./pwn",
    "core.sshCommand": "./pwn",
    "core.hooksPath": ".",
    "core.askPass": "./pwn",
    "diff.external": "./pwn",
    "pager.log": "./pwn",
    "pager.status": "./pwn",
    "sequence.editor": "./pwn",
    "gpg.program": "./pwn",
    "log.showSignature": "true",
    "interactive.diffFilter": "./pwn",
    "uploadpack.packObjectsHook": "./pwn",
}


def test_a_hostile_repository_executes_nothing(
    call: Callable[..., ToolOutput | None], repo: Path
) -> None:
    """C-10: a hostile .git/config does not make a read-only tool execute anything."""
    for key, value in HOSTILE.items():
        subprocess.run(["git", "-C", str(repo), "config", key, value], check=True)
    shutil.copy(repo / "pwn", repo / "post-index-change")
    for tool in ("git_status", "git_log", "git_diff", "git_branches", "git_log_graph"):
        output = call("git", tool)
        assert output is not None
        assert not output.is_error, output.content
        assert not (repo / "PWNED").exists(), tool


def test_the_same_repository_is_dangerous_without_hardening(repo: Path) -> None:
    """C-10: the test above can fail: plain git runs the monitor of a hostile repository."""
    subprocess.run(["git", "-C", str(repo), "config", "core.fsmonitor", "./pwn"], check=True)
    subprocess.run(["git", "status"], cwd=repo, check=True, capture_output=True)
    assert (repo / "PWNED").exists()


@pytest.mark.parametrize(
    ("command", "words", "arg", "risky"),
    [
        ("sed", "", "{name: script, positional: true}", True),
        ("sed --sandbox", "", "{name: script, positional: true}", False),
        ("sed", "", "{name: script, flag: -e}", True),
        ("sed", "-n 1p", "{name: lines, type: integer, flag: -l}", False),
        ("awk", "", "{name: program, positional: true}", True),
        ("env", "", "{name: command, positional: true}", True),
        ("nice -n 5", "ls", "{name: path, positional: true}", False),
        ("nice -n 5", "", "{name: program, positional: true}", True),
        ("xargs", "", "{name: command, positional: true}", True),
        ("python3 -c", "", "{name: code, positional: true}", True),
        ("python3 -m shop", "", "{name: order, positional: true}", False),
        ("python3 script.py", "", "{name: x, positional: true}", False),
        ("sh -c", "", "{name: script, positional: true}", True),
        ("/usr/bin/bash", "", "{name: script, stdin: true}", True),
        ("find", "", "{name: path, positional: true}", False),
        ("find", "", "{name: run, flag: -exec}", True),
        ("git", "ls-remote", '{name: p, flag: "--upload-pack="}', True),
        ("git", "log", "{name: rev, positional: true}", False),
        ("tar", "", "{name: c, flag: --to-command}", True),
        ("sort", "", "{name: c, flag: --compress-program}", True),
        ("docker", "exec web", "{name: command, positional: true}", True),
        ("docker", "ps", '{name: x, flag: "--"}', False),
    ],
)
def test_tools_whose_argument_is_a_program_are_known(
    tmp_path: Path, command: str, words: str, arg: str, risky: bool
) -> None:
    """C-10: what no builder can make safe is named by `toolcrib doctor`."""
    path = tmp_path / "x.yaml"
    path.write_text(
        f"command: {command}\ntools: [{{name: t, command: '{words}', args: [{arg}]}}]\n"
    )
    config, _ = load_config(path, tmp_path)
    assert runs_argument(config, config.tools[0]) is risky


def test_bundled_configs_take_no_programs_from_callers() -> None:
    """C-10: but for npm's scripts, which the package itself defines."""
    assert programs_named_by_callers(BUNDLED) == ["npm_run"]
