from __future__ import annotations

import os

import psycopg
import pytest

from toolcrib.packs.guide.errors import StoreError, StoreNewer
from toolcrib.packs.guide.state.flags import Flags
from toolcrib.packs.guide.state.postgres import PostgresStore


def count_up(store: PostgresStore) -> None:
    store.change(lambda edit: edit.put("p", "flag", "n", edit.all("p", "flag").get("n", 0) + 1))


def test_processes_of_several_machines_lose_no_update(postgres_store, postgres_url):
    """G-3: any number of processes; the tables are made by whoever comes first."""
    children = []
    for _ in range(6):
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                store = PostgresStore(postgres_url)
                for _ in range(30):
                    count_up(store)
                code = 0
            finally:
                os._exit(code)
        children.append(pid)
    assert [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children] == [0] * 6
    assert postgres_store.all("p", "flag") == {"n": 180}


def test_a_connection_that_the_server_dropped_is_made_again(postgres_store, postgres_url):
    """G-3: a restart of the database needs none of ours."""
    flags = Flags(postgres_store, "p")
    flags.set_feature("x", True)
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'toolcrib' AND pid <> pg_backend_pid()"
        )
    assert flags.get_feature("x") is True
    flags.set_feature("x", False)
    assert flags.get_feature("x") is False


def test_a_connection_lost_while_saving_is_told_as_doubt(postgres_store, postgres_url):
    """G-3: nothing is done twice, nothing is claimed that is not known."""

    def cut(edit):
        edit.put("p", "flag", "x", 1)
        with psycopg.connect(postgres_url, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'toolcrib'"
            )

    with pytest.raises(StoreError, match="broke while a change was being saved"):
        postgres_store.change(cut)
    assert postgres_store.all("p", "flag") == {}


def test_a_newer_schema_is_refused(postgres_store, postgres_url):
    """FAULTS: newer schema: never a silent reset."""
    Flags(postgres_store, "p").set_feature("x", True)
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute("UPDATE toolcrib_meta SET schema_version = 9")
    fresh = PostgresStore(postgres_url)
    with pytest.raises(StoreNewer, match=r"schema 9; known: 1.*Upgrade toolcrib"):
        fresh.all("p", "flag")


def test_a_server_that_is_not_there_is_one_clear_error_without_the_password(tmp_path):
    store = PostgresStore(f"postgresql://me:hunter2@/db?host={tmp_path}&password=hunter2")
    with pytest.raises(StoreError, match="PostgreSQL cannot be read or written now") as caught:
        store.all("p", "flag")
    assert "hunter2" not in str(caught.value)
    assert "Check `[guide] store`" in str(caught.value)
