"""Where commands run: sandboxes, containers and folders."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.discovery.index import ToolIndex
from toolcrib.packs.climax.config.config import load_config
from toolcrib.policy.model import Executor
from toolcrib.policy.reader import load_policy
from toolcrib.running.docker import containerized
from toolcrib.running.limits import Limits
from toolcrib.running.outcome import Outcome
from toolcrib.running.runtime import Runtime
from toolcrib.running.sandbox.ladder import Sandbox

ECHO = "command: sh -c\ntools: [{name: t, command: \"'%s'\", timeout: 10}]"


def rung(level: str, project: Path, writable: tuple[str, ...] = ()) -> Sandbox:
    """A sandbox on one rung of the ladder; skips where the machine does not have it."""
    sandbox = Sandbox("off" if level == "off" else "auto", project, writable)
    if level in ("landlock", "rlimits"):
        sandbox._working_bwrap = lambda: None  # type: ignore[method-assign]
    if level == "rlimits":
        sandbox._landlock = lambda: 0  # type: ignore[method-assign]
    if sandbox.level != level:
        pytest.skip(f"{level} cannot be used here: {sandbox.reason or sandbox.level}")
    return sandbox


@pytest.fixture(params=["off", "rlimits", "landlock", "bubblewrap"])
def sandbox(request: pytest.FixtureRequest, tmp_path: Path) -> Sandbox:
    return rung(request.param, tmp_path)


@pytest.fixture
def ran(write: Callable[..., Path], tmp_path: Path) -> Callable[..., Outcome]:
    """Run the first tool of a config."""

    def run(
        config_text: str,
        sandbox: Sandbox | None = None,
        policy: str | None = None,
        limits: Limits | None = None,
        **values: Any,
    ) -> Outcome:
        config, _ = load_config(write(config_text), tmp_path)
        rules = load_policy(write(policy, "policy.yaml")) if policy is not None else None
        resolved = ToolIndex.from_configs([config], rules).get(config.tools[0].name)
        assert resolved is not None

        async def session() -> Outcome:
            runtime = Runtime(tmp_path, sandbox or Sandbox("off", tmp_path), limits)
            try:
                return await runtime.run(resolved, values)
            finally:
                await runtime.close()

        return asyncio.run(session())

    return run


def test_on_every_rung_a_command_works_in_the_repo(
    ran: Callable[..., Outcome], sandbox: Sandbox, tmp_path: Path
) -> None:
    """C-10: the repo can be read and written on every rung of the ladder."""
    outcome = ran(ECHO % "echo in > new.txt; cat new.txt; echo hi | tee copy; rm copy", sandbox)
    assert (outcome.stdout, outcome.stderr, outcome.exit_code) == ("in\nhi\n", "", 0)
    assert outcome.sandbox == sandbox.report()
    assert (tmp_path / "new.txt").read_text() == "in\n"


@pytest.mark.parametrize("level", ["landlock", "bubblewrap"])
def test_a_sandbox_keeps_a_command_from_writing_elsewhere(
    ran: Callable[..., Outcome], tmp_path: Path, level: str
) -> None:
    """C-10: outside of the repo nothing is made, changed or removed."""
    outside = Path.home() / f".toolcrib-test-{os.getpid()}"
    outside.write_text("precious")
    try:
        script = f"cat {outside}; echo x > {outside}; rm -f {outside}; mkdir {outside}.d; true"
        outcome = ran(ECHO % script, rung(level, tmp_path))
        assert outcome.stdout == "precious"
        assert outside.read_text() == "precious"
        assert not outside.with_suffix(".d").exists()
    finally:
        outside.unlink(missing_ok=True)


@pytest.mark.parametrize("level", ["landlock", "bubblewrap"])
def test_settings_can_open_another_folder(
    ran: Callable[..., Outcome], tmp_path: Path, level: str
) -> None:
    """C-10: `[climax] writable`."""
    outside = Path.home() / f".toolcrib-test-{os.getpid()}"
    outside.mkdir()
    try:
        outcome = ran(ECHO % f"echo x > {outside}/file", rung(level, tmp_path, (str(outside),)))
        assert outcome.exit_code == 0
        assert (outside / "file").exists()
    finally:
        (outside / "file").unlink(missing_ok=True)
        outside.rmdir()


def test_landlock_follows_a_folder_that_was_made_anew(
    ran: Callable[..., Outcome], tmp_path: Path
) -> None:
    """C-10: a repo that was deleted and cloned again can be written again."""
    home = Path.home() / f".toolcrib-test-{os.getpid()}"
    sandbox = rung("landlock", tmp_path, (str(home),))
    try:
        for _ in range(2):
            home.mkdir()
            assert ran(ECHO % f"echo x > {home}/file", sandbox).exit_code == 0
            (home / "file").unlink()
            home.rmdir()
    finally:
        home.exists() and home.rmdir()


def test_bubblewrap_hides_other_processes(ran: Callable[..., Outcome], tmp_path: Path) -> None:
    """C-10: a command sees and signals only what it has started itself."""
    outcome = ran(ECHO % f"kill -0 {os.getpid()}", rung("bubblewrap", tmp_path))
    assert outcome.exit_code != 0


def test_landlock_keeps_a_command_from_signalling_the_server(
    ran: Callable[..., Outcome], tmp_path: Path
) -> None:
    """C-10: what is not the command's own cannot be signalled."""
    sandbox = rung("landlock", tmp_path)
    if sandbox._abi < 6:
        pytest.skip("this kernel's Landlock does not know signals")
    outcome = ran(ECHO % f"kill -0 {os.getpid()} && echo reached; echo on", sandbox)
    assert outcome.stdout == "on\n"


def test_without_a_sandbox_a_command_that_kills_its_supervisor_kills_itself(
    ran: Callable[..., Outcome], tmp_path: Path
) -> None:
    """C-10: nothing is gained by it: what supervises the supervisors cleans up."""
    script = "setsid sleep 300 & kill -9 $PPID; setsid sleep 300 & sleep 300"
    outcome = ran(ECHO % script, rung("off", tmp_path))
    assert "supervises commands was killed" in outcome.stderr
    left = [
        entry.name
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and _stands_in(entry, tmp_path)
    ]
    assert left == []


def _stands_in(process: Path, folder: Path) -> bool:
    try:
        return (process / "cwd").readlink() == folder.resolve()
    except OSError:
        return False


def test_required_refuses_rather_than_downgrades(
    ran: Callable[..., Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-10: `sandbox = "required"` without bubblewrap runs nothing at all."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    sandbox = Sandbox("required", tmp_path)
    with pytest.raises(ConfigError, match="bubblewrap cannot be used here") as caught:
        ran("command: /bin/sh -c\ntools: [{name: t, command: \"'echo x > made'\"}]", sandbox)
    assert caught.value.why == "bwrap is not installed"
    assert not (tmp_path / "made").exists()


def test_a_bubblewrap_that_does_not_work_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-10: chosen by what holds, not by what is installed."""
    folder = Path.home() / f".toolcrib-test-{os.getpid()}"
    folder.mkdir()
    fake = folder / "bwrap"
    fake.write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    sandbox = Sandbox("auto", tmp_path)
    try:
        assert sandbox.level in ("landlock", "rlimits")
    finally:
        fake.unlink()
        folder.rmdir()
    assert sandbox.reason == "bwrap does not work: No permissions to create new namespace"


def test_the_repo_is_where_commands_run(ran: Callable[..., Outcome], tmp_path: Path) -> None:
    """C-1: the repo, or `working_dir` in it, or what a call names."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert ran(ECHO % "pwd").stdout == f"{tmp_path.resolve()}\n"
    assert ran("working_dir: a\n" + ECHO % "pwd").stdout == f"{tmp_path.resolve()}/a\n"
    with_cwd = """
        command: pwd
        working_dir: a
        tools: [{name: t, args: [{name: dir, cwd: true}]}]
    """
    assert ran(with_cwd, dir="b").stdout == f"{tmp_path.resolve()}/a/b\n"
    assert ran(with_cwd, dir="/").stdout == "/\n"


def test_a_program_of_the_repo_is_found_from_the_repo_not_from_the_calls_folder(
    ran: Callable[..., Outcome], write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-10: a caller's folder does not decide which program `./tool` is."""
    for folder, says in ((tmp_path, "ours"), (tmp_path / "evil", "theirs")):
        folder.mkdir(exist_ok=True)
        (folder / "tool").write_text(f"#!/bin/sh\necho {says}\n")
        (folder / "tool").chmod(0o755)
    text = "command: ./tool\ntools: [{name: t, args: [{name: dir, cwd: true}]}]"
    assert ran(text, dir="evil").stdout == "ours\n"


def test_docker_gets_the_words_of_the_contract() -> None:
    """C-7: `docker run --rm [-i] [-v V]… [--network N] [-w DIR] [-e K]… IMAGE argv`."""
    executor = Executor("docker", "alpine:3", ("/a:/b", "/c:/d:ro"), "/work", "none")
    words = list(
        containerized(executor, ["git", "log"], "/bin/docker", env=["A", "B"], stdin=True).argv
    )
    at = words.index("--name")
    name = words.pop(at + 1)
    words.pop(at)
    assert name.startswith("toolcrib-")
    assert words == [
        "docker", "run", "--rm", "-i", "-v", "/a:/b", "-v", "/c:/d:ro", "--network", "none",
        "-w", "/work", "-e", "A", "-e", "B", "alpine:3", "git", "log",
    ]  # fmt: skip


def test_a_container_without_network_says_so() -> None:
    """T-16: the report has what truly held."""
    for network, word in ((None, "full"), ("host", "full"), ("none", "none")):
        made = containerized(Executor("docker", "i", network=network), ["x"], "/bin/docker")
        assert made.spec.report.network == word and made.level == "docker"


def test_docker_gets_no_more_than_it_needs() -> None:
    """C-7: what the policy leaves out is left out."""
    made = containerized(Executor("docker", "i"), ["x"], "/bin/docker")
    assert [word for word in made.argv if not word.startswith("toolcrib-")] == [
        "docker", "run", "--rm", "--name", "i", "x",
    ]  # fmt: skip
    assert made.cleanup is not None
    assert made.cleanup[-1] == made.argv[4]


RECORDER = """\
#!/bin/sh
for word in "$@"; do printf '%s\\n' "$word" >> "$RECORD.$1"; done
case "$1" in
  run) [ "$LONG" ] && exec sleep 60; cat; echo "secret=$SECRET" ;;
esac
"""


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for docker's client that writes down what it was told."""
    docker = tmp_path / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text(RECORDER)
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{docker.parent}:/usr/bin:/bin")
    return tmp_path / "record"


DOCKER = "executor: {type: docker, image: img, volumes: [/v:/v], network: none}\ndefault: enabled\n"


def test_a_call_runs_in_a_container_with_its_input_and_variables(
    ran: Callable[..., Outcome], engine: Path
) -> None:
    """C-7: values of variables are docker's environment, not words that everybody can read."""
    config = f"""
        command: tool
        env: {{RECORD: {engine}, SECRET: hidden, UNSET: $NOPE}}
        tools:
          - name: t
            command: sub
            args: [{{name: dir, cwd: true}}, {{name: text, stdin: true}}, {{name: x}}]
    """
    outcome = ran(config, None, DOCKER, dir="/in", text="typed\n", x="1")
    assert outcome.stdout == "typed\nsecret=hidden\n"
    assert outcome.sandbox.level == "docker"
    words = engine.with_suffix(".run").read_text().split("\n")
    assert "hidden" not in " ".join(words)
    assert words[words.index("-w") :] == [
        "-w", "/in", "-e", "RECORD", "-e", "SECRET", "img", "tool", "sub", "--x", "1", "",
    ]  # fmt: skip
    assert "-i" in words


def test_stopping_a_call_stops_its_container(ran: Callable[..., Outcome], engine: Path) -> None:
    """C-7: stopping a call stops the container."""
    config = f"""
        command: tool
        env: {{RECORD: {engine}, LONG: "1"}}
        tools: [{{name: t, timeout: 1.5}}]
    """
    outcome = ran(config, None, DOCKER)
    assert "Command timed out after 1.5s" in outcome.stderr
    run = engine.with_suffix(".run").read_text().split("\n")
    removed = engine.with_suffix(".rm").read_text().split("\n")
    assert removed[-2] == run[run.index("--name") + 1]


def test_a_missing_docker_is_named(
    ran: Callable[..., Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-7: a clear word when there is no docker."""
    monkeypatch.setenv("PATH", str(tmp_path))
    outcome = ran(ECHO % "true", None, DOCKER)
    assert outcome.exit_code == 127
    assert "Command not found: docker" in outcome.stderr


def test_a_sandbox_is_shown_as_plain_data() -> None:
    """C-10: what goes to the supervisor is JSON."""
    sandbox = rung("landlock", Path("/"))
    made = sandbox.confine(["true"], "/bin/true")
    assert json.loads(json.dumps(made.spec.profile)) == made.spec.profile
