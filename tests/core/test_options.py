"""S-4: options with their limits, the same for the server and for every pack."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.options import FromEnvironment, build, option, section_schema
from toolcrib.core.support.records import record
from toolcrib.settings import PACKS, pack_settings


@record
class Oven:
    """How it bakes: `[oven]`."""

    degrees: int = option(180, "Degrees", least=30, most=300)
    fan: bool = option(False, "Whether air is moved")
    mode: Literal["top", "bottom"] = option("top", "Where heat comes from")
    racks: tuple[int, ...] = option((), "Which racks are used")
    timer: float | None = option(None, "Minutes", least=0.5)


def test_a_table_becomes_the_dataclass() -> None:
    """S-4: a value that is missing has its default."""
    made = build(Oven, "oven", {"degrees": 200, "racks": [1, 2], "timer": 3})
    assert made == Oven(degrees=200, racks=(1, 2), timer=3.0)


def test_a_variable_is_text_and_means_what_the_field_wants() -> None:
    """S-4: TOOLCRIB_OVEN_FAN=yes."""
    texts = {"fan": "yes", "degrees": "90", "racks": "1, 2"}
    made = build(Oven, "oven", {key: FromEnvironment(value) for key, value in texts.items()})
    assert (made.fan, made.degrees, made.racks) == (True, 90, (1, 2))


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ({"degree": 1}, "Unknown key 'degree' in [oven]; did you mean 'degrees'?"),
        ({"degrees": 29}, "[oven] degrees must be at least 30 and at most 300, got 29"),
        ({"degrees": 301}, "[oven] degrees must be at least 30 and at most 300, got 301"),
        ({"degrees": True}, "[oven] degrees must be a whole number, got True"),
        ({"degrees": "hot"}, "[oven] degrees must be a whole number, got 'hot'"),
        ({"mode": "tops"}, "[oven] mode must be one of: top, bottom; did you mean 'top'?"),
        ({"racks": 1}, "[oven] racks must be a list, got 1"),
        ({"timer": float("nan")}, "[oven] timer must be at least 0.5, got nan"),
    ],
)
def test_what_does_not_fit_is_told_with_the_limit_and_the_place(
    table: dict[str, object], what: str
) -> None:
    """S-4: the key, the expectation, the nearest name."""
    with pytest.raises(ConfigError) as caught:
        build(Oven, "oven", table, lambda key: Place("oven.toml", 3))
    assert caught.value.what == what
    assert str(caught.value.where) == "oven.toml:3"


def test_a_wrong_variable_is_named() -> None:
    """S-4: a variable stands in no file."""
    with pytest.raises(ConfigError) as caught:
        build(Oven, "oven", {"degrees": FromEnvironment("5")}, lambda key: Place("oven.toml", 3))
    assert caught.value.where is None
    assert caught.value.why == "set by TOOLCRIB_OVEN_DEGREES"


def test_the_schema_has_types_defaults_and_limits() -> None:
    """S-4: editors help."""
    schema = section_schema(Oven)["properties"]
    assert schema["degrees"] == {
        "type": "integer",
        "description": "Degrees",
        "default": 180,
        "minimum": 30,
        "maximum": 300,
    }
    assert schema["mode"]["enum"] == ["top", "bottom"]
    assert schema["timer"]["type"] == "number" and "default" not in schema["timer"]


@pytest.mark.parametrize("pack", PACKS)
def test_every_number_of_every_pack_has_a_lower_limit(pack: str) -> None:
    """S-4: no number is corrected in silence."""
    for name, schema in section_schema(pack_settings(pack))["properties"].items():
        if schema.get("type") in ("integer", "number"):
            assert "minimum" in schema, f"[{pack}] {name}"


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())
)
NAMES = st.sampled_from(["degrees", "fan", "mode", "racks", "timer", "unknown"])


@given(st.dictionaries(NAMES, VALUES, max_size=4))
def test_any_table_is_built_or_refused(table: dict[str, object]) -> None:
    """S-4: a file that a person wrote never ends in a traceback."""
    try:
        made = build(Oven, "oven", table)
    except ConfigError:
        return
    assert 30 <= made.degrees <= 300
