"""From a tool and its values to a finished command."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolcrib.core.errors import CallError, ConfigError
from toolcrib.core.support.known_secrets import KNOWN
from toolcrib.core.support.redact import looks_secret
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import CallContext, ToolOutput
from toolcrib.running.command import Command, build_command
from toolcrib.running.docker import CLIENT_VARIABLES, containerized
from toolcrib.running.environment import child_environment, find_program
from toolcrib.running.limits import Limits
from toolcrib.running.missing_grants import missing_grants
from toolcrib.running.outcome import Outcome, missing_program, not_started
from toolcrib.running.program import CLIConfig, ResolvedTool, Value
from toolcrib.running.runner import GRACE, Job, Progress, Runner
from toolcrib.running.sandbox.guard import ProtectedFiles
from toolcrib.running.sandbox.ladder import Confinement, Sandbox
from toolcrib.running.sandbox.layout import socket_variables
from toolcrib.running.sandbox.profile import NOTHING, Access
from toolcrib.running.words import expand_home

logger = logging.getLogger("toolcrib.running")

SANDBOX_KEY = "toolcrib/sandbox"
"""Where the result's metadata says how far the command was shut in."""


Granting = Callable[[CLIConfig, str], Access]
"""Says what a tool of a config is granted."""


class Runtime:
    """Everything needed to run the tools of one repository."""

    def __init__(
        self,
        project: Path,
        sandbox: Sandbox | None = None,
        limits: Limits | None = None,
        grants: Granting = lambda config, tool: NOTHING,
        secret_names: Callable[[CLIConfig], Mapping[str, str]] = lambda config: {},
        fetch: Callable[[str], Awaitable[str]] | None = None,
    ) -> None:
        """`secret_names`: the variables of a config that are secrets; `fetch`: gets one by name."""
        self.sandbox = sandbox or Sandbox("auto", project)
        self._project = project
        self._grants = grants
        self._secret_names = secret_names
        self._fetch = fetch or _no_secrets
        # Found before any command has run: later, one might have put another in its place.
        self._docker = self.sandbox.layout.own_program("docker")
        self._guard = ProtectedFiles(self.sandbox.layout)
        self._runner = Runner(limits)
        self._preparing: asyncio.Task[None] | None = None

    def network_of(self, resolved: ResolvedTool) -> str:
        """What a tool may reach, in a word or as hosts."""
        network = self._grants(resolved.config, resolved.tool.name).network
        return str(network)

    async def call(
        self,
        resolved: ResolvedTool,
        values: Mapping[str, Value],
        context: CallContext,
        *,
        strange: bool = False,
    ) -> ToolOutput:
        """Run a tool with validated values and format its outcome.

        In an untrusted (`strange`) repository, programs inside it are never used.
        """
        try:
            outcome = await self.run(resolved, values, _progress(resolved, context), strange)
        except CallError as error:
            if error.code != "secret":
                raise
            told = {"success": False, "error_type": error.code, **(error.data or {})}
            return ToolOutput.text(f"{resolved.tool.name}: {error}", told, is_error=True)
        context.notes.update(self._noted(resolved, outcome))
        return ToolOutput(
            [{"type": "text", "text": outcome.text()}],
            outcome.structured(),
            outcome.failed,
            {"_meta": {SANDBOX_KEY: outcome.sandbox.as_dict()}},
            outcome.timed_out,
        )

    async def run(
        self,
        resolved: ResolvedTool,
        values: Mapping[str, Value],
        progress: Progress | None = None,
        strange: bool = False,
    ) -> Outcome:
        """Run a tool with validated values."""
        began = time.perf_counter()
        config, tool = resolved.config, resolved.tool
        command = build_command(config, tool, values)
        access = self._grants(config, tool.name)
        granted = (*access.env, *socket_variables(access.sockets))
        plain, secrets = await self._secrets(config)
        env = child_environment(plain, granted=granted) | secrets
        if strange:
            env["PATH"] = self.sandbox.layout.outside_path()
        secrets |= _secret_looking(config, env)
        home = self._home_of(config)
        if resolved.executor.type == "docker":
            folder = home
            shut_in = self._in_container(resolved, command, env)
        else:
            folder = os.path.join(home, expand_home(command.cwd or "", env))  # noqa: PTH118
            shut_in = await self._in_sandbox(command, env, home, access)
        if shut_in is None:
            missing = "docker" if resolved.executor.type == "docker" else command.argv[0]
            return missing_program(missing, config.origin(tool.name))
        if not os.path.isdir(folder):  # noqa: PTH112
            named = command.cwd or config.working_dir or "the repo itself"
            return not_started(f"The working directory does not exist: {named}")
        stdin = command.stdin
        job = Job(tool.name, shut_in, env, folder, tool.timeout, stdin, secrets, began)
        return await self._guarded(job, access, progress)

    def _noted(self, resolved: ResolvedTool, outcome: Outcome) -> dict[str, Any]:
        """What is recorded of a call: its grants, and the hosts it reached or was refused."""
        noted: dict[str, Any] = {}
        granted = self._grants(resolved.config, resolved.tool.name).as_dict()
        if granted:
            noted["grants"] = granted
        if outcome.hosts is not None:
            hosts = outcome.hosts
            noted["hosts"] = {"reached": list(hosts.reached), "refused": list(hosts.refused)}
        return noted

    async def _guarded(self, job: Job, access: Access, progress: Progress | None) -> Outcome:
        """Run a command, move protected files that appear, and report missing grants."""
        if job.confinement.level in ("off", "docker"):
            return await self._runner.run_command(job, progress)
        before = self._guard.before(access)
        try:
            outcome = await self._runner.run_command(job, progress)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(GRACE + 0.5, self._guard.after, before)
            raise
        notes = self._guard.after(before)
        if outcome.failed:
            layout = self.sandbox.layout
            hidden = self.sandbox.hidden(access)
            report = outcome.sandbox
            notes += missing_grants(outcome.stdout, outcome.stderr, report, hidden, layout.home)
        return replace(outcome, notes=(*outcome.notes, *notes)) if notes else outcome

    async def _secrets(self, config: CLIConfig) -> tuple[dict[str, str], dict[str, str]]:
        """The plain values of a config's `env`, and the values of the secrets that it names."""
        names = self._secret_names(config)
        plain = {name: value for name, value in config.env.items() if name not in names}
        values: dict[str, str] = {}
        for name, secret in names.items():
            values[name] = await self._fetch(secret)
            KNOWN.remember(name, values[name])
        return plain, values

    def expect(self, resolved: ResolvedTool) -> None:
        """Start the sandbox of a tool that will probably be called, in the background."""
        local = resolved.executor.type != "docker" and not self.sandbox.off
        if local and (self._preparing is None or self._preparing.done()):
            access = self._grants(resolved.config, resolved.tool.name)
            self._preparing = asyncio.get_running_loop().create_task(self._prepare(access))

    async def _prepare(self, access: Access) -> None:
        try:
            await in_thread(self.sandbox.decide)
            await self._runner.pool.sandbox(self.sandbox.spec(access)).prepare()
        except (ConfigError, OSError) as error:
            logger.debug("not prepared: %s", error)  # the call itself says what is wrong

    async def close(self) -> None:
        """Stop whatever still runs."""
        if self._preparing is not None:
            self._preparing.cancel()
        await self._runner.close()
        self.sandbox.close()

    def _home_of(self, config: CLIConfig) -> str:
        """The folder that a config's commands run in, unless a call names another one."""
        return os.path.join(self._project, config.working_dir or "")  # noqa: PTH118

    async def _in_sandbox(
        self, command: Command, env: Mapping[str, str], home: str, access: Access
    ) -> Confinement | None:
        program = find_program(command.argv[0], env, home)
        if program is None:
            return None
        if not self.sandbox.decided:
            await in_thread(self.sandbox.decide)
            for path in self.sandbox.exposed():
                logger.warning("%s is toolcrib's own, and commands may write it", path)
        return self.sandbox.confine(command.argv, program, access)

    def _in_container(
        self, resolved: ResolvedTool, command: Command, env: dict[str, str]
    ) -> Confinement | None:
        env.update((name, os.environ[name]) for name in CLIENT_VARIABLES if name in os.environ)
        docker = find_program("docker", env, "/") if self.sandbox.off else self._docker
        if docker is None:
            return None
        return containerized(
            resolved.executor,
            command.argv,
            docker,
            cwd=command.cwd,
            env=[name for name in resolved.config.env if name in env],
            stdin=command.stdin is not None,
        )


async def _no_secrets(name: str) -> str:
    raise ConfigError(f"There are no secrets here, and no {name!r}")


def _secret_looking(config: CLIConfig, env: Mapping[str, str]) -> dict[str, str]:
    """Variables that a config passes on (`TOKEN: $TOKEN`) and that look like secrets."""
    found = {
        name: env[name]
        for name, value in config.env.items()
        if name in env and value.startswith("$") and looks_secret(f"{name} {value}")
    }
    for name, value in found.items():
        KNOWN.remember(name, value)
    return found


def _progress(resolved: ResolvedTool, context: CallContext) -> Progress | None:
    if context.client is None:
        return None

    async def tell(done: float, total: float) -> None:
        text = f"{resolved.tool.name}: running for {done:.0f} s, at most {total:g} s"
        await context.progress(done, total, text)

    return tell
