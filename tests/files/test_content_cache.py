"""The cache of loaded configs: fast, never stale, never trusted blindly."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcrib.files.content_cache import ContentCache, user_cache
from toolcrib.packs.climax.config.config import load_config

KEY = b"k" * 32
TEXT = """
    name: shop
    command: ~/shop $HOME
    env: {A: b}
    working_dir: x
    category: c
    tags: [t]
    global_args: [{name: g, default: 1}]
    tools:
      - name: one
        description: "Ünïcode\\n and lines"
        command: a 'b c'
        timeout: 5
        args:
          - {name: n, type: integer, enum: [1, 2], default: 2, flag: -n}
          - {name: p, positional: true, required: true}
    extra: warned
"""


@pytest.fixture
def cache(tmp_path: Path) -> ContentCache:
    return ContentCache(tmp_path / "kept", KEY)


def entries(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "kept").iterdir())


def test_what_comes_from_the_cache_is_what_was_parsed(
    write: Callable[..., Path], tmp_path: Path, cache: ContentCache
) -> None:
    """C-1: the same config and the same warnings, parsed or kept."""
    path = write(TEXT)
    parsed, warned = load_config(path, tmp_path)
    load_config(path, tmp_path, cache=cache)
    kept, kept_warnings = load_config(path, tmp_path, cache=cache)
    assert len(entries(tmp_path)) == 1
    assert list(kept.tools) == list(parsed.tools)
    assert [getattr(kept, name) for name in ("base", "env", "name", "category", "tags")] == [
        getattr(parsed, name) for name in ("base", "env", "name", "category", "tags")
    ]
    assert kept.global_args == parsed.global_args
    assert kept.origin("one") == parsed.origin("one")
    assert list(map(str, kept_warnings)) == list(map(str, warned))


def test_a_changed_file_is_never_answered_from_the_cache(
    write: Callable[..., Path], tmp_path: Path, cache: ContentCache
) -> None:
    """C-1: keyed by content: same size and same time stamp do not matter."""
    path = write("command: aaa\ntools: []\n")
    load_config(path, tmp_path, cache=cache)
    before = path.stat()
    path.write_text("command: bbb\ntools: []\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert load_config(path, tmp_path, cache=cache)[0].base == ("bbb",)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-20],
        lambda data: data.replace(b"one", b"two"),
        lambda data: b"garbage" + data,
        lambda data: os.urandom(len(data)),
        lambda data: data.replace(b"toolcrib 1", b"toolcrib 0"),
    ],
    ids=["empty", "torn", "altered", "prefixed", "random", "other version"],
)
def test_a_damaged_entry_counts_as_absent(
    write: Callable[..., Path],
    tmp_path: Path,
    cache: ContentCache,
    damage: Callable[[bytes], bytes],
) -> None:
    """C-1: survives corruption, and repairs it."""
    path = write(TEXT)
    load_config(path, tmp_path, cache=cache)
    (entry,) = entries(tmp_path)
    sound = entry.read_bytes()
    entry.write_bytes(damage(sound))
    assert load_config(path, tmp_path, cache=cache)[0].tools[0].name == "one"
    assert entry.read_bytes() == sound


def test_an_entry_that_others_can_write_is_not_trusted(
    write: Callable[..., Path], tmp_path: Path, cache: ContentCache
) -> None:
    """C-1: what is executed is never taken from a file that anybody could have written."""
    source = write(TEXT).read_bytes()
    cache.put("config", source, ["x"])
    assert cache.get("config", source) == [b'"x"']
    (entry,) = entries(tmp_path)
    assert entry.stat().st_mode & 0o777 == 0o600
    entry.chmod(0o666)
    assert cache.get("config", source) is None


def test_an_entry_for_other_bytes_of_the_same_checksum_is_not_used(
    tmp_path: Path, cache: ContentCache
) -> None:
    """C-1: the bytes themselves are compared, not only a checksum of them."""
    cache.put("config", b"one", ["kept"])
    (entry,) = entries(tmp_path)
    entry.rename(cache._path("config", b"two"))
    assert cache.get("config", b"two") is None


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """C-1: without a place to keep it, everything still works."""
    (tmp_path / "file").write_text("not a folder")
    cache = ContentCache(tmp_path / "file" / "kept", KEY)
    assert load_config(write(TEXT), tmp_path, cache=cache)[0].name == "shop"


def test_old_entries_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-1: the cache does not grow for ever."""
    monkeypatch.setattr("toolcrib.files.content_cache._MOST_ENTRIES", 10)
    cache = ContentCache(tmp_path / "kept", KEY)
    for number in range(30):
        cache.put("config", str(number).encode(), [number])
    assert len(entries(tmp_path)) <= 10
    assert cache.get("config", b"29") == [b"29"]


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """C-1: no HOME is fine."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    for home in ("", "/", "/nowhere/at/all"):
        monkeypatch.setenv("HOME", home)
        assert user_cache() is None
    monkeypatch.delenv("HOME")
    assert user_cache() is None


def test_what_is_kept_together_comes_back_one_by_one(cache: ContentCache) -> None:
    """R-16: hundreds of files are looked up by one look."""
    texts = [[b"1", b"2"], [], [b"3"]]
    cache.put_all("config", ["a", "b", "c"], texts)
    assert cache.get_all("config", ["a", "b", "c"]) == texts
    assert cache.get_all("config", ["a", "c", "b"]) is None
    assert cache.get_all("other", ["a", "b", "c"]) is None


def test_what_is_kept_together_and_damaged_counts_as_absent(
    cache: ContentCache, tmp_path: Path
) -> None:
    """FAULTS, cache damaged: it is as if there were none."""
    cache.put_all("config", ["a"], [[b"1"]])
    (entry,) = entries(tmp_path)
    entry.write_bytes(entry.read_bytes()[:-1] + b"2")
    assert cache.get_all("config", ["a"]) is None
