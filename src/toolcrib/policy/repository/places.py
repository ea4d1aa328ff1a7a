"""Where a repository keeps its configs and its policy, when its settings do not say."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.records import record

HOMES: Final = ("climax", ".climax")
"""Folders where every YAML file is a config, but for the policy."""
SHARED_HOME: Final = "tools"
"""A folder that may hold other things too: there only what looks like a config is one."""
SERVERS_FILE: Final = "mcp/servers.json"
"""The repository's own servers."""
POLICIES: Final = ("policy.yaml", "policy.yml")
SUFFIXES: Final = (".yaml", ".yml")
_MOST_SNIFFED = 50
_LOOKS_LIKE_CONFIG = (rb"(?m)^command\s*:", rb"(?m)^tools\s*:")


@record
class PolicySource:
    """What the settings say of the policy: its file, and whether configs are named."""

    policy: str | None = None
    """The file; empty where somebody has switched the policy off."""
    configs: tuple[str, ...] = ()

    def paths(self, project: Path) -> list[Path]:
        """The policies that are meant: named in the settings, or found in the repository."""
        named: Sequence[str] = ()
        if self.policy:
            named = [self.policy]
        elif self.policy is None and not self.configs:
            named = found_policies(project, found_configs(project))
        return [project / os.path.expanduser(each) for each in named]  # noqa: PTH111


def found_configs(project: Path) -> list[str]:
    """The configs of a repository that names none, as paths below it."""
    found: list[str] = []
    for home in (*HOMES, SHARED_HOME):
        folder = project / home
        if folder.is_dir():
            paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
            if home == SHARED_HOME:
                paths = [path for path in paths[:_MOST_SNIFFED] if _looks_like_config(path)]
            found += [f"{home}/{path.name}" for path in paths if path.name not in POLICIES]
    return found


def found_policies(project: Path, configs: Iterable[str]) -> list[str]:
    """The policies of a repository whose configs were found, not named.

    A link that leads nowhere is one too: it stands where somebody wanted a policy to hold.
    """
    shared = any(config.startswith(f"{SHARED_HOME}/") for config in configs)
    homes = (*HOMES, SHARED_HOME) if shared else HOMES
    paths = [f"{home}/{name}" for home in homes for name in POLICIES]
    return [path for path in paths if os.path.lexists(project / path)]


def only_policy(policies: Sequence[Path], project: Path) -> Path | None:
    """The policy, if there is one; raises `ConfigError` where it would be a guess which holds."""
    if len(policies) > 1:
        both = " and ".join(shown(policy, project) for policy in policies)
        raise ConfigError(
            f"Two policies are found, and only one can hold: {both}",
            next='Keep one of them, or name it: [climax] policy = "…" in toolcrib.toml.',
        )
    return policies[0] if policies else None


def shown(path: Path, base: Path | None) -> str:
    """A path as messages show it: from where the person stands, if it lies below."""
    # As texts: for some hundred files, pathlib takes longer than reading them.
    text, start = str(path), f"{base}".rstrip(os.sep) + os.sep
    if base is not None and text.startswith(start):
        return text[len(start) :].replace(os.sep, "/")
    return text


def _looks_like_config(path: Path) -> bool:
    from toolcrib.core.errors import ToolcribError
    from toolcrib.files.root import Root

    try:
        data = Root(path.parent).read(path.name).data
    except ToolcribError:
        return False
    return all(re.search(line, data) for line in _LOOKS_LIKE_CONFIG)
