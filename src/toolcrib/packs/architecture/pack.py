"""`ArchitecturePack`: guidelines, patterns with rules, and decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.pack import Changes, Contributions, Health, Pack
from toolcrib.core.support.wording import counted
from toolcrib.core.tool import Tool
from toolcrib.core.workflow import WorkflowStore
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.resources import LibraryResources
from toolcrib.packs.architecture.library.searchable import searchable
from toolcrib.packs.architecture.prompts.prompts import PromptBook
from toolcrib.packs.architecture.settings import HOMES, PROMPTS, ArchitectureSettings
from toolcrib.packs.architecture.tools import find_tools

if TYPE_CHECKING:
    from toolcrib.packs.architecture.alignment.preloading import Warming
    from toolcrib.packs.architecture.patterns.rulebook import RuleCheck


class ArchitecturePack(Pack):
    """Guidelines, patterns and decisions: resources, prompts, and tools over them.

    Nothing is read before the first question; then everything is kept current.
    """

    name = "architecture"
    about = "Guidelines, patterns and decisions: search them, check code and plans against them"
    instructions = (
        "Before you design or change code, search the project's guidelines, patterns and "
        "decisions with search-architecture, and check a new decision with check-adr-alignment."
    )

    def __init__(self, project: Path, settings: ArchitectureSettings | None = None) -> None:
        self.library = Library(project, settings)
        self._rule_check: RuleCheck | None = None
        self._warming: Warming | None = None

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """The tools over the library, sorted by name."""
        return tuple(find_tools(self.library))

    @cached_property
    def resources(self) -> LibraryResources:
        """The documents as resources."""
        return LibraryResources(self.library)

    @cached_property
    def prompts(self) -> PromptBook:
        """The prompts, shipped and the repository's own."""
        return PromptBook(self.library, self.tools, self._workflow_store, lambda: self.find_tool)

    def contribute(self) -> Contributions:
        """Tools, resources and prompts; nothing is read for it."""
        return Contributions(
            tools=self.tools,
            resources=self.resources,
            prompts=self.prompts,
            searchable=partial(searchable, self.library),
        )

    def watched(self) -> Sequence[Path]:
        """The folders of documents and of prompts."""
        return [*self.library.watched(), *(root.path for _, root in self.prompts.roots)]

    def refresh(self, changed: Sequence[Path]) -> Changes:
        """Read what changed; the first call reads everything and says what is wrong with it."""
        untold = bool(changed) and not self.library.loaded
        updates = self.library.refresh(changed)
        prompts = self.prompts.refresh()
        self.prompts.warn()
        self._check_rules()
        self._warm()
        return Changes(
            # A library that was never read cannot be compared: better report a change than miss it.
            resources=updates.listing or untold,
            prompts=prompts,
            updated=(*updates.updated, *updates.removed),
        )

    def look_around(self) -> Changes:
        """Look, now and then, for decisions in folders that nobody named."""
        updates = self.library.look_around()
        return Changes(resources=updates.listing, updated=(*updates.updated, *updates.removed))

    def survey(self) -> None:
        """Look for them now."""
        self.library.look_around(now=True)

    def health(self) -> Sequence[Health]:
        """Documents that cannot be read, prompts that name nothing, rules that do not hold."""
        from toolcrib.packs.architecture.patterns.rulebook import (
            rule_problems,  # starts the rule engine
        )

        snapshot = self.library.snapshot
        found = [
            Health("warning", f"{folder} is unavailable; its last index is served")
            for folder in snapshot.unavailable
        ]
        found += self._unused()
        found += [Health("warning", f"{file}: {text}") for file, text in snapshot.problems]
        found += [Health("warning", text) for text in self.prompts.problems()]
        found += [Health("warning", str(each)) for each in rule_problems(self.library)]
        if not found:
            found.append(Health("ok", self._counts()))
        return found

    def _counts(self) -> str:
        """What is listed, by kind, and the prompts."""
        records = self.library.snapshot.records
        kinds = Counter(
            "decision" if each.is_decision else each.kind.removesuffix("s")
            for each in records
            if each.is_decision or each.kind != "adr"
        )
        kinds["prompt"] = len(self.prompts.prompts())
        return ", ".join(counted(number, kind) for kind, number in sorted(kinds.items()))

    def _unused(self) -> list[Health]:
        """Folders that somebody named and that have nothing to serve."""
        settings = self.library.settings
        documents = {page.file for page in self.library.snapshot.pages.values()}
        named = [
            *(("resources", folder) for folder in settings.resources if folder not in HOMES),
            *(("guidelines", folder) for folder in settings.guidelines),
            *(("patterns", folder) for folder in settings.patterns),
            *(("adr", folder) for folder in settings.adr),
            *(("prompts", folder) for folder in settings.prompts if folder != PROMPTS),
        ]
        found = []
        for key, folder in named:
            path = self.library.project / folder
            kind, files = (
                ("prompt", self.prompts.files()) if key == "prompts" else ("document", documents)
            )
            if not any(file.startswith(f"{folder.rstrip('/')}/") for file in files):
                state = f"has no {kind}" if path.is_dir() else "is missing"
                text = f"[architecture] {key}: {folder} {state}"
                found.append(Health("warning", text, "Correct the path, or take it out."))
        return found

    def warm(self) -> None:
        """Read the documents and build the index of their words."""
        self.library.index()

    def measures(self) -> Mapping[str, float]:
        """How many documents are served, once they have been read."""
        return {"documents": len(self.library.snapshot.by_uri)} if self.library.loaded else {}

    async def close(self) -> None:
        """Close the folders and the rule engine."""
        for thread in (self._rule_check, self._warming):
            if thread is not None:
                thread.stop()
        self.library.close()
        self.prompts.close()

    def _check_rules(self) -> None:
        """Check the rules of patterns against their snippets, in the background."""
        from toolcrib.packs.architecture.patterns.rulebook import RuleCheck

        if self._rule_check is not None:
            self._rule_check.stop()
        self._rule_check = RuleCheck(self.library)
        self._rule_check.start()

    def _warm(self) -> None:
        """Read the decisions in advance, in the background; a call does not wait for it."""
        from toolcrib.packs.architecture.alignment.preloading import Warming

        if self._warming is not None:
            self._warming.stop()
        self._warming = Warming(self.library)
        self._warming.start()

    def _workflow_store(self) -> WorkflowStore:
        if self.workflows is None:
            self.workflows = WorkflowStore()
        return self.workflows
