"""Opening below a folder, by the kernel and step by step: the same answers from both."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolcrib.files import beneath as opening
from toolcrib.files.beneath import FILE, FOLDER, NAME, Opener, open_by_kernel, open_by_steps


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A root with links of every kind, and a secret beside it."""
    root = tmp_path / "root"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "deep.md").write_text("deep")
    (root / "top.md").write_text("top")
    (tmp_path / "secret.md").write_text("secret")
    for name, target in {
        "inside": "a/b/deep.md",
        "a/up": "../top.md",
        "a/b/around": "../../a/../top.md",
        "folder": "a/b",
        "chain1": "chain2",
        "chain2": "inside",
        "loop1": "loop2",
        "loop2": "loop1",
        "self": "self",
        "dangling": "nowhere",
        "out": "../secret.md",
        "out_folder": "..",
        "absolute": str(tmp_path / "secret.md"),
        "absolute_inside": str(root / "top.md"),
        "a/far": "../../../../../../../../etc/passwd",
        "here": ".",
    }.items():
        (root / name).symlink_to(target)
    return root


def outcome(opener: Opener, root: Path, path: str, flags: int = FILE) -> str | int | None:
    """The file's text, or the number of the error."""
    folder = os.open(root, FOLDER)
    try:
        descriptor = opener(folder, path, flags)
    except OSError as error:
        return error.errno
    finally:
        os.close(folder)
    try:
        return os.read(descriptor, 100).decode()
    except IsADirectoryError:
        return "folder"
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("top.md", "top"),
        ("a/b/deep.md", "deep"),
        ("inside", "deep"),
        ("a/up", "top"),
        ("a/b/around", "top"),
        ("folder/deep.md", "deep"),
        ("folder/around", "top"),
        ("chain1", "deep"),
        ("here/here/top.md", "top"),
        (".", "folder"),
        ("folder", "folder"),
    ],
)
def test_what_stays_inside_is_opened(tree: Path, opener: Opener, path: str, text: str) -> None:
    assert outcome(opener, tree, path) == text


@pytest.mark.parametrize(
    ("path", "number"),
    [
        ("out", errno.EXDEV),
        ("absolute", errno.EXDEV),
        ("absolute_inside", errno.EXDEV),
        ("a/far", errno.EXDEV),
        ("out_folder/secret.md", errno.EXDEV),
        ("..", errno.EXDEV),
        ("../secret.md", errno.EXDEV),
        ("a/../../secret.md", errno.EXDEV),
        ("/etc/passwd", errno.EXDEV),
        ("loop1", errno.ELOOP),
        ("self", errno.ELOOP),
        ("dangling", errno.ENOENT),
        ("nowhere", errno.ENOENT),
        ("top.md/x", errno.ENOTDIR),
        ("a/" * 200 + "x", errno.ENOENT),
        ("x" * 300, errno.ENAMETOOLONG),
    ],
)
def test_what_leads_out_or_nowhere_is_not(
    tree: Path, opener: Opener, path: str, number: int
) -> None:
    assert outcome(opener, tree, path) == number


def test_a_name_only_descriptor_leads_to_the_file_and_not_to_the_link(
    tree: Path, opener: Opener
) -> None:
    folder = os.open(tree, FOLDER)
    descriptor = opener(folder, "inside", NAME)
    assert os.fstat(descriptor).st_ino == (tree / "a/b/deep.md").stat().st_ino
    os.close(descriptor)
    os.close(folder)


def test_no_descriptor_is_left_behind(tree: Path, opener: Opener) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for path in ("inside", "a/b/around", "out", "loop1", "a/b/deep.md/x", "dangling", "a/far"):
        outcome(opener, tree, path)
    assert len(os.listdir("/proc/self/fd")) == before


STEPS = st.sampled_from(
    ["a", "b", "..", ".", "", "top.md", "inside", "folder", "here", "out", "loop1", "up", "x"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, min_size=1, max_size=6).map("/".join).filter(lambda path: path[:1] != "/"))
def test_both_ways_agree_on_any_path(tree: Path, path: str) -> None:
    by_kernel = outcome(open_by_kernel, tree, path)
    by_steps = outcome(open_by_steps, tree, path)
    both = (by_kernel, by_steps)
    # An empty path, or a trailing slash after a file: `Root` lets neither through.
    if path == "" or path.endswith(("/", "/.")):
        assert "secret" not in both
    else:
        assert isinstance(by_kernel, int) == isinstance(by_steps, int), both
        if isinstance(by_kernel, str):
            assert by_kernel == by_steps


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EPERM])
def test_without_the_system_call_it_goes_step_by_step(
    tree: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """An old kernel says ENOSYS, a container's filter EPERM."""
    monkeypatch.setattr(opening, "_openat2", lambda *_: (number, -1))
    opening._kernel_or_steps.cache_clear()
    try:
        assert opening._kernel_or_steps() is open_by_steps
        assert outcome(opening.open_beneath, tree, "inside") == "deep"
        assert outcome(opening.open_beneath, tree, "out") == errno.EXDEV
    finally:
        opening._kernel_or_steps.cache_clear()


def test_a_rename_at_the_wrong_moment_is_tried_again(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel answers EAGAIN when it cannot promise that the path stayed inside."""
    answers = [(errno.EAGAIN, -1), (errno.EINTR, -1)]
    real = opening._openat2
    monkeypatch.setattr(
        opening, "_openat2", lambda *given: answers.pop() if answers else real(*given)
    )
    assert outcome(open_by_kernel, tree, "inside") == "deep"
    assert not answers
