"""All policies that have a say about the tools of a project: of programs and of other servers."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import ConfigError, Place, ToolcribError
from toolcrib.files.content_cache import user_cache
from toolcrib.files.yaml_document import read_bytes
from toolcrib.policy.check import check_policy
from toolcrib.policy.layers import ORGANISATION, PERSON, PRESENT, TRUSTED, Layer, Layers
from toolcrib.policy.reader import policy_from
from toolcrib.policy.repository.places import PolicySource, only_policy, shown
from toolcrib.policy.repository.strays import stray_policies
from toolcrib.policy.trust.acting import POLICY
from toolcrib.running.program import CLIConfig

if TYPE_CHECKING:
    from toolcrib.policy.trust.project import Trust


def load_layers(
    project: Path,
    source: PolicySource,
    trust: Trust | None = None,
    *,
    configs: Sequence[CLIConfig] = (),
    withheld: Collection[str] = (),
    beside: Sequence[Path] = (),
) -> tuple[Layers | None, list[ConfigError]]:
    """Every policy that has a say, and warnings about them; None where nobody says anything.

    `configs` are the programs that are described, `withheld` the names of tools that wait for
    trust, and `beside` the repository's own configs: where one lies, a policy may lie, too.
    Raises `ConfigError` for a policy of the repository that cannot be used.
    """
    reading = _Reading(project, source, trust)
    present, warnings = reading.present(configs, withheld)
    layers = [*reading.personal(), *reading.trusted(), *present]
    strays, told = reading.strays(beside)
    layers += strays
    return (Layers(layers, configs) if layers else None), [*warnings, *told]


class _Reading:
    """Finds the policies of one project."""

    def __init__(self, project: Path, source: PolicySource, trust: Trust | None) -> None:
        self._project = project
        self._source = source
        self._trust = trust
        self._paths = self._present_paths()

    def personal(self) -> list[Layer]:
        """What the organisation and the person say."""
        if self._trust is None:
            return []
        return self._trust.person.layers((ORGANISATION, PERSON))

    def present(
        self, configs: Sequence[CLIConfig], withheld: Collection[str]
    ) -> tuple[list[Layer], list[ConfigError]]:
        """The repository's policy as it is now, and what it names in vain."""
        path = only_policy(self._paths, self._project)
        if path is None:
            return [], []
        file = shown(path, self._project)
        data = read_bytes(path)
        policy = policy_from(data, file, cache=user_cache())
        vain = check_policy(policy, configs, withheld)
        if self._trust is not None:
            self._trust.held_policies[file] = data
        return [Layer(PRESENT, file, policy, source=data, waits=self._waits(file, data))], vain

    def trusted(self) -> list[Layer]:
        """The policies that held and are not there any more, or not as they were."""
        if self._trust is None:
            return []
        present = {shown(path, self._project) for path in self._paths}
        found = self._trust.policies(present, self._admitted)
        return [self._layer(path, data) for path, data in found]

    def strays(self, beside: Sequence[Path]) -> tuple[list[Layer], list[ConfigError]]:
        """Policies that are not in use: they refuse everything, or are only told of."""
        chosen = self._source.policy is not None
        if chosen and self._source.policy:
            return [], []
        errors = [self._unused(p) for p in stray_policies(self._project, beside, self._paths)]
        if chosen or (self._trust is not None and self._trust.named_configs):
            return [], errors
        return [Layer(PRESENT, str(e.where), None, e) for e in errors], []

    def _present_paths(self) -> list[Path]:
        """Where the repository's policy lies, by the settings that hold and by those of now."""
        paths = dict.fromkeys(self._source.paths(self._project))
        trust = self._trust
        if trust is not None and trust.state != "trusted" and not trust.named_policy:
            now: dict[str, Any] = dict(trust.verdict.present.tables.get("climax", {}))
            policy = now.get("policy")
            if isinstance(policy, str) and policy:
                paths.setdefault(self._project / os.path.expanduser(policy))  # noqa: PTH111
        return [path for path in paths if os.path.lexists(path) or self._source.policy]

    def _admitted(self, file: str, entry_kind: str) -> bool:
        try:
            data = read_bytes(self._project / file)
        except ToolcribError:
            return False
        return self._trust is None or self._trust.admits(file, entry_kind, data)

    def _layer(self, path: str, data: bytes) -> Layer:
        try:
            policy = policy_from(data, path, cache=user_cache())
        except ToolcribError as error:
            return Layer(TRUSTED, path, None, error)
        return Layer(TRUSTED, path, policy, source=data, waits=self._waits(path, data))

    def _waits(self, path: str, data: bytes) -> bool:
        """Whether nobody has trusted this very policy: it holds, as far as it forbids."""
        return self._trust is not None and not self._trust.admits(path, POLICY, data)

    def _unused(self, path: Path) -> ConfigError:
        name = shown(path, self._project)
        return ConfigError(
            f"{name} looks like a policy and is not in use",
            where=Place(name),
            next=f'Name it: --policy {name} beside configs, or [climax] policy = "{name}" in '
            "toolcrib.toml; or move it away.",
        )
