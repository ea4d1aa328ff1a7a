"""The files by which this pack acts, understood once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.support.digests import sha256
from toolcrib.files.yaml import load
from toolcrib.packs.climax import acting
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.policy.trust.acting import CONFIG, SCRIPT, file_digest, yaml_meaning
from toolcrib.settings import open_trust

CONFIG_TEXT = "name: {name}\ncommand: echo\ntools:\n  - {{name: {name}_a, command: a}}\n"


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    project = tmp_path / "repo"
    (project / "tools").mkdir(parents=True)
    for name in ("one", "two"):
        (project / "tools" / f"{name}.yaml").write_text(CONFIG_TEXT.format(name=name))
    return project


def found(repo: Path, **more: object) -> list[acting.ActingFile]:
    settings = ClimaxSettings(configs=("tools/*.yaml",), **more)  # type: ignore[arg-type]
    return acting.acting_files(repo, settings, {})


def test_a_file_counts_by_what_it_says_and_names_its_tools(repo: Path) -> None:
    """T-2: the digest is that of the meaning; the bytes are there to be compared."""
    one, two = found(repo)
    assert (one.path, one.kind, one.tools) == ("tools/one.yaml", CONFIG, ("one_a",))
    data = (repo / "tools" / "two.yaml").read_bytes()
    assert two.digest == file_digest(CONFIG, yaml_meaning(data)) and two.raw == sha256(data)


def test_what_was_understood_before_is_not_parsed_again(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-16: all together by one look; after a change, the others one by one, and what changed is
    parsed once."""
    first = found(repo)
    parsed: list[bytes] = []

    def meaning(text: str, file: str) -> Any:
        parsed.append(text.encode())
        return load(text, file)

    monkeypatch.setattr("toolcrib.files.yaml.load", meaning)
    assert found(repo) == first and not parsed
    changed = CONFIG_TEXT.format(name="other").encode()
    (repo / "tools" / "two.yaml").write_bytes(changed)
    one, two = found(repo)
    assert one == first[0] and two.tools == ("other_a",) and parsed == [changed]


def test_a_file_that_cannot_be_read_is_left_out(repo: Path) -> None:
    """T-2: what is not there cannot act."""
    (repo / "tools" / "one.yaml").unlink()
    (repo / "tools" / "one.yaml").symlink_to("/etc/hostname")
    assert [file.path for file in found(repo)] == ["tools/two.yaml"]


def test_scripts_act_only_where_they_have_a_grant(repo: Path) -> None:
    """T-2: a script of the repository in a command line without a sandbox acts, too."""
    (repo / "run.sh").write_text("echo")
    text = "name: s\ncommand: ./run.sh\ntools:\n  - {name: s_a, command: a}\n"
    (repo / "tools" / "one.yaml").write_text(text)
    assert SCRIPT not in {file.kind for file in found(repo)}
    assert [file.path for file in found(repo, sandbox="off") if file.kind == SCRIPT] == ["run.sh"]


SCRIPTED = "name: own\ncommand: {command}\n{more}tools:\n  - {{name: own_a, {tool}}}\n"


@pytest.mark.parametrize(
    ("command", "more", "tool"),
    [
        ("sh run.sh", "", "command: a"),
        ("sh", "", "command: '', args: [{name: f, positional: true, default: run.sh}]"),
        ("sh", "global_args: [{name: f, positional: true, default: run.sh}]\n", "command: ''"),
        ("env --split-string=./run.sh", "", "command: ''"),
        ("sh -c", "", "command: \"'./run.sh && true'\""),
    ],
)
def test_a_script_with_a_grant_acts_wherever_the_line_names_it(
    repo: Path, command: str, more: str, tool: str
) -> None:
    """T-2: words, defaults of arguments, values of options; without a grant it does not."""
    (repo / "run.sh").write_text("echo\n")
    text = SCRIPTED.format(command=command, more=more, tool=tool)
    (repo / "tools" / "one.yaml").write_text(text)
    assert SCRIPT not in {file.kind for file in found(repo)}
    granted = found(repo, access={"own": {"network": "public"}})
    assert ("run.sh", SCRIPT) in {(file.path, file.kind) for file in granted}
    assert ("run.sh", SCRIPT) in {(file.path, file.kind) for file in found(repo, writable=("~/x",))}


@pytest.mark.parametrize(
    "own", ['access.own.network = "full"', 'sandbox = "off"', 'writable = ["~/x"]']
)
def test_a_grant_of_the_persons_own_file_counts_as_well(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str
) -> None:
    """T-2: whoever gives the grant, the script that has it is compared."""
    (repo / "run.sh").write_text("echo\n")
    (repo / "tools" / "one.yaml").write_text(
        SCRIPTED.format(command="sh run.sh", more="", tool="command: a")
    )
    (repo / "toolcrib.toml").write_text('[climax]\nconfigs = ["tools/one.yaml"]\n')
    config = tmp_path / "config" / "toolcrib"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f"[climax]\n{own}\n")
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    files = open_trust(repo).verdict.present.content.files
    assert ("run.sh", SCRIPT) in {(file.path, file.kind) for file in files}
