"""The command line that starts a supervisor's process."""

from __future__ import annotations

import sys
from pathlib import Path

PROBE = -1
"""Instead of a descriptor: only try whether namespaces can be had, and end."""
_BOOT = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from toolcrib.running.supervisor.main import start; start(int(sys.argv[2]), sys.argv[3])"
)


def supervisor_words(descriptor: int, mode: str) -> list[str]:
    """Return the words; the process answers at the socket `descriptor`."""
    home = str(Path(__file__).parents[3])
    python = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _BOOT]
    return [*python, home, str(descriptor), mode]
