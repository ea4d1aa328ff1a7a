"""Entries that live for a while."""

from __future__ import annotations

import pytest

from toolcrib.core.expiring import MemoryEntries


class Clock:
    """A time that passes when a test says so."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def entries(clock: Clock) -> MemoryEntries:
    return MemoryEntries(clock)


def test_an_entry_is_its_owners_until_it_expires(entries: MemoryEntries, clock: Clock) -> None:
    """HOUSE: another owner's, or an expired one, is as good as none."""
    entries.add("k", "n", {"a": 1}, owner="me", seconds=10, most=5)
    assert entries.get("k", "n", "me") == {"a": 1} and entries.get("k", "n", "you") is None
    clock.now += 11
    assert entries.get("k", "n", "me") is None and entries.all("k") == {}


def test_of_too_many_the_oldest_go(entries: MemoryEntries) -> None:
    """FAULTS, memory: nobody can fill it."""
    for number in range(5):
        entries.add("k", str(number), number, owner="me", seconds=10, most=3)
    assert list(entries.all("k")) == ["2", "3", "4"]
    assert entries.all("k", "you") == {} and entries.all("other") == {}


def test_a_change_is_made_by_its_owner_alone(entries: MemoryEntries) -> None:
    """HOUSE: a change needs an entry, and the right owner."""
    entries.add("k", "n", 1, owner="me", seconds=10, most=3)
    assert entries.change("k", "n", "me", lambda value: value + 1)
    assert not entries.change("k", "n", "you", lambda value: 0)
    assert not entries.change("k", "absent", "me", lambda value: 0)
    assert entries.get("k", "n", "me") == 2
    assert entries.drop("k", "n") and not entries.drop("k", "n")


def test_a_name_can_be_spent_once_until_it_expires(entries: MemoryEntries, clock: Clock) -> None:
    """HOUSE: a nonce is good once."""
    assert entries.spend("nonce", "x", 10) and not entries.spend("nonce", "x", 10)
    clock.now += 11
    assert entries.spend("nonce", "x", 10)
