"""U-2: the demo: a real client over a real pipe, every step shown, exit code 0."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from support.clock import assert_within


def demo(tmp_path, *words):
    return subprocess.run(
        [sys.executable, "-m", "toolcrib", "demo", *words],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """One run, looked at from several sides."""
    started = time.monotonic()
    done = demo(tmp_path_factory.mktemp("demo"), "--json")
    return done, time.monotonic() - started


def test_every_step_passes_without_a_question(ran):
    """U-2: exits 0, asks nothing without a terminal."""
    assert ran[0].returncode == 0, ran[0].stderr


@pytest.mark.timing
def test_the_whole_walk_takes_less_than_a_minute(ran):
    """U-2: a newcomer waits for nothing."""
    assert_within(60, ran[1])


def test_an_idea_that_was_given_up_conflicts_with_what_replaced_it(ran):
    """U-2, A-7: the demo promises that an agent is warned, so it is."""
    steps = json.loads(ran[0].stdout)["steps"]
    answers = [each for step in steps for each in step["exchanges"]]
    shown = next(each for each in answers if "check-adr-alignment" in each["request"])
    assert "conflicts: 12. Signed cart tokens" in json.dumps(shown)


@pytest.mark.parametrize(
    "shown",
    [
        "climax_search",
        "climax_call",
        "directive/spec.template",
        "validate-against-pattern",
        "check-adr-alignment",
        "guide_set_project_flag",
        "guide_get_content",
    ],
)
def test_the_walk_shows(shown, ran):
    """U-2: discovery, search, call, spec template, pattern validation, ADR check, flags."""
    steps = json.loads(ran[0].stdout)["steps"]
    requests = [each["request"] for step in steps for each in step["exchanges"]]
    assert any(shown in request for request in requests)


def test_the_shop_can_be_kept(tmp_path):
    """U-2: and played with afterwards; a folder that is there is never touched."""
    kept = demo(tmp_path, "--keep", "mine")
    assert kept.returncode == 0
    assert "cd mine && toolcrib trust" in kept.stdout, "before that its tools are withheld"
    assert (tmp_path / "mine/toolcrib.toml").is_file()
    again = demo(tmp_path, "--keep", "mine")
    assert again.returncode == 2 and "there already" in again.stderr


def on_a_terminal(tmp_path, key):
    """Run the demo on a terminal, answer its first question with a key; the exit code and all."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # it is ignored in what runs in the background
        os.execv(sys.executable, [sys.executable, "-m", "toolcrib", "demo"])
    shown, answered = b"", False
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # that is how a terminal says goodbye
            break
        shown += chunk
        if not answered and b"Enter for the next step" in shown:
            os.write(terminal, key)
            answered = True
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()


def test_a_person_may_leave_at_any_page(tmp_path):
    """U-2: Ctrl-C ends it at once, without a traceback."""
    code, shown = on_a_terminal(tmp_path, b"\x03")
    assert code == 130
    assert "2/10" not in shown and "Traceback" not in shown


def test_a_person_turns_the_pages(tmp_path):
    """U-2: one step a screen; Enter brings the next, the end of input all the others."""
    code, shown = on_a_terminal(tmp_path, b"\n\x04")
    assert code == 0
    assert shown.count("\x1b[2J") >= 2 and "11/11  Your turn" in shown
