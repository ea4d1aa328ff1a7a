"""What a child finds in its environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.running.environment import UNATTENDED, child_environment, find_program


def test_secrets_of_the_server_stay_with_the_server() -> None:
    """C-10: children get an allowlist plus what the config names."""
    ours = {
        "PATH": "/bin", "HOME": "/h", "LANG": "C.UTF-8", "LC_ALL": "C",
        "AWS_SECRET_ACCESS_KEY": "s", "GITHUB_TOKEN": "t", "DATABASE_URL": "u",
        "LD_PRELOAD": "/evil.so", "GIT_DIR": "/x",
        "PYTHONPATH": "/y", "http_proxy": "http://me:secret@proxy", "https_proxy": "http://proxy",
    }  # fmt: skip
    env = child_environment({}, ours)
    assert {name: env[name] for name in env if name not in UNATTENDED} == {
        "PATH": "/bin",
        "HOME": "/h",
        "LANG": "C.UTF-8",
        "LC_ALL": "C",
        "https_proxy": "http://proxy",
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_PAGER", "cat"),
        ("PAGER", "cat"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("NO_COLOR", "1"),
        ("GIT_EDITOR", "false"),
    ],
)
def test_nothing_waits_for_a_person(name: str, value: str) -> None:
    """C-10: no pager, no prompt, no editor, no colours."""
    assert child_environment({}, {"PATH": "/bin", name: "something else"})[name] == value


def test_the_config_has_the_last_word() -> None:
    """C-1: `env`."""
    env = child_environment({"PAGER": "less", "MINE": "1"}, {})
    assert (env["PAGER"], env["MINE"]) == ("less", "1")


def test_a_config_can_pass_a_variable_on() -> None:
    """C-10: what the config names is passed; what is not set is left out."""
    env = child_environment(
        {"TOKEN": "$TOKEN", "OTHER": "${NOPE}", "URL": "http://$HOST/", "CASH": "5$ and $x"},
        {"TOKEN": "secret", "HOST": "h"},
    )
    assert env["TOKEN"] == "secret"
    assert "OTHER" not in env
    assert (env["URL"], env["CASH"]) == ("http://h/", "5$ and $x")


def test_programs_are_not_looked_for_where_one_stands() -> None:
    """C-10: a file of the repo must not be found in the place of a program."""
    assert child_environment({}, {"PATH": ".:/usr/bin::bin"})["PATH"] == "/usr/bin"


def test_a_program_is_found_on_the_path_or_from_the_configs_folder(tmp_path: Path) -> None:
    """C-2: by name on PATH, or by a path that begins at the working directory of the config."""
    tool = tmp_path / "bin" / "mytool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\n")
    env = {"PATH": str(tool.parent)}
    assert find_program("mytool", env, "/") is None
    tool.chmod(0o755)
    assert find_program("mytool", env, "/") == str(tool)
    assert find_program("bin/mytool", env, str(tmp_path)) == str(tool)
    assert find_program("bin/nope", env, str(tmp_path)) is None
