"""Tools whose argument is itself a program: no argument builder can make those safe."""

from __future__ import annotations

from collections.abc import Iterable

from toolcrib.running.program import ArgDef, CLIConfig, ToolDef

_SHELLS = ("ash", "bash", "csh", "dash", "fish", "ksh", "sh", "tcsh", "zsh")
_INTERPRETERS = ("lua", "node", "perl", "php", "python", "python2", "python3", "ruby", "tclsh")
_LAUNCHERS = (
    "chroot", "doas", "env", "nice", "nohup", "npx", "parallel", "setsid", "ssh", "stdbuf",
    "strace", "su", "sudo", "time", "timeout", "watch", "xargs",
)  # fmt: skip
_SCRIPTED = ("awk", "ed", "gawk", "m4", "make", "mawk", "sed", "vi", "vim")
_SCRIPT_FLAGS = ("-e", "-f", "-c", "--", "--expression", "--file", "--command")
_HARMLESS_WORDS = ("--sandbox",)
# Options of well-known programs whose value is a command, or a place to put one.
_FLAGS = {
    "curl": ("-K", "--config"),
    "docker": ("--entrypoint",),
    "find": ("-exec", "-execdir", "-fls", "-fprint", "-fprintf", "-ok", "-okdir"),
    "git": ("-c", "--config", "--exec", "-x", "--upload-pack", "--receive-pack", "-O",
            "--open-files-in-pager", "--extcmd"),
    "rsync": ("-e", "--rsh", "--rsync-path"),
    "sort": ("--compress-program",),
    "tar": ("-I", "--use-compress-program", "--to-command", "--checkpoint-action", "-F",
            "--info-script", "--new-volume-script", "--rsh-command"),
}  # fmt: skip
_SUBCOMMANDS = {
    "cargo": ("run",),
    "docker": ("run", "exec"),
    "go": ("run", "generate"),
    "kubectl": ("exec", "debug", "run"),
    "npm": ("exec", "run", "run-script"),
}


def programs_named_by_callers(configs: Iterable[CLIConfig]) -> list[str]:
    """The names of tools that run what a caller puts into an argument."""
    return [tool.name for config in configs for tool in config.tools if runs_argument(config, tool)]


def runs_argument(config: CLIConfig, tool: ToolDef) -> bool:
    """Whether an argument of the tool is, or holds, a program to run."""
    words = _without_launcher([*config.base, *tool.words])
    texts = [arg for arg in tool.args if _is_free_text(arg)]
    if not words:
        return any(arg.positional or _flag(arg) == "--" for arg in texts)
    program = words[0].rpartition("/")[2]
    if program in _SHELLS or program in _INTERPRETERS:
        # With the name of a script, the rest are only its arguments.
        scripted = any(not word.startswith("-") for word in words[1:]) or "-m" in words
        return not scripted and any(not arg.cwd for arg in tool.args)
    if program in _SCRIPTED:
        confined = any(word in _HARMLESS_WORDS for word in words)
        return not confined and any(arg.positional or _flag(arg) in _SCRIPT_FLAGS for arg in texts)
    if any(word in words[1:] for word in _SUBCOMMANDS.get(program, ())):
        return any(arg.positional or _flag(arg) == "--" for arg in texts)
    return any(_flag(arg) in _FLAGS.get(program, ()) for arg in texts)


def _without_launcher(words: list[str]) -> list[str]:
    """The program that `nice -n 5 program` comes to; nothing, if the caller has to name it."""
    while words and words[0].rpartition("/")[2] in _LAUNCHERS:
        words = words[1:]
        while words and (words[0].startswith("-") or "=" in words[0] or words[0][0].isdigit()):
            words = words[1:]
    return words


def _is_free_text(arg: ArgDef) -> bool:
    return arg.type == "string" and not arg.enum and not arg.cwd


def _flag(arg: ArgDef) -> str:
    return arg.effective_flag.rstrip("=") if arg.is_flag else ""
