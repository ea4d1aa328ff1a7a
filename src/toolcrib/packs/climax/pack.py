"""`ClimaxPack`: the command-line tools of a repository, from its files to the shelf."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.errors import ConfigError, ToolcribError
from toolcrib.core.pack import Changes, Contributions, Health, Pack
from toolcrib.packs.climax.cache import user_cache
from toolcrib.packs.climax.config import BUNDLED, find_configs, load_configs, shown_path
from toolcrib.packs.climax.definitions import CLIConfig
from toolcrib.packs.climax.index import ToolIndex
from toolcrib.packs.climax.settings import (
    HOMES,
    SHARED_HOME,
    ClimaxSettings,
    found_configs,
    found_policy,
)
from toolcrib.packs.climax.shelf import CliShelf

# What a start does not need is imported where it is used: a session begins with every start.
if TYPE_CHECKING:
    from toolcrib.packs.climax.policy import Policy
    from toolcrib.packs.climax.runner import Limits
    from toolcrib.packs.climax.runtime import Runtime

logger = logging.getLogger("toolcrib.climax")

_MIB = 2**20
Identity = tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What the files say: the configs, the policy, and what is to be said of both."""

    configs: tuple[CLIConfig, ...] = ()
    policy: Policy | None = None
    warnings: tuple[ConfigError, ...] = ()
    problems: tuple[ToolcribError, ...] = ()
    """Why some or all of it cannot be used."""


def sources(project: Path, settings: ClimaxSettings) -> tuple[Sequence[str], Path | None]:
    """The configs and the policy that are meant: named in the settings, or found in the repo."""
    references: Sequence[str] = settings.configs or found_configs(project)
    policy = settings.policy
    if policy is None and not settings.configs:
        policy = found_policy(project, references)
    # An empty name is a policy that somebody has switched off.
    return references, project / os.path.expanduser(policy) if policy else None  # noqa: PTH111


def load_catalogue(project: Path, settings: ClimaxSettings) -> Catalogue:
    """Load configs and policy.

    Raises `ConfigError` or `DuplicateTool`: of what a person named, nothing may be left out. Of
    what was only found, a file that cannot be used is. Without the policy, nothing can be used.
    """
    references, policy_file = sources(project, settings)
    configs = load_configs(
        references,
        project,
        strict=settings.strict,
        lenient=not settings.configs,
        cache=user_cache(),
    )
    policy, vain = _load_policy(policy_file, configs.configs, project, settings.strict)
    return Catalogue(configs.configs, policy, (*configs.warnings, *vain), configs.problems)


def _load_policy(
    path: Path | None, configs: Sequence[CLIConfig], project: Path, strict: bool
) -> tuple[Policy | None, list[ConfigError]]:
    if path is None:
        return None, []
    from toolcrib.packs.climax.policy import check_policy, load_policy

    policy = load_policy(path, shown_path(path, project), cache=user_cache())
    vain = check_policy(policy, configs)
    if strict and vain:
        raise vain[0]
    return policy, vain


class ClimaxPack(Pack):
    """Any command-line program as tools, behind the counter."""

    name = "climax"
    instructions = (
        "Command-line programs are offered as tools: find one with climax_search, then run it "
        "with climax_call."
    )

    def __init__(self, project: Path, settings: ClimaxSettings) -> None:
        self._project = project
        self._settings = settings
        self._runtime: Runtime | None = None
        self._catalogue: Catalogue | None = None
        self._shelf: CliShelf | None = None
        self._seen: Mapping[Path, Identity] = {}

    @property
    def catalogue(self) -> Catalogue:
        """What the files say; loaded when it is first asked for."""
        if self._catalogue is None:
            self._seen = self._identities()
            self._catalogue = load_catalogue(self._project, self._settings)
            self._log()
        return self._catalogue

    def runtime(self) -> Runtime:
        """What runs the commands; made for the first of them."""
        if self._runtime is None:
            from toolcrib.packs.climax.runtime import Runtime
            from toolcrib.packs.climax.sandbox import Sandbox

            sandbox = Sandbox(self._settings.sandbox, self._project, self._settings.writable)
            self._runtime = Runtime(self._project, sandbox, _limits(self._settings))
        return self._runtime

    def contribute(self) -> Contributions:
        """The shelf with all tools that the policy allows."""
        if self._shelf is None:
            index = ToolIndex.from_configs(self.catalogue.configs, self.catalogue.policy)
            self._shelf = CliShelf(index, self.runtime)
        return Contributions(shelf=self._shelf)

    def watched(self) -> Sequence[Path]:
        """The files, and the folders where more of them may appear."""
        files = [path for path in self._identities() if not path.is_relative_to(BUNDLED)]
        homes = [self._project / home for home in (*HOMES, SHARED_HOME)]
        folders = [path.parent for path in files] if self._settings.configs else homes
        return list(dict.fromkeys([*files, *folders]))

    def refresh(self, changed: Sequence[Path]) -> Changes:
        """Load anew what has changed; a mistake leaves the last good configs, but no tool of them
        can be called unless there is a policy that says so."""
        now = self._identities()
        if self._catalogue is None or now == self._seen:
            return Changes()
        self._seen = now
        try:
            self._catalogue = load_catalogue(self._project, self._settings)
        except ToolcribError as error:
            self._catalogue = self._last_good(self._catalogue, error)
        self._log()
        self._shelf = None
        return Changes(tools=True)

    def health(self) -> Sequence[Health]:
        """Configs, policy, programs and the sandbox."""
        from toolcrib.packs.climax.risks import programs_named_by_callers

        try:
            catalogue = self.catalogue
        except ToolcribError as error:
            return [Health("error", str(error), "Run `toolcrib climax validate`.")]
        found = [Health("error", str(problem)) for problem in catalogue.problems]
        found += [Health("warning", str(warning)) for warning in catalogue.warnings]
        for config in catalogue.configs:
            if missing_program_of(config, self._project):
                found.append(Health("warning", f"{config.file}: {config.base[0]} is not installed"))
        for name in programs_named_by_callers(catalogue.configs):
            if catalogue.policy is None or catalogue.policy.decide(name) is not None:
                text = f"{name} runs a program that its caller names"
                found.append(Health("warning", text, "Restrict it by a policy, or leave it out."))
        tools = sum(len(config.tools) for config in catalogue.configs)
        found.append(Health("ok", f"{tools} tools of {len(catalogue.configs)} programs"))
        return [*found, self._sandbox_health()]

    async def close(self) -> None:
        """Stop every command."""
        if self._runtime is not None:
            await self._runtime.close()

    def _sandbox_health(self) -> Health:
        sandbox = self.runtime().sandbox
        try:
            sandbox.check()
        except ConfigError as error:
            return Health("error", str(error), error.next)
        cure = "Install bubblewrap for more." if sandbox.level in ("landlock", "rlimits") else None
        return Health(
            "ok" if sandbox.level != "off" else "warning", f"sandbox: {sandbox.level}", cure
        )

    def _last_good(self, before: Catalogue, error: ToolcribError) -> Catalogue:
        """The configs as they were, under the policy as it is now; without one, nothing goes."""
        _, path = sources(self._project, self._settings)
        try:
            policy, warnings = _load_policy(path, before.configs, self._project, False)
        except ToolcribError as refused:
            from toolcrib.packs.climax.policy import DENY_ALL

            return Catalogue(before.configs, DENY_ALL, (), (refused,))
        return Catalogue(before.configs, policy, tuple(warnings), (error,))

    def _log(self) -> None:
        if self._catalogue is not None:
            for problem in self._catalogue.problems:
                logger.error("%s", problem)
            for warning in self._catalogue.warnings:
                logger.warning("%s", warning)

    def _identities(self) -> Mapping[Path, Identity]:
        """What tells the versions of the files apart."""
        references, policy = sources(self._project, self._settings)
        try:
            paths = find_configs(references, self._project)
        except ConfigError:
            paths = []
        return {path: _identity(path) for path in [*paths, *([policy] if policy else [])]}


def missing_program_of(config: CLIConfig, project: Path) -> bool:
    """Whether the program of a config is nowhere to be found."""
    from toolcrib.packs.climax.environment import child_environment, find_program

    env = child_environment(config.env)
    home = os.path.join(project, config.working_dir or "")  # noqa: PTH118
    return find_program(config.base[0], env, home) is None


def _identity(path: Path) -> Identity:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _limits(settings: ClimaxSettings) -> Limits:
    from toolcrib.packs.climax.runner import Limits

    return Limits(
        output=max(1024, settings.max_output),
        memory=max(16, settings.max_memory) * _MIB,
        file=max(0, settings.max_file) * _MIB,
        processes=max(1, settings.max_processes),
        cpu=settings.max_cpu,
        concurrency=max(1, settings.concurrency),
        per_tool=max(1, settings.concurrency_per_tool),
    )
