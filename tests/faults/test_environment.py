"""Odd surroundings: no home, plain ASCII, few files, strange paths, closed streams, a full disk."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.pipe import Pipe, toolcrib

SHOP = Path(__file__).parents[2] / "examples" / "shop"
ASCII = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
WITHOUT_HOME = 'unset HOME XDG_CACHE_HOME XDG_STATE_HOME; exec "$@"'


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = tmp_path / "shop"
    shutil.copytree(SHOP, copy)
    # Trusted by its place: blanket trust would be said on stderr, where these tests listen.
    (tmp_path / "config" / "toolcrib").mkdir(parents=True)
    # Tests move it: trusted is the folder that holds it.
    trust = f'[trust]\npaths = ["{tmp_path}"]\n'
    (tmp_path / "config" / "toolcrib" / "config.toml").write_text(trust)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("TOOLCRIB_TRUST")
    return copy


def serves_everything(
    project: Path, env: Mapping[str, str] | None = None, wrapper: tuple[str, ...] = ()
) -> None:
    """One call of each kind, each of which must be answered, and a quiet end."""
    with Pipe([*wrapper, *toolcrib("serve")], cwd=project, env=env) as pipe:
        pipe.initialize()
        assert pipe.call("search-architecture", {"query": "sqlite — é"})["isError"] is False
        assert pipe.call("directive/spec.template")["structuredContent"]["primer"]
        assert pipe.call("guide_list_feature_flags")["isError"] is False
        call = {"tool_name": "shop_stock_list", "args": {}}
        assert pipe.call("climax_call", call)["isError"] is False
        assert pipe.result("resources/list")["resources"]
        assert pipe.result("prompts/list")["prompts"]
        assert pipe.hang_up() == 0
        assert b"Traceback" not in pipe.errors


def run(
    project: Path, *words: str, env: Mapping[str, str] | None = None, redirect: str = ""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirect}', "sh", *toolcrib(*words)],
        cwd=project,
        env={**os.environ, **(env or {})},
        capture_output=True,
        timeout=60,
    )


def test_a_repo_is_served_without_a_home(shop: Path) -> None:
    """FAULTS: no HOME: starts."""
    serves_everything(shop, wrapper=("sh", "-c", WITHOUT_HOME, "sh"))


def test_a_repo_is_served_with_a_home_that_cannot_be_written(shop: Path) -> None:
    """FAULTS: HOME unwritable: starts."""
    serves_everything(shop, {"HOME": "/proc/nowhere", "XDG_STATE_HOME": "", "XDG_CACHE_HOME": ""})


def test_a_home_that_is_not_there_is_not_made(shop: Path, tmp_path: Path) -> None:
    """FAULTS: no HOME: starts, and leaves nothing in places that were never meant."""
    home = tmp_path / "nowhere"
    serves_everything(shop, {"HOME": str(home), "XDG_CACHE_HOME": ""})
    assert not home.exists()


def test_a_repo_is_served_in_plain_ascii(shop: Path) -> None:
    """FAULTS: LANG=C: starts."""
    serves_everything(shop, ASCII)


def test_a_repo_is_served_with_few_open_files(shop: Path) -> None:
    """FAULTS: 64 open files: starts."""
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] >= 64
    serves_everything(shop, wrapper=("sh", "-c", 'ulimit -n 64; exec "$@"', "sh"))


def test_a_repo_is_served_without_bubblewrap(shop: Path, tmp_path: Path) -> None:
    """FAULTS: no bubblewrap: starts."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    serves_everything(shop, {"PATH": str(tools)})


@pytest.mark.parametrize("name", ['space new\nline 🏺 quote\'s "q" \\x', "\udcff"])
def test_a_repo_is_served_from_an_odd_path(shop: Path, tmp_path: Path, name: str) -> None:
    """FAULTS: a path with spaces, newline or emoji; and one that is not UTF-8."""
    project = shop.rename(tmp_path / name)
    serves_everything(project)
    with Pipe(toolcrib("serve", "directive", "architecture"), cwd=project) as pipe:
        pipe.initialize()
        pipe.call("search-architecture", {"query": "warm"})
        (project / "mcp" / "resources" / "adr" / "0099-new.md").write_text("# 99. Zeppelins\n")
        while pipe.receive().get("method") != "notifications/resources/list_changed":
            pass


NOT_SEEN = b"suppliers: not seen yet: toolcrib servers refresh\n"
"""What is told of the shop's own server, beside whatever a command prints (X-9)."""


def test_commands_print_escapes_where_the_terminal_knows_no_better(shop: Path) -> None:
    """FAULTS: LANG=C, for people too."""
    done = run(shop, "list", env=ASCII)
    assert (done.returncode, done.stderr) == (0, NOT_SEEN)
    assert rb"\u2026" in done.stdout


@pytest.mark.parametrize("words", [("validate",), ("directive", "update")])
def test_commands_bear_streams_that_are_closed(shop: Path, words: tuple[str, ...]) -> None:
    """FAULTS: starts, or one clear line: never a traceback."""
    for redirect in (">&-", "2>&-", "<&-"):
        done = run(shop, *words, redirect=redirect)
        assert done.returncode in (0, 1) and b"Traceback" not in done.stderr


COMMANDS = [(), ("--version",), ("--help",), ("list", "--help"), ("list",), ("list", "--json")]


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", COMMANDS)
def test_a_full_disk_is_one_clear_line(shop: Path, words: tuple[str, ...], buffered: str) -> None:
    """FAULTS: full disk: an error to the caller."""
    done = run(shop, *words, redirect=">/dev/full", env={"PYTHONUNBUFFERED": buffered})
    told = done.stderr.removeprefix(NOT_SEEN)
    assert (done.returncode, told) == (1, b"error: No space left on device\n")


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", COMMANDS)
def test_a_reader_that_has_enough_is_left_quietly(
    shop: Path, words: tuple[str, ...], buffered: str
) -> None:
    """FAULTS: stdout closed: no traceback, no complaint."""
    source, sink = os.pipe()
    os.close(source)
    env = {**os.environ, "PYTHONUNBUFFERED": buffered}
    done = subprocess.run(
        toolcrib(*words), cwd=shop, stdout=sink, stderr=subprocess.PIPE, env=env, timeout=60
    )
    os.close(sink)
    assert (done.returncode, done.stderr.removeprefix(NOT_SEEN)) == (0, b"")


@pytest.mark.parametrize(("words", "code"), [(("nonsense",), 2), (("explain", "nonsense"), 2)])
def test_an_error_that_cannot_be_told_keeps_its_exit_code(
    shop: Path, words: tuple[str, ...], code: int
) -> None:
    """FAULTS: full disk, where the complaints go."""
    for redirect in ("2>/dev/full", "2>&-"):
        assert run(shop, *words, redirect=redirect).returncode == code


def test_a_folder_that_is_gone_is_one_clear_line(tmp_path: Path) -> None:
    """FAULTS: cwd gone: a plain message."""
    gone = tmp_path / "gone"
    gone.mkdir()
    words = toolcrib("list")
    done = subprocess.run(
        ["sh", "-c", f'rmdir "{gone}"; exec "$@"', "sh", *words],
        cwd=gone,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error[usage]: The current folder is gone")


def test_a_full_disk_costs_the_audit_and_not_the_answer(shop: Path) -> None:
    """FAULTS, S-9: full disk: the process survives, and the log says what is missing."""
    with Pipe(toolcrib("serve", "directive", "--audit", "/dev/full"), cwd=shop) as pipe:
        pipe.initialize()
        assert pipe.call("directive/files.list")["structuredContent"]["files"]
        assert pipe.hang_up() == 0
        assert bytes(pipe.errors).count(b"not audited") == 1


@pytest.mark.parametrize("option", ["--audit", "--log-file"])
def test_a_log_that_cannot_be_written_is_one_clear_line(shop: Path, option: str) -> None:
    """FAULTS: starts, or one clear line, which names the file."""
    words = ("serve", "directive", "--log-level", "INFO", option, "/proc/nowhere/log")
    done = run(shop, *words, redirect="</dev/null")
    assert done.returncode == 1
    assert b"/proc/nowhere/log" in done.stderr and b"Traceback" not in done.stderr
