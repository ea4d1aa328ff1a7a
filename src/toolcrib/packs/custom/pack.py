"""The pack of a team's own tools: loaded from their modules, and again when these change."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path

from toolcrib.core.errors import ConfigError, FileRefused, FileUnreadable, ToolcribError
from toolcrib.core.pack import Changes, Contributions, Health, Pack
from toolcrib.core.support.wording import counted
from toolcrib.files.root import FileEntry, Root
from toolcrib.packs.custom.loading import Loader, Module, Untrusted
from toolcrib.packs.custom.modules import find_modules, watched_paths
from toolcrib.packs.custom.settings import CustomSettings
from toolcrib.policy.trust.project import Trust

logger = logging.getLogger("toolcrib.custom")


class CustomPack(Pack):
    """Serves the tools that the named modules declare.

    A module that cannot be loaded leaves the others as they are, and its own last good version in
    service; `health` says where it failed.
    """

    name = "custom"
    about = "The project's own tools"
    trusted = False
    talks = True

    def __init__(self, project: Path, settings: CustomSettings, trust: Trust | None = None) -> None:
        self._root = Root(project)
        self._trust = trust
        self._patterns = settings.modules
        self._loader = Loader(
            self._root, prefix=settings.prefix, descriptions=settings.descriptions, trust=trust
        )
        self._withheld: dict[str, str] = {}
        self._stamp: object = None
        self._lock = threading.Lock()
        self._modules: dict[str, Module] = {}
        self._failures: dict[str, ToolcribError] = {}
        self._unmatched: list[str] = []
        self._stamps: dict[str, FileEntry | None] | None = None

    def contribute(self) -> Contributions:
        """The tools of all modules that could be loaded, now or before."""
        with self._lock:
            if self._stamps is None:
                self._load()
            modules = [self._modules[path] for path in sorted(self._modules)]
            withheld, waiting = self._refusals()
        tools = [tool for module in modules for tool in module.tools]
        return Contributions(tools=tools, withheld=withheld, waiting=waiting)

    def watched(self) -> Sequence[Path]:
        """The modules, what they import from the project, and the folders of the patterns."""
        paths = {*watched_paths(self._patterns), *(self._stamps or ())}
        return [self._root.path / path for path in sorted(paths)]

    def refresh(self, changed: Sequence[Path]) -> Changes:
        """Load everything anew if any file that matters is not what it was."""
        with self._lock:
            if self._stamps is None:
                return Changes()
            if self._trust is not None:
                self._trust.refresh()
            ours = {self._root.path / path for path in self._stamps}
            touched = any(path in ours or not ours.isdisjoint(path.parents) for path in changed)
            same = self._stamp == self._trust_stamp()
            if same and not touched and self._stamps == self._look():
                return Changes()
            self._load()
        return Changes(tools=True)

    def health(self) -> Sequence[Health]:
        """Which modules failed and where, and which tools of the others were refused."""
        self.contribute()
        found = [self._told(path, error) for path, error in sorted(self._failures.items())]
        found += [Health("warning", f"withheld: {why}") for why in self._withheld.values()]
        for module in self._modules.values():
            found += [Health("error", str(error)) for error in module.refused]
        for pattern in self._unmatched:
            found.append(
                Health(
                    "warning",
                    f"[custom] modules: no file matches {pattern!r}",
                    "Correct the pattern; it is relative to the project's root.",
                )
            )
        tools = counted(sum(len(module.tools) for module in self._modules.values()), "tool")
        return found or [Health("ok", f"{tools} in {counted(len(self._modules), 'module')}")]

    async def close(self) -> None:
        """Let go of the project's folder."""
        self._root.close()

    def _load(self) -> None:
        paths, self._unmatched = find_modules(self._root, self._patterns)
        self._stamp = self._trust_stamp()
        admitted = self._sorted_out(paths)
        self._loader.begin(keep={path for path in self._modules if path not in admitted})
        self._failures = {}
        for path in admitted:
            try:
                self._modules[path] = self._loader.load(path)
            except Untrusted:
                self._withheld[path] = self._why(path)
            except (ConfigError, FileRefused, FileUnreadable) as error:
                self._failures[path] = error
                logger.error("%s", self._told(path, error).text)
        self._stamps = self._look()

    def _sorted_out(self, paths: Sequence[str]) -> list[str]:
        """The modules to load: all that are trusted as they are.

        Of the others one that was loaded stays as it was, as long as that is still trusted.
        """
        self._withheld = {}
        before, self._modules = self._modules, {}
        admitted = []
        for path in paths:
            known = before.get(path)
            if self._loader.admits(path):
                admitted.append(path)
            elif known is None or not self._remembers(known):
                self._withheld[path] = self._why(path)
                continue
            if known is not None:
                self._modules[path] = known
        return admitted

    def _remembers(self, module: Module) -> bool:
        return self._trust is None or self._trust.remembers(module.path, module.raw)

    def _why(self, path: str) -> str:
        """Why a module is withheld: itself, or something that it imports."""
        if self._trust is None:
            return path
        changed = {file.path for file in self._trust.withheld()}
        imports = self._trust.imports_of(path)
        culprit = next((each for each in (path, *imports) if each in changed), path)
        return self._trust.why(culprit)

    def _refusals(self) -> tuple[dict[str, str], int]:
        """What is told to callers of withheld tools, and how many files nobody knows."""
        told: dict[str, str] = {}
        waiting = 0
        for path, why in self._withheld.items():
            entry = self._trust.entry(path) if self._trust is not None else None
            if entry is None:
                waiting += 1
            else:
                told |= {name: f"{name} is withheld: {why}" for name in entry.tools}
        return told, waiting

    def _trust_stamp(self) -> object:
        return self._trust.stamp if self._trust is not None else None

    def _look(self) -> dict[str, FileEntry | None]:
        """The present version of each file that matters."""
        paths, _ = find_modules(self._root, self._patterns)
        return {path: self._root.stat(path) for path in {*paths, *self._loader.files}}

    def _told(self, path: str, error: ToolcribError) -> Health:
        text = str(error)
        if path in self._modules:
            text += f"; the last good version of {path} is served"
        file = error.where.file if error.where else path
        return Health("error", text, f"Correct {file}; it is loaded again as soon as it is saved.")
