"""The prompts of this pack: those that we ship, and the repository's own over them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.deadline import ending_in
from toolcrib.core.errors import (
    ConfigError,
    FileRefused,
    FileUnreadable,
    InvalidParams,
    PromptNotFound,
    ToolcribError,
)
from toolcrib.core.pack import FindTool, Prompt, RenderedPrompt
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.core.support.workers import STORE, WORKERS, in_thread
from toolcrib.core.tool import JSON, CallContext, Tool
from toolcrib.core.workflow import ARGUMENT, LOCAL, WorkflowStore
from toolcrib.files.root import Root, RootUnavailable
from toolcrib.packs.architecture.library.resources import complete_names
from toolcrib.packs.architecture.library.sources import find_root

# A start needs no prompt: what reads and fills them in waits until the first one is asked for.
if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.packs.architecture.prompts.promptfile import PromptTemplate
    from toolcrib.packs.architecture.prompts.renderer import Reference, TemplateRenderer

logger = logging.getLogger(__name__)

SHIPPED = Path(__file__).parents[1] / "data" / "prompts"
_SUFFIX = ".json"
_LARGEST = 1_000_000
_HANDLE_SECONDS = 8.0
NO_HANDLE = "(no handle: the store cannot be reached now; leave the argument out)"


class PromptBook:
    """Prompt files by name. A file that breaks leaves its last good version in use."""

    def __init__(
        self,
        library: Library,
        tools: Sequence[Tool],
        workflows: Callable[[], WorkflowStore],
        finder: Callable[[], FindTool | None] = lambda: None,
    ) -> None:
        self._library = library
        self._tools = tools
        self._workflows = workflows
        self._finder = finder
        self.roots = tuple(
            (folder, find_root(library.project, folder)) for folder in library.settings.prompts
        )
        self._by_file: dict[str, PromptTemplate] = {}
        self._by_name: dict[str, PromptTemplate] | None = None
        self._problems: dict[str, str] = {}
        self._warned: set[str] = set()

    @cached_property
    def _renderer(self) -> TemplateRenderer:
        from toolcrib.packs.architecture.prompts.renderer import TemplateRenderer

        return TemplateRenderer(self._library, self._tools, self._finder)

    def prompts(self) -> Sequence[Prompt]:
        """All of them, sorted by name."""
        known = self._known()
        return [known[name].prompt for name in sorted(known)]

    async def render(
        self, name: str, arguments: Mapping[str, str], context: CallContext | None = None
    ) -> RenderedPrompt:
        """Fill one in, with documents and tools as they are now."""
        caller = context.caller if context is not None else LOCAL
        workflows = self._workflows()

        def mint() -> str:
            return workflows.mint(name, arguments, caller).session_id

        if workflows.entries is not None and await in_thread(self._names_workflow, name):
            handle = await _shared_handle(name, mint)
            return await in_thread(self._render, name, arguments, lambda: handle)
        return await in_thread(self._render, name, arguments, mint)

    def complete(self, name: str, argument: str, value: str, given: JSON) -> list[str]:
        """Names of patterns and decisions, where the argument's name asks for one."""
        label = argument.casefold()
        if "pattern" in label:
            return complete_names(self._library, "patterns", value)
        if "guideline" in label:
            return complete_names(self._library, "guidelines", value)
        if "adr" in label or label == "supersedes":
            return complete_names(self._library, "adr", value)
        return []

    def refresh(self) -> bool:
        """Read the files again; whether the list of prompts changed."""
        if self._by_name is None:
            return False
        before = {name: template.raw for name, template in self._by_name.items()}
        self._by_name = self._load()
        return before != {name: template.raw for name, template in self._by_name.items()}

    def problems(self) -> list[str]:
        """What is wrong with prompt files, each with its file and place."""
        known = self._known()
        found = [text for _, text in sorted(self._problems.items())]
        for name in sorted(known):
            found.extend(known[name].warnings)
            found.extend(self._bad_references(known[name]))
        return found

    def files(self) -> set[str]:
        """The prompt files of the repository, those that cannot be served included."""
        self._known()
        return {*self._by_file, *self._problems}

    def warn(self) -> None:
        """Log each problem once; one that disappeared and came back is logged again."""
        found = self.problems()
        for text in found:
            if text not in self._warned:
                logger.warning("%s", text)
        self._warned = set(found)

    def close(self) -> None:
        """Close the folders."""
        for _, root in self.roots:
            root.close()

    def _known(self) -> dict[str, PromptTemplate]:
        if self._by_name is None:
            self._by_name = self._load()
        return self._by_name

    def _names_workflow(self, name: str) -> bool:
        template = self._known().get(name)
        return template is not None and any(
            reference.name == ARGUMENT for reference, _ in template.references()
        )

    def _render(
        self, name: str, arguments: Mapping[str, str], workflow: Callable[[], str]
    ) -> RenderedPrompt:
        from toolcrib.packs.architecture.prompts.renderer import Rendering

        known = self._known()
        template = known.get(name)
        if template is None:
            raise PromptNotFound(name, list(known))
        rendering = Rendering(
            arguments,
            template.argument_names,
            workflow,
        )
        messages = [
            {
                "role": message.role,
                "content": {
                    "type": "text",
                    "text": self._renderer.render(message.parts, rendering),
                },
            }
            for message in template.messages
        ]
        return RenderedPrompt(messages, template.prompt.description)

    def _load(self) -> dict[str, PromptTemplate]:
        """Shipped prompts first, so that a file of the repository takes the name."""
        from toolcrib.packs.architecture.prompts.promptfile import read_prompt

        self._problems = {}
        found: dict[str, PromptTemplate] = {}
        for path in sorted(SHIPPED.glob(f"*{_SUFFIX}")):
            template = read_prompt(path.name, path.read_text(encoding="utf-8"))
            found[template.prompt.name] = template
        read: dict[str, PromptTemplate] = {}
        for folder, root in self.roots:
            own: dict[str, PromptTemplate] = {}
            for template in self._folder(folder, root):
                read[template.file] = template
                first = own.setdefault(template.prompt.name, template)
                if first is not template:
                    self._problems[template.file] = (
                        f"{template.file}: the prompt {template.prompt.name!r} is already in "
                        f"{first.file}; this one is not served"
                    )
            found.update(own)
        self._by_file = read
        return found

    def _folder(self, folder: str, root: Root) -> Iterator[PromptTemplate]:
        try:
            entries = root.walk(suffixes=(_SUFFIX,))
        except RootUnavailable:
            # Away for a moment, or never there: what was read from it stays.
            yield from (
                each for file, each in self._by_file.items() if file.startswith(f"{folder}/")
            )
            return
        for entry in entries:
            template = self._file(f"{folder}/{entry.path}", root, entry.path)
            if template is not None:
                yield template

    def _file(self, file: str, root: Root, path: str) -> PromptTemplate | None:
        from toolcrib.files.decoding import decode
        from toolcrib.packs.architecture.prompts.promptfile import read_prompt

        try:
            raw = decode(root.read(path, cap=_LARGEST).data).text
            return read_prompt(file, raw)
        except FileRefused:
            return None  # gone since the listing
        except (FileUnreadable, ConfigError) as error:
            kept = self._by_file.get(file)
            still = "; its last good version is served" if kept else "; it is not served"
            self._problems[file] = f"{error}{still}"
            return kept

    def _bad_references(self, template: PromptTemplate) -> Iterator[str]:
        """References that lead nowhere; those with arguments inside are only known later."""
        declared = template.argument_names
        for reference, place in template.references():
            complaint = self._complaint(reference, declared)
            if complaint:
                yield f"{place}: {complaint}"

    def _complaint(self, reference: Reference, declared: frozenset[str]) -> str | None:
        name = reference.name
        if reference.kind == "tool":
            hint = did_you_mean(name, self._renderer.tool_names)
            # Before anything is served, only a slip in the name of an own tool can be told.
            if self._renderer.tool(name) is None and (hint or self._finder() is not None):
                return f"{reference.source} names no tool that is served{hint}"
        elif reference.kind == "argument":
            if name not in declared and name != "workflow":
                return f"{reference.source} is no argument{did_you_mean(name, declared)}"
        else:
            for inner in reference.arguments:
                if inner not in declared:
                    hint = did_you_mean(inner, declared)
                    return f"{{{{{inner}}}}} in {reference.source} is no argument{hint}"
            return None if reference.arguments else self._missing(reference)
        return None

    def _missing(self, reference: Reference) -> str | None:
        try:
            found = self._renderer.matching(reference, {})
        except InvalidParams as error:
            return f"{reference.source}: {error.what}"
        return None if found or reference.is_wild else f"{reference.source} names no document"


async def _shared_handle(name: str, mint: Callable[[], str]) -> str:
    """A handle that all replicas know, or, where the store is away, words that say so."""
    try:
        with ending_in(_HANDLE_SECONDS):
            async with asyncio.timeout(_HANDLE_SECONDS):
                return await WORKERS.run(mint, share=STORE)
    except InvalidParams:
        raise
    except (ToolcribError, TimeoutError) as error:
        logger.warning("prompt %s is answered without a workflow: %s", name, error)
        return NO_HANDLE
