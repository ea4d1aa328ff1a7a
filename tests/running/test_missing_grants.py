"""What a program's own words say of a grant that was missing."""

from __future__ import annotations

import pytest

from toolcrib.running.missing_grants import missing_grants
from toolcrib.running.sandbox.profile import SandboxReport

NONE = SandboxReport("bubblewrap", "none", "hidden", "none")
HIDDEN = ("/home/me/.ssh", "/home/me/.npmrc")


def told(text: str, report: SandboxReport = NONE) -> list[str]:
    return missing_grants("", text, report, HIDDEN, "/home/me")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('Load key "/home/me/.ssh/id_ed25519": Permission denied', "~/.ssh/id_ed25519"),
        ("cat: ~/.npmrc: Permission denied", "~/.npmrc"),
        ("open /home/me/.ssh/config: no such file", "~/.ssh/config"),
    ],
)
def test_a_hidden_path_is_named(text: str, path: str) -> None:
    """T-11: `hidden: ~/.ssh/id_ed25519`."""
    assert told(text)[0].startswith(f"hidden: {path} ")


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("curl: (6) Could not resolve host: example.com", "example.com"),
        ("npm ERR! getaddrinfo EAI_AGAIN packages.example.org", "packages.example.org"),
        ("ssh: connect to host git.example.com port 22: Network is unreachable", "git.example.com"),
        ("dial tcp: lookup api.example.com: no such host", "api.example.com"),
        ("HTTPConnectionPool(host='pypi.example', port=443): Max retries", "pypi.example"),
    ],
)
def test_a_host_is_named(text: str, host: str) -> None:
    """T-11: when the program's own words show the host."""
    assert any(host in note and "network: none" in note for note in told(text))


@pytest.mark.parametrize(
    "text",
    ["error: src/main.rs:4 is wrong", "/home/me/.sshx/file: not found", "/home/me/.gitconfig: bad",
     "connection refused by 127.0.0.1", ""],
)  # fmt: skip
def test_other_failures_are_left_as_they_are(text: str) -> None:
    """T-11: the opposite: no grant is named where none was missing."""
    assert told(text) == []


def test_with_a_network_no_grant_is_missing() -> None:
    """T-11: what the proxy refuses it says itself."""
    report = SandboxReport("bubblewrap", "public", "hidden", "none")
    assert told("Could not resolve host: example.com", report) == []
