"""R-11: a project that is a link: swapping the link is one change."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from support.replica import Replica
from toolcrib.files.identity import project_identity, state_identity


def checkout(folder: Path, text: str) -> Path:
    """A repository with two documents that say the same, committed."""
    for name in ("one", "two"):
        place = folder / "guide" / "docs" / f"{name}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"# {name}\n\nrevision {text}\n")
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@example.com"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", text]):
        subprocess.run([*git, *words], check=True)
    return folder


def head(folder: Path) -> str:
    said = subprocess.run(
        ["git", "-C", str(folder), "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    )
    return said.stdout.strip()


def swap(link: Path, target: Path) -> None:
    """Have the link lead elsewhere, in one step."""
    draft = link.with_name("draft")
    draft.symlink_to(target)
    os.replace(draft, link)


@pytest.fixture
def link(tmp_path: Path) -> Path:
    checkout(tmp_path / "r1", "first")
    checkout(tmp_path / "r2", "second")
    made = tmp_path / "current"
    made.symlink_to(tmp_path / "r1")
    return made


@pytest.fixture
def replica(link: Path, tmp_path: Path):
    env = {"TOOLCRIB_STATE": str(tmp_path / "state")}
    with Replica(tmp_path, "--project", str(link), env=env) as made:
        yield made


def content(replica: Replica) -> str:
    found = replica.call("guide_get_content", {"expression": "docs"})
    assert not found["isError"], found
    return str(found["structuredContent"])


def ready(replica: Replica) -> Any:
    import json

    return json.loads(replica.request("GET", "/readyz", None, {})[2])


def test_a_swapped_link_is_served_as_one_change_without_an_error(replica, link, tmp_path):
    """R-11: within 2 s, no answer mixes two revisions, 0 errors; the revision is told."""
    assert content(replica).count("revision first") == 2
    assert ready(replica)["revision"] == head(tmp_path / "r1")
    seen: list[str] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            seen.append(content(replica))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    time.sleep(1)  # no event: the watch stands
    swap(link, tmp_path / "r2")
    end = time.monotonic() + 10
    while not (seen and "revision second" in seen[-1]):
        assert time.monotonic() < end
        time.sleep(0.02)  # no event: readers go on
    stop.set()
    for reader in readers:
        reader.join()
    kinds = {(text.count("revision first"), text.count("revision second")) for text in seen}
    assert kinds == {(2, 0), (0, 2)}
    assert ready(replica)["revision"] == head(tmp_path / "r2")


def test_flags_stay_with_the_link_when_it_is_swapped(replica, link, tmp_path):
    """R-11: the identity of the project is where the link lies."""
    assert not replica.call("guide_set_project_flag", {"name": "x", "value": "kept"})["isError"]
    content(replica)
    time.sleep(1)  # no event: the watch stands
    swap(link, tmp_path / "r2")
    end = time.monotonic() + 10
    while "revision second" not in content(replica):
        assert time.monotonic() < end
    found = replica.call("guide_get_project_flag", {"name": "x"})
    assert found["structuredContent"]["value"] == "kept"


def test_a_link_that_leads_nowhere_leaves_what_is_served(replica, link, tmp_path):
    """R-11, FAULTS: 0 errors: the last good revision stays."""
    content(replica)
    swap(link, tmp_path / "nowhere")
    time.sleep(2.5)  # no event: nothing may happen
    assert content(replica).count("revision first") == 2


def test_identities_of_links_worktrees_and_folders(link, tmp_path):
    """R-11: a link is its place and name; a worktree its main checkout, but for flags."""
    assert project_identity(link) == str(tmp_path.resolve() / "current")
    assert state_identity(link) == str(tmp_path.resolve() / "current")
    real = tmp_path / "r1"
    assert project_identity(real) == state_identity(real) == str(real.resolve())
    tree = tmp_path / "tree"
    subprocess.run(
        ["git", "-C", str(real), "worktree", "add", "-q", str(tree)],
        check=True,
        capture_output=True,
    )
    assert project_identity(tree) == str(real.resolve())
    assert state_identity(tree) == str(tree.resolve())
