"""Both ways of opening, for every test that asks for an opener."""

from __future__ import annotations

import pytest

from support.climax import own_cache, write
from toolcrib.files.beneath import Opener, open_by_kernel, open_by_steps


@pytest.fixture(params=[open_by_kernel, open_by_steps], ids=["kernel", "steps"])
def opener(request: pytest.FixtureRequest) -> Opener:
    return request.param


__all__ = ["opener", "own_cache", "write"]
