"""From a repository to a surface: choose, create and combine the packs."""

from __future__ import annotations

import dataclasses
import importlib
import logging
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import UsageError
from toolcrib.core.executor import Approve, ToolExecutor
from toolcrib.core.expiring import ExpiringEntries
from toolcrib.core.pack import Pack
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput
from toolcrib.core.workflow import WorkflowStore
from toolcrib.files.identity import file_stamp, real_root
from toolcrib.policy.trust.activity import Activity
from toolcrib.policy.trust.notices import fresh_notices, notice
from toolcrib.server.auth.secret import shared_secret
from toolcrib.server.blueprint import Blueprint
from toolcrib.server.mcp.seal import Seal
from toolcrib.server.surface import Options, Surface
from toolcrib.settings import ACTING_PACKS, FILE, PACKS, Settings, detect, joins, load, possible

if TYPE_CHECKING:
    from toolcrib.policy.trust.project import Trust
    from toolcrib.server.record import CallRecord

logger = logging.getLogger("toolcrib.reload")

_LIVE = (("server", "packs"), ("server", "audit"))
"""Settings that take effect without a restart."""


def chosen_packs(
    settings: Settings, names: Sequence[str] = (), root: Path | None = None, *, search: bool = False
) -> list[str]:
    """The packs to serve: those named, else those configured, else those the repo has files for.

    With `search`, also those whose files only a look through all folders finds.
    """
    folder = root or settings.project
    named = list(names) or list(settings.server.packs)
    for name in named:
        if name not in PACKS:
            raise UsageError(
                f"Unknown pack {name!r}{did_you_mean(name, PACKS)}",
                next=f"The packs are: {', '.join(PACKS)}.",
            )
    if names:
        return [name for name in PACKS if name in named]
    found = named or [
        name for name in PACKS if name in settings.tables or detect(name, folder, search=search)
    ]
    chosen = [name for name in PACKS if name in found or (not named and joins(name, folder, found))]
    return [name for name in chosen if possible(name)]


def pack_class(name: str) -> Any:
    """The class of a pack, by its name."""
    module = importlib.import_module(f"toolcrib.packs.{name}.pack")
    return getattr(module, f"{name.capitalize()}Pack")


def make_pack(name: str, settings: Settings, root: Path | None = None) -> Pack:
    """One pack on one repository; `root` is the folder behind a project that is a link."""
    kind = pack_class(name)
    folder, section = root or real_root(settings.project), settings.section(name)
    more: tuple[Any, ...] = (settings.trust,) if name in ACTING_PACKS else ()
    if kind.follows_policy:
        more = (*more, settings.policy_source)
    if kind.keeps_state:
        more = (*more, settings.project)
    pack: Pack = kind(folder, section, *more)
    return pack


def make_chosen(
    name: str, settings: Settings, names: Sequence[str] = (), root: Path | None = None
) -> Pack:
    """One of the chosen packs; one that nobody named and nothing is there for is a companion."""
    folder = root or real_root(settings.project)
    pack = make_pack(name, settings, folder)
    pack.companion = _is_companion(name, settings, names, folder)
    return pack


def _is_companion(name: str, settings: Settings, names: Sequence[str], root: Path) -> bool:
    named = names or settings.server.packs
    return not (named or name in settings.tables or detect(name, root))


def assemble(
    settings: Settings,
    names: Sequence[str] = (),
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    name: str = "",
    search: bool = False,
) -> Surface:
    """Everything that `toolcrib serve` serves, as one surface.

    `overrides` are what the command line said; they hold when the settings are read again.
    `name` is that of the project where several are served. With `search`, what a server finds a
    moment after its first answer is there at once.
    """
    server = settings.server
    executor = ToolExecutor()
    chosen = chosen_packs(settings, names, search=search)
    packs = [make_chosen(name, settings, names) for name in chosen]
    for pack in packs if search else ():
        pack.survey()
    _give_workflows(packs, executor.workflows)
    surface = Surface(
        packs,
        executor=executor,
        options=Options(
            mode=server.discovery,
            naming=server.names,
            page_size=server.page_size,
            project=name or settings.shared_name,
        ),
        seal=Seal(shared_secret(settings.project, server.secret_file)),
    )
    surface.blueprint = _blueprint(settings, names, overrides, surface, of_many=bool(name))
    surface.keep_record(_record_of(settings))
    surface.revision = lambda: _revision(surface, settings.project)
    trust = settings.trust
    if trust is not None:
        surface.notice = lambda: notice(trust)
        executor.activity = Activity(trust.identity)
        executor.trusted = lambda: trust.verdict.present.content.digest
        executor.page = lambda: _page_of(trust.identity)
    executor.approve = _approver(settings, shared_entries(packs))
    return surface


def _page_of(identity: str) -> str | None:
    """Where the page of a project is open."""
    from toolcrib.policy.trust.page import running_page  # not for a start

    return running_page(identity)


def _revision(surface: Surface, project: Path) -> str | None:
    """Which revision of the repository is served."""
    from toolcrib.files.revision import head_revision  # not for a start

    blueprint = surface.blueprint
    return head_revision(blueprint.root() if blueprint and blueprint.root else project)


def _record_of(settings: Settings) -> CallRecord | None:
    """The record that the settings ask for."""
    if not settings.server.audit:
        return None
    from toolcrib.server.record import opened_record

    return opened_record(settings.project, settings.server)


def _blueprint(
    settings: Settings,
    names: Sequence[str],
    overrides: Mapping[str, Mapping[str, Any]] | None,
    surface: Surface,
    *,
    of_many: bool,
) -> Blueprint:
    """How to make the packs anew; `of_many` projects, `[http]` of one's own file is ignored."""
    project = settings.project
    served, root = settings, real_root(project)
    files = (project / FILE, project / "pyproject.toml")

    def build(current: Sequence[Pack]) -> Sequence[Pack] | None:
        nonlocal served, root
        before, now = served, real_root(project)
        if not now.is_dir():
            return None  # a link that leads nowhere: what is served stays until it does
        written = [file_stamp(file) for file in files]
        read = load(project, overrides, trust=served.trust)
        if real_root(project) != now:
            return None  # swapped right now: the next look finds settings and files of one revision
        if written != [file_stamp(file) for file in files]:
            return None  # written right now, maybe read empty: whoever watches looks again
        # With the same settings a pack is kept even when its files are gone: they may come back.
        kept = {
            pack.name: pack
            for pack in current
            if now == root
            and _unchanged(pack, before, read)
            and not (pack.companion and not _is_companion(pack.name, read, names, now))
        }
        wanted = set(chosen_packs(read, names, now))
        if read.server.packs == before.server.packs:
            wanted |= kept.keys()
        packs = [
            kept.get(name) or make_chosen(name, read, names, now)
            for name in PACKS
            if name in wanted
        ]
        _give_workflows(packs, surface.executor.workflows)
        for pack in packs:
            pack.contribute()  # loads it here, in a worker thread, before anything is replaced
        if _level(read) != _level(before) or _sharing(packs) != _sharing(current):
            surface.executor.approve = _approver(read, shared_entries(packs))
        served, root = read, now
        if read.server.audit and surface.record is None and surface.records:
            surface.keep_record(_record_of(read))
        tell_trust(read)
        _tell_what_waits(settings, before, read, ("server",) if of_many else ("server", "http"))
        return None if packs == list(current) else packs

    def grown(current: Sequence[Pack]) -> bool:
        now = real_root(project)
        known = {
            pack.name
            for pack in current
            if not (pack.companion and not _is_companion(pack.name, served, names, now))
        }
        return now != root or not known.issuperset(chosen_packs(served, names, now, search=True))

    return Blueprint(
        (*files, *_records(settings)),
        build,
        grown=grown,
        growing=project.is_symlink() or not (names or settings.server.packs),
        root=lambda: root,
    )


def _unchanged(pack: Pack, before: Settings, now: Settings) -> bool:
    """Whether a pack would be made of the same settings again."""
    same = now.tables.get(pack.name) == before.tables.get(pack.name)
    return same and (not pack.follows_policy or now.policy_source == before.policy_source)


def _give_workflows(packs: Sequence[Pack], workflows: WorkflowStore) -> None:
    """Have all packs share one store of workflows, and that one the entries that replicas share."""
    workflows.entries = shared_entries(packs)
    for pack in packs:
        pack.workflows = workflows


def shared_entries(packs: Iterable[Pack]) -> ExpiringEntries | None:
    """What all replicas of this server share for a while, where a pack brings such a store."""
    return next((found for pack in packs if (found := pack.shared())), None)


def _sharing(packs: Iterable[Pack]) -> list[Pack]:
    """The packs that bring a store which several machines share."""
    return [pack for pack in packs if pack.shared()]


def _level(settings: Settings) -> str:
    """Before which calls a person is asked."""
    return settings.approve


def _approver(settings: Settings, entries: ExpiringEntries | None) -> Approve | None:
    """What asks a person before a call runs; None where nobody is asked."""
    trust, level = settings.trust, _level(settings)
    if trust is None:
        return None
    made: list[Approve] = []

    def approve(
        tool: Tool, arguments: JSON, context: CallContext
    ) -> Awaitable[ToolOutput | None] | None:
        if level == "never" and not tool.asks:
            return None
        if not made:  # not for a start: most calls ask nobody
            made.append(_asking(trust, level, settings.project, entries))
        return made[0](tool, arguments, context)

    return approve


def _asking(trust: Trust, level: str, project: Path, entries: ExpiringEntries | None) -> Approve:
    from toolcrib.policy.approval_store import approvals_of
    from toolcrib.policy.approvals import Approver
    from toolcrib.policy.remembering import may_remember

    store = approvals_of(trust.identity, entries)
    return Approver(level, store, str(project), lambda: may_remember(trust), entries=entries)


def tell_trust(settings: Settings) -> None:
    """Log what is withheld and why, once for each change."""
    for line in fresh_notices(settings.trust) if settings.trust is not None else ():
        logger.warning("%s", line)


def _records(settings: Settings) -> list[Path]:
    """Where a record may appear, or vanish, while the project is served."""
    trust = settings.trust
    return [trust.records.folder] if trust is not None and trust.records is not None else []


def _tell_what_waits(
    running: Settings, before: Settings, read: Settings, sections: Sequence[str]
) -> None:
    """Say which settings were just changed to something that only another start can bring."""
    for section in sections:
        now, then, used = (getattr(each, section) for each in (read, before, running))
        for field in dataclasses.fields(now):
            value = getattr(now, field.name)
            if value in (getattr(then, field.name), getattr(used, field.name)):
                continue
            if (section, field.name) not in _LIVE:
                logger.warning("[%s].%s changed: takes effect after a restart", section, field.name)
