"""A root: reading, listing, and a folder that comes and goes."""

from __future__ import annotations

import os
import shutil
import threading
import time
from pathlib import Path

import pytest

from support.growth import assert_costs_at_most
from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.files import root as root_module
from toolcrib.files.beneath import Opener
from toolcrib.files.root import Root, RootUnavailable


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "docs"
    (path / "sub").mkdir(parents=True)
    (path / "a.md").write_bytes(b"\xef\xbb\xbf# A\r\n")
    (path / "sub" / "b.md").write_text("# B")
    (path / "sub" / "c.txt").write_text("c")
    (path / ".hidden.md").write_text("h")
    return path


def test_a_file_is_read_verbatim_with_its_identity(folder: Path, opener: Opener) -> None:
    blob = Root(folder, opener=opener).read("a.md")
    found = (folder / "a.md").stat()
    assert blob.data == b"\xef\xbb\xbf# A\r\n"
    assert blob.entry.path == "a.md"
    assert (blob.entry.inode, blob.entry.device) == (found.st_ino, found.st_dev)
    assert (blob.entry.size, blob.entry.mtime_ns) == (8, found.st_mtime_ns)


@pytest.mark.parametrize("spelling", ["sub/b.md", "./sub/b.md", "sub//b.md", "sub/./b.md"])
def test_harmless_spellings_mean_the_same_file(folder: Path, spelling: str) -> None:
    assert Root(folder).read(spelling).entry.path == "sub/b.md"


def test_stat_knows_what_read_would_find(folder: Path, opener: Opener) -> None:
    root = Root(folder, opener=opener)
    assert root.stat("sub/b.md") == root.read("sub/b.md").entry
    assert root.stat("nope.md") is None
    assert root.stat("../docs/a.md") is None
    assert root.stat("sub") is None


def test_a_walk_lists_files_sorted_by_path(folder: Path, opener: Opener) -> None:
    (folder / "sub.md").write_text("sorts before the folder's content")
    (folder / "sub-1").mkdir()
    (folder / "sub-1" / "x.md").write_text("x")
    (folder / "link.md").symlink_to("sub/b.md")
    (folder / "more").symlink_to("sub")
    root = Root(folder, opener=opener)
    paths = [entry.path for entry in root.walk()]
    assert paths == sorted(paths)
    assert paths == ["a.md", "link.md", "sub-1/x.md", "sub.md", "sub/b.md", "sub/c.txt"]


def test_a_walk_can_be_narrowed(folder: Path) -> None:
    (folder / "sub" / "D.MD").write_text("d")
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("x")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "r.md").write_text("r")
    root = Root(folder)

    def paths(*folder: str, **options: object) -> list[str]:
        return [entry.path for entry in root.walk(*folder, **options)]

    skip = ("node_modules",)
    assert paths("sub") == ["sub/D.MD", "sub/b.md", "sub/c.txt"]
    assert paths(suffixes=[".md"], skip=skip) == ["a.md", "sub/D.MD", "sub/b.md"]
    assert paths(hidden=True, skip=skip)[0] == ".hidden.md"
    assert not any(".git" in path for path in paths(hidden=True))
    assert paths(limit=2) == ["a.md", "node_modules/r.md"]
    assert paths("nowhere") == []
    with pytest.raises(FileRefused):
        paths("../docs")


def test_ten_thousand_files_are_listed_in_a_moment(tmp_path: Path, opener: Opener) -> None:
    for number in range(100):
        folder = tmp_path / f"{number:02}"
        folder.mkdir()
        for name in range(100):
            (folder / f"{name}.md").touch()
    root = Root(tmp_path, opener=opener)
    root.available()
    times = []
    for _ in range(3):  # the best of three: a machine may be busy with something else
        started = time.process_time()
        assert len(root.walk(suffixes=(".md",))) == 10_000
        times.append(time.process_time() - started)
    assert_costs_at_most(min(times), 40)


def test_a_folder_that_goes_is_unavailable_and_recovers_by_itself(
    folder: Path, opener: Opener
) -> None:
    """Documents: folder deleted, renamed, and back: unavailable, recovery without a restart."""
    root = Root(folder, opener=opener)
    assert root.available()
    folder.rename(folder.with_name("moved"))
    assert not root.available()
    for use in (lambda: root.read("a.md"), root.walk):
        with pytest.raises(RootUnavailable, match="The folder docs is unavailable") as caught:
            use()
        assert str(folder.parent) not in str(caught.value)
    assert root.stat("a.md") is None
    folder.mkdir()
    (folder / "new.md").write_text("new")
    assert [entry.path for entry in root.walk()] == ["new.md"]
    shutil.rmtree(folder)
    folder.with_name("moved").rename(folder)
    assert root.read("sub/b.md").data == b"# B"


def test_a_root_that_never_existed_is_unavailable(tmp_path: Path) -> None:
    root = Root(tmp_path / "nowhere")
    assert not root.available()
    (tmp_path / "nowhere").write_text("not a folder")
    assert not root.available()


def test_a_root_can_be_confined_itself(tmp_path: Path, opener: Opener) -> None:
    """A folder of a hostile repo may be a link to anywhere."""
    project = tmp_path / "project"
    (project / "real").mkdir(parents=True)
    (project / "real" / "a.md").write_text("a")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("secret")
    link = project / "directive"
    root = Root(link, within=project, opener=opener)
    assert not root.available()
    link.symlink_to("real")
    assert root.read("a.md").data == b"a"
    link.unlink()
    link.symlink_to(outside)
    assert not root.available()
    with pytest.raises(RootUnavailable):
        root.read("a.md")
    link.unlink()
    link.symlink_to("../outside")
    assert not root.available()
    link.unlink()
    link.symlink_to("real")
    assert root.read("a.md").data == b"a"


def test_a_file_that_changes_during_the_read_is_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents: changed during the read: one consistent version."""
    real, left = root_module._bytes, [1]

    def interrupted(descriptor: int, size: int) -> bytes:
        data = real(descriptor, size)
        if left:
            left.pop()
            (folder / "a.md").write_text("a longer version")
        return data

    monkeypatch.setattr(root_module, "_bytes", interrupted)
    assert Root(folder).read("a.md").data == b"a longer version"


def test_a_file_that_never_holds_still_is_said_to_have_changed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents: truncated during the read: "changed, try again"."""
    real = root_module._bytes

    def interrupted(descriptor: int, size: int) -> bytes:
        with (folder / "a.md").open("ab") as file:
            file.write(b"more")
        return real(descriptor, size)

    monkeypatch.setattr(root_module, "_bytes", interrupted)
    with pytest.raises(FileUnreadable, match=r"a\.md changed while it was read, try again"):
        Root(folder).read("a.md")


def test_a_write_within_one_tick_of_the_clock_is_noticed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same size and the same time stamps, as a coarse clock would leave them."""
    target = folder / "a.md"
    real, reads = root_module._bytes, []
    versions = iter([b"version 1", b"version 2", b"version 3", b"version 3"])

    def rewritten(descriptor: int, size: int) -> bytes:
        reads.append(real(descriptor, size))
        return next(versions)

    monkeypatch.setattr(root_module, "_bytes", rewritten)
    target.write_bytes(b"version x")
    later = time.time_ns() + 10**9
    os.utime(target, ns=(later, later))
    assert Root(folder).read("a.md").data == b"version 3"


def test_threads_may_share_a_root_while_its_folder_is_replaced(
    folder: Path, opener: Opener
) -> None:
    """No thread ever reads through a descriptor that another one has closed."""
    root = Root(folder, opener=opener)
    wrong: list[object] = []
    stop = threading.Event()

    def reader() -> None:
        while not stop.is_set():
            try:
                data = root.read("sub/b.md").data
            except (FileRefused, FileUnreadable):
                continue
            except BaseException as error:
                wrong.append(error)
                return
            if data != b"# B":
                wrong.append(data)

    threads = [threading.Thread(target=reader) for _ in range(3)]
    for thread in threads:
        thread.start()
    twin = folder.with_name("twin")
    shutil.copytree(folder, twin)
    for _ in range(100):
        folder.rename(folder.with_name("aside"))
        twin.rename(folder)
        folder.with_name("aside").rename(twin)
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_closed_root_takes_hold_again_and_leaks_nothing(folder: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    root = Root(folder, within=folder.parent)
    for _ in range(3):
        assert root.read("sub/b.md").data == b"# B"
        root.walk()
        root.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_root_made_for_one_read_leaves_no_descriptor_behind(folder: Path) -> None:
    """10,000 calls: the number of open files constant."""
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        Root(folder, within=folder.parent).read("a.md")
    assert len(os.listdir("/proc/self/fd")) == before
