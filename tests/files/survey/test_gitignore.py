"""A-10: what git ignores is not looked at; git itself says what that is."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcrib.files.survey.gitignore import is_ignored, read_ignore_file

NAMES = ("a", "b", "docs", "x.md", "y.log", "build")
PATHS = ["b/a", "a/docs/x.md", "build/x.md", "docs/build", "docs/y.log", "x.md", "b/docs/a", "y"]


def ask_git(folder: Path, paths: list[str]) -> set[str]:
    """What `git check-ignore` says of files, without what only a folder above makes so."""
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "--stdin"],
        cwd=folder, input="\n".join(paths), capture_output=True, text=True, check=False,
    )  # fmt: skip
    return set(done.stdout.split())


def ask_us(text: str, paths: list[str]) -> set[str]:
    """The same by our rules: a path is ignored where a folder above it is."""
    files = [read_ignore_file("", text)]
    found = set()
    for path in paths:
        parts = path.split("/")
        above = ["/".join(parts[:count]) for count in range(1, len(parts))]
        ignored = any(is_ignored(files, each, folder=True) for each in above)
        if ignored or is_ignored(files, path, folder=False):
            found.add(path)
    return found


@pytest.mark.parametrize(
    ("text", "ignored"),
    [
        ("build/\n", {"build/x.md"}),
        ("/a\n", {"a/docs/x.md"}),
        ("*.md\n!x.md\n", set()),
        ("# a\n\n\\#a\n", set()),
        ("docs/*\n!docs/y.log\n", {"docs/build"}),
        ("**/docs\n", {"a/docs/x.md", "docs/build", "docs/y.log", "b/docs/a"}),
        ("[\n*.log\n", {"docs/y.log"}),
    ],
)
def test_patterns_mean_what_git_means_by_them(text: str, ignored: set[str]) -> None:
    """A-10: anchors, folders, negation, comments; a line that cannot be read is left out."""
    assert ask_us(text, PATHS) == ignored


piece = st.sampled_from([*NAMES, "*", "**", "*.md", "?", "y.*", "[ab]"])
line = st.builds(
    lambda again, anchor, parts, end: again + anchor + "/".join(parts) + end,
    st.sampled_from(["", "!"]), st.sampled_from(["", "/"]),
    st.lists(piece, min_size=1, max_size=3), st.sampled_from(["", "/", " "]),
)  # fmt: skip


@settings(max_examples=60)
@given(lines=st.lists(line, min_size=1, max_size=4))
def test_any_file_is_read_as_git_reads_it(lines: list[str]) -> None:
    """A-10: compared with git on files that are made up."""
    text = "\n".join(lines)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        (folder / ".gitignore").write_text(text + "\n")
        for path in PATHS:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text("")
        assert ask_us(text, PATHS) == ask_git(folder, PATHS)
