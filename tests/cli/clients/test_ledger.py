"""T-7: after uninstall every client's file is as it was before install, byte for byte."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.commands.test_install import FILES, read

from toolcrib.cli.clients.ledger import find
from toolcrib.cli.clients.machine import Machine

JSON_TEXTS = {
    "empty": "",
    "blank": "\n\n",
    "object": "{}",
    "one line": '{"a":1,"mcpServers":{"x":{"command":"y"}}}',
    "tabs": '{\n\t"z": 1,\n\t"servers": {\n\t}\n}',
    "comments": '// mine\n{\n  "z": 1, // last\n  /* more */\n}\n',
    "trailing comma": '{\n  "mcpServers": {\n    "x": {},\n  },\n}\n',
    "bom and crlf": '\ufeff{\r\n  "a": [1,2,\r\n   3]\r\n}\r\n',
    "no end of line": '{\n    "a": true\n}',
    "doubled key": '{"a": 1, "a": 2}',
    "escapes": '{"\\u00e4": "\\/", "b": 1.0e3}',
}
TOML_TEXTS = {
    "empty": "",
    "comment": "# mine\n",
    "keys": 'model = "x"  # why\n\n\n[mcp_servers.other]\ncommand = "y"\n',
    "crlf": 'a = 1\r\n[b]\r\nc = """\r\nx"""\r\n',
    "no end of line": "[a]\nb = 1",
    "bom": "\ufeffa = 1\n",
}
OWN = {"command": "uvx", "args": ["other"], "env": {"KEY": "v"}}


def file_of(client: str, scope: str, home: Path, repo: Path) -> Path:
    return Path(FILES[client, scope].format(home=home, repo=repo))


def everything(folder: Path) -> dict[str, tuple[int, object]]:
    """Every file, link and folder below a folder, with its mode and contents."""
    found: dict[str, tuple[int, object]] = {}
    for path in sorted(folder.rglob("*")):
        if ".local/state" in str(path) or path.name == ".local":
            continue
        kind = path.lstat()
        content = os.readlink(path) if path.is_symlink() else None
        if stat.S_ISREG(kind.st_mode):
            content = path.read_bytes()
        found[str(path.relative_to(folder))] = (stat.S_IMODE(kind.st_mode), content)
    return found


@pytest.mark.parametrize(("client", "scope"), FILES)
@pytest.mark.parametrize("number", range(len(JSON_TEXTS)))
def test_a_file_comes_back_byte_for_byte(client, scope, number, home, repo, toolcrib, tmp_path):
    """T-7: whatever was in it, whatever its mode."""
    file = file_of(client, scope, home, repo)
    texts = list((TOML_TEXTS if file.suffix == ".toml" else JSON_TEXTS).values())
    text = texts[number % len(texts)]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    file.chmod((0o600, 0o644, 0o640)[number % 3])
    before = everything(tmp_path)
    assert toolcrib("install", client, "--scope", scope).code == 0
    assert everything(tmp_path) != before
    assert toolcrib("uninstall", client, "--scope", scope).code == 0
    assert everything(tmp_path) == before


@pytest.mark.parametrize(("client", "scope"), FILES)
def test_a_file_that_we_made_is_gone_with_its_folders(
    client, scope, home, repo, toolcrib, tmp_path
):
    """T-7: no empty folder is left, and none that was there is taken."""
    before = everything(tmp_path)
    assert toolcrib("install", client, "--scope", scope).code == 0
    assert toolcrib("uninstall", client, "--scope", scope).code == 0
    assert everything(tmp_path) == before


def test_an_empty_folder_of_a_person_stays(home, repo, toolcrib, tmp_path):
    """T-7: only what was made for the file goes with it."""
    (repo / ".cursor").mkdir()
    before = everything(tmp_path)
    toolcrib("install", "cursor")
    toolcrib("uninstall", "cursor")
    assert everything(tmp_path) == before


@pytest.mark.parametrize("exists", [True, False])
def test_links_stay_links(exists, home, repo, toolcrib, tmp_path):
    """T-7: a link to a file, and one that leads to none yet."""
    real = home / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    if exists:
        real.write_text('{ "mine": 1 }')
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").symlink_to("../dotfiles/mcp.json")
    before = everything(tmp_path)
    assert toolcrib("install", "cursor", "--scope", "user").code == 0
    assert "toolcrib" in read(real)["mcpServers"]
    assert (home / ".cursor/mcp.json").is_symlink()
    assert toolcrib("uninstall", "cursor").code == 0
    assert everything(tmp_path) == before


def test_a_file_with_two_names_keeps_them(home, repo, toolcrib):
    """T-7: a hard link is a link, too."""
    file = repo / ".mcp.json"
    file.write_text("{}")
    os.link(file, repo / "same.json")
    assert toolcrib("install", "claude-code").code == 0
    assert (repo / "same.json").read_bytes() == file.read_bytes() != b"{}"
    assert toolcrib("uninstall", "claude-code").code == 0
    assert (repo / "same.json").read_bytes() == b"{}"


@pytest.mark.parametrize(("client", "scope"), FILES)
@pytest.mark.parametrize("edited", [False, True])
def test_an_entry_that_a_person_wrote_comes_back(client, scope, edited, home, repo, toolcrib):
    """T-7: also when the file was edited in between."""
    assert toolcrib("install", client, "--scope", scope, "--name", "mine").code == 0
    file = file_of(client, scope, home, repo)
    text = file.read_text()
    theirs = text.replace('"serve"', '"other"')
    file.write_text(theirs)
    toolcrib_state = home / ".local/state/toolcrib/clients"
    for record in toolcrib_state.iterdir():
        record.unlink()
    before = read(file)
    assert toolcrib("install", client, "--scope", scope, "--name", "mine").code == 0
    assert read(file) != before
    if edited:
        mark = "\n# edited\n" if file.suffix == ".toml" else "\n\n"
        file.write_text(file.read_text() + mark)
    assert toolcrib("uninstall", client, "--scope", scope, "--name", "mine").code == 0
    assert read(file) == before
    if not edited:
        assert file.read_text() == theirs


def test_an_entry_that_starts_something_else_is_not_taken_out(home, repo, toolcrib):
    """T-7: what a person wrote, and we never touched, is refused by name."""
    file = repo / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"mcpServers": {"toolcrib": OWN}}))
    before = file.read_bytes()
    ran = toolcrib("uninstall", "cursor", "--scope", "project")
    assert ran.code == 2
    assert "does not start toolcrib" in ran.err
    assert file.read_bytes() == before


def test_an_edit_in_between_is_kept(home, repo, toolcrib):
    """T-7: what a person changed after install stays after uninstall."""
    file = repo / ".mcp.json"
    file.write_text('{\n  "a": 1\n}\n')
    toolcrib("install", "claude-code")
    file.write_text(file.read_text().replace('"a": 1', '"a": 2'))
    toolcrib("uninstall", "claude-code")
    found = read(file)
    assert found["a"] == 2
    assert "toolcrib" not in found.get("mcpServers", {})


def test_two_entries_come_and_go_in_any_order(home, repo, toolcrib):
    """T-7: the first bytes come back when the last entry goes."""
    file = repo / ".mcp.json"
    file.write_bytes(b'{"a":1}')
    for name in ("one", "two"):
        toolcrib("install", "claude-code", "--name", name)
    toolcrib("uninstall", "claude-code", "--name", "one")
    assert list(read(file)["mcpServers"]) == ["two"]
    toolcrib("uninstall", "claude-code", "--name", "two")
    assert file.read_bytes() == b'{"a":1}'
    assert find(Machine.here(), file) is None


def test_a_second_install_changes_nothing_about_the_way_back(home, repo, toolcrib):
    """T-7: the file before the first one counts."""
    file = repo / ".mcp.json"
    file.write_bytes(b"{ }\n")
    toolcrib("install", "claude-code")
    toolcrib("install", "claude-code", "guide")
    toolcrib("uninstall", "claude-code")
    assert file.read_bytes() == b"{ }\n"


def test_several_installs_at_once_lose_nothing(home, repo, tmp_path):
    """T-7: eight at once, and eight entries; eight back, and the file is as before."""
    file = repo / ".mcp.json"
    file.write_bytes(b'{"mine": true}')
    environment = {**os.environ, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}

    def all_at_once(command: str) -> None:
        running = [
            subprocess.Popen(
                [sys.executable, "-m", "toolcrib", command, "claude-code", "--scope", "project",
                 "--name", f"s{number}"],
                cwd=repo, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            )
            for number in range(8)
        ]  # fmt: skip
        for each in running:
            _, error = each.communicate(timeout=120)
            assert each.returncode == 0, error

    all_at_once("install")
    assert sorted(read(file)["mcpServers"]) == [f"s{number}" for number in range(8)]
    all_at_once("uninstall")
    assert file.read_bytes() == b'{"mine": true}'


def test_a_state_folder_that_cannot_be_written_is_told_and_nothing_is_changed(
    home, repo, toolcrib, monkeypatch
):
    """T-7: without a way back there is no change."""
    blocked = home / "blocked"
    blocked.write_text("")
    monkeypatch.setenv("TOOLCRIB_STATE", str(blocked / "state"))
    ran = toolcrib("install", "claude-code")
    assert ran.code == 1
    assert "TOOLCRIB_STATE" in ran.err
    assert not (repo / ".mcp.json").exists()
