"""A repository made of a few strings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.settings import ArchitectureSettings

Write = Callable[[Mapping[str, str]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files, by their paths in a project; returns the project."""

    def written(files: Mapping[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return written


@pytest.fixture
def shelve(write: Write) -> Callable[..., Library]:
    """A library over files, by their paths in the project."""

    def shelved(files: Mapping[str, str], **settings: tuple[str, ...] | bool) -> Library:
        return Library(write(files), ArchitectureSettings(**settings))  # type: ignore[arg-type]

    return shelved
