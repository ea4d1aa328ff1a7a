"""R-6: what any process writes is heard of by every one that listens."""

from __future__ import annotations

import logging
import queue
import threading
import time

import psycopg
import pytest

from support.clock import assert_within
from support.waiting import until
from toolcrib.packs.guide.state.connection import connect
from toolcrib.packs.guide.state.news import News, _Listener
from toolcrib.packs.guide.state.postgres import PostgresStore
from toolcrib.packs.guide.state.store import MISSED
from toolcrib.packs.guide.state.tables import CHANNEL

A_CATEGORY = ("category", "")
"""How a changed category may be told: on a machine so busy that the echo of a new connection takes
two seconds, by its counter."""


class Ear:
    """Keeps what it is told."""

    def __init__(self, store, project="p"):
        self.heard: queue.Queue[str] = queue.Queue()
        self.stop = store.listen(project, self.heard.put)

    def next(self, seconds=30.0):
        return self.heard.get(timeout=seconds)

    def until(self, *wanted, seconds=30.0):
        end = time.monotonic() + seconds
        while self.next(max(0.01, end - time.monotonic())) not in wanted:
            pass

    def is_deaf(self, seconds=0.5):
        with pytest.raises(queue.Empty):
            self.next(seconds)


def put(store, name, project="p", kind="category"):
    store.change(lambda edit: edit.put(project, kind, name, {"dir": name}))


@pytest.fixture
def ear(clean):
    made = Ear(PostgresStore(clean))
    assert made.next() == ""  # the listener stands
    yield made
    made.stop()


@pytest.mark.timing
def test_a_change_of_any_process_is_told_with_its_kind(ear, clean):
    """R-6: a category, a collection and a flag, changed or removed, here or elsewhere."""
    other = PostgresStore(clean)
    put(other, "docs")
    began = time.monotonic()
    assert ear.next() == "category"
    assert_within(2, time.monotonic() - began)
    put(other, "all", kind="collection")
    assert ear.next() == "collection"
    put(other, "terse", project="", kind="flag")
    assert ear.next() == "flag"
    other.change(lambda edit: edit.drop("p", "category", "docs"))
    assert ear.next() == "category"


def test_what_release_0_1_or_a_person_writes_is_told_as_well(ear, clean):
    """R-6: or the shell; a trigger of the table sees every writer."""
    with psycopg.connect(clean, autocommit=True) as person:
        person.execute("INSERT INTO toolcrib_entries VALUES ('p', 'category', 'x', '{}')")
    assert ear.next() == "category"


def test_another_project_is_none_of_our_business(ear, clean):
    """R-6: news of one project go to those who listen to it."""
    put(PostgresStore(clean), "docs", project="other")
    ear.is_deaf()


def test_a_change_that_was_not_committed_is_no_news(ear, clean):
    """R-6: only what was saved is announced."""
    with pytest.raises(KeyError):
        PostgresStore(clean).change(lambda edit: (edit.put("p", "category", "x", {}), {}["no"]))
    ear.is_deaf()


def test_after_a_reconnect_everybody_is_told_once(ear, clean):
    """R-6: news may have been missed."""
    with psycopg.connect(clean, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE query LIKE 'LISTEN%' OR query LIKE '%toolcrib_changes%' "
            "AND pid <> pg_backend_pid()"
        )
    ear.until(MISSED)
    put(PostgresStore(clean), "docs")
    ear.until(*A_CATEGORY)


def test_news_that_arrive_together_with_an_echo_are_not_lost(clean):
    """R-6: a listener that finds out whether it is heard passes on what comes meanwhile."""
    news = News(clean, clean)
    heard = []
    listener = _Listener(clean, clean, news)
    news._listeners[object()] = ("p", heard.append)
    with connect(clean) as connection, psycopg.connect(clean) as other:
        connection.rows(f"LISTEN {CHANNEL}")
        for payload in ("echo other", "echo sign", "category p", "flag q", "flag p"):
            other.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
        other.commit()
        assert listener._hear(connection, 30, "sign")
    assert heard == ["category", "flag"]


def test_a_listener_whose_link_hangs_connects_again(link, clean):
    """R-6, R-3: a connection that only listens notices that it is dead, and says what it missed."""
    ear = Ear(PostgresStore(link.url))
    assert ear.next() == ""
    link.hang(only_known=True)
    put(PostgresStore(clean), "docs")
    ear.until(MISSED)
    put(PostgresStore(clean), "more")
    ear.until(*A_CATEGORY)
    ear.stop()


def test_through_a_pooler_changes_are_found_by_counting(pgbouncer, clean, caplog):
    """R-6: where notifications do not come through, a counter is read; the log says so once."""
    with caplog.at_level(logging.WARNING):
        ear = Ear(PostgresStore(pgbouncer.url))
        assert ear.next() == ""
        until(lambda: "notifications do not arrive" in caplog.text, 30)
        put(PostgresStore(clean), "docs")
        assert ear.next() == ""
        put(PostgresStore(clean), "more")
        assert ear.next() == ""
    assert caplog.text.count("notifications do not arrive") == 1
    ear.stop()


def test_an_address_for_news_beside_the_pooler_gives_them_directly(pgbouncer, clean):
    """R-6: [guide] listen_store."""
    ear = Ear(PostgresStore(pgbouncer.url, listen_url=clean))
    assert ear.next() == ""
    put(PostgresStore(clean), "docs")
    assert ear.next() == "category"
    ear.stop()


def test_nobody_listens_and_nothing_is_connected(clean):
    """R-5: the connection for news stands only while somebody listens."""
    others = set(threading.enumerate())
    store = PostgresStore(clean)
    ears = [Ear(store), Ear(store, "q")]
    assert [ear.next() for ear in ears] == ["", ""]

    def listening():
        threads = set(threading.enumerate()) - others
        return [each for each in threads if each.name == "toolcrib-store-news"]

    assert len(listening()) == 1
    for ear in ears:
        ear.stop()
    until(lambda: not listening(), 30)
