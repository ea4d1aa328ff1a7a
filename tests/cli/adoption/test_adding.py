"""Adding a server that a file describes."""

from __future__ import annotations

import json
import stat

ADD = ("servers", "add", "--yes")


def test_a_value_that_is_no_pair_and_two_ways_at_once_are_refused(tmp_path, home, toolcrib) -> None:
    """X-29: nothing is written."""
    file = tmp_path / "server.json"
    remote = {"type": "streamable-http", "url": "https://x/mcp"}
    file.write_text(json.dumps({"name": "a/b c", "remotes": [remote]}))
    assert toolcrib(*ADD, "--from", str(file), "--input", "x").code == 2
    assert toolcrib(*ADD, "x", "--from", str(file), "--url", "https://y").code == 2
    assert toolcrib(*ADD, "a__b", "--from", str(file)).code == 2
    assert not (home / ".config").exists()


def test_its_own_name_is_used_unless_one_is_given(tmp_path, home, toolcrib) -> None:
    """X-29: in the user's file, which nobody else can read."""
    file = tmp_path / "server.json"
    remote = {"type": "streamable-http", "url": "https://x/mcp"}
    file.write_text(json.dumps({"name": "a/b c", "remotes": [remote]}))
    ran = toolcrib(*ADD, "--from", str(file), "--json")
    assert ran.json["added"] == "b-c"
    own = home / ".config/toolcrib/servers.json"
    assert json.loads(own.read_text())["mcpServers"] == {"b-c": {"url": "https://x/mcp"}}
    assert stat.S_IMODE(own.stat().st_mode) == 0o600
