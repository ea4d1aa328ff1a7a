"""U-1: install and uninstall for eight clients: merge, back up, show the diff, undo."""

from __future__ import annotations

import json
import stat
import textwrap
import tomllib
from pathlib import Path

import pytest

from toolcrib.cli.clients.change import entry_for, plan_install
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.clients.registry import CLIENTS
from toolcrib.files import jsonc

FILES = {
    ("claude-code", "project"): "{repo}/.mcp.json",
    ("claude-code", "user"): "{home}/.claude.json",
    ("claude-code", "local"): "{home}/.claude.json",
    ("claude-desktop", "user"): "{home}/.config/Claude/claude_desktop_config.json",
    ("cursor", "project"): "{repo}/.cursor/mcp.json",
    ("cursor", "user"): "{home}/.cursor/mcp.json",
    ("vscode", "project"): "{repo}/.vscode/mcp.json",
    ("vscode", "user"): "{home}/.config/Code/User/mcp.json",
    ("codex", "project"): "{repo}/.codex/config.toml",
    ("codex", "user"): "{home}/.codex/config.toml",
    ("gemini", "project"): "{repo}/.gemini/settings.json",
    ("gemini", "user"): "{home}/.gemini/settings.json",
    ("windsurf", "user"): "{home}/.codeium/windsurf/mcp_config.json",
    ("zed", "project"): "{repo}/.zed/settings.json",
    ("zed", "user"): "{home}/.config/zed/settings.json",
}


def read(file: Path) -> dict:
    text = file.read_text()
    return tomllib.loads(text) if file.suffix == ".toml" else jsonc.load(text)


def program(folder: Path, name: str, body: str) -> Path:
    """Put a program on the PATH."""
    file = folder / "bin" / name
    file.write_text("#!/usr/bin/env -S /bin/sh\n" + textwrap.dedent(body))
    file.chmod(0o755)
    return file


def test_every_client_and_scope_is_covered_here():
    """U-1: claude-code, claude-desktop, cursor, vscode, codex, gemini, windsurf, zed."""
    assert set(FILES) == {(name, scope) for name, c in CLIENTS.items() for scope in c.scopes}
    named = "claude-code, claude-desktop, cursor, vscode, codex, gemini, windsurf, zed"
    assert ", ".join(CLIENTS) == named


@pytest.mark.parametrize(("client", "scope"), FILES)
def test_each_client_is_told_in_its_own_file_and_forgets_again(client, scope, home, repo, toolcrib):
    """U-1: install and uninstall for each client and scope."""
    file = Path(FILES[client, scope].format(home=home, repo=repo))
    ran = toolcrib("install", client, "--scope", scope)
    assert ran.code == 0, ran.err
    assert str(file) in ran.out and "+" in ran.out
    value = read(file)
    for key in CLIENTS[client].spot(Machine.here(), repo, scope).keys:
        value = value[key]
    assert value["toolcrib"]["args"][0] == "serve"
    assert Path(value["toolcrib"]["command"]).name == "toolcrib"

    assert "nothing to do" in toolcrib("install", client, "--scope", scope).out
    assert toolcrib("uninstall", client).code == 0
    assert not file.exists()
    assert "nothing to do" in toolcrib("uninstall", client).out


def test_a_dry_run_changes_nothing(home, repo, toolcrib):
    """U-1: --dry-run shows the diff and stops."""
    ran = toolcrib("install", "cursor", "--dry-run")
    assert ran.code == 0
    assert "would change" in ran.out and '+    "toolcrib": {' in ran.out
    assert list(repo.iterdir()) == [repo / ".git"]


def test_comments_order_and_other_servers_stay_and_a_copy_is_kept(home, repo, toolcrib):
    """U-1: merges, backs up, shows the diff."""
    file = home / ".config/zed/settings.json"
    file.parent.mkdir(parents=True)
    old = (
        '// mine\n{\n  "z": 1, // last letter first\n  "context_servers": {\n    "x": {}\n  }\n}\n'
    )
    file.write_text(old)
    file.chmod(0o600)
    report = toolcrib("install", "zed", "--scope", "user", "--json").json["changes"][0]
    new = file.read_text()
    assert new.startswith('// mine\n{\n  "z": 1, // last letter first\n')
    assert list(jsonc.load(new)["context_servers"]) == ["x", "toolcrib"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    backup = Path(report["backup"])
    assert backup.read_text() == old
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert repo not in backup.parents

    assert toolcrib("uninstall", "zed").code == 0
    assert file.read_text() == old


def test_the_copy_goes_where_toolcrib_keeps_its_state(home, repo, tmp_path, toolcrib, monkeypatch):
    """U-1: TOOLCRIB_STATE holds for backups as it does for flags."""
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    (repo / ".mcp.json").write_text("{}")
    report = toolcrib("install", "claude-code", "--json").json["changes"][0]
    assert Path(report["backup"]).parent == tmp_path / "state" / "backups"


def test_what_a_person_added_to_our_entry_stays(home, repo, toolcrib):
    """U-1: a second install changes what is ours and nothing else."""
    file = repo / ".cursor/mcp.json"
    file.parent.mkdir()
    entry = {"command": "old", "args": [], "env": {"A": "b"}}
    file.write_text(json.dumps({"mcpServers": {"toolcrib": entry}}))
    assert toolcrib("install", "cursor", "guide").code == 0
    found = read(file)["mcpServers"]["toolcrib"]
    assert found["env"] == {"A": "b"}
    assert found["args"] == [
        "serve", "guide", "--names", "safe", "--project", "${workspaceFolder}",
    ]  # fmt: skip


def test_a_link_into_dotfiles_stays_a_link(home, toolcrib):
    """U-1: many people keep their settings elsewhere and link to them."""
    real = home / "dotfiles" / "mcp.json"
    real.parent.mkdir()
    real.write_text("{}")
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").symlink_to(real)
    assert toolcrib("install", "cursor", "--scope", "user").code == 0
    assert (home / ".cursor/mcp.json").is_symlink()
    assert "toolcrib" in read(real)["mcpServers"]


def test_a_broken_file_is_left_alone(home, repo, toolcrib):
    """U-1: nothing is lost, and the error says where."""
    file = repo / ".vscode/mcp.json"
    file.parent.mkdir()
    file.write_text('{\n  "servers": {\n')
    ran = toolcrib("install", "vscode")
    assert ran.code == 1
    assert "error[config]: This is not JSON" in ran.err and "mcp.json:3:1" in ran.err
    assert file.read_text() == '{\n  "servers": {\n'


def test_the_clients_own_command_is_used_where_there_is_one(home, repo, toolcrib):
    """U-1: claude mcp add, codex mcp add, gemini mcp add, code --add-mcp."""
    program(
        home,
        "claude",
        """
        [ "$2" = add ] || exit 0
        printf '%s\\n' "$@" > words
        printf '{"mcpServers": {"toolcrib": {"command": "by claude"}}}' > .mcp.json
        """,
    )
    ran = toolcrib("install", "claude-code", "--json")
    report = ran.json["changes"][0]
    assert report["command"][1:7] == ["mcp", "add", "--scope", "project", "toolcrib", "--"]
    assert read(repo / ".mcp.json")["mcpServers"]["toolcrib"]["command"] == "by claude"
    assert (repo / "words").read_text().splitlines()[-1] == "serve"


@pytest.mark.parametrize("body", ["exit 1", "exit 0", "[ $2 = add ] && echo '{' > .mcp.json"])
def test_a_command_that_fails_or_does_nothing_is_made_up_for(body, home, repo, toolcrib):
    """U-1: else a merge of its file; the file is believed, not the exit code."""
    program(home, "claude", body)
    assert toolcrib("install", "claude-code").code == 0
    assert read(repo / ".mcp.json")["mcpServers"]["toolcrib"]["args"] == ["serve"]


@pytest.mark.parametrize(
    ("client", "command", "line", "state"),
    [
        ("claude-code", "claude", "toolcrib: toolcrib serve - ✔ Connected", "has"),
        ("claude-code", "claude", "toolcrib: x serve - ⏸ Pending approval (run `claude`)", "waits"),
        ("claude-code", "claude", "toolcrib: x serve - ✗ Failed to start", "fails"),
        ("claude-code", "claude", "No MCP servers configured.", "lacks"),
        ("codex", "codex", "toolcrib  toolcrib  serve  -  enabled  Unsupported", "has"),
        ("codex", "codex", "No MCP servers configured yet.", "lacks"),
        ("gemini", "gemini", "✓ toolcrib: toolcrib serve (stdio) - Connected", "has"),
        ("gemini", "gemini", "○ toolcrib: toolcrib serve (stdio) - Disabled", "waits"),
        ("gemini", "gemini", "✗ toolcrib: toolcrib serve (stdio) - Disconnected", "fails"),
    ],
)
def test_the_client_itself_is_asked_and_ticked_only_if_it_has_the_server(
    client, command, line, state, home, repo, toolcrib
):
    """U-1: what a file says is only half of it; the step that is left is said."""
    program(home, command, f"[ $2 = list ] && echo '{line}'")
    program(home, "toolcrib", "exit 0")
    ran = toolcrib("install", client, "--scope", "project")
    assert ran.code == 0
    assert ("✓" in ran.out.replace(line, "")) == (state == "has")
    assert ("next: start `" in ran.out) == (state != "has")
    again = toolcrib("install", client, "--scope", "project", "--json").json["changes"][0]
    assert again["client_says"] == state
    findings = toolcrib("doctor", "--json").json["findings"]
    (finding,) = [each for each in findings if each["group"] == "clients"]
    assert (finding["level"] == "ok") == (state == "has")
    assert finding["level"] == {"has": "ok", "fails": "error"}.get(state, "warning")


def test_a_client_that_needs_plain_names_is_served_them(home, repo, toolcrib):
    """S-7: --names safe where names with dots and slashes would not be callable."""
    assert toolcrib("install", "claude-desktop").code == 0
    file = home / ".config/Claude/claude_desktop_config.json"
    assert read(file)["mcpServers"]["toolcrib"]["args"][:3] == ["serve", "--names", "safe"]
    text = file.read_text()
    assert '"--names",' in text
    program(home, "toolcrib", "exit 0")
    file.write_text(json.dumps({"mcpServers": {"toolcrib": {"command": "toolcrib", "args": []}}}))
    findings = toolcrib("doctor", "--json").json["findings"]
    told = [each["text"] for each in findings if each["group"] == "clients"]
    assert any("needs plain tool names: serve --names safe" in text for text in told)


def test_what_a_client_writes_while_it_is_asked_is_undone_with_our_entry(home, repo, toolcrib):
    """T-7: its own bookkeeping in the same file does not stand in the way back."""
    file = home / ".claude.json"
    file.write_bytes(b'{"starts": 1}')
    program(home, "claude", "[ $2 = list ] && printf ' ' >> $HOME/.claude.json")
    assert toolcrib("install", "claude-code", "--scope", "user").code == 0
    assert toolcrib("uninstall", "claude-code", "--scope", "user").code == 0
    assert file.read_bytes() == b'{"starts": 1}'


def test_all_takes_the_clients_that_are_found(home, repo, toolcrib):
    """U-1: install --all."""
    (home / ".cursor").mkdir()
    (home / ".codeium/windsurf").mkdir(parents=True)
    ran = toolcrib("install", "--all", "--json")
    assert [each["client"] for each in ran.json["changes"]] == ["cursor", "windsurf"]


def test_one_broken_client_does_not_stop_the_others(home, repo, toolcrib):
    """U-1: install --all goes on, and the exit code tells."""
    (home / ".cursor").mkdir()
    (home / ".config/zed").mkdir(parents=True)
    (repo / ".cursor").mkdir()
    (repo / ".cursor/mcp.json").write_text("[]")
    ran = toolcrib("install", "--all", "--json")
    assert ran.code == 1
    first, second = ran.json["changes"]
    assert first["error"]["code"] == "config" and second["changed"]


def test_nothing_found_is_said(home, toolcrib):
    """U-1: an error names the next command."""
    ran = toolcrib("install", "--all")
    assert ran.code == 1 and "No client was found" in ran.err and "toolcrib install" in ran.err


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["install", "cursr"], "did you mean 'cursor'"),
        (["install"], "Which client?"),
        (["install", "cursor", "--all"], "not both"),
        (["install", "windsurf", "--scope", "project"], "It has: user"),
        (["install", "zed", "--name=-x y"], "Try --name x-y"),
        (["install", "zed", "--name=a\nb"], "cannot be the name"),
        (["install", "zed", "giude"], "did you mean 'guide'"),
        (["uninstall", "zed", "--name="], "cannot be the name"),
    ],
)
def test_wrong_words_are_told_with_the_nearest_right_ones(words, text, home, toolcrib):
    """U-1: names are validated; wrong usage is exit code 2."""
    ran = toolcrib(*words)
    assert ran.code == 2
    assert text in ran.err


def test_two_repositories_do_not_replace_each_other(home, repo, toolcrib, tmp_path):
    """U-1: a client without projects keeps one entry per repository."""
    assert toolcrib("install", "claude-desktop").code == 0
    other = tmp_path / "other"
    other.mkdir()
    ran = toolcrib("install", "claude-desktop", "--project", str(other))
    assert ran.code == 2
    assert "already has a server 'toolcrib'" in ran.err and "--name toolcrib-other" in ran.err
    assert toolcrib("install", "claude-desktop", "--project", str(other), "--name", "o").code == 0


@pytest.mark.parametrize(
    ("system", "client", "scope", "expected"),
    [
        ("macos", "claude-desktop", "user", "Library/Application Support/Claude"),
        ("macos", "vscode", "user", "Library/Application Support/Code/User/mcp.json"),
        ("macos", "zed", "user", ".config/zed/settings.json"),
        ("windows", "claude-desktop", "user", "roaming/Claude/claude_desktop_config.json"),
        ("windows", "vscode", "user", "roaming/Code/User/mcp.json"),
        ("windows", "zed", "user", "roaming/Zed/settings.json"),
        ("windows", "windsurf", "user", ".codeium/windsurf/mcp_config.json"),
        ("linux", "claude-desktop", "user", "xdg/Claude/claude_desktop_config.json"),
        ("linux", "codex", "user", "codex/config.toml"),
        ("linux", "claude-code", "user", "claude/.claude.json"),
    ],
)
def test_each_system_has_its_own_folders(system, client, scope, expected, tmp_path):
    """U-1: Windows, macOS and Linux paths."""
    environ = {
        "APPDATA": str(tmp_path / "roaming"),
        "XDG_CONFIG_HOME": str(tmp_path / "xdg") if system == "linux" else "",
        "CODEX_HOME": str(tmp_path / "codex"),
        "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
    }
    machine = Machine(system, tmp_path, environ)
    known = CLIENTS[client]
    entry = entry_for(known, scope, tmp_path, "toolcrib")
    plan = plan_install(known, machine, tmp_path, scope, entry)
    assert expected in plan.spot.file.as_posix()
    assert plan.needed


def test_a_program_on_the_path_is_named_without_its_folder_in_a_shared_file(home, repo, toolcrib):
    """U-1: what a team shares names no path of one machine."""
    program(home, "toolcrib", "exit 0")
    toolcrib("install", "zed")
    assert read(repo / ".zed/settings.json")["context_servers"]["toolcrib"] == {
        "source": "custom",
        "command": "toolcrib",
        "args": ["serve"],
    }


def test_uninstall_all_reaches_clients_that_are_not_on_this_machine(home, repo, toolcrib):
    """U-1: a repository may carry the files of clients that somebody else has."""
    (repo / ".vscode").mkdir()
    (repo / ".vscode" / "mcp.json").write_text("{ not json")
    for client in ("cursor", "zed"):
        assert toolcrib("install", client).code == 0
    assert (repo / ".cursor" / "mcp.json").exists() and (repo / ".zed").is_dir()
    ran = toolcrib("uninstall", "--all", "--json")
    assert ran.code == 0, ran.err
    assert sorted(each["client"] for each in ran.json["changes"]) == ["cursor", "zed"]
    assert not (repo / ".cursor").exists() and not (repo / ".zed").exists()
    assert "nothing to do" in toolcrib("uninstall", "--all").out
