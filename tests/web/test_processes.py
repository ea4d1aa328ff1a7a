"""Which servers still run."""

from __future__ import annotations

import os
import subprocess
import sys

from toolcrib.server.record import process_start
from toolcrib.web.processes import HOST, SILENCE, running


def test_a_server_runs_while_its_process_does() -> None:
    """W-4: a start whose pid, with the start time that it recorded, is gone counts as ended."""
    own = os.getpid()
    start = {"event": "start", "host": HOST, "started": process_start(own)}
    another = {**start, "started": "1"}
    assert running({own: start}, {}) == {own: start}
    assert running({own: another}, {}) == {}
    assert running({own: {"event": "start"}}, {}) != {}


def test_a_killed_server_has_ended_before_anybody_waits_for_it() -> None:
    """FAULTS: a server killed with -9: its session is shown as ended."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    start = {"event": "start", "host": HOST, "started": process_start(child.pid)}
    assert running({child.pid: start}, {})
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert running({child.pid: start}, {}) == {}
    child.communicate()


def test_a_server_of_another_host_has_ended_after_its_silence() -> None:
    """W-4: of another host after 15 minutes of silence."""
    start = {"event": "start", "host": "elsewhere", "started": "1"}
    assert running({1: start}, {1: 1000.0}, now=1000.0 + SILENCE - 1) == {1: start}
    assert running({1: start}, {1: 1000.0}, now=1000.0 + SILENCE + 1) == {}
