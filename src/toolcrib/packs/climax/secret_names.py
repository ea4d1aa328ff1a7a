"""Which variables of a config are secrets: those it names, and the token of gh."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from toolcrib.policy.secrets import GH_KEYRING, secret_name
from toolcrib.running.program import CLIConfig

_GH = "gh (bundled)"
_GH_VARIABLES = ("GH_TOKEN", "GITHUB_TOKEN")


def secret_names(config: CLIConfig) -> Mapping[str, str]:
    """The secrets of a config's `env`, by variable."""
    found = {
        variable: name
        for variable, value in config.env.items()
        if (name := secret_name(value)) is not None
    }
    if config.file == _GH and _gh_uses_keyring(config):
        found[_GH_VARIABLES[0]] = GH_KEYRING
    return found


def _gh_uses_keyring(config: CLIConfig) -> bool:
    """Whether gh keeps its token where a command in a sandbox cannot ask for it."""
    if any(name in config.env and name in os.environ for name in _GH_VARIABLES):
        return False
    folder = os.environ.get("GH_CONFIG_DIR") or "~/.config/gh"
    hosts = Path(os.path.expanduser(folder)) / "hosts.yml"  # noqa: PTH111 - no HOME is fine
    try:
        text = hosts.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return "github.com" in text and "oauth_token" not in text
