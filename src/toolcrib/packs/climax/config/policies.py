"""All policies that have a say about the command-line tools of a project."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import ConfigError, ToolcribError
from toolcrib.files.content_cache import user_cache
from toolcrib.files.yaml_document import read_bytes
from toolcrib.packs.climax.config.sources import only_policy, shown_path, sources
from toolcrib.packs.climax.config.strays import stray_policies
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.policy.check import check_policy
from toolcrib.policy.layers import ORGANISATION, PERSON, PRESENT, TRUSTED, Layer, Layers
from toolcrib.policy.reader import policy_from
from toolcrib.running.program import CLIConfig

if TYPE_CHECKING:
    from toolcrib.policy.trust.project import Trust


def load_layers(
    project: Path,
    settings: ClimaxSettings,
    configs: Sequence[CLIConfig],
    trust: Trust | None = None,
    withheld: Collection[str] = (),
) -> tuple[Layers | None, list[ConfigError]]:
    """Every policy that has a say, and warnings about them; None where nobody says anything.

    Raises `ConfigError` for a policy of the repository that cannot be used.
    """
    reading = _Reading(project, settings, trust)
    present, warnings = reading.present(configs, withheld)
    layers = [*reading.personal(), *reading.trusted(), *present]
    strays, told = reading.strays()
    layers += strays
    if settings.strict and (warnings or told):
        raise [*warnings, *told][0]
    return (Layers(layers, configs) if layers else None), [*warnings, *told]


class _Reading:
    """Finds the policies of one project."""

    def __init__(self, project: Path, settings: ClimaxSettings, trust: Trust | None) -> None:
        self._project = project
        self._settings = settings
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
        shown = shown_path(path, self._project)
        data = read_bytes(path)
        policy = policy_from(data, shown, cache=user_cache())
        vain = check_policy(policy, configs, withheld)
        if self._trust is not None:
            self._trust.held_policies[shown] = data
        return [Layer(PRESENT, shown, policy, source=data)], vain

    def trusted(self) -> list[Layer]:
        """The policies that held and are not there any more, or not as they were."""
        if self._trust is None:
            return []
        present = {shown_path(path, self._project) for path in self._paths}
        found = self._trust.policies(present, self._admitted)
        return [self._layer(path, data) for path, data in found.items()]

    def strays(self) -> tuple[list[Layer], list[ConfigError]]:
        """Policies that are not in use: they refuse everything, or are only told of."""
        from toolcrib.packs.climax.config.sources import find_configs

        references, _ = sources(self._project, self._settings)
        try:
            configs = find_configs(references, self._project, self._paths)
        except ConfigError:
            configs = []
        chosen = self._settings.policy is not None
        if chosen and self._settings.policy:
            return [], []
        found = stray_policies(self._project, configs, self._paths)
        errors = [self._unused(path) for path in found]
        if chosen or (self._trust is not None and self._trust.named_configs):
            return [], errors
        return [Layer(PRESENT, str(e.where), None, e) for e in errors], []

    def _present_paths(self) -> list[Path]:
        """Where the repository's policy lies, by the settings that hold and by those of now."""
        _, policies = sources(self._project, self._settings)
        paths = dict.fromkeys(policies)
        trust = self._trust
        if trust is not None and trust.state != "trusted" and not trust.named_policy:
            now: dict[str, Any] = dict(trust.verdict.present.tables.get("climax", {}))
            policy = now.get("policy")
            if isinstance(policy, str) and policy:
                paths.setdefault(self._project / os.path.expanduser(policy))  # noqa: PTH111
        return [path for path in paths if os.path.lexists(path) or self._settings.policy]

    def _admitted(self, shown: str, entry_kind: str) -> bool:
        try:
            data = read_bytes(self._project / shown)
        except ToolcribError:
            return False
        return self._trust is None or self._trust.admits(shown, entry_kind, data)

    def _layer(self, path: str, data: bytes) -> Layer:
        try:
            return Layer(TRUSTED, path, policy_from(data, path, cache=user_cache()), source=data)
        except ToolcribError as error:
            return Layer(TRUSTED, path, None, error)

    def _unused(self, path: Path) -> ConfigError:
        from toolcrib.core.errors import Place

        shown = shown_path(path, self._project)
        return ConfigError(
            f"{shown} looks like a policy and is not in use",
            where=Place(shown),
            next=f'Name it in toolcrib.toml: [climax] policy = "{shown}", or move it away.',
        )
