"""Watch files and folders for changes: one report per burst, none lost.

Notifications only wake the watcher; changes are found by comparing two snapshots. So an
overflowing queue, a folder that is deleted and created again, or a file that did not exist when
the watch began need no special handling, and polling works the same way with a clock instead of
notifications.
"""

from __future__ import annotations

import asyncio
import logging
import os
import stat
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from toolcrib.core.support.workers import in_thread
from toolcrib.files.root import TICK_NS
from toolcrib.files.watch.listener import CannotListen, Listener

logger = logging.getLogger(__name__)

Stamp = tuple[int, int, int, int]
Snapshot = dict[str, Stamp]
Folders = dict[str, int]
"""When names last came or went in each folder, as far as that is certain."""

_IGNORED = frozenset((".git", "node_modules", "__pycache__"))
_POLL = 0.5
# Notifications may be lost without a word: on network file systems, or at a limit reached later.
# So often folders are looked at for names that came or went, whatever the number of files.
_HEARTBEAT = 30.0
# A look at every file takes at most this share of a processor.
_SHARE = 0.01
# A burst that never ends is reported in parts.
_LONGEST_BURST = 1.5
# So few are looked at first: a look at a hundred thousand files takes longer than a reload.
_FEW = 20
# So many at once are a burst that is worth waiting for the end of.
_MANY = 500
# Two listeners may report one change: wait this long for the second.
_ECHO = 0.03


class Watcher:
    """Calls `on_change` with the changed paths, `debounce` seconds after the last change.

    `paths` is called again after each change and by `renew`; a path may be a file or a folder (with
    everything in it) and need not exist yet. If notifications are not available, it polls and logs
    that.
    """

    def __init__(
        self,
        paths: Callable[[], Sequence[Path]],
        on_change: Callable[[list[Path]], Awaitable[None]],
        *,
        debounce: float = 0.1,
        polling: bool = False,
    ) -> None:
        self._paths = paths
        self._on_change = on_change
        self._debounce = debounce
        self._wake = asyncio.Event()
        self._heard: set[str] = set()
        self._looked = 0
        self._cost = 0.0
        self._folders: Folders = {}
        self._over = False
        self._renewing = False
        self._listeners: list[Listener] = []
        self.polling = polling
        self.ready = asyncio.Event()
        """Set once a snapshot of all paths is taken: what changes from then on is reported."""

    def renew(self) -> None:
        """Ask for the paths again, now; `ready` is set once those are watched.

        A path that was not watched before is reported: it may have changed meanwhile.
        """
        self._renewing = True
        self.ready.clear()
        self._wake.set()

    async def run(self) -> None:
        """Watch until cancelled."""
        plan: _Plan | None = None
        before: Snapshot | None = None
        try:
            while True:
                self._renewing = False
                fresh = await in_thread(_Plan.of, self._paths())
                if fresh == plan:
                    if not self._renewing:
                        self.ready.set()
                    await self._burst()
                elif not self.polling:
                    await self._listen(fresh)
                plan = fresh
                before = await self._compare(plan.paths, before)
        finally:
            self._over = True
            await self._hushed()

    async def _listen(self, plan: _Plan) -> None:
        """Listen according to the plan before the next snapshot, so that no change is missed."""
        try:
            await in_thread(self._start, plan, asyncio.get_running_loop())
        except CannotListen as error:
            self.polling = True
            logger.warning("Watching for changes by polling every %s s: %s", _POLL, error)

    def _start(self, plan: _Plan, loop: asyncio.AbstractEventLoop) -> None:
        self._hush()
        try:
            for folders, recursive in ((plan.trees, True), (plan.folders, False)):
                if folders:
                    listener = Listener(
                        [spot.path for spot in folders],
                        recursive=recursive,
                        quiet=self._debounce,
                        longest=_LONGEST_BURST,
                        loop=loop,
                        notice=self._notice,
                    )
                    self._listeners.append(listener)
        except CannotListen:
            self._hush()
            raise
        if self._over:  # cancelled meanwhile: nobody else would end them
            self._hush()

    async def _hushed(self) -> None:
        """Stop listening without blocking the loop, so that many projects can end at once."""
        try:
            for listener in self._listeners:
                listener.stop()
            for listener in list(self._listeners):
                await listener.ended.wait()
        finally:
            self._hush()

    def _hush(self) -> None:
        for listener in self._listeners:
            listener.stop()
        while self._listeners:
            self._listeners.pop().close()

    def _notice(self, paths: set[str]) -> None:
        self._heard |= paths
        self._wake.set()

    async def _burst(self) -> None:
        """Wait until a burst of changes is over; expensive snapshots are taken less often."""
        if self.polling:
            await self._woken(max(_POLL, 10 * self._cost))
        elif await self._called():
            await asyncio.sleep(_ECHO)
            self._wake.clear()

    async def _called(self) -> bool:
        """Wait for a notification; False if it is time to check without one.

        That is if a folder changed without a notification, and at intervals in any case, since
        writing to a file does not change its folder.
        """
        end = time.monotonic() + max(_HEARTBEAT, self._cost / _SHARE)
        while (left := end - time.monotonic()) > 0:
            if await self._woken(min(left, _HEARTBEAT)):
                return True
            if await in_thread(_has_stirred, self._folders):
                return False
        return False

    async def _woken(self, within: float) -> bool:
        try:
            async with asyncio.timeout(within):
                await self._wake.wait()
        except TimeoutError:
            return False
        self._wake.clear()
        return True

    async def _compare(self, paths: tuple[str, ...], before: Snapshot | None) -> Snapshot:
        """Take a snapshot and report what differs from the one before."""
        heard, self._heard = self._heard, set()
        if before is not None and 0 < len(heard) <= _FEW:
            before, heard = await self._glance(paths, before, heard)
        looked, self._looked = self._looked, time.time_ns()
        after = await in_thread(self._look, paths)
        if before is None:
            return after
        if after != before and (self.polling or len(heard) > _MANY):
            after = await self._settled(paths, after)
        changed = {path for path, stamp in after.items() if before.get(path) != stamp}
        changed |= before.keys() - after.keys()
        # A stamp as young as the last look may hide a second write within one tick of the clock.
        changed |= {path for path in heard & after.keys() if after[path][3] > looked - TICK_NS}
        if changed:
            await self._report(sorted(changed))
        return after

    def _look(self, paths: tuple[str, ...]) -> Snapshot:
        """Take a snapshot and measure its processor time, not its waiting time."""
        began, folders = time.thread_time(), Folders()
        found = snapshot(paths, folders)
        self._folders, self._cost = folders, time.thread_time() - began
        return found

    async def _glance(
        self, paths: tuple[str, ...], before: Snapshot, heard: set[str]
    ) -> tuple[Snapshot, set[str]]:
        """Report the few files named in notifications before checking all others."""
        found = await in_thread(_differences, paths, before, heard)
        if not found:
            return before, heard
        await self._report(sorted(found))
        after = {**before, **{path: stamp for path, stamp in found.items() if stamp}}
        for path, stamp in found.items():
            if stamp is None:
                del after[path]
        return after, heard - found.keys()

    async def _settled(self, paths: tuple[str, ...], seen: Snapshot) -> Snapshot:
        """Wait until two snapshots in a row are the same.

        Without notifications this is the only way; with them, a burst of changes may continue
        after its first part was reported.
        """
        end = time.monotonic() + _LONGEST_BURST
        while time.monotonic() < end:
            await asyncio.sleep(self._debounce)
            self._looked = time.time_ns()
            again = await in_thread(self._look, paths)
            if again == seen:
                break
            seen = again
        return seen

    async def _report(self, changed: list[str]) -> None:
        try:
            await self._on_change([Path(path) for path in changed])
        except Exception:  # a reload that fails must not be the last one
            logger.exception("Reload failed; watching goes on")


@dataclass(frozen=True, slots=True)
class _Spot:
    """A folder to listen to; its replacement counts as another one."""

    path: str
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where to listen: to whole trees, and to single folders for what may appear in them."""

    paths: tuple[str, ...]
    trees: tuple[_Spot, ...]
    folders: tuple[_Spot, ...]

    @classmethod
    def of(cls, paths: Sequence[Path]) -> _Plan:
        trees: dict[str, _Spot] = {}
        folders: dict[str, _Spot] = {}
        for path in paths:
            spot = _spot(path)
            if spot is not None:
                trees[spot.path] = spot
            # The parent reports a folder that is removed, and a file that is replaced by another.
            for parent in path.parents:
                spot = _spot(parent)
                if spot is not None:
                    folders[spot.path] = spot
                    break
        return cls(
            tuple(sorted({str(path) for path in paths})),
            tuple(spot for path, spot in sorted(trees.items()) if not _covered(path, trees)),
            tuple(spot for _, spot in sorted(folders.items())),
        )


def snapshot(paths: Sequence[str], folders: Folders | None = None) -> Snapshot:
    """Return the stamp of each watched path that exists and of each file below it.

    The modification times of the folders on the way are put into `folders`.
    """
    found: Snapshot = {}
    pending: list[str] = []
    for path in paths:
        try:
            seen = os.stat(path)  # noqa: PTH116 - thousands of times: strings are enough
        except OSError:
            continue
        if stat.S_ISDIR(seen.st_mode):
            # Only whether it is the same folder: its times change with every file in it.
            found[path] = (0, 0, seen.st_ino, seen.st_dev)
            pending.append(path)
        else:
            found[path] = _stamp(seen)
    while pending:
        folder = pending.pop()
        if folders is not None:  # before the look: what comes during it shows the next time
            folders[folder] = _changed_at(folder)
        _look(folder, found, pending)
    return found


def _changed_at(folder: str) -> int:
    """When entries were last added or removed; 0 if that was just now or the folder is missing.

    The clock of a file system may be ahead of ours: a time in the future is compared as well.
    """
    try:
        changed = os.stat(folder).st_mtime_ns  # noqa: PTH116 - as above
    except OSError:
        return 0
    return changed if abs(time.time_ns() - changed) > TICK_NS else 0


def _has_stirred(folders: Folders) -> bool:
    """Whether entries were, or may have been, added to or removed from any of these folders."""
    return any(_changed_at(folder) != changed for folder, changed in folders.items())


def _differences(
    paths: Sequence[str], before: Snapshot, heard: Iterable[str]
) -> dict[str, Stamp | None]:
    """The changed stamps among these files alone; None for a deleted one.

    Nothing where folders are concerned: what was in them, or is now, belongs to the same change.
    """
    found: dict[str, Stamp | None] = {}
    for path in heard:
        try:
            seen = os.stat(path)  # noqa: PTH116 - as above
        except OSError:
            inside = f"{path}/"
            if any(known.startswith(inside) for known in before):
                return {}
            if path in before:
                found[path] = None
            continue
        if stat.S_ISDIR(seen.st_mode):
            return {}
        if before.get(path) != _stamp(seen) and (path in before or _is_watched(path, paths)):
            found[path] = _stamp(seen)
    return found


def _is_watched(path: str, paths: Sequence[str]) -> bool:
    """Whether `snapshot` would include a file: below a watched path, not through a link."""
    root = next((each for each in paths if path.startswith(f"{each}/")), None)
    if root is None:
        return path in paths
    folder = os.path.dirname(path)  # noqa: PTH120 - strings, as above
    while len(folder) > len(root):
        if os.path.basename(folder) in _IGNORED or os.path.islink(folder):  # noqa: PTH114, PTH119
            return False
        folder = os.path.dirname(folder)  # noqa: PTH120
    return True


def _look(folder: str, found: Snapshot, pending: list[str]) -> None:
    try:
        items = os.scandir(folder)
    except OSError:
        return
    with items:
        for item in items:
            if item.is_dir(follow_symlinks=False):
                if item.name not in _IGNORED:
                    pending.append(item.path)
                continue
            try:
                found[item.path] = _stamp(item.stat())
            except OSError:
                continue  # a dangling link, or gone by now


def _stamp(seen: os.stat_result) -> Stamp:
    return (seen.st_mtime_ns, seen.st_size, seen.st_ino, seen.st_ctime_ns)


def _spot(path: Path) -> _Spot | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    if not stat.S_ISDIR(seen.st_mode):
        return None
    return _Spot(str(path), seen.st_dev, seen.st_ino)


def _covered(path: str, trees: dict[str, _Spot]) -> bool:
    """Whether another tree contains it."""
    return any(str(parent) in trees for parent in Path(path).parents)
