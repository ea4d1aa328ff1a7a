"""`toolcrib servers login` and `logout`, with a real authorization server on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, build_opener, urlopen

import pytest

from support.authorization import authorization, control


@pytest.fixture
def guarded() -> Iterator[str]:
    with authorization() as found:
        yield found


@pytest.fixture
def own(home: Path, guarded: str) -> Path:
    """The user's file with a server that wants a login, and one on this machine."""
    file = home / ".config/toolcrib/servers.json"
    file.parent.mkdir(parents=True)
    near = {"command": sys.executable}
    servers = {"far": {"url": f"{guarded}/mcp"}, "near": near}
    file.write_text(json.dumps({"mcpServers": servers}))
    return file


def login(repo: Path) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "toolcrib", "servers", "login", "far", "--no-browser"]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        words, cwd=repo, env=dict(os.environ), stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )


class Stay(HTTPRedirectHandler):
    """A browser that does not follow."""

    def redirect_request(self, *words: object) -> None:
        return None


def test_a_login_without_a_browser(own, repo, home, toolcrib) -> None:
    """X-24: the address alone on a line; then the server can be called, until the logout."""
    before = toolcrib("servers", "refresh", "far", "--json")
    assert before.code == 1
    assert "needs a login: run toolcrib servers login far" in before.json["failed"]["far"]
    with login(repo) as process:
        assert process.stdout is not None
        urlopen(process.stdout.readline().strip()).close()
        assert process.wait(60) == 0
    assert toolcrib("servers", "refresh", "far").code == 0
    called = toolcrib("call", "far__look")
    assert called.code == 0 and "Bearer token-" in called.out
    assert toolcrib("servers", "logout", "far", "--json").json == {"logout": "far", "was": True}
    assert toolcrib("servers", "logout", "far", "--json").json["was"] is False


def test_the_address_can_be_pasted(own, repo, toolcrib) -> None:
    """X-24: where the browser is on another machine."""
    with login(repo) as process:
        assert process.stdout is not None and process.stdin is not None
        address = process.stdout.readline().strip()
        with pytest.raises(HTTPError) as back:
            build_opener(Stay).open(address)
        process.stdin.write("hello\n" + back.value.headers["location"] + "\n")
        process.stdin.flush()
        assert process.wait(60) == 0


def test_a_login_that_fails_says_why(own, repo, guarded, toolcrib) -> None:
    """X-24: exit 1, a wrong `iss` is named; a server on this machine has no login: exit 2."""
    control(guarded, iss="https://evil.example")
    with login(repo) as process:
        assert process.stdout is not None and process.stderr is not None
        urlopen(process.stdout.readline().strip()).close()
        assert process.wait(60) == 1
        told = process.stderr.read()
        assert "evil.example" in told and "Traceback" not in told
    assert toolcrib("servers", "login", "near").code == 2
    assert toolcrib("servers", "login", "nobody").code == 2
