"""What configs and policy say together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.errors import ConfigError, Place, ToolcribError
from toolcrib.core.support.records import record
from toolcrib.files.content_cache import user_cache
from toolcrib.packs.climax.config.config import Kept, load_configs, parsed
from toolcrib.packs.climax.config.programs import unusable_programs
from toolcrib.packs.climax.config.sources import own_configs, sources
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.policy.layers import Layers
from toolcrib.policy.model import DENY_ALL, Policy
from toolcrib.policy.repository.loading import load_layers
from toolcrib.running.program import CLIConfig

if TYPE_CHECKING:
    from toolcrib.packs.climax.config.admission import Admission
    from toolcrib.policy.trust.project import Trust


@record
class ConfigSet:
    """The configs, the policy, and what is to be said of both."""

    configs: tuple[CLIConfig, ...] = ()
    policy: Layers | Policy | None = None
    warnings: tuple[ConfigError, ...] = ()
    problems: tuple[ToolcribError, ...] = ()
    """Why some or all of it cannot be used."""
    withheld: Mapping[str, str] = field(default_factory=dict)
    """Tools that wait for a person's trust, and the file that has to be trusted."""
    kept: Kept = field(default_factory=dict, compare=False)
    """What was made of the files, for the next load."""

    @property
    def constant(self) -> bool:
        """Whether it is sound, and will be as long as the files stay as they are."""
        told = self.warnings or self.problems or self.withheld
        return not (told or self._depends_on_environment())

    def _depends_on_environment(self) -> bool:
        texts = [text for config in self.configs for text in (config.command, config.working_dir)]
        volumes = self.policy.executor.volumes if self.policy is not None else ()
        return any("$" in text for text in [*texts, *volumes] if text) or any(
            config.global_args for config in self.configs
        )


def load_config_set(
    project: Path,
    settings: ClimaxSettings,
    last: Iterable[CLIConfig] = (),
    trust: Trust | None = None,
    known: Kept | None = None,
) -> ConfigSet:
    """Load configs and policy; what `trust` does not admit is withheld.

    Raises `ConfigError` or `DuplicateTool`: of what a person named, nothing may be left out. Of
    what was only found, a file that cannot be used is, unless it is among the `last` good ones.
    Without the policy, nothing can be used.
    """
    references, policies = sources(project, settings)
    admission = _admission(trust, settings)
    if trust is not None and trust.state == "untrusted":
        last = ()
    configs = load_configs(
        references,
        project,
        policies=policies,
        strict=settings.strict,
        lenient=not settings.configs,
        last=last,
        cache=user_cache(),
        admission=admission,
        known=known,
    )
    withheld = admission.withheld if admission is not None else {}
    policy, vain = _layers(project, settings, configs.configs, trust, withheld)
    if settings.strict:
        _need_programs(configs.configs, project, policy)
    warnings = (*configs.warnings, *vain)
    problems = (*configs.problems, *(policy.problems if policy is not None else ()))
    return ConfigSet(configs.configs, policy, warnings, problems, withheld, configs.kept)


def reload_config_set(
    before: ConfigSet, project: Path, settings: ClimaxSettings, trust: Trust | None = None
) -> ConfigSet:
    """Load anew, never raising: where the configs cannot be used, the last good ones stay.

    The policy is the one that is there now; where it cannot be used, nothing can.
    """
    try:
        return load_config_set(project, settings, before.configs, trust, before.kept)
    except ToolcribError as error:
        try:
            lenient = replace(settings, strict=False)
            policy, warnings = _layers(project, lenient, before.configs, trust, before.withheld)
        except ToolcribError as refused:
            return replace(before, policy=DENY_ALL, warnings=(), problems=(refused,))
        return replace(before, policy=policy, warnings=tuple(warnings), problems=(error,))


def _layers(
    project: Path,
    settings: ClimaxSettings,
    configs: Sequence[CLIConfig],
    trust: Trust | None,
    withheld: Mapping[str, str],
) -> tuple[Layers | None, list[ConfigError]]:
    """The policies; with `strict`, the first warning about them is an error."""
    layers, warnings = load_layers(
        project,
        settings.policy_source,
        trust,
        configs=configs,
        withheld=withheld,
        beside=own_configs(project, settings),
    )
    if settings.strict and warnings:
        raise warnings[0]
    return layers, warnings


def _admission(trust: Trust | None, settings: ClimaxSettings) -> Admission | None:
    if trust is None or trust.everything:
        return None
    from toolcrib.packs.climax.config.admission import Admission

    sandboxed = settings.sandbox != "off"
    return Admission(trust, lambda data, file: parsed(data, file)[0], sandboxed=sandboxed)


def _need_programs(configs: Iterable[CLIConfig], project: Path, policy: Layers | None) -> None:
    """Raise `ConfigError` for a program that cannot be started."""
    for program in unusable_programs(configs, project, policy):
        raise ConfigError(
            f"{program.name} {program.why}",
            where=Place(program.file) if program.file else None,
            next="Install it, leave the config out, or do without strict.",
        )


def visible(before: ConfigSet, after: ConfigSet) -> bool:
    """Whether a client can see a difference, in lists or in searches.

    Only what has changed is looked at: of a file with the same bytes, nothing is read.
    """
    if before.withheld != after.withheld:
        return True
    if before.policy != after.policy and _allowed(before) != _allowed(after):
        return True
    old = {config.file: config for config in before.configs}
    new = {config.file: config for config in after.configs}
    return old.keys() != new.keys() or any(
        old[file].digest != config.digest and _shown(old[file]) != _shown(config)
        for file, config in new.items()
    )


def _allowed(config_set: ConfigSet) -> dict[str, object]:
    """The tools that the policy lets through, and what it says that they do."""
    names = [name for config in config_set.configs for name in config.tools.lines]
    if config_set.policy is None:
        return dict.fromkeys(names)
    decided = ((name, config_set.policy.decide(name)) for name in names)
    return {name: rules.description for name, rules in decided if rules is not None}


def _shown(config: CLIConfig) -> list[object]:
    """All that a client can see of a config."""
    tools = [(tool.name, tool.description, tool.args) for tool in config.tools]
    return [config.name, config.description, config.category, config.tags, tools]
