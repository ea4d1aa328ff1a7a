"""Every line of the state half of FAULTS.md, "State and configuration"."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from toolcrib.packs.guide.errors import StoreDamaged, StoreError, StoreNewer
from toolcrib.packs.guide.session import GuideSession
from toolcrib.packs.guide.settings import GuideSettings
from toolcrib.packs.guide.state.factory import open_store
from toolcrib.packs.guide.state.flags import Flags
from toolcrib.packs.guide.state.sqlite import SqliteStore

ROOT = Path(__file__).parents[2]
STRANGER = 54321


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "state" / "guide.db"


@pytest.fixture
def store(place: Path):
    made = SqliteStore(lambda: place)
    yield made
    made.close()


@pytest.fixture
def flags(store: SqliteStore) -> Flags:
    return Flags(store, "/project")


def test_a_writer_killed_at_any_moment_loses_nothing_acknowledged():
    """G-3: 0 torn, 0 acknowledged writes lost; 8 writers, 0 lost updates (short form)."""
    done = subprocess.run(
        [sys.executable, "benchmarks/kill.py", "--kills", "40", "--writes", "25"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 processes x 25 writes: 0 of 200 lost" in done.stdout
    assert "40 kills with -9: 0 torn, 0 lost an acknowledged write" in done.stdout


def test_a_full_disk_is_told_and_the_last_good_state_stays(place, flags):
    """FAULTS: full disk: last good state, an error to the caller, a retry works."""
    flags.set_feature("small", "kept")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, hard))
    try:
        with pytest.raises(StoreError, match="nothing was changed") as caught:
            for number in range(10):
                flags.set_feature(f"big{number}", "x" * 30_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not isinstance(caught.value, StoreDamaged)
    assert flags.get_feature("small") == "kept"
    before = flags.list_feature()
    flags.set_feature("again", True)
    assert flags.list_feature() == {**before, "again": True}


@pytest.mark.parametrize("content", [b"", b"this is no database" * 100, b"SQLite format 3\0" * 9])
def test_a_damaged_file_is_kept_and_never_silently_reset(place, store, flags, content):
    """FAULTS: corrupt or empty state file: quarantined copy beside it, never a silent reset."""
    place.parent.mkdir()
    place.write_bytes(content)
    for _ in range(3):
        with pytest.raises(StoreDamaged, match=r"a copy is kept as guide\.db\.damaged-"):
            flags.list_feature()
    assert place.read_bytes() == content
    (kept,) = place.parent.glob("guide.db.damaged-*")
    assert kept.read_bytes() == content
    with pytest.raises(StoreDamaged, match="nothing was saved") as caught:
        flags.set_feature("x", True)
    assert kept.name in str(caught.value)
    assert store.quarantined() == [kept]
    assert kept.read_bytes() == content
    flags.set_feature("x", True)
    assert flags.list_feature() == {"x": True}


def test_whoever_does_not_care_for_flags_does_not_use_up_the_error(place, tmp_path):
    """FAULTS: never a silent reset: content goes on, and the flags still say what happened."""
    place.parent.mkdir()
    place.write_bytes(b"damaged")
    (tmp_path / "guide" / "lang").mkdir(parents=True)
    (tmp_path / "guide" / "lang" / "python.md").write_text("# Python")
    session = GuideSession(tmp_path, GuideSettings(store=str(place)))
    assert session.library.select("lang/python").documents
    assert "damaged" in session.library.definitions().problems[0]
    with pytest.raises(StoreDamaged):
        session.flags.list_project()
    session.close()


def test_damage_in_the_middle_of_a_good_file_is_found(place, store, flags):
    """FAULTS: corrupt state file."""
    for number in range(50):
        flags.set_feature(f"flag{number}", "value " * 100)
    store.close()
    with place.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(os.urandom(8192))
    with pytest.raises(StoreDamaged):
        flags.list_feature()
    assert list(place.parent.glob("guide.db.damaged-*"))


def test_two_damages_in_one_second_keep_both(place, flags):
    place.parent.mkdir()
    for text in (b"one", b"two"):
        place.write_bytes(text)
        with pytest.raises(StoreDamaged):
            flags.set_feature("x", True)
    kept = {each.read_bytes() for each in place.parent.glob("guide.db.damaged-*")}
    assert kept == {b"one", b"two"}


def test_a_good_copy_put_in_place_of_a_damaged_file_is_taken_up(place, store, flags):
    """FAULTS: the last good state, once a person has put it back."""
    flags.set_feature("x", "good")
    store.close()
    good = place.read_bytes()
    place.write_bytes(b"damaged")
    with pytest.raises(StoreDamaged):
        flags.list_feature()
    place.write_bytes(good)
    assert flags.list_feature() == {"x": "good"}


def test_a_newer_schema_is_refused_and_left_as_it_is(place, store, flags):
    """FAULTS: newer schema: a copy beside it, never a silent reset."""
    flags.set_feature("x", "of the future")
    store.close()
    with sqlite3.connect(place) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    before = place.read_bytes()
    for _ in range(2):
        with pytest.raises(StoreNewer, match=r"schema 7; known: 1.*Upgrade toolcrib"):
            flags.list_feature()
        with pytest.raises(StoreNewer):
            flags.set_feature("x", "older")
    assert place.read_bytes() == before
    assert (place.parent / "guide.db.schema-7").read_bytes() == before


def test_a_database_of_another_program_is_not_touched(place, flags):
    """G-3: a wrong `store =` setting destroys nothing."""
    place.parent.mkdir()
    with sqlite3.connect(place) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = place.read_bytes()
    with pytest.raises(StoreError, match=r"guide\.db is a SQLite file of another program"):
        flags.set_feature("x", True)
    assert place.read_bytes() == before


def test_a_file_deleted_under_a_running_server_is_made_anew(place, flags):
    """G-3: nothing acknowledged goes into a file that nobody will find."""
    flags.set_feature("old", True)
    place.unlink()
    flags.set_feature("new", True)
    assert Flags(SqliteStore(lambda: place), "").list_feature() == {"new": True}


def test_the_log_of_a_deleted_file_is_not_taken_for_the_new_ones(place, flags):
    """G-3: a stale log left behind by `rm guide.db` harms nothing."""
    flags.set_feature("old", "x" * 20_000)
    stale = place.with_name("guide.db-wal").read_bytes()
    place.unlink()
    fresh = SqliteStore(lambda: place)
    Flags(fresh, "").set_feature("new", True)
    fresh.close()
    assert stale
    assert Flags(SqliteStore(lambda: place), "").list_feature() == {"new": True}


def test_a_file_put_in_place_of_the_one_in_use_is_taken_up(place, flags, tmp_path):
    """G-3: restoring a copy works without a restart."""
    flags.set_feature("x", "first")
    other = SqliteStore(lambda: tmp_path / "other.db")
    Flags(other, "").set_feature("x", "restored")
    other.close()
    (tmp_path / "other.db").rename(place)
    place.with_name("guide.db-wal").unlink(missing_ok=True)
    place.with_name("guide.db-shm").unlink(missing_ok=True)
    assert flags.get_feature("x") == "restored"
    flags.set_feature("x", "again")
    assert Flags(SqliteStore(lambda: place), "").get_feature("x") == "again"


def test_a_writer_that_never_ends_is_waited_for_and_then_named(place, flags, monkeypatch):
    """G-3: busy handling with an end."""
    monkeypatch.setattr("toolcrib.packs.guide.state.sqlite._PATIENCE", 0.2)
    flags.set_feature("x", True)
    with sqlite3.connect(place, isolation_level=None) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        quick = Flags(SqliteStore(lambda: place), "")
        with pytest.raises(StoreError, match="Another process has been writing flags"):
            quick.set_feature("x", False)
        assert quick.get_feature("x") is True
        blocker.execute("ROLLBACK")
    blocker.close()
    quick.set_feature("x", False)
    assert flags.get_feature("x") is False


def test_state_is_private_to_its_user(place, flags):
    flags.set_feature("x", "secret")
    assert place.stat().st_mode & 0o077 == 0
    assert place.parent.stat().st_mode & 0o077 == 0


def test_reading_leaves_no_file_behind(place, flags):
    assert flags.list_project() == {}
    assert not place.parent.exists()


def as_stranger(**environment: str) -> list[str]:
    """Read, write and read flags in a child that has no home and, as root, becomes nobody."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(STRANGER)
                os.setuid(STRANGER)
            os.environ.clear()
            os.environ.update(environment)
            os.write(writing, "\n".join(_shown()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        lines = pipe.read().split("\n")
    os.waitpid(pid, 0)
    return lines


def _shown() -> list[str]:
    def attempt(work) -> str:
        try:
            return str(work())
        except StoreError as error:
            return f"StoreError: {error}"

    flags = Flags(open_store(), "/p")
    return [
        attempt(flags.list_feature),
        attempt(lambda: flags.set_feature("x", True)),
        attempt(flags.list_feature),
    ]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become a user without a home")
def test_no_home_is_one_clear_line():
    """FAULTS: no HOME: starts, or one clear line."""
    assert as_stranger()[1] == (
        "StoreError: There is no place to keep flags: this user has no home folder. "
        "Set TOOLCRIB_STATE to a folder that can be written."
    )


def test_an_unwritable_home_is_one_clear_line():
    """FAULTS: HOME unwritable: starts, or one clear line."""
    reading, writing, _ = as_stranger(HOME="/")
    assert reading == "{}"
    assert writing.startswith("StoreError: Flags cannot be read or written now")
    assert "set TOOLCRIB_STATE to a folder that can be written" in writing


@pytest.mark.parametrize("closed", [True, False], ids=["at-rest", "with-a-log"])
def test_a_read_only_place_is_read_and_refuses_to_be_written(closed):
    """FAULTS: read-only file system: last good state, an error to the caller."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        writer = SqliteStore(lambda: folder / "guide.db")
        Flags(writer, "/p").set_feature("x", "kept")
        if closed:
            writer.close()
        for each in folder.iterdir():
            each.chmod(0o444)
        folder.chmod(0o555)
        reading, writing, again = as_stranger(TOOLCRIB_STATE=name)
        folder.chmod(0o755)
        writer.close()
    assert reading == again == "{'x': 'kept'}"
    assert writing.startswith("StoreError: Flags cannot be read or written now; nothing was")


@pytest.mark.parametrize("name", ["with space", "new\nline", "emoji 🏺", "per%cent?#"])
def test_odd_paths_hold_state_like_any_other(tmp_path, name):
    """FAULTS: a path with spaces, newline or emoji."""
    place = tmp_path / name / "guide.db"
    Flags(SqliteStore(lambda: place), name).set_project("x", name)
    assert place.exists()
    assert Flags(SqliteStore(lambda: place), name).list_project() == {"x": name}
