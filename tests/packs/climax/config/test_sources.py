"""Which files are meant, and how messages call them."""

from __future__ import annotations

import string
from pathlib import Path, PurePosixPath

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.climax.config.sources import (
    BUNDLED,
    bundled_names,
    find_configs,
    is_bundled,
    shown_path,
)

NAMES = st.text(string.ascii_letters + "._- ", min_size=1, max_size=6).filter(
    lambda name: name.strip(". ") != ""
)


@given(st.lists(NAMES, min_size=1, max_size=4), st.lists(NAMES, max_size=3), st.booleans())
def test_a_path_is_shown_from_where_the_person_stands(
    parts: list[str], base: list[str], below: bool
) -> None:
    """C-1: as pathlib would say it, whatever the names are."""
    folder = PurePosixPath("/", *base)
    path = PurePosixPath(folder, *parts) if below else PurePosixPath("/", *parts)
    told = str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path)
    if path != folder:
        assert shown_path(Path(path), Path(folder)) == told


def test_what_came_with_toolcrib_is_called_by_its_name(tmp_path: Path) -> None:
    """C-1: a bundled config is no file of the repository."""
    assert shown_path(BUNDLED / "git.yaml", tmp_path) == "git (bundled)"
    assert is_bundled(str(BUNDLED / "git.yaml")) and not is_bundled(f"{BUNDLED}-mine/git.yaml")
    assert "git" in bundled_names()


def test_a_policy_is_no_config_though_a_pattern_means_both(tmp_path: Path) -> None:
    """C-1: the policy beside configs is taken for one thing only."""
    for name in ("a.yaml", "policy.yaml"):
        (tmp_path / name).write_text("")
    assert find_configs(["*.yaml"], tmp_path, [tmp_path / "policy.yaml"]) == [tmp_path / "a.yaml"]
