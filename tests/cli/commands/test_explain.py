"""U-1: explain CODE, for every code that anybody can meet."""

from __future__ import annotations

import pytest

from toolcrib.cli.commands.explain import explanations
from toolcrib.core import errors


def test_every_error_has_a_code_of_its_own_and_an_explanation():
    """U-1: no code is without an explanation."""
    words = [each.code for each in explanations()]
    assert len(words) == len(set(words))
    assert all(each.text and not each.text.isspace() for each in explanations())
    own = [
        kind.code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.ToolcribError)
    ]
    assert set(own) <= set(words)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("config", "A configuration, a policy"),
        ("breaker_open", "is refused"),
        ("tool_not_found", "No tool has that name"),
        ("invalid_expression", "points at the character"),
        ("state-newer", "left alone"),
        ("-32001", "No tool has that name"),
        ("-32002", "The tool ran and failed"),
        ("-32003", "did not finish in time"),
        ("-32004", "cannot be served"),
        ("-32602", "every problem is listed at once"),
        ("-32700", "not JSON"),
        ("1001", "directive"),
    ],
)
def test_words_and_numbers_are_explained(code, expected, toolcrib):
    """U-1: words from error[…], numbers from the wire."""
    ran = toolcrib("explain", code)
    assert ran.code == 0
    assert expected in ran.out


def test_an_unknown_code_names_the_nearest(toolcrib):
    """U-1: nearest names everywhere."""
    ran = toolcrib("explain", "conifg")
    assert ran.code == 2 and "did you mean 'config'" in ran.err


def test_json_has_all_of_them(toolcrib):
    """U-1: --json everywhere."""
    rows = toolcrib("explain", "--json").json
    assert {"code", "rpc_code", "text"} == set(rows[0])
