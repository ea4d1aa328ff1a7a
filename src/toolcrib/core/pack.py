"""The interface of a pack: files in, contributions out; it imports no server and no other pack."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from toolcrib.core.errors import InvalidParams, Refusal
from toolcrib.core.expiring import ExpiringEntries
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean, nearest
from toolcrib.core.tool import JSON, CallContext, Tool
from toolcrib.core.workflow import WorkflowStore


@record
class Resource:
    """A document that a client can list and read."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = "text/markdown"
    size: int | None = None
    annotations: Mapping[str, Any] | None = None
    given: JSON | None = None
    """All of it, where somebody else has written it."""

    def to_wire(self) -> JSON:
        """The resource as `resources/list` shows it."""
        if self.given is not None:
            return self.given
        return _known(
            uri=self.uri,
            name=self.name,
            title=self.title,
            description=self.description,
            mimeType=self.mime_type,
            size=self.size,
            annotations=self.annotations,
        )


@record
class ResourceTemplate:
    """A family of resources; the variables of `uri_template` can be completed."""

    uri_template: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = "text/markdown"
    given: JSON | None = None

    def to_wire(self) -> JSON:
        """The template as `resources/templates/list` shows it."""
        if self.given is not None:
            return self.given
        return _known(
            uriTemplate=self.uri_template,
            name=self.name,
            title=self.title,
            description=self.description,
            mimeType=self.mime_type,
        )


READER: ContextVar[str] = ContextVar("READER", default="")
"""Who reads a resource: the session, else the caller, as a call's context names them."""


@record
class Contents:
    """One piece of what a resource holds: `text`, or `blob` in base64."""

    uri: str
    text: str | None = None
    blob: str | None = None
    mime_type: str | None = "text/markdown"
    given: JSON | None = None

    def to_wire(self) -> JSON:
        """The piece as `resources/read` shows it."""
        if self.given is not None:
            return self.given
        return _known(uri=self.uri, mimeType=self.mime_type, text=self.text, blob=self.blob)


class ResourceSource(Protocol):
    """The documents of a pack."""

    def resources(self) -> Sequence[Resource]:
        """All of them, sorted by uri; called for each listing, so it must be fast once loaded."""

    def templates(self) -> Sequence[ResourceTemplate]:
        """The templates, sorted."""

    async def read(self, uri: str) -> Sequence[Contents]:
        """What `uri` holds; raises `ResourceNotFound` with the nearest ones."""

    def complete(self, uri_template: str, argument: str, value: str, given: JSON) -> list[str]:
        """Values for a template's variable that begin like `value`, best first."""


@record
class PromptArgument:
    """One argument of a prompt; `max_length` is counted in characters."""

    name: str
    description: str | None = None
    required: bool = False
    max_length: int | None = None

    def to_wire(self) -> JSON:
        """The argument as `prompts/list` shows it."""
        return {**_known(name=self.name, description=self.description), "required": self.required}


@record
class Prompt:
    """A guided workflow that a person can start."""

    name: str
    title: str | None = None
    description: str | None = None
    arguments: Sequence[PromptArgument] = ()
    given: JSON | None = None

    def to_wire(self) -> JSON:
        """The prompt as `prompts/list` shows it."""
        if self.given is not None:
            return self.given
        wire = _known(name=self.name, title=self.title, description=self.description)
        if self.arguments:
            wire["arguments"] = [argument.to_wire() for argument in self.arguments]
        return wire

    def check(self, arguments: Mapping[str, Any]) -> None:
        """Raise `InvalidParams` that names the argument which is missing, unknown or unusable.

        The server calls this once before a pack renders the prompt.
        """
        known = {argument.name: argument for argument in self.arguments}
        for name, argument in known.items():
            if argument.required and not arguments.get(name):
                raise InvalidParams(
                    f"Missing required argument {name!r} of prompt {self.name!r}",
                    data={"field": name, "nearest": nearest(name, arguments)},
                )
        for name, value in arguments.items():
            if name not in known:
                listed = f"; it has: {', '.join(known) or 'none'}"
                raise InvalidParams(
                    f"Prompt {self.name!r} has no argument {name!r}"
                    f"{did_you_mean(name, known) or listed}",
                    data={"field": name, "nearest": nearest(name, known)},
                )
            self._check_value(known[name], value)

    def _check_value(self, argument: PromptArgument, value: Any) -> None:
        where = f"Argument {argument.name!r} of prompt {self.name!r}"
        if not isinstance(value, str):
            raise InvalidParams(
                f"{where} must be a string, got {type(value).__name__}",
                data={"field": argument.name},
            )
        limit = argument.max_length
        if limit is not None and len(value) > limit:
            raise InvalidParams(
                f"{where} must be at most {limit} characters, got {len(value)}",
                data={"field": argument.name, "limit": limit},
            )


@record
class RenderedPrompt:
    """A prompt with its arguments filled in: `messages` are `{role, content}` objects.

    `extra` holds further members of the result object, as they are.
    """

    messages: Sequence[JSON]
    description: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_wire(self) -> JSON:
        """The messages as `prompts/get` shows them."""
        wire = _known(description=self.description)
        if self.messages or not self.extra:
            wire["messages"] = list(self.messages)
        return {**wire, **self.extra}


@runtime_checkable
class Completing(Protocol):
    """A source of resources or prompts whose completions come from elsewhere."""

    async def completed(self, name: str, argument: str, value: str, given: JSON, /) -> list[str]:
        """Values for an argument that begin like `value`, best first."""


@runtime_checkable
class Followed(Protocol):
    """A source of resources that is notified of subscriptions."""

    async def subscribe(self, uri: str) -> None:
        """A client subscribed to a resource."""

    async def unsubscribe(self, uri: str) -> None:
        """A resource is no longer subscribed to."""


class SkillSource(Protocol):
    """The skills of a pack, in the form of the protocol's skills extension."""

    async def skills(self) -> Sequence[JSON]:
        """An entry for each: `uri` of its SKILL.md, `frontmatter`, `resources` with digests."""

    async def skill(self, uri: str) -> JSON | None:
        """The current entry of one skill; None if this pack does not have it."""


class PromptSource(Protocol):
    """The prompts of a pack."""

    def prompts(self) -> Sequence[Prompt]:
        """All of them, sorted by name."""

    async def render(
        self, name: str, arguments: Mapping[str, str], context: CallContext
    ) -> RenderedPrompt:
        """Fill one in; raises `PromptNotFound`, or `InvalidParams` that names the argument."""

    def complete(self, name: str, argument: str, value: str, given: JSON) -> list[str]:
        """Values for a prompt's argument that begin like `value`, best first."""


class UnlistedTools(Protocol):
    """Tools that are not listed: found by search, called by name through climax_call."""

    def get(self, name: str) -> Tool | None:
        """The tool of that exact name."""

    def refusal(self, name: str) -> Refusal | None:
        """Why the tool of that name may not be called; None if it may, or is unknown here."""

    def __iter__(self) -> Iterator[Tool]:
        """All of them, sorted by name."""

    def __len__(self) -> int: ...


KnowledgeKind = Literal["guideline", "pattern", "decision", "rule", "skill", "content", "document"]
"""What a document is; a file that is several of these is the first of them."""


@record
class Searchable:
    """A document that can be searched.

    `file` is its path below the project's root, which identifies a file that two packs offer;
    `stamp` identifies its version; `read` returns its title and text, and is called only when
    needed.
    """

    kind: KnowledgeKind
    uri: str
    file: str
    stamp: str
    read: Callable[[], tuple[str, str]]


class KnowledgeSearch(Protocol):
    """The search over the documents of all packs, passed to the tool that uses it."""

    def search(self, query: str, kinds: Sequence[str] = (), limit: int = 10) -> JSON:
        """The best documents, and how many matched."""


Method = Callable[[JSON], Awaitable[JSON]]
FindTool = Callable[[str], tuple[Tool, bool] | None]
"""From a name to the tool that is served under it, and whether `tools/list` has it."""


@record
class Contributions:
    """Everything that a pack contributes. Building it must be cheap; load data on first use."""

    tools: Sequence[Tool] = ()
    unlisted: UnlistedTools | None = None
    resources: ResourceSource | None = None
    prompts: PromptSource | None = None
    skills: SkillSource | None = None
    methods: Mapping[str, Method] = field(default_factory=dict)
    searchable: Callable[[], Iterable[Searchable]] | None = None
    """What of its documents can be searched, as they are now."""
    secondary: Collection[str] = ()
    """Names of the tools that stand behind climax_search and climax_call where these are listed."""
    withheld: Mapping[str, str] = field(default_factory=dict)
    """Tools that wait for a person's trust, and what a caller of each is told."""
    waiting: int = 0
    """Files that wait for a person's trust and whose tools nobody knows yet."""


@record
class Changes:
    """What a reload changed, to notify the right clients.

    `unseen` changes do not show in any list: they are served from now on without a notification.
    """

    tools: bool = False
    resources: bool = False
    prompts: bool = False
    updated: Sequence[str] = ()
    unseen: bool = False
    behind: bool = False
    """Whether tools behind the meta-tools changed: told only where that changes a list."""

    def __or__(self, other: Changes) -> Changes:
        return Changes(
            self.tools or other.tools,
            self.resources or other.resources,
            self.prompts or other.prompts,
            (*self.updated, *other.updated),
            self.unseen or other.unseen,
            self.behind or other.behind,
        )

    def __bool__(self) -> bool:
        lists = self.tools or self.resources or self.prompts
        return lists or self.unseen or self.behind or bool(self.updated)


@record
class StoreStatus:
    """Whether a pack's store last answered, and how long calls have waited for it."""

    up: bool = True
    waits: int = 0
    waited_seconds: float = 0.0
    why: str = ""


@record
class Health:
    """One finding about a pack, for `doctor` and the log: `level` is ok, warning or error."""

    level: str
    text: str
    cure: str | None = None


class Pack(ABC):
    """A pack: created from the repository's files, asked for its contributions.

    When `refresh` reports a change, `contribute` is called again.
    """

    name: str = ""
    live: bool = True
    """Whether its lists can change while it is served (`listChanged`)."""
    trusted: bool = True
    """Whether its tool definitions are our own, checked by our tests and not at each start."""
    talks: bool = False
    """Whether its tools send log lines while they run (announces `logging`)."""
    about: str = ""
    """What its tools are for, in one line, for summaries."""
    group: str = ""
    """What `doctor` calls its findings; its name if nothing is said."""
    alone: bool = True
    """Whether no other pack is served beside it, as far as it was told."""
    companion: bool = False
    """Whether it is there only to make others more useful, and keeps in the background."""
    keeps_state: bool = False
    """Whether it is also made with the path that names the project, for what it keeps elsewhere:
    where that is a link, the folder behind it changes and the project stays the same."""
    follows_policy: bool = False
    """Whether it is also made with where the policy lies that it shares with other packs."""
    instructions: str = ""
    """A sentence or two for the agent: what is here, and what to call first."""
    workflows: WorkflowStore | None = None
    """Where its prompts mint handles; set by whoever serves it, shared with the executor."""

    find_tool: FindTool | None = None
    """Finds any tool that is served, of this pack or another, and whether it is listed."""
    announce: Callable[[Changes], None] | None = None
    """Tells everybody that it contributes something else now; set by whoever serves it."""

    one_client: bool = True
    """Whether there is one client alone, as over a pipe; set by whoever serves it."""

    at_rest: bool = False
    """Whether nothing may be started for a list or a search; set by a command that only looks."""

    def unseen(self) -> Sequence[str]:
        """Names of what has tools that nobody has asked for yet."""
        return ()

    def begin(self) -> None:  # noqa: B027 - most packs have nothing to do by themselves
        """Start background work; called once, after the first request."""

    def shared(self) -> ExpiringEntries | None:
        """Expiring entries shared by all replicas, if the pack provides them."""
        return None

    knowledge: KnowledgeSearch | None = None
    """The search over all packs; set by whoever serves it."""

    def not_shared(self) -> Sequence[str]:
        """Warnings about state that replicas should share but do not."""
        return ()

    @abstractmethod
    def contribute(self) -> Contributions:
        """Its current contributions."""

    def watched(self) -> Sequence[Path]:
        """Files and folders to watch; they need not exist yet."""
        return ()

    def store_status(self, *, ask: bool = False) -> StoreStatus | None:
        """The status of its store, if any; with `ask` (in a worker thread), queried now."""
        return None

    def listen(self, tell: Callable[[bool], None]) -> Callable[[], None] | None:
        """Call `tell`, from any thread, when others changed served data that is not in files.

        `tell(True)` means that changes may have been missed. Returns a function that stops it, or
        None if only files can change. `refresh_shared` is the counterpart of `refresh`.
        """
        return None

    def refresh_shared(self) -> Changes:
        """Check (in a worker thread) what others may have changed, and return the differences."""
        return Changes()

    def refresh(self, changed: Sequence[Path]) -> Changes:
        """Process changed paths (in a worker thread) and return what changed.

        Without paths, anything may have changed before the watch began: check, and return only
        real differences.
        """
        return Changes()

    def look_around(self) -> Changes:
        """Check (in a worker thread, every second) for changes that no watch would notice.

        It must cost next to nothing if there are none.
        """
        return Changes()

    def survey(self) -> None:  # noqa: B027 - most packs know where their files are
        """Find at once what a server finds in the background, for a single command."""

    def health(self) -> Sequence[Health]:
        """Findings for `doctor` and the log."""
        return ()

    def warm(self) -> None:  # noqa: B027 - most packs have nothing to prepare
        """Build what its first search would have to wait for (in a worker thread)."""

    def measures(self) -> Mapping[str, float]:
        """Figures for `/metrics` that need no computation: `documents`."""
        return {}

    async def close(self) -> None:  # noqa: B027 - most packs hold nothing
        """Release everything: child processes, files, threads."""


def _known(**members: Any) -> JSON:
    return {name: value for name, value in members.items() if value is not None}
