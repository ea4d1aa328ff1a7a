"""`GuidePack`: the guide's contributions to the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from toolcrib.core.declare.prefix import prefixed
from toolcrib.core.errors import FileUnreadable
from toolcrib.core.expiring import ExpiringEntries
from toolcrib.core.pack import Changes, Contributions, Health, KnowledgeSearch, Pack, StoreStatus
from toolcrib.core.support.wording import counted
from toolcrib.core.tool import Tool
from toolcrib.packs.guide.content.content import Definitions
from toolcrib.packs.guide.environment import tool_prefix
from toolcrib.packs.guide.errors import StoreError
from toolcrib.packs.guide.prompts.guide import GuidePrompts
from toolcrib.packs.guide.resources import GuideResources
from toolcrib.packs.guide.rules.lookout import Lookout
from toolcrib.packs.guide.rules.manifests import SkillManifests
from toolcrib.packs.guide.rules.skills import HOMES
from toolcrib.packs.guide.session import GuideSession
from toolcrib.packs.guide.settings import CONTENT, FOLDERS, HINTS, GuideSettings, welcomes
from toolcrib.packs.guide.state.store import MISSED
from toolcrib.packs.guide.tools.listed import Toolset

_WELCOMES = ("README.md", "CONTRIBUTING.md")
"""What may yet come, by its usual name."""


class GuidePack(Pack):
    """Content by category, flags, rules and skills of one project."""

    name = "guide"
    about = "Project documentation by category, rules for files, skills and feature flags"

    keeps_state = True

    def __init__(self, project: Path, settings: GuideSettings, named: Path | None = None) -> None:
        self.settings = settings
        self.project = project
        self.session = GuideSession(project, settings, named)
        self._resources = GuideResources(self.session)
        self._skills = SkillManifests(self.session.library.root, self.session.skills)
        self._prefix = tool_prefix()
        self._lookout = Lookout(project)
        self._toolset = Toolset(self.session, self._prefix, settings.descriptions)

    @property
    def instructions(self) -> str:  # type: ignore[override]  # other packs have a fixed one
        """What to call first, of the tools that are served."""
        search, get, rules = (
            prefixed(name, self._prefix) for name in ("search", "get_content", "rules_for_path")
        )
        if self.companion:
            return f"For project documentation, call {search}, and {get} for one document."
        return f"Before editing a file, call {rules}; for project documentation, {get}."

    def contribute(self) -> Contributions:
        """The tools, documents and the prompt; nothing of the repository is read for it."""
        tools = self._toolset.tools
        if self.companion:
            # With command-line tools alone two tools are listed; these stand behind them.
            asked = [tool for tool in tools if _is_asking(tool)]
            return Contributions(
                tools=asked,
                secondary=[tool.name for tool in asked],
                resources=self._resources,
                skills=self._skills,
                searchable=self.session.searchable,
            )
        return Contributions(
            tools=tools,
            secondary=[tool.name for tool in tools if _is_editing(tool)],
            resources=self._resources,
            skills=self._skills,
            prompts=GuidePrompts(self.session, self.settings.descriptions),
            searchable=self.session.searchable,
        )

    def store_status(self, *, ask: bool = False) -> StoreStatus | None:
        """How the store of flags, categories and collections is."""
        return self.session.store.status(ask=ask)

    def shared(self) -> ExpiringEntries | None:
        """What the store keeps for a while, where several machines share it."""
        return self.session.store.expiring(self.session.key)

    def not_shared(self) -> Sequence[str]:
        """The name of the project in the store, where nobody has chosen one."""
        if self.settings.project:
            return ()
        return [
            "[guide] project is not set: the name of the project in the store is the path of its "
            "folder, which differs between machines"
        ]

    @property
    def knowledge(self) -> KnowledgeSearch | None:
        """The search over all packs, which the tool `search` answers from."""
        return self.session.knowledge

    @knowledge.setter
    def knowledge(self, lent: KnowledgeSearch | None) -> None:
        self.session.knowledge = lent

    def watched(self) -> Sequence[Path]:
        """The folders of the categories, the rule files, and the state of other processes."""
        folders = (self.project / each for each in self.session.library.folders)
        found = self.session.library.found_anywhere()
        names = (*HINTS, *HOMES, *FOLDERS, *_WELCOMES, *welcomes(self.project), *found)
        hints = (self.project / each for each in names)
        return [*folders, *hints, *self.session.store.files()]

    def listen(self, tell: Callable[[bool], None]) -> Callable[[], None] | None:
        """Subscribe to categories and collections that another replica changed."""
        return self.session.store.listen(
            self.session.key,
            # No text of ours depends on a flag.
            lambda kind: tell(kind == MISSED) if kind != "flag" else None,
        )

    def refresh(self, changed: Sequence[Path]) -> Changes:
        """Look again at what changed; a written flag is no reason to walk through documents."""
        self._toolset.load()  # in the background, so that the first caller need not wait
        library = self.session.library
        library.tree.watched = True
        states = set(self.session.store.files())
        files = not changed or not states.issuperset(changed)
        if files:
            library.forget()
        if self._resources.listed is None and not states:
            # Nobody has seen a list, and the store may be far away; a search may know the files.
            return Changes(unseen=bool(changed) and files)
        return self.refresh_shared()

    def look_around(self) -> Changes:
        """Look, now and then, for rule files and skills in folders that nobody watches."""
        if not self.settings.rules or not self._lookout.has_news():
            return Changes()
        self.session.library.forget()
        return Changes(unseen=True) if self._resources.listed is None else self.refresh_shared()

    def refresh_shared(self) -> Changes:
        """What a listing would show now that the last one did not."""
        before = self._resources.listed
        try:
            after = self._resources.snapshot()
        except FileUnreadable:
            return Changes()  # the folder is away; what is known stays until it is back
        self._resources.listed = after
        if before is None:
            return Changes()
        updated = [uri for uri, entry in after.items() if before.get(uri, entry) != entry]
        changed_list = self._resources.in_lists(before) != self._resources.in_lists(after)
        moved = before.keys() != after.keys()
        return Changes(resources=changed_list, updated=sorted(updated), unseen=moved)

    def health(self) -> Sequence[Health]:
        """What is served, and what could not be."""
        found: list[Health] = []
        library = self.session.library
        try:
            known = library.definitions()
            count = sum(1 for _ in library.documents())
        except FileUnreadable as error:
            return [Health("error", str(error), "Check that the folder is there.")]
        categories = counted(len(known.categories), "category", "categories")
        found += self._content_health(known)
        if count or not found:  # a folder that is not there is no reason for a tick
            found.insert(0, Health("ok", f"{counted(count, 'document')} in {categories}"))
        found += [Health("warning", problem) for problem in known.problems]
        found += [
            Health("warning", f"Folder {name!r} is no category", "Rename it without spaces or +,/")
            for name in library.unusable_folders()
        ]
        found += [
            Health("warning", f"Skill {folder} is hidden by another of its name", "Rename it.")
            for folder in self.session.skills().shadowed
        ]
        return [*found, *self._state_health()]

    def warm(self) -> None:
        """Read the list of documents in advance."""
        self._resources.snapshot()

    def measures(self) -> Mapping[str, float]:
        """The documents that were seen last."""
        listed = self._resources.listed
        return {} if listed is None else {"documents": len(listed)}

    async def close(self) -> None:
        """Close the folder and the store."""
        self.session.close()

    def _content_health(self, known: Definitions) -> list[Health]:
        """The folders that somebody named and that have nothing to serve."""
        library = self.session.library
        named = {} if library.content == CONTENT else {"[guide] content": library.content}
        named |= {
            f"Category {each.name!r}": each.dir
            for each in known.categories.values()
            if each.origin in ("file", "store")
        }
        return [
            Health("warning", f"{what}: {folder} {self._state(folder)}", "Correct the path.")
            for what, folder in named.items()
            if not library.tree.files(folder)
        ]

    def _state(self, folder: str) -> str:
        return "has no document" if (self.project / folder).is_dir() else "is missing"

    def _state_health(self) -> list[Health]:
        try:
            count = len(self.session.flags.list_project())
        except StoreError as error:
            return [Health("error", error.what, error.next)]
        found = [Health("ok", f"{counted(count, 'flag')} set")]
        found += [
            Health("warning", f"Damaged state was put aside: {kept.name}", "Restore or delete it.")
            for kept in self.session.store.quarantined()
        ]
        return found


def _is_asking(tool: Tool) -> bool:
    """Whether a tool finds or reads documents."""
    return any(f".tools.{module}." in f"{tool.origin}." for module in ("content", "search"))


def _is_editing(tool: Tool) -> bool:
    """Whether a tool is for who arranges content: ten of them, seldom needed by an agent."""
    return any(f".tools.{module}." in f"{tool.origin}." for module in ("categories", "collections"))
