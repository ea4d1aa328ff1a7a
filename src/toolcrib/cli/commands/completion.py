"""Print a completion script for your shell.

examples:
  toolcrib completion bash > ~/.local/share/bash-completion/completions/toolcrib
  toolcrib completion zsh > "${fpath[1]}/_toolcrib"
  toolcrib completion fish > ~/.config/fish/completions/toolcrib.fish
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field

from toolcrib.cli.terminal import console


@dataclass(slots=True)
class Words:
    """What may follow a command: its own sub-commands, choices and options, each with its help."""

    path: tuple[str, ...]
    plain: dict[str, str] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)

    @property
    def all(self) -> list[str]:
        """Everything in one list."""
        return [*self.plain, *self.options]


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `completion`."""
    parser.add_argument("shell", choices=list(_SHELLS))


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    from toolcrib.cli import parser_for

    known = list(_walk(parser_for([], every=True), ()))
    script = _SHELLS[args.shell](known)
    console.emit({"shell": args.shell, "script": script}, script.rstrip("\n"), args)
    return 0


def _walk(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[Words]:
    words = Words(path)
    below: list[tuple[str, argparse.ArgumentParser]] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {each.dest: each.help or "" for each in action._choices_actions}
            words.plain |= {name: helps.get(name, "") for name in action.choices}
            below += action.choices.items()
        elif action.option_strings:
            words.options[max(action.option_strings, key=len)] = action.help or ""
        elif action.choices:
            words.plain |= {str(choice): "" for choice in action.choices}
    words.plain |= _more(path)
    yield words
    for name, child in below:
        yield from _walk(child, (*path, name))


def _more(path: tuple[str, ...]) -> dict[str, str]:
    """Words that a command checks by itself, so that it can name the nearest one."""
    from toolcrib.cli.clients.registry import CLIENTS
    from toolcrib.cli.commands.explain import explanations
    from toolcrib.settings import PACKS

    if path in (("install",), ("uninstall",)):
        return {name: client.title for name, client in CLIENTS.items()}
    if path == ("serve",):
        return dict.fromkeys(PACKS, "")
    if path == ("explain",):
        return {each.code: each.summary for each in explanations() if not each.code[-1].isdigit()}
    return {}


def _bash(known: list[Words]) -> str:
    cases = "\n".join(
        f'    "{" ".join(words.path)}") words="{" ".join(words.all)}" ;;' for words in known
    )
    return f"""# bash completion for toolcrib
_toolcrib() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" path="" words="" word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$word" in -*) ;; *) [[ ${{#path}} -eq 0 ]] && path="$word" || path="$path $word" ;; esac
  done
  while :; do
    case "$path" in
{_indented(cases)}
    esac
    [[ -n "$words" || -z "$path" ]] && break
    if [[ "$path" == *" "* ]]; then path="${{path% *}}"; else path=""; fi
  done
  if [[ "$path" == call && "$current" != -* ]]; then
    words="$(toolcrib list tools --classic --names 2>/dev/null)"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _toolcrib toolcrib
"""


def _zsh(known: list[Words]) -> str:
    """The bash function under zsh's own emulation: one thing to get right instead of two."""
    bash = _bash(known).replace("# bash completion for toolcrib\n", "")
    return f"#compdef toolcrib\nautoload -U +X bashcompinit && bashcompinit\n{bash}"


def _fish(known: list[Words]) -> str:
    lines = ["# fish completion for toolcrib", "complete -c toolcrib -f"]
    top = known[0]
    for words in known:
        if not words.path:
            condition = "__fish_use_subcommand"
        else:
            condition = " && ".join(f"__fish_seen_subcommand_from {name}" for name in words.path)
            own = [name for name in words.plain if name not in top.plain]
            if own and any(other.path[:-1] == words.path for other in known if other.path):
                condition += f" && not __fish_seen_subcommand_from {' '.join(own)}"
        for name, text in words.plain.items():
            lines.append(f"complete -c toolcrib -n '{condition}' -a '{name}' -d {_quoted(text)}")
        for option, text in words.options.items():
            kind = "-l" if option.startswith("--") else "-s"
            name = option.lstrip("-")
            lines.append(f"complete -c toolcrib -n '{condition}' {kind} {name} -d {_quoted(text)}")
    lines.append(
        "complete -c toolcrib -n '__fish_seen_subcommand_from call'"
        " -a '(toolcrib list tools --classic --names 2>/dev/null)'"
    )
    return "\n".join(lines) + "\n"


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.splitlines())


def _quoted(text: str) -> str:
    first = text.replace("%%", "%").split("\n")[0]
    return "'" + first.replace("\\", "\\\\").replace("'", "\\'") + "'"


_SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
