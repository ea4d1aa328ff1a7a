"""S-5 and the watcher's lines of the fault table."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from support.waiting import until_async
from toolcrib.files.watch import watcher as watch
from toolcrib.files.watch.watcher import Watcher


class Seen:
    """Collects what a watcher reports and lets a test wait for it."""

    def __init__(self) -> None:
        self.calls: list[list[Path]] = []
        self._news = asyncio.Condition()

    async def __call__(self, changed: list[Path]) -> None:
        async with self._news:
            self.calls.append(changed)
            self._news.notify_all()

    @property
    def names(self) -> set[str]:
        return {path.name for call in self.calls for path in call}

    async def until(self, *names: str, within: float = 5.0) -> None:
        async with asyncio.timeout(within), self._news:
            await self._news.wait_for(lambda: set(names) <= self.names)


@asynccontextmanager
async def watching(*paths: Path, polling: bool = False, debounce: float = 0.1):
    seen = Seen()
    watcher = Watcher(lambda: paths, seen, polling=polling, debounce=debounce)
    task = asyncio.create_task(watcher.run())
    await watcher.ready.wait()
    try:
        yield seen, watcher
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture(params=[False, True], ids=["notified", "polling"])
def polling(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(watch, "_POLL", 0.05)
    return request.param


def test_a_changed_an_added_and_a_removed_file_are_reported(tmp_path: Path, polling: bool) -> None:
    """S-5: a changed, added or removed document is noticed."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "old.md").write_text("old")
    (tmp_path / "gone.md").write_text("gone")

    async def scenario() -> None:
        async with watching(tmp_path, polling=polling) as (seen, _):
            (tmp_path / "sub" / "old.md").write_text("new")
            (tmp_path / "new.md").write_text("new")
            (tmp_path / "gone.md").unlink()
            await seen.until("old.md", "new.md", "gone.md")

    asyncio.run(scenario())


def test_a_file_replaced_by_rename_is_reported_each_time(tmp_path: Path, polling: bool) -> None:
    """S-5: editors write a new file and rename it over the old one."""
    target = tmp_path / "policy.yaml"
    target.write_text("1")

    async def scenario() -> None:
        async with watching(target, polling=polling) as (seen, _):
            for text in ("22", "333"):
                seen.calls.clear()
                (tmp_path / "other").write_text(text)
                (tmp_path / "other").rename(target)
                await seen.until("policy.yaml")
            assert seen.names == {"policy.yaml"}

    asyncio.run(scenario())


def test_a_path_that_appears_later_is_noticed(tmp_path: Path, polling: bool) -> None:
    """S-5: a watched folder need not exist when the watch begins, nor its parents."""
    missing = tmp_path / "mcp" / "resources" / "adr"

    async def scenario() -> None:
        async with watching(missing, polling=polling) as (seen, _):
            missing.mkdir(parents=True)
            (missing / "0001-first.md").write_text("# First")
            await seen.until("0001-first.md")
            (missing / "0002-second.md").write_text("# Second")
            await seen.until("0002-second.md")

    asyncio.run(scenario())


def test_paths_that_join_later_are_watched_at_once(tmp_path: Path, polling: bool) -> None:
    """S-5: who names more than before need not wait for a change to be asked again."""
    paths = [tmp_path / "a.md"]

    async def scenario() -> None:
        seen = Seen()
        watcher = Watcher(lambda: paths, seen, polling=polling)
        task = asyncio.create_task(watcher.run())
        await watcher.ready.wait()
        late = tmp_path / "far" / "b.md"
        late.parent.mkdir()
        paths.append(late)
        watcher.renew()
        await watcher.ready.wait()
        late.write_text("b")
        await seen.until("b.md")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())


def test_a_folder_deleted_and_back_is_watched_again(tmp_path: Path, polling: bool) -> None:
    """Documents: folder deleted, renamed, and back: recovery without a restart."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("a")

    async def scenario() -> None:
        async with watching(folder, polling=polling) as (seen, _):
            shutil.rmtree(folder)
            await seen.until("a.md")
            folder.mkdir()
            (folder / "b.md").write_text("b")
            await seen.until("b.md")
            folder.rename(tmp_path / "elsewhere")
            await seen.until("docs")
            (tmp_path / "elsewhere").rename(folder)
            (folder / "c.md").write_text("c")
            await seen.until("c.md")

    asyncio.run(scenario())


def test_a_second_write_within_one_tick_of_the_clock_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-5: the notification counts where the time stamp cannot tell."""
    target = tmp_path / "a.md"
    target.write_text("one")
    monkeypatch.setattr(watch, "_stamp", lambda seen: (0, 0, seen.st_ino, 2**63))

    async def scenario() -> None:
        async with watching(tmp_path) as (seen, _):
            target.write_text("two")
            await seen.until("a.md")

    asyncio.run(scenario())


def test_what_is_not_watched_wakes_nobody(tmp_path: Path) -> None:
    watched = tmp_path / "docs" / "adr"

    async def scenario() -> None:
        async with watching(watched) as (seen, _):
            (tmp_path / "noise.txt").write_text("noise")
            watched.mkdir(parents=True)
            (watched / ".git").mkdir()
            (watched / ".git" / "index").write_text("noise")
            (watched / "x.md").write_text("x")
            await seen.until("x.md")
            assert "noise.txt" not in seen.names
            assert "index" not in seen.names

    asyncio.run(scenario())


def test_a_burst_of_many_files_is_told_once_and_whole(tmp_path: Path) -> None:
    """Documents: a burst (a branch switch): one rebuild within 1 s of quiet, nothing lost."""
    names = [f"{number:04}.md" for number in range(2000)]

    async def scenario() -> int:
        async with watching(tmp_path, debounce=0.2) as (seen, _):
            for name in names:
                (tmp_path / name).write_text(name)
            await seen.until(*names)
            return len(seen.calls)

    # The loop is not free to look while the files are written, so the burst has one end.
    assert asyncio.run(scenario()) == 1


def test_an_endless_burst_is_told_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-5: a file that is written all the time does not hide a document that changed."""
    monkeypatch.setattr(watch, "_LONGEST_BURST", 0.3)

    async def scenario() -> None:
        async with watching(tmp_path, debounce=0.2) as (seen, _):

            async def noise() -> None:
                while True:
                    (tmp_path / "log.txt").write_text(str(time.monotonic_ns()))
                    await asyncio.sleep(0.02)  # work: of whoever writes

            task = asyncio.create_task(noise())
            (tmp_path / "doc.md").write_text("x")
            await seen.until("doc.md", within=3)
            task.cancel()

    asyncio.run(scenario())


def test_a_reload_that_fails_is_not_the_last_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        seen = Seen()

        async def fails_once(changed: list[Path]) -> None:
            await seen(changed)
            if len(seen.calls) == 1:
                raise ValueError("broken pack")

        watcher = Watcher(lambda: [tmp_path], fails_once)
        task = asyncio.create_task(watcher.run())
        await watcher.ready.wait()
        (tmp_path / "a.md").write_text("a")
        await seen.until("a.md")
        (tmp_path / "b.md").write_text("b")
        await seen.until("b.md")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())
    assert "watching goes on" in caplog.text


_UNDER_A_LIMIT = """
import asyncio, logging, sys
from pathlib import Path
from toolcrib.files.watch import watcher as watch
logging.basicConfig(stream=sys.stdout, format="%(message)s")
folder = Path(sys.argv[1])
async def main():
    changed = asyncio.Event()
    async def on_change(paths):
        print(*[path.name for path in paths]); changed.set()
    watcher = watch.Watcher(lambda: [folder], on_change)
    task = asyncio.create_task(watcher.run())
    await watcher.ready.wait()
    (folder / "e" / "new.md").write_text("new")
    await asyncio.wait_for(changed.wait(), 5)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
asyncio.run(main())
"""


@pytest.mark.parametrize("limit", ["max_inotify_watches", "max_inotify_instances"])
def test_the_limit_of_watches_makes_it_poll_and_say_so(tmp_path: Path, limit: str) -> None:
    """Documents: watcher limit reached: polling as a fallback, and said so."""
    for name in "abcde":
        (tmp_path / name).mkdir()
    # A user namespace has limits of its own, so that those of the machine stay as they are.
    enter = f'echo 2 > /proc/sys/user/{limit} && exec "$@"'
    if limit.endswith("instances"):
        enter = enter.replace("echo 2", "echo 0")
    shell = ["unshare", "--user", "--map-root-user", "sh", "-c", enter, "sh"]
    if not shutil.which("unshare") or subprocess.run([*shell, "true"], check=False).returncode:
        pytest.skip("user namespaces are not allowed here")
    done = subprocess.run(
        [*shell, sys.executable, "-c", _UNDER_A_LIMIT, os.fspath(tmp_path)],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert "Watching for changes by polling" in done.stdout
    assert "new.md" in done.stdout


@pytest.mark.parametrize("kind", ["written", "new", "gone"])
def test_one_file_is_told_before_all_the_others_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A-1, R-16: a change is served after 100 ms of quiet, however many others there are."""
    (tmp_path / "in").mkdir()
    file = tmp_path / "in" / "a.md"
    if kind != "new":
        file.write_text("one")
    looks: list[int] = []
    look = watch.snapshot

    def counted(paths: tuple[str, ...], folders: watch.Folders) -> watch.Snapshot:
        looks.append(len(paths))
        return look(paths, folders)

    class Timed(Seen):
        async def __call__(self, changed: list[Path]) -> None:
            self.looks = len(looks)
            await super().__call__(changed)

    monkeypatch.setattr(watch, "snapshot", counted)

    async def scenario() -> None:
        seen = Timed()
        watcher = Watcher(lambda: [tmp_path], seen)
        task = asyncio.create_task(watcher.run())
        await watcher.ready.wait()
        before = len(looks)
        if kind == "gone":
            file.unlink()
        else:
            file.write_text("two")
        await seen.until("a.md")
        assert seen.looks == before
        (tmp_path / "end.md").write_text("end")
        await seen.until("end.md")
        assert [[path.name for path in call] for call in seen.calls] == [["a.md"], ["end.md"]]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())


def test_a_glance_takes_nothing_that_a_look_would_not(tmp_path: Path) -> None:
    """S-5: what lies in an ignored folder, behind a link or beside the watched ones is not told."""
    watched, beside = tmp_path / "watched", tmp_path / "beside"
    for folder in (watched / ".git", beside):
        folder.mkdir(parents=True)
    (watched / "link").symlink_to(beside)
    before = watch.snapshot([str(watched)])
    new = [watched / "a.md", watched / ".git" / "b", watched / "link" / "c.md", beside / "c.md"]
    for file in new:
        file.write_text("new")
    found = watch._differences([str(watched)], before, [str(file) for file in new])
    assert found.keys() == {str(watched / "a.md")}
    assert {**before, **found}.keys() == watch.snapshot([str(watched)]).keys()


def test_a_folder_is_left_to_a_look_at_everything(tmp_path: Path) -> None:
    """FAULTS, documents: one burst is one rebuild; a folder goes with all that is in it."""
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("a.md", "b.md"):
        (folder / name).write_text("one")
    before = watch.snapshot([str(tmp_path)])
    (folder / "a.md").write_text("two")
    heard = [str(folder / "a.md"), str(folder)]
    assert watch._differences([str(tmp_path)], before, heard) == {}
    shutil.rmtree(folder)
    assert watch._differences([str(tmp_path)], before, heard) == {}
    assert watch._differences([str(tmp_path)], before, heard[:1]) == {heard[0]: None}


def test_what_came_and_what_changed_together_is_told_together(tmp_path: Path) -> None:
    """FAULTS, documents: one burst is one rebuild."""
    file = tmp_path / "a.md"
    file.write_text("one")

    async def scenario() -> None:
        async with watching(tmp_path) as (seen, _):
            (tmp_path / "b.md").write_text("new")
            file.write_text("two")
            await seen.until("a.md", "b.md")
            assert len(seen.calls) == 1

    asyncio.run(scenario())


def test_a_file_that_is_replaced_by_its_new_version_is_told_once(tmp_path: Path) -> None:
    """S-5: editors write beside the file and rename; nobody hears of that twice."""
    file = tmp_path / "a.md"
    file.write_text("one")

    async def scenario() -> None:
        async with watching(tmp_path) as (seen, _):
            (tmp_path / ".a.tmp").write_text("two")
            (tmp_path / ".a.tmp").rename(file)
            await seen.until("a.md")
            (tmp_path / "end.md").write_text("end")
            await seen.until("end.md")
            assert [[path.name for path in call] for call in seen.calls] == [["a.md"], ["end.md"]]

    asyncio.run(scenario())


def test_a_burst_that_outlasts_the_first_word_of_it_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAULTS, documents: many files changed in a burst are one rebuild, however long it takes."""
    monkeypatch.setattr(watch, "_MANY", 20)
    monkeypatch.setattr(watch, "_LONGEST_BURST", 0.4)
    for number in range(200):
        (tmp_path / f"{number}.md").write_text("one")
    writer = (
        "import pathlib, sys, time\n"
        "for number in range(200):\n"
        "    pathlib.Path(sys.argv[1], f'{number}.md').write_text('two')\n"
        "    time.sleep(0.003)\n"
    )

    async def scenario() -> None:
        async with watching(tmp_path) as (seen, _):
            monkeypatch.setattr(watch, "_LONGEST_BURST", 10.0)
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-c", writer, str(tmp_path)
            )
            await process.wait()
            await seen.until(*(f"{number}.md" for number in range(200)))
            (tmp_path / "end.md").write_text("end")
            await seen.until("end.md")
            assert [len(call) for call in seen.calls] == [200, 1]

    asyncio.run(scenario())


def test_ending_a_watch_does_not_hold_up_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-8, R-10: a server of many projects ends many watches, and waits for none of them alone."""
    ended: list[bool] = []
    close = watch.Listener.close

    def closed(listener: watch.Listener) -> None:
        ended.append(listener.ended.is_set())
        close(listener)

    monkeypatch.setattr(watch.Listener, "close", closed)

    async def run() -> None:
        async with watching(tmp_path, debounce=0.5):
            assert ended == []

    asyncio.run(run())
    assert ended and all(ended)


@pytest.mark.parametrize("change", ["came", "went", "was replaced"])
def test_a_lost_notification_about_a_name_is_made_up_for_at_the_next_beat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """R-16, S-5: the folders show it, however long a look at every file would take."""
    monkeypatch.setattr(watch, "_HEARTBEAT", 0.05)
    monkeypatch.setattr(watch, "_SHARE", 1e-9)  # as if there were a billion files
    monkeypatch.setattr(Watcher, "_notice", lambda *_: None)  # nothing is ever heard
    (tmp_path / "sub").mkdir()
    file = tmp_path / "sub" / "a.md"
    file.write_text("old")
    os.utime(tmp_path / "sub", (1, 1))

    async def scenario() -> None:
        async with watching(tmp_path) as (seen, _):
            if change == "came":
                (tmp_path / "sub" / "new.md").write_text("new")
                await seen.until("new.md")
            elif change == "went":
                file.unlink()
                await seen.until("a.md")
            else:
                (tmp_path / "sub" / "a.new").write_text("new")
                (tmp_path / "sub" / "a.new").replace(file)
                await seen.until("a.md")

    asyncio.run(scenario())


def test_a_lost_notification_about_a_text_is_made_up_for_by_a_look_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-5: writing into a file leaves its folder as it was; every file is looked at, in time."""
    monkeypatch.setattr(watch, "_HEARTBEAT", 0.05)
    monkeypatch.setattr(Watcher, "_notice", lambda *_: None)
    monkeypatch.setattr(watch, "_has_stirred", lambda folders: False)
    file = tmp_path / "a.md"
    file.write_text("old")

    async def scenario() -> None:
        async with watching(tmp_path) as (seen, _):
            file.write_text("new text")
            await seen.until("a.md")

    asyncio.run(scenario())


def test_quiet_folders_are_no_reason_to_look_at_all_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-16: while nothing happens, a beat costs a look at the folders alone."""
    (tmp_path / "a.md").write_text("a")
    os.utime(tmp_path, (1, 1))
    beats = 0
    looks = 0
    stirred, snapshot = watch._has_stirred, watch.snapshot

    def beat(folders: watch.Folders) -> bool:
        nonlocal beats
        beats += 1
        return stirred(folders)

    def look(*given: object) -> watch.Snapshot:
        nonlocal looks
        looks += 1
        return snapshot(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(watch, "_HEARTBEAT", 0.02)
    monkeypatch.setattr(watch, "_SHARE", 1e-9)
    monkeypatch.setattr(watch, "_has_stirred", beat)
    monkeypatch.setattr(watch, "snapshot", look)

    async def scenario() -> None:
        async with watching(tmp_path):
            await until_async(lambda: beats >= 5)

    asyncio.run(scenario())
    assert looks == 1


def test_a_clock_that_is_ahead_hides_no_change_of_a_folder(tmp_path: Path) -> None:
    """S-5: a network file system may keep its own time; names that come or go are seen by it."""
    ahead = time.time_ns() + 3600 * 10**9
    os.utime(tmp_path, ns=(ahead, ahead))
    folders: watch.Folders = {}
    watch.snapshot([str(tmp_path)], folders)
    assert not watch._has_stirred(folders)
    os.utime(tmp_path, ns=(ahead + 10**9, ahead + 10**9))
    assert watch._has_stirred(folders)
