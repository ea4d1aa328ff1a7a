"""Python's own parser, used by one thread at a time."""

from __future__ import annotations

import ast
import threading

_one_at_a_time = threading.Lock()


def parse(source: str | bytes) -> ast.Module:
    """The syntax tree of Python source; raises what `ast.parse` raises. Nothing of it is run.

    Many releases of Python, 3.11.7 among them, count the depth of trees for all threads together:
    two that parse at the same time may fail with `SystemError`.
    """
    with _one_at_a_time:
        return ast.parse(source)
