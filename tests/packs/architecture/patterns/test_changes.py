"""Which lines a change touches, in a repository that nobody trusts."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.waiting import until
from toolcrib.core.errors import UsageError
from toolcrib.packs.architecture.patterns.changes import _ranges, changed_lines, touches

CAP = 1 << 20


def git(repo: Path, *words: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.fsmonitor=false")
    done = subprocess.run(
        ["git", *who, *words], cwd=repo, check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.py").write_text("one\ntwo\nthree\n")
    (folder / "same.py").write_text("same\n")
    (folder / "notes.txt").write_text("text\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def test_changed_new_and_untracked_files_are_told_with_their_lines(repo: Path) -> None:
    """A-6: --diff: changed lines and new files; what is ignored or no code is left out."""
    (repo / "a.py").write_text("one\n2\nthree\nfour\n")
    (repo / "added.py").write_text("x\n")
    git(repo, "add", "added.py")
    (repo / "new.py").write_text("x\n")
    (repo / "ignored.py").write_text("x\n")
    (repo / ".gitignore").write_text("ignored.py\n")
    (repo / "notes.txt").write_text("other\n")
    lines = changed_lines(repo, "HEAD", CAP)
    assert lines == {"a.py": [range(2, 3), range(4, 5)], "added.py": None, "new.py": None}
    assert touches(lines, "a.py", 2) and not touches(lines, "a.py", 1)
    assert touches(lines, "new.py", 99) and not touches(lines, "same.py", 1)


def test_a_finding_of_several_lines_belongs_to_a_change_of_any_of_them(repo: Path) -> None:
    """A-6: --diff: a call that begins in a line that stayed, and a line taken out of it."""
    (repo / "a.py").write_text("one\n2\nthree\n")
    (repo / "same.py").write_text("begin\nmiddle\nend\n")
    git(repo, "commit", "-qam", "second")
    (repo / "a.py").write_text("one\ntwo\nthree\n")
    (repo / "same.py").write_text("begin\nend\n")
    lines = changed_lines(repo, "HEAD", CAP)
    assert touches(lines, "a.py", 1, 3) and not touches(lines, "a.py", 3, 9)
    assert touches(lines, "same.py", 1, 2)
    assert not touches(lines, "same.py", 1) and not touches(lines, "same.py", 2, 9)


def test_what_others_did_meanwhile_is_not_of_this_change(repo: Path) -> None:
    """A-6: --diff=main on a branch that main has left behind."""
    main = git(repo, "symbolic-ref", "--short", "HEAD").strip()
    git(repo, "checkout", "-qb", "topic")
    (repo / "mine.py").write_text("x\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "mine")
    git(repo, "checkout", "-q", main)
    (repo / "a.py").write_text("one\nother\nthree\n")
    (repo / "same.py").unlink()
    git(repo, "commit", "-qam", "theirs")
    git(repo, "checkout", "-q", "topic")
    assert changed_lines(repo, main, CAP) == {"mine.py": None}


def test_a_revision_that_never_parted_is_compared_with_itself(repo: Path) -> None:
    """A-6: a history of its own, as a shallow clone has it."""
    git(repo, "checkout", "-q", "--orphan", "other")
    (repo / "a.py").write_text("one\n2\nthree\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "other")
    (first,) = git(repo, "rev-list", "--all", "--not", "other").split()
    assert changed_lines(repo, first, CAP) == {"a.py": [range(2, 3)]}


def test_a_folder_in_the_place_of_a_revision_is_told(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A-6: `--diff src` takes the word for a revision; the error says where it belongs."""
    (repo / "src").mkdir()
    monkeypatch.chdir(repo)
    with pytest.raises(UsageError) as told:
        changed_lines(repo, "src", CAP)
    assert told.value.next == (
        "Files stand before the option: toolcrib architecture check src --diff"
    )


def test_a_project_below_the_top_of_its_repository_has_names_of_its_own(repo: Path) -> None:
    """A-6: a project that is a folder of a repository."""
    (repo / "part").mkdir()
    (repo / "part" / "b.py").write_text("b\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "second")
    (repo / "part" / "b.py").write_text("b\nc\n")
    (repo / "a.py").write_text("changed\n")
    assert changed_lines(repo / "part", "HEAD", CAP) == {"b.py": [range(2, 3)]}


def test_other_line_endings_are_no_change(repo: Path) -> None:
    """A-6: a checkout with `core.autocrlf` has other bytes and the same lines."""
    (repo / "a.py").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    assert changed_lines(repo, "HEAD", CAP) == {}


def test_a_file_whose_old_content_is_not_here_counts_as_a_whole(repo: Path) -> None:
    """A-6: in a partial clone nothing is fetched to find out."""
    digest = git(repo, "rev-parse", "HEAD:a.py").strip()
    (repo / ".git" / "objects" / digest[:2] / digest[2:]).unlink()
    (repo / "a.py").write_text("other\n")
    assert changed_lines(repo, "HEAD", CAP) == {"a.py": None}


def test_no_program_that_the_repository_names_is_started(repo: Path, tmp_path: Path) -> None:
    """T-1: `filter`, `fsmonitor`, `textconv`, external diffs, pagers, gpg, hooks, aliases and the
    fetching of a partial clone: none of them runs when a change is looked at.
    """
    mark = tmp_path / "mark"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {mark}\ncat\n")
    program.chmod(0o755)
    (repo / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    config = f"""
[core]
\tfsmonitor = {program}
\tpager = {program}
\teditor = {program}
\tsshCommand = {program}
\thooksPath = {repo}/hooks
[filter "evil"]
\tclean = {program}
\tsmudge = {program}
\tprocess = {program}
\trequired = true
[diff]
\texternal = {program}
[diff "evil"]
\ttextconv = {program}
\tcommand = {program}
[gpg]
\tprogram = {program}
[log]
\tshowSignature = true
[alias]
\tls-tree = !{program}
\tls-files = !{program}
[pager]
\tls-tree = true
\tls-files = true
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = ext::{program}
\tpromisor = true
\tpartialclonefilter = blob:none
\tuploadpack = {program}
[protocol]
\tallow = always
"""
    with (repo / ".git" / "config").open("a") as file:
        file.write(config)
    hooks = repo / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\necho x >> {mark}\n")
        (hooks / name).chmod(0o755)
    digest = git(repo, "rev-parse", "HEAD:same.py").strip()
    (repo / ".git" / "objects" / digest[:2] / digest[2:]).unlink()
    for name in ("a.py", "same.py"):
        (repo / name).write_text("changed\n")
        os.utime(repo / name, (0, 0))
    lines = changed_lines(repo, "HEAD", CAP)
    assert not mark.exists()
    assert lines["a.py"] == [range(1, 2)] and lines["same.py"] is None
    # The trap works: git itself would have run them. It may wait for its program, and that for it.
    trapped = subprocess.Popen(
        ["git", "diff", "--no-ext-diff", "HEAD"],
        cwd=repo,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until(mark.exists)
    finally:
        os.killpg(trapped.pid, signal.SIGKILL)
        trapped.wait()


def test_a_git_in_the_repository_is_not_started(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-14: what toolcrib starts itself is never found below the project."""
    mark = tmp_path / "mark"
    for folder in (repo, repo / "node_modules" / ".bin"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "git").write_text(f"#!/bin/sh\ntouch {mark}\n")
        (folder / "git").chmod(0o755)
    real = str(Path(shutil.which("git") or "").parent)
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PATH", f".:{repo}:{repo}/node_modules/.bin:{real}")
    changed_lines(repo, "HEAD", CAP)
    assert not mark.exists()
    monkeypatch.setenv("PATH", f".:{repo}")
    with pytest.raises(UsageError, match="outside of this repository"):
        changed_lines(repo, "HEAD", CAP)


@given(st.lists(st.sampled_from("abc\n"), max_size=30), st.lists(st.sampled_from("abc\n")))
def test_lines_that_are_not_named_are_as_they_were(old: list[str], new: list[str]) -> None:
    """A-6: every line outside of the ranges stood in the old file, in this order."""
    before, now = "".join(old), "".join(new)
    ranges = _ranges(before.encode(), now.encode())
    lines = now.split("\n")
    if ranges is None:
        assert before == now
        return
    kept = [line for at, line in enumerate(lines, 1) if not any(at in each for each in ranges)]
    rest = iter(before.split("\n"))
    assert all(any(line == each for each in rest) for line in kept)


def test_before_the_first_commit_every_file_is_new(tmp_path: Path) -> None:
    """A hook that checks what is about to be committed works for the first commit, too."""
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("one\n")
    git(tmp_path, "add", ".")
    assert changed_lines(tmp_path, "HEAD", CAP) == {"a.py": None}
    with pytest.raises(UsageError, match="what has changed"):
        changed_lines(tmp_path, "main~1", CAP)
