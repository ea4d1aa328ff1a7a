"""The project that a tool works on: a context variable, set around each call."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from toolcrib.core.errors import ToolcribError
from toolcrib.core.pack import KnowledgeSearch, Searchable
from toolcrib.core.result import Result
from toolcrib.core.tool import JSON
from toolcrib.packs.guide.content.content import ContentLibrary
from toolcrib.packs.guide.errors import GuideError
from toolcrib.packs.guide.rules.skills import Skills
from toolcrib.packs.guide.settings import GuideSettings
from toolcrib.packs.guide.state.factory import open_store
from toolcrib.packs.guide.state.flags import FeatureFlags, Flags
from toolcrib.packs.guide.state.store import state_key

if TYPE_CHECKING:  # loaded by the first change
    from toolcrib.packs.guide.content.editing import Editor

T = TypeVar("T")


class GuideSession:
    """One project as the guide's tools see it: its content, its flags, its rules and skills."""

    def __init__(
        self, project: Path, settings: GuideSettings | None = None, named: Path | None = None
    ) -> None:
        self.project = project
        self.settings = settings or GuideSettings()
        self.key = state_key(named or project, self.settings.project)
        self.store = open_store(
            self.settings.store,
            project,
            pool=self.settings.pool,
            listen=self.settings.listen_store,
        )
        self.flags = Flags(self.store, self.key)
        self.library = ContentLibrary(project, self.settings, self.store, self.key)
        self.knowledge: KnowledgeSearch | None = None
        """The search over all packs, lent by whoever serves them."""

    @cached_property
    def editor(self) -> Editor:
        """Changes categories and collections."""
        from toolcrib.packs.guide.content.editing import Editor

        return Editor(self.library)

    def feature_flags(self) -> FeatureFlags:
        """The flags of all projects, by themselves."""
        return self.flags.everywhere

    def skills(self) -> Skills:
        """The skills as they are now."""
        return Skills(self.library.root, self.library.skill_homes())

    def searchable(self) -> Iterator[Searchable]:
        """What of this project can be searched."""
        from toolcrib.packs.guide.content.searchable import searchable

        return searchable(self.library, self.skills())

    def search(self, query: str, kinds: Sequence[str], limit: int) -> JSON:
        """The documents that match, of all packs where a server lends its search."""
        from toolcrib.discovery.knowledge import Knowledge

        knowledge = self.knowledge or Knowledge([self.searchable])
        return knowledge.search(query, kinds, limit)

    @contextlib.contextmanager
    def active(self) -> Iterator[GuideSession]:
        """Make this the session of the tools that are called inside."""
        token = _current.set(self)
        try:
            yield self
        finally:
            _current.reset(token)

    def close(self) -> None:
        """Close files and connections."""
        self.library.close()
        self.store.close()


_current: ContextVar[GuideSession] = ContextVar("guide_session")


def current_session() -> GuideSession:
    """The session of this call; outside of a server, that of the current folder."""
    return _current.get(None) or _session_of(Path.cwd())


@lru_cache(maxsize=8)
def _session_of(project: Path) -> GuideSession:
    return GuideSession(project)


def attempt(work: Callable[[GuideSession], T], message: str | None = None) -> Result[T]:
    """Run `work` on the current session; a guide error becomes a failed `Result`."""
    try:
        return Result.ok(work(current_session()), message=message)
    except ToolcribError as error:
        text = f"{error.what} ({error.why})" if error.why else error.what
        data = error.data if isinstance(error, GuideError) else None
        kind = error.code.replace("-", "_")
        return Result.failure(text, kind, instruction=error.next, error_data=data)
