"""Ids of calls."""

from __future__ import annotations

import os

from toolcrib.core.audit import DENIED, new_id


def test_no_two_calls_have_the_same_id() -> None:
    """W-3: a line can be found by its id."""
    made = [new_id() for _ in range(1000)]
    assert len(set(made)) == 1000 and all(each.isalnum() for each in made)


def test_a_forked_process_continues_with_ids_of_its_own() -> None:
    """W-3: several processes append to one record."""
    own = new_id()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, new_id().encode())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(read, 100).decode()
    os.close(read)
    os.close(write)
    assert theirs[:12] != own[:12] and new_id()[:12] == own[:12]


def test_what_a_rule_refused_is_told_from_what_the_server_refused() -> None:
    """W-3: a refusal by policy does not look like a busy server."""
    assert "policy" in DENIED and "breaker" not in DENIED and "busy" not in DENIED
