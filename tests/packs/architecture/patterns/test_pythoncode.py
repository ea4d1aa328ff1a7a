from __future__ import annotations

import pytest

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.patterns.pythoncode import (
    parsed_python,
    python_error,
    without_type_parameters,
)


def test_a_text_that_no_parser_takes_is_an_error_and_no_crash() -> None:
    """FAULTS: the process survives."""
    assert python_error("x = '\0'") == 1
    assert parsed_python("(" * 20_000) is None
    assert python_error("(" * 20_000) is not None


@pytest.mark.parametrize(
    "code",
    [
        "def f[T](x: T): pass\n",
        "class A[T: (int, str) = int, *Ts]: pass\n",
        "async def f[\n    T: dict[str, list[int]],\n    **P, R\n](x): pass\n",
        "type X[T] = list[T]\n",
    ],
)
def test_type_parameters_of_later_pythons_read(code: str) -> None:
    """A-6: only what the language cannot read is unreadable."""
    assert python_error(code) is None
    assert without_type_parameters(code).count("\n") == code.count("\n")


@pytest.mark.parametrize(
    "code", ["def f[](x): pass\n", "def f[1 +](x): pass\n", "class A[T: pass\n"]
)
def test_what_are_no_type_parameters_stays_unreadable(code: str) -> None:
    """A-6: code that the language cannot read is never compliant."""
    assert python_error(code) == 1


@pytest.mark.timing
def test_many_open_brackets_are_read_in_linear_time() -> None:
    """A-6: one call takes no longer than its text deserves."""
    assert_grows_slowly(lambda size: without_type_parameters("class A[\n" * size), 1_000)
