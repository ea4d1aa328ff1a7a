"""Everything that can be said of configs and a policy without running anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolcrib.core.errors import ConfigError, DuplicateTool, Place, ToolcribError
from toolcrib.core.support.wording import counted
from toolcrib.packs.climax.config.config import check_names, load_config
from toolcrib.packs.climax.config.programs import unusable_programs
from toolcrib.packs.climax.config.sources import find_configs, in_vain, shown_path, sources
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.policy.check import check_policy
from toolcrib.policy.model import Policy
from toolcrib.policy.reader import load_policy
from toolcrib.policy.repository.places import only_policy
from toolcrib.running.program import CLIConfig


@dataclass(slots=True)
class FileReport:
    """What was found in one file."""

    file: str
    summary: str = ""
    errors: list[ToolcribError] = field(default_factory=list)
    warnings: list[ToolcribError] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain JSON."""
        return {
            "file": self.file,
            "valid": not self.errors,
            "summary": self.summary,
            "errors": [error.as_dict() for error in self.errors],
            "warnings": [warning.as_dict() for warning in self.warnings],
        }


@dataclass(slots=True)
class ConfigReport:
    """What was found in all of them."""

    files: list[FileReport]

    @property
    def valid(self) -> bool:
        """Whether everything can be used as it is."""
        return not any(each.errors for each in self.files)

    def lines(self) -> list[tuple[str, str]]:
        """The report for a person, as levels and texts."""
        found: list[tuple[str, str]] = []
        for each in self.files:
            found += [("error", _located(error, each.file)) for error in each.errors]
            found += [("warning", _located(warning, each.file)) for warning in each.warnings]
            if not each.errors:
                found.append(("ok", f"{each.file}: {each.summary}"))
        return found

    def as_dict(self) -> dict[str, Any]:
        """The report as plain JSON."""
        return {"valid": self.valid, "files": [each.as_dict() for each in self.files]}


def validate_files(project: Path, settings: ClimaxSettings) -> ConfigReport:
    """Check every config and the policy that the settings mean."""
    references, policies = sources(project, settings)
    # A person who names files wants them checked: none at all is not "all well".
    reports = [FileReport("configs", errors=[each]) for each in in_vain(references, project)]
    configs: list[CLIConfig] = []
    policy: Policy | None = None
    for path in find_configs(references, project, policies):
        report = FileReport(shown_path(path, project))
        reports.append(report)
        try:
            config, warnings = load_config(path, project)
            check_names(config, {name: each for each in configs for name in each.tools.lines})
        except (ConfigError, DuplicateTool) as error:
            report.errors.append(error)
            continue
        configs.append(config)
        report.summary = counted(len(config.tools), "tool")
        report.warnings += [*warnings, *_about(config)]
    for path in policies:
        report, policy = _policy_report(path, policies, configs, project)
        reports.append(report)
    _tell_programs(reports, configs, project, policy)
    if settings.strict:
        for report in reports:
            report.errors += report.warnings
            report.warnings = []
    return ConfigReport(reports)


def _tell_programs(
    reports: Sequence[FileReport],
    configs: Sequence[CLIConfig],
    project: Path,
    policy: Policy | None,
) -> None:
    """Warn of programs that cannot be started, each at its file; else at the policy."""
    of_file = {report.file: report for report in reports}
    for program in unusable_programs(configs, project, policy):
        report = of_file.get(program.file, reports[-1])
        what = f"The program {program.name!r} {program.why}"
        report.warnings.append(ConfigError(what, where=Place(report.file)))


def _about(config: CLIConfig) -> list[ConfigError]:
    """What works, but perhaps not as it was meant."""
    found: list[ConfigError] = []
    for arg in config.global_args:
        if arg.default is None:
            what = f"The global argument {arg.name!r} has no default, and so no effect"
            found.append(ConfigError(what, where=Place(config.file)))
    return found


def _policy_report(
    path: Path, policies: Sequence[Path], configs: Sequence[CLIConfig], project: Path
) -> tuple[FileReport, Policy | None]:
    report = FileReport(shown_path(path, project))
    try:
        only_policy(policies, project)
        policy = load_policy(path, report.file)
        report.warnings += check_policy(policy, configs)
    except ConfigError as error:
        report.errors.append(error)
        return report, None
    names = [name for config in configs for name in config.tools.lines]
    allowed = sum(policy.decide(name) is not None for name in names)
    report.summary = f"allows {allowed} of {len(names)} tools"
    if policy.executor.type == "docker":
        report.summary += f", in containers of {policy.executor.image}"
    return report, policy


def _located(error: ToolcribError, file: str) -> str:
    return str(error) if error.where is not None else f"{file}: {error}"
