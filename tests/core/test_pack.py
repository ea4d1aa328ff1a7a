"""What a pack contributes."""

from __future__ import annotations

from typing import Any

import pytest

from toolcrib.core.errors import InvalidParams
from toolcrib.core.pack import Prompt, PromptArgument

GREET = Prompt(
    "greet", arguments=[PromptArgument("who", "Whom", True, 5), PromptArgument("how", "How")]
)


@pytest.mark.parametrize("arguments", [{"who": "Ada"}, {"who": "Ada", "how": ""}])
def test_arguments_that_fit_are_taken(arguments: dict[str, Any]) -> None:
    """A-3: an optional argument may be missing or empty."""
    GREET.check(arguments)


@pytest.mark.parametrize(
    ("arguments", "told", "field"),
    [
        ({}, "Missing required argument 'who' of prompt 'greet'", "who"),
        ({"who": ""}, "Missing required argument 'who' of prompt 'greet'", "who"),
        ({"who": "a", "hwo": "b"}, "has no argument 'hwo'; did you mean", "hwo"),
        ({"who": "a", "zzz": "b"}, "has no argument 'zzz'; it has: who, how", "zzz"),
        ({"who": 3}, "'who' of prompt 'greet' must be a string, got int", "who"),
        ({"who": "Alexandra"}, "must be at most 5 characters, got 9", "who"),
    ],
)
def test_an_argument_that_does_not_fit_is_named(
    arguments: dict[str, Any], told: str, field: str
) -> None:
    """A-3, A-8: one check for the prompts of all packs."""
    with pytest.raises(InvalidParams) as caught:
        GREET.check(arguments)
    assert told in caught.value.what
    assert caught.value.data is not None and caught.value.data["field"] == field
