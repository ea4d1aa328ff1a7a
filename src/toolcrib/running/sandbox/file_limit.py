"""Whether a command has met the limit of one file's size, as far as it can be known.

The kernel stops a program that writes beyond it, or makes the write fail. The supervisor sees
neither where the program is a child of a child, and its parent may report it in any words, or not
at all. A file that is exactly as large as it may be, an exit code, and known words are evidence. A
program that says nothing, exits as it likes and deletes the file leaves none.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping
from typing import Any, Final

_SHELLS: Final = 128 + int(signal.SIGXFSZ)
_PYTHONS: Final = 256 - int(signal.SIGXFSZ)
_HINTS: Final = ("too large", "efbig", "limit exceeded", "signal", "sigxfsz", "rror 27", "errno")
_WORDS: Final = re.compile(
    # As errors end; "file too large for upload" is about something else.
    r"(?:^|[\s:(\"'\]])file too large(?=\s*(?:\((?:os error )?27\)|[:.,;!)\"'\]}<]|$))|"
    r"\befbig\b|\berrno[\s:=]+27\b|\bos error 27\b|"
    r"\bfile size limit exceeded\b|\bsigxfsz\b|\bsignal:? \(?25\b",
    re.IGNORECASE | re.MULTILINE,
)
_CODE_TOLD: Final = re.compile(
    rf"\b(?:error|status|code|exit|exited with|returned):? {_SHELLS}\b", re.IGNORECASE
)
_VAGUE: Final = re.compile(
    r"disk i/o error|disk is full|short write|write error|write failed|cannot write", re.IGNORECASE
)
_NEARLY: Final = 15 / 16
_SETTING: Final = "([climax] max_file)"


def file_limit_note(
    code: int, limit: int, stdout: str, stderr: str, answer: Mapping[str, Any]
) -> str | None:
    """The note on a command whose file became too large; None where nothing shows that.

    `answer` is the supervisor's: `largest` is the size of the largest file that the command wrote,
    `oversize` is set where a process that it buried was stopped for it.
    """
    if code == -signal.SIGXFSZ:
        return None  # the signal is named already
    largest = answer.get("largest", 0)
    if answer.get("oversize") or largest == limit:
        return f"a file is full: a command may write {_mib(limit)} to one file {_SETTING}"
    if _is_told(code, stdout, stderr) or (
        code != 0 and largest >= limit * _NEARLY and _VAGUE.search(stderr or stdout)
    ):
        return f"a command may write {_mib(limit)} to one file {_SETTING}"
    if code in (_SHELLS, _PYTHONS):
        sure = "usually" if code == _SHELLS else "often"
        return (
            f"exit code {code} {sure} means that a program was stopped because a file grew beyond "
            f"{_mib(limit)} {_SETTING}"
        )
    return None


def _is_told(code: int, stdout: str, stderr: str) -> bool:
    """Whether the output says so; what a command that did well prints may be about anything."""
    if _has_words(stderr):
        return True
    if code == 0:
        return False
    return _has_words(stdout) or any(map(_CODE_TOLD.search, (stderr, stdout)))


def _has_words(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS) and _WORDS.search(text) is not None


def _mib(size: int) -> str:
    return f"{size // 2**20} MiB"
