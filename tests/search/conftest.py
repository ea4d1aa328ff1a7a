"""A small crib of tools, and the data for measuring where it is at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from toolcrib.discovery.tool_fields import tool_index, tool_item
from toolcrib.search.index import Index

TOOLS = [
    ("git_commit", "Record changes to the repository", "git", ["message Use this text as the log"]),
    ("git_log", "Show the commits that lead to here", "git", ["--oneline One line for each"]),
    ("git_branch_list", "List the branches", "git", ["--all Remote ones as well"]),
    ("docker_commit", "Make an image from a container", "docker", ["--author Who made it"]),
    ("docker_ps", "List containers", "docker", ["--all Stopped ones as well"]),
    ("docker_rmi", "Delete images", "docker", ["--force Even if it is in use"]),
    ("listFiles", "Names of what lies in a folder", "posix", ["--recursive Below it as well"]),
    ("tar_create", "Pack files into an archive", "posix", ["--gzip Make it smaller"]),
]


@pytest.fixture
def crib() -> Index:
    """The tools above, lexically: what is measured must not hang on a thread."""
    index = tool_index(semantic=False)
    for name, description, cli, arguments in TOOLS:
        index.add_all(
            [tool_item(name, description, cli=cli, arguments=arguments, categories=["dev"])]
        )
    return index


@pytest.fixture
def keys() -> Callable[..., list[str]]:
    """The keys that a search answers, best first."""

    def search(index: Index, query: str, **more: object) -> list[str]:
        return [hit.key for hit in index.search(query, **more).hits]  # type: ignore[arg-type]

    return search


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with queries and what they should find; it is no part of the project."""
    folder = Path(__file__).resolve().parents[3] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("no benchmark data beside the project")
    return folder
