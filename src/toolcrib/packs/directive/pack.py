"""The directive pack: five tools and five methods on the repo's `directive/`, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from toolcrib.core.errors import FileUnreadable
from toolcrib.core.pack import Changes, Contributions, Health, Pack
from toolcrib.packs.directive import log
from toolcrib.packs.directive.bundles import build_template_bundle, open_root
from toolcrib.packs.directive.documents import DirectiveDocuments
from toolcrib.packs.directive.methods import make_methods
from toolcrib.packs.directive.settings import DirectiveSettings
from toolcrib.packs.directive.tools import IMPACT, SPEC, TDR, make_tools


class DirectivePack(Pack):
    """Serves `directive/` as it is on disk at each call; the list of its tools never changes.

    Alone it has exactly the five tools; beside others its files can be searched and read by uri.
    """

    name = "directive"
    about = "The specification-first workflow of the repository: its files and templates"
    instructions = (
        "Work here begins with a Spec. Before you draft one, call directive/spec.template; for an "
        "Impact analysis directive/impact.template, for a design directive/tdr.template. Each "
        "returns this repository's procedure, context and template."
    )

    def __init__(self, project: Path, settings: DirectiveSettings) -> None:
        self._root = open_root(project)
        self._documents = DirectiveDocuments(self._root, settings.largest_file)
        self._largest = settings.largest_file
        self._logged = log.wanted(settings.log)
        if self._logged:
            log.to_stderr()

    def contribute(self) -> Contributions:
        """The tools, and the methods of older clients."""
        tools = make_tools(self._root, self._largest)
        methods = make_methods(self._root, self._largest)
        if self._logged:
            tools = [log.logged_tool(tool) for tool in tools]
            methods = {name: log.logged_method(name, method) for name, method in methods.items()}
        if self.alone:
            return Contributions(tools=tools, methods=methods)
        return Contributions(
            tools=tools,
            methods=methods,
            resources=self._documents,
            searchable=self._documents.searchable,
        )

    @property
    def live(self) -> bool:  # type: ignore[override]
        """Whether anything but the tools is offered: the search over its files is kept current."""
        return not self.alone

    def watched(self) -> Sequence[Path]:
        """The folder."""
        return [self._root.path]

    def refresh(self, changed: Sequence[Path]) -> Changes:
        """Tell which files are others now; the search looks at them again."""
        updated = self._documents.updated(changed)
        return Changes(updated=updated, unseen=bool(updated))

    def health(self) -> Sequence[Health]:
        """Whether each bundle can be made."""
        found: dict[str, Health] = {}
        for template in (SPEC, IMPACT, TDR):
            try:
                build_template_bundle(self._root, template, self._largest)
            except FileUnreadable as error:
                text = f"{error.what} ({error.why})" if error.why else error.what
                found[text] = Health("error", text, error.next)
        return list(found.values()) or [Health("ok", "directive/ has all parts of its bundles")]

    async def close(self) -> None:
        """Let go of the folder."""
        self._root.close()
