"""Configs and policy together, loaded and loaded anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.files.content_cache import ContentCache
from toolcrib.packs.climax.config.config_set import load_config_set, reload_config_set
from toolcrib.packs.climax.settings import ClimaxSettings

FILES = 25
SETTINGS = ClimaxSettings(configs=("cli/*.yaml",))


def _write(project: Path, number: int, about: str) -> None:
    (project / "cli").mkdir(exist_ok=True)
    (project / "cli" / f"{number:02}.yaml").write_text(
        f"command: tool{number}\nname: tool{number}\ntools:\n"
        f"  - {{name: do_{number}, description: {about}, command: do}}\n"
    )


def test_of_many_files_only_the_changed_one_is_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-16: a changed config costs what that file costs, the first time and every other time."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    for number in range(FILES):
        _write(tmp_path, number, "Do it")
    load_config_set(tmp_path, SETTINGS)  # so that what was made of the files is kept
    before = load_config_set(tmp_path, SETTINGS)
    looked_up: list[bytes] = []
    get = ContentCache.get

    def noted(cache: ContentCache, kind: str, source: bytes) -> list[bytes] | None:
        looked_up.append(source)
        return get(cache, kind, source)

    monkeypatch.setattr(ContentCache, "get", noted)
    for about in ("Do something else", "Do it once more"):
        _write(tmp_path, 7, about)
        looked_up.clear()
        before = reload_config_set(before, tmp_path, SETTINGS)
        assert looked_up == [(tmp_path / "cli" / "07.yaml").read_bytes()]
        tools = {tool.name: tool.description for each in before.configs for tool in each.tools}
        assert tools == {f"do_{n}": "Do it" for n in range(FILES)} | {"do_7": about}
