"""Command-line tools as core tools, each created on first use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from toolcrib.core.errors import InvalidArguments, Refusal
from toolcrib.core.support.wording import ignored_line
from toolcrib.core.support.workers import beside_the_loop, in_thread
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput, untrusted
from toolcrib.discovery.index import ToolIndex
from toolcrib.packs.climax.config.definitions import definition

if TYPE_CHECKING:
    from toolcrib.running.program import ArgDef, ResolvedTool, Scalar
    from toolcrib.running.runtime import Runtime


class Runs(Protocol):
    """Whatever runs a command-line tool."""

    async def call(
        self, resolved: ResolvedTool, values: Mapping[str, Any], context: CallContext
    ) -> ToolOutput:
        """Run a tool with validated values."""

    def network_of(self, resolved: ResolvedTool) -> str:
        """What a tool may reach, in a word or as hosts."""

    def expect(self, resolved: ResolvedTool) -> None:
        """Make ready what a call of this tool needs."""


class CagedRuntime:
    """Runs the tools of an untrusted repository: in a sandbox, or not at all."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def call(
        self, resolved: ResolvedTool, values: Mapping[str, Any], context: CallContext
    ) -> ToolOutput:
        """Run a tool with validated values."""
        level = await in_thread(lambda: self._runtime.sandbox.level)
        if level in ("off", "rlimits"):
            text = (
                f"{resolved.tool.name} is withheld: this repository has not been trusted yet, and "
                "there is no sandbox on this machine. A person can look at it: toolcrib trust"
            )
            return untrusted(text)
        return await self._runtime.call(resolved, values, context, strange=True)

    def network_of(self, resolved: ResolvedTool) -> str:
        """What a tool may reach, in a word or as hosts."""
        return self._runtime.network_of(resolved)

    def expect(self, resolved: ResolvedTool) -> None:
        """Make ready what a call of this tool needs."""
        self._runtime.expect(resolved)


class CommandTools:
    """All command-line tools that may be called."""

    def __init__(
        self,
        index: ToolIndex,
        runtime: Callable[[], Runs],
        withheld: Callable[[ResolvedTool], str | None] = lambda resolved: None,
    ) -> None:
        """`withheld`: why a tool may not run at this very moment; None if it may."""
        self.index = index
        self._runtime = runtime
        self._withheld = withheld
        self._made: dict[str, Tool] = {}
        self._looked = False
        self._prepared = False

    def get(self, name: str) -> Tool | None:
        """The tool of that exact name."""
        tool = self._made.get(name)
        if tool is None:
            resolved = self.index.get(name)
            if resolved is None:
                return None
            tool = self._made[name] = cli_tool(resolved, self._runtime, self._withheld)
        return tool

    def prepare(self, name: str) -> Awaitable[None] | None:
        """Read the configs and import what runs commands, in a thread: the loop must not wait."""
        if self._prepared or (self._looked and name not in self.index):
            return None
        return in_thread(self._prepare, name)

    def _prepare(self, name: str) -> None:
        with beside_the_loop():
            found, self._looked = self.get(name), True
            if found is not None:
                import toolcrib.running.arguments
                import toolcrib.running.command  # noqa: F401 - for its arguments

                self._runtime()
                self._prepared = True

    def refusal(self, name: str) -> Refusal | None:
        """Why the tool of that name may not be called."""
        place = self.index.refused_at(name)
        return Refusal("policy", place) if place is not None else None

    def __iter__(self) -> Iterator[Tool]:
        """All of them, sorted by name."""
        for name in self.index:
            tool = self.get(name)
            if tool is not None:
                yield tool

    def __len__(self) -> int:
        return len(self.index)


def cli_tool(
    resolved: ResolvedTool,
    runtime: Callable[[], Runs],
    withheld: Callable[[ResolvedTool], str | None] = lambda resolved: None,
) -> Tool:
    """A command-line tool as the core knows tools; `runtime` is asked for when it is called."""
    from toolcrib.packs.climax.config.annotations import annotations_for

    tool, config, rules = resolved.tool, resolved.config, resolved.policy

    def validate(given: JSON) -> JSON:
        from toolcrib.running.arguments import validate_arguments
        from toolcrib.running.command import safety

        forbidden: list[str | None] = []

        def by_policy(arg: ArgDef, value: Scalar) -> str | None:
            problem = rules.problem(arg, value)
            if problem is not None:
                place = rules.refused_at(arg, value)
                forbidden.append(str(place) if place is not None else resolved.place)
            return problem

        try:
            return validate_arguments(tool.args, given, (by_policy, safety(config, tool)))
        except InvalidArguments as error:
            if forbidden:
                error.refused_by, error.place = "policy", forbidden[0]
            raise

    async def run(values: JSON, context: CallContext) -> ToolOutput:
        ignored = getattr(values, "ignored", ())
        why = withheld(resolved)
        if why is not None:
            return _naming_ignored(untrusted(why), ignored)
        if resolved.layers:
            context.notes["layers"] = list(resolved.layers)
        return _naming_ignored(await runtime().call(resolved, values, context), ignored)

    return Tool(
        name=tool.name,
        title=tool.name.replace("_", " ").capitalize(),
        description=resolved.description,
        input_schema=tool.input_schema(),
        run=run,
        annotations=annotations_for(config.file, tool.name, config.tags),
        tags=config.tags,
        category=config.category,
        deadline=tool.timeout,
        keeps_time=True,
        origin=config.origin(tool.name),
        validate=validate,
        preview=lambda values: _preview(resolved, values, runtime()),
        expect=lambda: runtime().expect(resolved),
        definition=lambda: definition(config, tool.name),
    )


def _preview(resolved: ResolvedTool, values: JSON, runs: Runs) -> JSON:
    """The command of a call, for a person who is asked."""
    from toolcrib.running.command import build_command

    command = build_command(resolved.config, resolved.tool, values)
    return {"argv": command.argv, "folder": command.cwd, "network": runs.network_of(resolved)}


def _naming_ignored(output: ToolOutput, names: Sequence[str]) -> ToolOutput:
    """The output with the arguments that the tool does not have."""
    if not names:
        return output
    *before, last = output.content
    text = f"{last['text']}\n\n{ignored_line(names)}"
    return replace(
        output,
        content=[*before, {**last, "text": text}],
        structured={**(output.structured or {}), "ignored": list(names)},
    )
