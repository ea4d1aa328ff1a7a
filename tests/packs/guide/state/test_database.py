"""Time and truth on a link that hangs, is cut, or swallows what it is given (R-3, R-5)."""

from __future__ import annotations

import threading
import time

import psycopg
import pytest

from support.clock import assert_within
from support.waiting import until
from toolcrib.core.deadline import ending_in
from toolcrib.packs.guide.errors import OutcomeUnknown, StoreError
from toolcrib.packs.guide.state.database import lock_of
from toolcrib.packs.guide.state.flags import Flags
from toolcrib.packs.guide.state.postgres import PostgresStore


@pytest.fixture
def far(link):
    """A store at the other end of a link that can be disturbed."""
    store = PostgresStore(link.url)
    yield store
    link.heal()
    store.close()


def put(store, name, value, project="p"):
    store.change(lambda edit: edit.put(project, "flag", name, value))


def refused(work, *, within=3.0):
    """What a call of `within` seconds says when it fails, and how long it took."""
    started = time.monotonic()
    with pytest.raises(StoreError) as caught, ending_in(within):
        work()
    return caught.value, time.monotonic() - started


@pytest.mark.timing
@pytest.mark.parametrize("fault", ["hang", "swallow"])
def test_a_refused_write_never_appears_over_a_newer_one(link, far, clean, fault):
    """R-3: a write that was answered with a failure is never written when the link heals."""
    near = PostgresStore(clean)
    put(far, "x", "first")
    getattr(link, fault)()
    error, spent = refused(lambda: put(far, "x", "old"))
    assert_within(3, spent)
    assert "may or may not" not in str(error)
    put(near, "x", "new")
    link.heal()
    assert far.get("p", "flag", "x") == "new"
    put(far, "y", "later")
    assert near.all("p", "flag") == {"x": "new", "y": "later"}


@pytest.mark.timing
def test_a_commit_that_arrives_late_finds_nothing_to_commit(link, far, clean):
    """R-3: a lost COMMIT is told as doubt; when it is told, its fate is decided."""
    near = PostgresStore(clean)
    put(far, "x", "first")

    def work(edit):
        edit.put("p", "flag", "x", "old")
        link.hang()  # the next message is COMMIT

    error, spent = refused(lambda: far.change(work))
    assert isinstance(error, OutcomeUnknown)
    assert "may or may not have been saved" in str(error)
    assert_within(3, spent)
    put(near, "x", "new")  # the lock of the silent transaction is free: the server gave it up
    link.heal()
    assert far.get("p", "flag", "x") == "new"
    assert near.get("p", "flag", "x") == "new"


def test_a_commit_whose_answer_was_lost_is_told_as_doubt(link, far, clean):
    """R-3: the one case that cannot be known says so, and nothing is done twice."""
    put(far, "n", 0)
    runs = []

    def work(edit):
        runs.append(edit.get("p", "flag", "n"))
        edit.put("p", "flag", "n", runs[-1] + 1)
        link.cut()

    error, _ = refused(lambda: far.change(work))
    assert "may or may not have been saved" in str(error)
    assert runs == [0]


@pytest.mark.timing
@pytest.mark.parametrize("fault", ["hang", "swallow"])
def test_the_first_call_after_a_dead_connection_succeeds(link, far, fault):
    """R-3: a call that meets a dead connection fails in time; the next one succeeds."""
    put(far, "x", 1)
    getattr(link, fault)(only_known=True)
    error, spent = refused(lambda: far.get("p", "flag", "x"))
    assert_within(3, spent)
    assert "nothing was changed" in str(error)
    assert far.get("p", "flag", "x") == 1
    assert far.status().up


@pytest.mark.timing
def test_many_calls_on_a_dead_link_end_in_time_and_recover_together(link, far):
    """R-3: whoever waits behind a dead connection is answered within its own deadline."""
    put(far, "x", 1)
    link.hang()
    spent = []

    def call():
        spent.append(refused(lambda: far.get("p", "flag", "x"), within=3)[1])

    threads = [threading.Thread(target=call) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(spent) == 16
    assert_within(3, max(spent))
    assert not far.status().up
    link.heal()
    assert far.get("p", "flag", "x") == 1


@pytest.mark.timing
def test_a_frozen_server_is_refused_in_time_and_writes_nothing_later(postgres, clean):
    """FAULTS: PostgreSQL frozen: refusals within the deadline, 0 refused writes appear later."""
    store = PostgresStore(clean)
    put(store, "x", "first")
    with postgres.frozen():
        error, spent = refused(lambda: put(store, "x", "old"))
        assert_within(3, spent)
        assert "may or may not" not in str(error)
    assert store.get("p", "flag", "x") == "first"
    put(store, "x", "new")
    assert store.get("p", "flag", "x") == "new"


def test_a_restarted_server_is_used_again_without_an_error(postgres, clean):
    """FAULTS: PostgreSQL restarted: nothing acknowledged is lost, the next call succeeds."""
    store = PostgresStore(clean)
    put(store, "x", 1)
    postgres.stop("fast")
    error, _ = refused(lambda: put(store, "x", 2))
    assert "nothing was changed" in str(error)
    postgres.start()
    assert store.get("p", "flag", "x") == 1


def test_a_database_that_became_read_only_is_looked_for_anew(clean):
    """FAULTS: PostgreSQL promoted: refusals that say so, and the next call connects anew."""
    store = PostgresStore(clean)
    put(store, "x", 1)
    with psycopg.connect(clean, autocommit=True) as other:
        pids = "SELECT pid FROM pg_stat_activity WHERE application_name = 'toolcrib'"

        def demoted(edit):
            edit.put("p", "flag", "x", 2)
            raise psycopg.errors.ReadOnlySqlTransaction("cannot execute INSERT")

        before = {pid for (pid,) in other.execute(pids).fetchall()}
        error, _ = refused(lambda: store.change(demoted))
        assert "nothing was changed" in str(error)
        assert store.get("p", "flag", "x") == 1
        after = {pid for (pid,) in other.execute(pids).fetchall()}
    assert not before & after


def test_no_free_slot_is_a_clean_refusal(postgres, clean):
    """FAULTS: no connection slot: clean refusal and recovery."""
    store = PostgresStore(clean)
    put(store, "x", 1)
    store.close()
    held = []
    try:
        with pytest.raises(psycopg.OperationalError):
            for _ in range(100):
                held.append(psycopg.connect(clean))
        error, _ = refused(lambda: put(store, "x", 2))
        assert "nothing was changed" in str(error)
    finally:
        for each in held:
            each.close()
    put(store, "x", 3)
    assert store.get("p", "flag", "x") == 3


def test_a_writer_that_holds_its_lock_holds_up_its_own_project_alone(clean):
    """R-5: writers of different projects never wait for each other, and readers for none."""
    store, begun, let_go = PostgresStore(clean), threading.Event(), threading.Event()
    put(store, "x", 1, project="a")

    def hold(edit):
        edit.put("a", "flag", "x", 2)
        begun.set()
        let_go.wait(1.5)

    holder = threading.Thread(target=lambda: store.change(hold))
    holder.start()
    begun.wait(10)
    put(store, "x", 1, project="b")
    assert store.get("a", "flag", "x") == 1
    assert holder.is_alive()
    error, _ = refused(lambda: put(store, "y", 1, project="a"), within=1.5)
    assert "lock timeout" in str(error)
    let_go.set()
    holder.join()
    assert store.all("a", "flag") == {"x": 2}


def test_a_writer_of_the_last_release_and_one_of_this_exclude_each_other(clean):
    """R-5: release 0.1 takes one lock for all; this one shares it."""
    store = PostgresStore(clean)
    put(store, "x", 1)
    with psycopg.connect(clean) as old:
        old.execute("SELECT pg_advisory_xact_lock(%s)", (0x54435242,))
        error, _ = refused(lambda: put(store, "x", 2), within=1.5)
        assert "lock timeout" in str(error)
        assert store.get("p", "flag", "x") == 1
    put(store, "x", 3)


def test_the_tables_of_the_last_release_are_used_as_they_are(clean):
    """R-5: schema changes are additive; release 0.1 goes on reading and writing."""
    with psycopg.connect(clean, autocommit=True) as old:
        old.execute(
            "CREATE TABLE toolcrib_meta (schema_version integer NOT NULL);"
            "INSERT INTO toolcrib_meta VALUES (1);"
            'CREATE TABLE toolcrib_entries (project text COLLATE "C" NOT NULL, '
            'kind text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, '
            "value text NOT NULL, PRIMARY KEY (project, kind, name))"
        )
        old.execute("INSERT INTO toolcrib_entries VALUES ('p', 'flag', 'x', 'true')")
        flags = Flags(PostgresStore(clean), "p")
        assert flags.get_project("x") == (True, "project")
        flags.set_project("y", "new")
        old.execute(
            "INSERT INTO toolcrib_entries VALUES ('p', 'flag', 'y', '\"old\"') "
            "ON CONFLICT (project, kind, name) DO UPDATE SET value = EXCLUDED.value"
        )
        assert old.execute("SELECT schema_version FROM toolcrib_meta").fetchone() == (1,)
        assert flags.list_project() == {"x": True, "y": "old"}


def test_one_entry_costs_one_row_however_many_there_are(clean):
    """R-5: with 100,000 entries a read and a write take at most twice what they take with 100."""
    store = PostgresStore(clean)
    counts = {"few": 100, "many": 100_000}
    for project, count in counts.items():
        put(store, "x", True, project)
        with psycopg.connect(clean, autocommit=True) as other:
            other.execute(
                f"INSERT INTO toolcrib_entries SELECT '{project}', 'flag', 'f' || n, 'true' "
                f"FROM generate_series(1, {count}) n"
            )
    spent = {project: [] for project in counts}
    for n in range(60):  # in turn: a busy machine is busy for both
        for project, times in spent.items():
            started = time.perf_counter()
            store.get(project, "flag", "x")
            put(store, "x", n % 2 == 0, project)
            times.append(time.perf_counter() - started)
    assert min(spent["many"]) <= 2 * min(spent["few"])


def test_through_a_pooler_in_transaction_mode_nothing_fails(pgbouncer, clean):
    """R-5: no session settings, no prepared statements: 0 errors through PgBouncer."""
    store = PostgresStore(pgbouncer.url)
    errors = []

    def count():
        for _ in range(25):
            try:
                store.change(
                    lambda edit: edit.put("p", "flag", "n", (edit.get("p", "flag", "n") or 0) + 1)
                )
                store.get("p", "flag", "n")
            except StoreError as error:
                errors.append(error)

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert PostgresStore(clean).get("p", "flag", "n") == 200


def test_a_pooler_that_is_restarted_costs_nothing_but_its_own_time(pgbouncer, clean):
    """FAULTS: PgBouncer between: clean refusal and recovery; the first call after it succeeds."""
    store = PostgresStore(pgbouncer.url)
    put(store, "x", "first")
    pgbouncer.kill()
    with pytest.raises(StoreError, match="nothing was changed"):
        put(store, "x", "second")
    pgbouncer.start()
    put(store, "x", "third")
    assert PostgresStore(clean).all("p", "flag") == {"x": "third"}


def test_a_process_has_a_few_connections_and_only_while_it_needs_them(clean):
    """R-5: a pool per process, shared by its projects; who reads no flag opens none."""
    with psycopg.connect(clean, autocommit=True) as other:
        other.execute("DROP DATABASE IF EXISTS counted")
        other.execute("CREATE DATABASE counted")
    url = clean.replace("/postgres?", "/counted?")
    stores = [PostgresStore(url, pool=3) for _ in range(5)]

    def ours():
        with psycopg.connect(clean) as other:
            (count,) = other.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = 'counted'"
            ).fetchone()
        return count

    before = ours()
    threads = [
        threading.Thread(target=put, args=(store, "x", n, f"p{n}"))
        for n, store in enumerate(stores * 6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert before == 0
    assert 1 <= ours() <= 3
    stores[0].close()
    until(lambda: ours() == 0)


def test_an_edit_that_is_refused_leaves_its_connection_fit_for_the_next(clean):
    """R-5: a refusal costs no connection."""
    store = PostgresStore(clean)
    put(store, "x", 1)
    with psycopg.connect(clean) as other:
        query = "SELECT pid FROM pg_stat_activity WHERE application_name = 'toolcrib'"
        before = other.execute(query).fetchall()
        with pytest.raises(KeyError):
            store.change(lambda edit: (edit.put("p", "flag", "x", 2), {}["no"]))
        assert store.get("p", "flag", "x") == 1
        assert other.execute(query).fetchall() == before


def test_locks_of_projects_are_numbers_that_differ():
    """R-5: 64 bits of a digest: projects do not share a lock by accident."""
    numbers = {lock_of(f"/home/{n}/shop") for n in range(20_000)} | {lock_of("")}
    assert len(numbers) == 20_001
    assert all(-(2**63) <= number < 2**63 for number in numbers)
