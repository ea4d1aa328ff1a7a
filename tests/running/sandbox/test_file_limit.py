"""What shows that a command met the limit of one file's size, and what does not."""

from __future__ import annotations

import pytest

from toolcrib.running.sandbox.file_limit import file_limit_note

MIB = 2**20


def note(code: int = 1, out: str = "", err: str = "", **answer: object) -> str | None:
    return file_limit_note(code, MIB, out, err, answer)


@pytest.mark.parametrize(
    "text",
    [
        "OSError: [Errno 27] File too large",
        "[Errno 27] File too large: 'big'",
        "could not save: File too large",
        "dd: error writing 'big': File too large",
        "Error: EFBIG: file too large, write",
        "write big: file too large",
        "Error: File too large (os error 27)",
        'rsync: write failed on "big": File too large (27)',
        "script: line 2: 12 File size limit exceeded(core dumped) dd",
        "died with <Signals.SIGXFSZ: 25>.",
        "find: 'dd' terminated by signal 25",
        "File too large\n" + "y" * 9000,
    ],
)
def test_a_program_that_says_so_is_believed(text: str) -> None:
    """FAULTS: huge file: the message names the limit, whatever the program ends with."""
    named = "a command may write 1 MiB to one file ([climax] max_file)"
    assert note(err=text) == note(0, err=text) == note(3, out=text) == named


@pytest.mark.parametrize(
    "text",
    [
        "HTTP 413: file too large for upload",
        "the profile too large to read",
        "signal 9",
        "errno 270",
        "",
    ],
)
def test_other_words_are_no_evidence(text: str) -> None:
    """FAULTS: a limit that nobody met is not named."""
    assert note(err=text, out=text) is None


def test_what_a_command_prints_that_did_well_may_be_about_anything() -> None:
    """FAULTS: a limit that nobody met is not named: a document that was shown is no error."""
    assert note(0, out="OSError: [Errno 27] File too large") is None


@pytest.mark.parametrize("code", [153, 231])
def test_the_code_that_a_parent_passes_on_is_evidence(code: int) -> None:
    """FAULTS: huge file: the limit is named where nobody says a word."""
    told = note(code)
    assert told and f"exit code {code}" in told
    assert told.endswith("because a file grew beyond 1 MiB ([climax] max_file)")


def test_a_code_that_make_tells_is_evidence() -> None:
    """FAULTS: huge file: the program was a child of a child."""
    assert note(2, err="make: *** [Makefile:2: all] Error 153")
    assert note(2, err="make: *** [Makefile:2: all] Error 1") is None


def test_a_file_as_large_as_it_may_be_is_evidence_whatever_is_said() -> None:
    """FAULTS: huge file: neither the exit code nor a word is needed."""
    named = "a file is full: a command may write 1 MiB to one file ([climax] max_file)"
    assert note(0, largest=MIB) == note(1, largest=MIB) == note(0, oversize=True) == named
    assert note(1, largest=MIB - 1) is None


def test_vague_words_count_where_a_file_is_nearly_full() -> None:
    """FAULTS: huge file: SQLite takes back what it could not write."""
    text = "sqlite3.OperationalError: disk I/O error"
    assert note(err=text, largest=MIB - 4096)
    assert note(err=text, largest=MIB // 2) is None
    assert note(0, err=text, largest=MIB - 4096) is None
