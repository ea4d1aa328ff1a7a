"""Commands on one rung of the sandbox, for tests that attack it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from toolcrib.discovery.index import ToolIndex
from toolcrib.running.limits import Limits
from toolcrib.running.outcome import Outcome
from toolcrib.running.program import CLIConfig, ResolvedTool, ToolDef, ToolTable
from toolcrib.running.runtime import Runtime
from toolcrib.running.sandbox import namespace
from toolcrib.running.sandbox.ladder import Sandbox
from toolcrib.running.sandbox.profile import NOTHING, Access

T = TypeVar("T")
RUNGS = ("bubblewrap", "single", "landlock")
"""`single` is bubblewrap where a sandbox may not have namespaces inside."""


def sandbox_on(rung: str, project: Path, *more: Any, **kinds: Any) -> Sandbox:
    """A sandbox on that rung; skips where the machine does not have it."""
    sandbox = Sandbox("auto", project, *more, **kinds)
    if rung in ("landlock", "rlimits"):
        sandbox._working_bwrap = lambda: None  # type: ignore[method-assign]
    if rung == "rlimits":
        sandbox._landlock = lambda: 0  # type: ignore[method-assign]
    if rung == "single":
        sandbox._working_bwrap = lambda: _single(sandbox)  # type: ignore[method-assign]
    if sandbox.level != ("bubblewrap" if rung == "single" else rung):
        pytest.skip(f"{rung} cannot be used here: {sandbox.reason}")
    return sandbox


def _single(sandbox: Sandbox) -> str | None:
    from toolcrib.running.supervisor.words import PROBE, supervisor_words

    program = sandbox.layout.own_program("bwrap")
    if program is None:
        return None
    problem = namespace.problem(program, supervisor_words(PROBE, "single"), nested=False)
    sandbox._nested = False
    return program if problem is None else None


class Rung:
    """Runs scripts of one repository on one rung."""

    def __init__(self, sandbox: Sandbox, project: Path) -> None:
        self.sandbox = sandbox
        self.project = project

    def session(
        self, body: Callable[[Runtime], Awaitable[T]], access: Access, limits: Limits | None = None
    ) -> T:
        """Do something with one runtime, in an event loop of its own."""

        async def whole() -> T:
            runtime = Runtime(self.project, self.sandbox, limits, lambda config, tool: access)
            try:
                return await body(runtime)
            finally:
                await runtime.close()

        return asyncio.run(whole())

    def run(self, script: str, access: Access = NOTHING, **more: Any) -> Outcome:
        """Run one script to its end."""
        return self.run_all([script], access, **more)[0]

    def run_all(
        self,
        scripts: list[str],
        access: Access = NOTHING,
        *,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        seconds: float = 20,
    ) -> list[Outcome]:
        """Run scripts one after the other, in sandboxes that are kept."""

        async def body(runtime: Runtime) -> list[Outcome]:
            return [await runtime.run(tool(each, env, seconds), {}) for each in scripts]

        return self.session(body, access, limits)

    def python(self, code: str, access: Access = NOTHING, **more: Any) -> Outcome:
        """Run Python, which says what a system call answers."""
        return self.run(f"exec python3 -c '{code}'", access, **more)


def tool(script: str, env: Mapping[str, str] | None = None, seconds: float = 20) -> ResolvedTool:
    """A tool that runs a script of the shell."""
    defined = ToolDef("t", words=(script,), timeout=seconds)
    config = CLIConfig("sh -c", ToolTable.of([defined]), ("sh", "-c"), env=dict(env or {}))
    resolved = ToolIndex.from_configs([config], None).get("t")
    assert resolved is not None
    return resolved
