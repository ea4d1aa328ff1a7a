from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolcrib.packs.guide.errors import StoreError
from toolcrib.packs.guide.state.factory import open_store
from toolcrib.packs.guide.state.postgres import PostgresStore
from toolcrib.packs.guide.state.sqlite import SqliteStore
from toolcrib.packs.guide.state.store import project_key, state_folder


def put(store, name, value, project="p", kind="flag"):
    store.change(lambda edit: edit.put(project, kind, name, value))


def test_what_was_written_is_read_sorted(store):
    """G-3: the same interface on SQLite and on PostgreSQL."""
    assert store.all("p", "flag") == {}
    put(store, "b", [1, "x"])
    put(store, "a", {"k": "é\n\x00"})
    put(store, "B", True)
    assert list(store.all("p", "flag").items()) == [
        ("B", True),
        ("a", {"k": "é\n\x00"}),
        ("b", [1, "x"]),
    ]


def test_projects_and_kinds_never_mix(store):
    """G-3: keyed by the project."""
    put(store, "x", 1, project="/a/shop")
    put(store, "x", 2, project="/b/shop")
    put(store, "x", 3, project="/a/shop", kind="category")
    assert store.all("/a/shop", "flag") == {"x": 1}
    assert store.all("/b/shop", "flag") == {"x": 2}
    assert store.all("", "flag") == {}


def test_a_dropped_entry_is_gone_and_dropping_again_is_no_error(store):
    put(store, "x", 1)
    for _ in range(2):
        store.change(lambda edit: edit.drop("p", "flag", "x"))
    assert store.all("p", "flag") == {}


def test_a_change_that_fails_changes_nothing(store):
    """G-3: all of it happens, or nothing."""
    put(store, "x", 1)

    def work(edit):
        edit.put("p", "flag", "x", 2)
        assert edit.all("p", "flag") == {"x": 2}
        raise KeyError("no")

    with pytest.raises(KeyError):
        store.change(work)
    assert store.all("p", "flag") == {"x": 1}
    put(store, "x", 3)
    assert store.all("p", "flag") == {"x": 3}


def test_a_change_sees_its_own_writes_and_returns_its_value(store):
    assert store.change(lambda edit: (edit.put("p", "flag", "n", 7), edit.all("p", "flag"))[1]) == {
        "n": 7
    }


def test_threads_that_count_together_lose_nothing(store):
    """G-3: any number of writers, no lost update."""

    def count():
        for _ in range(20):
            store.change(
                lambda edit: edit.put("p", "flag", "n", edit.all("p", "flag").get("n", 0) + 1)
            )

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.all("p", "flag") == {"n": 80}


def test_another_handle_sees_what_was_written_at_once(store, request, tmp_path):
    """G-3: several processes, one truth."""
    if isinstance(store, SqliteStore):
        other = SqliteStore(lambda: tmp_path / "state" / "guide.db")
    else:
        other = PostgresStore(request.getfixturevalue("postgres_url"))
    put(store, "x", 1)
    assert other.all("p", "flag") == {"x": 1}
    put(other, "x", 2)
    assert store.all("p", "flag") == {"x": 2}
    other.close()


def test_a_closed_store_opens_again_by_itself(store):
    put(store, "x", 1)
    store.close()
    assert store.all("p", "flag") == {"x": 1}


def test_a_forked_child_opens_its_own(store):
    """G-3: a connection never crosses a fork."""
    put(store, "x", 1)
    pid = os.fork()
    if pid == 0:
        try:
            put(store, "child", 1)
            os._exit(0 if store.all("p", "flag") == {"child": 1, "x": 1} else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    put(store, "x", 2)
    assert store.all("p", "flag") == {"child": 1, "x": 2}


values = st.recursive(
    st.booleans() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc\n\"'"), inner),
    max_leaves=6,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text("ab'\";--%s/\\\n ", min_size=1, max_size=12), values)
def test_any_name_and_value_come_back_as_they_were(sqlite_store, name, value):
    put(sqlite_store, name, value, project=name)
    assert sqlite_store.all(name, "flag")[name] == value


def test_the_state_folder_is_found_by_the_usual_rules(monkeypatch, tmp_path):
    """G-3: under the user's state folder."""
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path))
    assert state_folder() == tmp_path
    monkeypatch.delenv("TOOLCRIB_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", "/xdg")
    assert state_folder() == Path("/xdg/toolcrib")
    monkeypatch.setenv("XDG_STATE_HOME", "relative/is/ignored")
    monkeypatch.setenv("HOME", "/home/me")
    assert state_folder() == Path("/home/me/.local/state/toolcrib")


def test_a_project_is_known_by_its_real_path(tmp_path):
    """G-3: two folders of one name never share; two ways to one folder do."""
    one, two = tmp_path / "a" / "shop", tmp_path / "b" / "shop"
    one.mkdir(parents=True)
    two.mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(one)
    assert project_key(one) != project_key(two)
    assert project_key(link) == project_key(one) == os.path.realpath(one)
    assert project_key(one, "shop") == project_key(two, "shop") == "shop"


def test_a_path_that_is_not_utf_8_is_a_key_too(tmp_path, sqlite_store):
    folder = Path(os.fsdecode(bytes(tmp_path) + b"/caf\xe9"))
    folder.mkdir()
    key = project_key(folder)
    put(sqlite_store, "x", 1, project=key)
    assert sqlite_store.all(key, "flag") == {"x": 1}


def test_an_unknown_kind_of_store_names_the_known_ones():
    with pytest.raises(StoreError, match=r"mysql:// is known.*postgresql://user@host"):
        open_store("mysql://x")


def test_the_setting_chooses_the_store(tmp_path):
    """G-3: store = "postgresql://…", a file, or nothing."""
    assert isinstance(open_store("postgresql://x"), PostgresStore)
    named = open_store("state/own.db", tmp_path)
    put(named, "x", 1)
    assert (tmp_path / "state/own.db").exists()
    named.close()
