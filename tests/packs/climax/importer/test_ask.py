"""What a program printed, and which part of it is the help (C-13)."""

from __future__ import annotations

from toolcrib.packs.climax.importer.ask import Printed


def test_a_version_on_stdout_does_not_hide_the_usage_on_stderr():
    """C-13: some programs print who they are here and what they take there."""
    both = Printed(
        stdout="Kiln version 2.6\n", stderr="Usage : kiln [-f FILE]\n  -f FILE  read it\n"
    )
    assert both.text == both.stderr


def test_help_on_stdout_is_the_help():
    """C-13: a complaint on stderr does not matter where the help is on stdout."""
    both = Printed(stdout="Usage: kiln [-x]\n", stderr="warning: usage: of colours\n")
    assert both.text == both.stdout


def test_a_list_beside_the_usage_is_read_with_it() -> None:
    """C-9: the usage on stderr, and on stdout what it may be called with."""
    listed = "Tasks are available:\n\n" + "".join(f"task{n}   does it\n" for n in range(6))
    usage = "Usage: kiln [<task>]\n"
    assert Printed(listed, usage).text == f"{usage}\n{listed}"
    assert Printed("kiln 4.2\n", usage).text == usage
