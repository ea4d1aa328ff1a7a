"""Files of the project in a command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.policy.trust.acting import SCRIPT
from toolcrib.policy.trust.scripts import named_paths, script_files


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "x.sh").write_text("echo x\n")
    return tmp_path


@pytest.mark.parametrize(
    "word",
    [
        "tools/x.sh", "./tools/x.sh", "tools/../tools/x.sh", "{repo}/tools/x.sh", "$REPO/tools/x.sh",  # noqa: E501
        "--config=tools/x.sh", "sh ./tools/x.sh", "cd tools && ./tools/x.sh;", "a,tools/x.sh",
    ],
)  # fmt: skip
def test_a_path_is_found_in_whatever_way_a_word_names_it(
    repo: Path, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-2: files of the project in a command line act where it has a grant."""
    monkeypatch.setenv("REPO", str(repo))
    found = script_files(named_paths([word.format(repo=repo)], repo), repo)
    assert [(file.path, file.kind) for file in found] == [("tools/x.sh", SCRIPT)]


def test_the_working_folder_counts_and_what_lies_outside_does_not(repo: Path) -> None:
    """T-2: relative to where it runs; never a file of somebody else."""
    assert "tools/x.sh" in named_paths(["x.sh"], repo, "tools")
    assert named_paths(["../x.sh", "/etc/passwd", "-x", ".", "~/x"], repo) == []
