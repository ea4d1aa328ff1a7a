"""Completion scripts as a source: what a shell offers behind a program's name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from toolcrib.packs.climax.importer.model import ProgramCommand
from toolcrib.packs.climax.importer.sources.completion.bash import bash_commands
from toolcrib.packs.climax.importer.sources.completion.fish import fish_commands
from toolcrib.packs.climax.importer.sources.completion.zsh import zsh_commands

Shell = Literal["fish", "zsh", "bash"]
_LARGEST = 1_000_000
# The order is that of how much they say: fish and zsh have descriptions.
_PLACES: tuple[tuple[Shell, str], ...] = (
    ("fish", "/usr/share/fish/vendor_completions.d/{name}.fish"),
    ("fish", "/usr/share/fish/completions/{name}.fish"),
    ("fish", "/usr/local/share/fish/vendor_completions.d/{name}.fish"),
    ("fish", "/etc/fish/completions/{name}.fish"),
    ("zsh", "/usr/share/zsh/vendor-completions/_{name}"),
    ("zsh", "/usr/share/zsh/site-functions/_{name}"),
    ("zsh", "/usr/local/share/zsh/site-functions/_{name}"),
    ("zsh", "/usr/share/zsh/functions/Completion/*/_{name}"),
    ("bash", "/usr/share/bash-completion/completions/{name}"),
    ("bash", "/usr/local/share/bash-completion/completions/{name}"),
    ("bash", "/etc/bash_completion.d/{name}"),
)


@dataclass(frozen=True, slots=True)
class Script:
    """A completion script."""

    shell: Shell
    text: str


def find_completions(name: str) -> list[Script]:
    """The completion scripts of a program on this machine, the most telling first."""
    if "/" in name or any(character in name for character in "*?[]"):
        return []
    return [script for shell, place in _PLACES for script in _read(shell, place, name)]


def commands_of(
    scripts: Sequence[Script], name: str, only: Collection[str] = ()
) -> list[ProgramCommand]:
    """The commands of the first script that says something."""
    readers = {"fish": fish_commands, "zsh": zsh_commands, "bash": bash_commands}
    for script in scripts:
        found = readers[script.shell](script.text, name)
        if any(not command.page.empty for command in found):
            return [each for each in found if not only or not each.path or each.path[0] in only]
    return []


def _read(shell: Shell, place: str, name: str) -> Iterator[Script]:
    folder, _, file = place.format(name=name).rpartition("/")
    anchor, star, rest = folder.partition("/*")
    homes = sorted(Path(anchor).glob("*" + rest)) if star else [Path(folder)]
    for home in homes:
        path = home / file
        if path.is_file() and path.stat().st_size <= _LARGEST:
            yield Script(shell, path.read_text(encoding="utf-8", errors="replace"))
