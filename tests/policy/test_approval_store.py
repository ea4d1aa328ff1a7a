"""Calls that wait for a person, and remembered approvals: as files and in PostgreSQL alike."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.core.expiring import MemoryEntries
from toolcrib.packs.guide.state.postgres import PostgresStore
from toolcrib.policy.approval_store import (
    LIFETIME,
    ApprovalStore,
    FileApprovals,
    PendingApproval,
    SharedApprovals,
    approvals_of,
)
from toolcrib.policy.remembered import Remembered

CALL = PendingApproval("git_push", '["git", "push"]', "/repo", "public", "key-1")
OTHER = PendingApproval("git_push", '["git", "push", "-f"]', "/repo", "public", "key-2")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))


@pytest.fixture(params=["files", "postgres"])
def pair(request: pytest.FixtureRequest) -> tuple[ApprovalStore, ApprovalStore]:
    """Two processes that see the same approvals."""
    if request.param == "files":
        return FileApprovals("/repo"), FileApprovals("/repo")
    url = request.getfixturevalue("clean")
    one, two = (PostgresStore(url).expiring("shop") for _ in range(2))
    return SharedApprovals(one), SharedApprovals(two)


def test_what_one_process_asked_for_another_approves_once(
    pair: tuple[ApprovalStore, ApprovalStore],
) -> None:
    """T-19, T-20, R-1: one number for one call; it passes once, and no other call does."""
    server, terminal = pair
    number = server.wait(CALL)
    assert number is not None and server.wait(CALL) == number
    assert [(each, call, done) for each, call, done in terminal.waiting()] == [
        (number, CALL, False)
    ]
    assert not server.spend(CALL.key)
    terminal.approve(number)
    assert not server.spend(OTHER.key)
    assert server.spend(CALL.key)
    assert not server.spend(CALL.key) and not terminal.spend(CALL.key)
    with pytest.raises(ConfigError, match=number):
        terminal.approve(number)


def test_of_many_who_spend_at_once_one_gets_it(pair: tuple[ApprovalStore, ApprovalStore]) -> None:
    """T-19: single use, whoever tries at the same moment."""
    number = pair[0].wait(CALL)
    assert number is not None
    pair[1].approve(number)
    got: list[bool] = []
    barrier = threading.Barrier(4)

    def spend(store: ApprovalStore) -> None:
        barrier.wait()
        got.append(store.spend(CALL.key))

    threads = [threading.Thread(target=spend, args=(store,)) for store in (*pair, *pair)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got) == [False, False, False, True]


def test_what_is_remembered_is_listed_and_revoked(
    pair: tuple[ApprovalStore, ApprovalStore],
) -> None:
    """T-20: in every process; revoking one tool leaves the others."""
    push, pull = (Remembered(name, {"remote": "origin"}, "d") for name in ("push", "pull"))
    pair[0].remember(push)
    pair[0].remember(pull)
    assert pair[1].all_remembered() == [push, pull]
    assert pair[1].forget("push") == 1
    assert pair[1].forget("push") == 0
    assert pair[0].all_remembered() == [pull]


def test_a_number_lives_for_ten_minutes() -> None:
    """T-20: not longer, by the clock; a file from the future is no approval either."""
    now = [1000.0]
    store = FileApprovals("/repo", lambda: now[0])
    number = store.wait(CALL)
    assert number is not None
    now[0] += LIFETIME
    assert [each for each, _, _ in store.waiting()] == [number]
    store.approve(number)
    now[0] += LIFETIME + 1
    assert not store.spend(CALL.key) and store.waiting() == []
    later = store.wait(CALL)
    assert later is not None
    store.approve(later)
    now[0] -= 3600
    assert not store.spend(CALL.key)


def test_without_a_shared_store_approvals_are_files() -> None:
    """R-1: pending ones live in the store only where several machines share it."""
    assert isinstance(approvals_of("/repo", MemoryEntries()), FileApprovals)
    assert isinstance(approvals_of("/repo"), FileApprovals)


def test_two_projects_share_no_approval() -> None:
    """T-20: kept per root."""
    one, two = FileApprovals("/one"), FileApprovals("/two")
    number = one.wait(CALL)
    assert number is not None
    one.approve(number)
    assert two.waiting() == [] and not two.spend(CALL.key)


def test_a_folder_that_cannot_be_written_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAULTS: the call is refused without a number; nothing is approved by mistake."""
    (tmp_path / "state").write_text("a file")
    assert FileApprovals("/repo").wait(CALL) is None
