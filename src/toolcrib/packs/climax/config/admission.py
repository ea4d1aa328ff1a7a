"""Which tools of a config may run: those that are unchanged since they were trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from toolcrib.core.errors import ToolcribError
from toolcrib.packs.climax.acting import script_paths
from toolcrib.packs.climax.config.annotations import annotations_for
from toolcrib.packs.climax.config.definitions import definition
from toolcrib.policy.trust.acting import CONFIG, SCRIPT
from toolcrib.policy.trust.project import Trust
from toolcrib.running.program import CLIConfig, ToolTable

BUNDLED_MARK = " (bundled)"
Parse = Callable[[bytes, str], CLIConfig]


class Admission:
    """Takes configs one by one, each with the bytes it was made from, and keeps what may act.

    What was left out is in `withheld`: the names of tools, and the file that has to be trusted.
    """

    def __init__(self, trust: Trust, parse: Parse, *, sandboxed: bool = True) -> None:
        self._trust = trust
        self._parse = parse
        self._sandboxed = sandboxed
        self.withheld: dict[str, str] = {}

    def __call__(self, config: CLIConfig, data: bytes) -> CLIConfig:
        """The config with the tools that may act."""
        if self._trust.everything:
            return config
        if config.file.endswith(BUNDLED_MARK):
            return self._bundled(config)
        script = self._changed_script(data)
        kept = self._as_trusted(config, data) if script is None else set()
        if len(kept) == len(config.tools):
            return config
        culprit = script or config.file
        self.withheld.update((n, culprit) for n in config.tools.lines if n not in kept)
        return _part(config, kept)

    def excuses(self) -> bool:
        """Whether a config that cannot be read is no reason to stop: nobody has trusted it."""
        return self._trust.state != "trusted"

    def _bundled(self, config: CLIConfig) -> CLIConfig:
        """Ours; but nobody has agreed that this repository names it: looking around is fine."""
        trust = self._trust
        if trust.state != "untrusted" or trust.named_configs:
            return config
        kept = {n for n in config.tools.lines if self._sandboxed and _harmless(config, n)}
        named_in = trust.verdict.present.settings_file or "toolcrib.toml"
        self.withheld.update((n, named_in) for n in config.tools.lines if n not in kept)
        return _part(config, kept)

    def _as_trusted(self, config: CLIConfig, data: bytes) -> set[str]:
        if self._trust.admits(config.file, CONFIG, data):
            return set(config.tools.lines)
        copy = self._trust.trusted_copy(config.file)
        if copy is None:
            return set()
        try:
            before = self._parse(copy, config.file)
        except ToolcribError:
            return set()
        return {
            tool.name
            for tool in config.tools
            if tool.name in before.tools.lines
            and definition(config, tool.name) == definition(before, tool.name)
        }

    def _changed_script(self, data: bytes) -> str | None:
        """The script that runs with a grant and is not as it was trusted; None where all are."""
        changed = {file.path for file in self._trust.withheld() if file.kind == SCRIPT}
        named = script_paths(data, self._trust.project) if changed else ()
        return next((path for path in named if path in changed), None)


def _harmless(config: CLIConfig, name: str) -> bool:
    found = annotations_for(config.file, name, config.tags)
    return found.read_only is True and found.open_world is False


def _part(config: CLIConfig, names: set[str]) -> CLIConfig:
    lines = {name: line for name, line in config.tools.lines.items() if name in names}
    return replace(config, tools=ToolTable(lines, config.tools.named))
