"""Both ways of opening, for every test that asks for an opener."""

from __future__ import annotations

import pytest

from toolcrib.files.beneath import Opener, open_by_kernel, open_by_steps


@pytest.fixture(params=[open_by_kernel, open_by_steps], ids=["kernel", "steps"])
def opener(request: pytest.FixtureRequest) -> Opener:
    return request.param
