"""`ClimaxPack`: the command-line tools of a repository, from its files to the index."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.errors import ToolcribError
from toolcrib.core.pack import Changes, Contributions, Health, Pack
from toolcrib.core.support.wording import counted
from toolcrib.discovery.index import ToolIndex
from toolcrib.packs.climax.config.known_good import is_known_good, mark_known_good
from toolcrib.packs.climax.config.sources import Identities, identities, is_bundled
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.packs.climax.tools import CagedRuntime, CommandTools
from toolcrib.policy.repository.places import HOMES, SHARED_HOME

# What a start does not need is imported where it is used: a session begins with every start.
if TYPE_CHECKING:
    from toolcrib.packs.climax.config.config_set import ConfigSet
    from toolcrib.policy.grants import Grants
    from toolcrib.policy.person import PersonalFiles
    from toolcrib.policy.trust.project import Trust
    from toolcrib.running.program import CLIConfig, ResolvedTool
    from toolcrib.running.runtime import Runtime
    from toolcrib.running.sandbox.profile import Access

logger = logging.getLogger("toolcrib.climax")


class ClimaxPack(Pack):
    """Any command-line program as tools, behind the two meta-tools."""

    name = "climax"
    instructions = (
        "Command-line programs are offered as tools: find one with climax_search, then run it "
        "with climax_call."
    )

    def __init__(self, project: Path, settings: ClimaxSettings, trust: Trust | None = None) -> None:
        self._project = project
        self._settings = settings
        self._trust = trust
        self._stamp: object = None
        self._runtime: Runtime | None = None
        self._config_set: ConfigSet | None = None
        self._tools: CommandTools | None = None
        self._seen: Identities = {}
        self._beside: object = None
        self._scripts: dict[tuple[str, str, object], Sequence[str]] = {}
        self._loading = threading.RLock()

    @property
    def config_set(self) -> ConfigSet:
        """What the files say; loaded when it is first asked for."""
        with self._loading:  # the first search and the first look for changes both want it
            if self._config_set is None:
                self._config_set = self._loaded()
                self._log()
                if self._config_set.constant:
                    mark_known_good(self._project, self._settings, self._seen)
            return self._config_set

    def _loaded(self) -> ConfigSet:
        from toolcrib.packs.climax.config.config_set import ConfigSet, load_config_set
        from toolcrib.policy.model import DENY_ALL

        self._look()
        try:
            return load_config_set(self._project, self._settings, (), self._trust)
        except ToolcribError as error:
            if self._is_trusted():
                raise
            # What nobody has trusted can be wrong in any way without breaking the rest.
            return ConfigSet((), DENY_ALL, (), (error,))

    def runtime(self) -> Runtime:
        """What runs the commands; made for the first of them, in whichever thread."""
        if self._runtime is None:
            with self._loading:
                if self._runtime is None:
                    self._runtime = self._make_runtime()
        return self._runtime

    def _make_runtime(self) -> Runtime:
        from toolcrib.packs.climax.access import load_secrets
        from toolcrib.packs.climax.limits import limits_of
        from toolcrib.packs.climax.secret_names import secret_names
        from toolcrib.policy.repository import acting_places  # noqa: F401 - for `_acting_files`
        from toolcrib.running.runtime import Runtime
        from toolcrib.running.sandbox.ladder import Sandbox

        settings = self._settings
        sandbox = Sandbox(
            settings.sandbox,
            self._project,
            (*settings.writable, *self._said("writable")),
            (*settings.hidden, *self._said("hidden")),
            self._acting_files,
        )
        grants = self.grants()

        def granted(config: CLIConfig, tool: str) -> Access:
            return grants.access(config.name, config.file, tool)

        secrets = load_secrets(self._person, sandbox.layout.own_program)
        return Runtime(
            self._project,
            sandbox,
            limits_of(settings),
            granted,
            secret_names,
            secrets.fetch,
        )

    def _said(self, key: str) -> tuple[str, ...]:
        """What the person's and the organisation's files add to a list of `[climax]`."""
        return self._person.strings("climax", key) if self._person is not None else ()

    def _acting_files(self) -> list[str]:
        """The files that decide what this server does, also where they would appear."""
        from toolcrib.policy.repository.acting_places import acting_places

        files = acting_places(self._project)
        if self._trust is not None:
            files += self._trust.acting_paths()
        files += [path for path in self._seen if not is_bundled(path)]
        return list(dict.fromkeys(files))

    def grants(self) -> Grants:
        """What the tools may reach."""
        from toolcrib.packs.climax.access import load_grants

        return load_grants(self._project, self._settings, self._person)

    @property
    def _person(self) -> PersonalFiles | None:
        return self._trust.person if self._trust is not None else None

    def contribute(self) -> Contributions:
        """All tools that the policy allows."""
        if self._tools is None:
            if self._config_set is None:
                self._look()
                known = is_known_good(self._project, self._settings, self._seen)
                if not (known and self._is_trusted()):
                    self.config_set  # noqa: B018 - so that mistakes are reported now, not later
            run = self._caged_runtime if self._is_restricted() else self.runtime
            index = ToolIndex(lambda: self.config_set, place=str(self._project))
            self._tools = CommandTools(index, run, self._changed_script)
        return Contributions(unlisted=self._tools, withheld=self._refusals())

    def warm(self) -> None:
        """Build the index of the tools."""
        self.contribute()
        if self._tools is not None:
            self._tools.index.prepare()

    def watched(self) -> Sequence[Path]:
        """The files, and the folders where more of them may appear."""
        names = [path for path in identities(self._project, self._settings) if not is_bundled(path)]
        files, parents = map(Path, names), dict.fromkeys(map(os.path.dirname, names))
        homes = [self._project / home for home in (*HOMES, SHARED_HOME)]
        folders = map(Path, parents) if self._settings.configs else homes
        own = self._trust.person.files if self._trust is not None else ()
        policies = [file.policy for file in own if file.policy.name]
        return list(dict.fromkeys([*files, *folders, *policies]))

    def refresh(self, changed: Sequence[Path]) -> Changes:
        """Load anew what has changed, if anything has, and tell what of it can be seen."""
        if self._trust is not None:
            self._trust.refresh()
        now, stamp = identities(self._project, self._settings), self._trust_stamp()
        beside = self._policies_beside()
        if (now, stamp, beside) == (self._seen, self._stamp, self._beside):
            self.config_set  # noqa: B018 - nobody waits here, as the first caller otherwise would
            return Changes()
        # What was never read cannot be compared: report a change rather than miss one.
        unread = self._config_set is None
        from toolcrib.packs.climax.config.config_set import ConfigSet, reload_config_set, visible

        self._seen, self._stamp, self._beside = now, stamp, beside
        before = self._config_set or ConfigSet()
        self._config_set = reload_config_set(before, self._project, self._settings, self._trust)
        self._log()
        self._tools = None
        return Changes(tools=unread or visible(before, self._config_set), unseen=True)

    def health(self) -> Sequence[Health]:
        """Configs, policy, programs and the sandbox."""
        from toolcrib.packs.climax.config.programs import unusable_programs
        from toolcrib.packs.climax.config.risks import programs_named_by_callers

        try:
            config_set = self.config_set
        except ToolcribError as error:
            return [Health("error", str(error), "Run `toolcrib climax validate`.")]
        found = [Health("error", str(problem)) for problem in config_set.problems]
        found += [Health("warning", str(warning)) for warning in config_set.warnings]
        policy = config_set.policy
        for program in unusable_programs(config_set.configs, self._project, policy):
            shown = f"{program.file}: " if program.file else ""
            found.append(Health("warning", f"{shown}{program.name} {program.why}"))
        for name in programs_named_by_callers(config_set.configs):
            if config_set.policy is None or config_set.policy.decide(name) is not None:
                text = f"{name} runs a program that its caller names"
                found.append(Health("warning", text, "Restrict it by a policy, or leave it out."))
        tools = sum(len(config.tools) for config in config_set.configs)
        if tools or not found:  # nothing served, for the reasons above, is no reason for a tick
            programs = counted(len(config_set.configs), "program")
            found.append(Health("ok", f"{counted(tools, 'tool')} of {programs}"))
        from toolcrib.packs.climax.sandbox_health import missing_folders, sandbox_health

        names = [config.name for config in config_set.configs]
        found += missing_folders(self._project, self._settings.writable)
        return [*found, *sandbox_health(self.runtime().sandbox, names)]

    async def close(self) -> None:
        """Stop every command."""
        if self._runtime is not None:
            await self._runtime.close()

    def _look(self) -> None:
        """Take note of the files and of their trust as they are now."""
        self._seen = identities(self._project, self._settings)
        self._stamp = self._trust_stamp()
        self._beside = self._policies_beside()

    def _policies_beside(self) -> object:
        """Policies of the person and the organisation, and names that could be one, as they are."""
        folders = [self._project / home for home in (*HOMES, SHARED_HOME)]
        folders += map(Path, dict.fromkeys(map(os.path.dirname, self._seen)))
        own = self._trust.person.files if self._trust is not None else ()
        paths = [*dict.fromkeys(folders), *(file.policy for file in own)]
        return [_changed_at(path) for path in paths]

    def _trust_stamp(self) -> object:
        return self._trust.stamp if self._trust is not None else None

    def _is_trusted(self) -> bool:
        return self._trust is None or self._trust.state == "trusted"

    def _is_restricted(self) -> bool:
        trust = self._trust
        return trust is not None and trust.state == "untrusted" and not trust.named_configs

    def _caged_runtime(self) -> CagedRuntime:
        return CagedRuntime(self.runtime())

    def _refusals(self) -> dict[str, str]:
        """The tools that wait for a person's trust, and what their callers are told."""
        if self._trust is None or self._config_set is None or not self._config_set.withheld:
            return {}
        from toolcrib.policy.trust.notices import refusal

        withheld = self._config_set.withheld.items()
        return {name: refusal(self._trust, name, path) for name, path in withheld}

    def _changed_script(self, resolved: ResolvedTool) -> str | None:
        """Why a tool with a grant may not run: a script in its command line is not as trusted.

        Looked at for each call: a change is noticed within two seconds, and a call is quicker.
        """
        trust, config = self._trust, resolved.config
        file = trust.verdict.present.content.get(config.file) if trust is not None else None
        if trust is None or file is None or trust.everything:
            return None
        key = (config.file, file.raw, trust.stamp)
        paths = self._scripts.get(key)
        if paths is None:
            from toolcrib.packs.climax.acting import granted_scripts

            paths = granted_scripts(file, self._settings, trust)
            self._scripts = {**self._scripts, key: paths} if len(self._scripts) < 1000 else {}
        if not paths:
            return None
        from toolcrib.policy.trust.notices import refusal
        from toolcrib.policy.trust.scripts import changed_script

        script = changed_script(trust, paths)
        return refusal(trust, resolved.tool.name, script) if script is not None else None

    def _log(self) -> None:
        if self._config_set is not None:
            for problem in self._config_set.problems:
                logger.error("%s", problem)
            for warning in self._config_set.warnings:
                logger.warning("%s", warning)


def _changed_at(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None
