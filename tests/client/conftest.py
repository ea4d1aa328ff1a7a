"""A server over HTTP with faults."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.odd_http import odd_http


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where it listens."""
    with odd_http() as found:
        yield found
