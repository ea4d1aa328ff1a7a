"""The profile for macOS, as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.running.sandbox.namespace import Mounts
from toolcrib.running.sandbox.seatbelt import profile

GOLDEN = Path(__file__).parent / "seatbelt"
MOUNTS = Mounts(
    writable=("/Users/me/shop", "/private/tmp", "/Users/me/.cache/toolcrib/run/1/a"),
    hidden=("/Users/me/.ssh", "/Users/me/.cache/toolcrib", '/Users/me/odd "name"'),
    opened=("/Users/me/.ssh/known_hosts",),
    protected=("/Users/me/shop/.git/hooks", "/Users/me/shop/toolcrib.toml"),
    sockets=("/private/tmp/agent.sock",),
)


@pytest.mark.parametrize("network", ["none", "hosts", "full"])
def test_the_profile_is_the_one_that_was_looked_at(network: str) -> None:
    """T-16: macOS: writes, reads, network to the proxy only."""
    assert profile(MOUNTS, network) == (GOLDEN / f"{network}.sb").read_text()


def test_every_parenthesis_is_closed_and_every_path_quoted() -> None:
    """T-16: a path cannot end a rule."""
    text = profile(Mounts(hidden=('/a")(allow default)(deny file-read* (subpath "/b',)), "none")
    depth, quoted, escaped = 0, False, False
    for character in text:
        if escaped:
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif not quoted:
            depth += {"(": 1, ")": -1}.get(character, 0)
            assert depth >= 0
    assert (depth, quoted) == (0, False)
    assert text.count("(allow default)\n") == 1


def test_without_a_network_nothing_is_reached() -> None:
    """T-10: the last rules about the network deny it."""
    lines = profile(Mounts(), "none").splitlines()
    assert lines[-1] == "(deny network*)"
