"""The trusted definition of a tool: everything that decides what would be run."""

from __future__ import annotations

from dataclasses import replace

from toolcrib.running.program import ArgDef, CLIConfig


def definition(config: CLIConfig, name: str) -> object:
    """What would be run: everything about a tool but its words for people."""
    tool = config.tools.named(name)
    return (
        config.command,
        sorted(config.env.items()),
        config.working_dir,
        [_silent(arg) for arg in config.global_args],
        tool.words,
        [_silent(arg) for arg in tool.args],
        tool.timeout,
    )


def _silent(arg: ArgDef) -> ArgDef:
    return replace(arg, description="")
