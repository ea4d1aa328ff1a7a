from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.guide.errors import InvalidName, InvalidValue
from toolcrib.packs.guide.state.flags import LARGEST_VALUE, Flags, checked_name, checked_value


@pytest.fixture
def flags(store):
    return Flags(store, "/here/shop")


@pytest.mark.parametrize("value", [True, False, "", "text", [], ["a", "b"], {}, {"k": "v"}])
def test_every_kind_of_value_comes_back(flags, value):
    """G-2: bool, string, list of strings, map of strings."""
    flags.set_feature("f", value)
    flags.set_project("p", value)
    assert flags.get_feature("f") == value
    assert type(flags.get_feature("f")) is type(value)
    assert flags.get_project("p") == (value, "project")


def test_a_missing_flag_is_null(flags):
    """G-2: a missing flag is value: null."""
    assert flags.get_feature("nothing") is None
    assert flags.get_project("nothing") == (None, "none")


def test_null_removes(flags):
    """G-2."""
    flags.set_feature("f", True)
    flags.set_feature("f", None)
    flags.set_feature("f", None)
    assert flags.list_feature() == {}


def test_the_project_beats_the_global_and_the_global_beats_nothing(flags):
    """G-2: a project's false beats a global true."""
    flags.set_feature("f", True)
    assert flags.get_project("f") == (True, "global")
    flags.set_project("f", False)
    assert flags.get_project("f") == (False, "project")
    assert flags.list_project() == {"f": False}
    flags.set_project("f", None)
    assert flags.get_project("f") == (True, "global")


def test_global_flags_are_never_merged(flags):
    """G-2: global only, isolated."""
    flags.set_project("mine", True)
    flags.set_feature("ours", True)
    assert flags.list_feature() == {"ours": True}
    assert flags.get_feature("mine") is None
    assert flags.list_project() == {"mine": True, "ours": True}
    assert flags.own() == {"mine": True}


def test_projects_do_not_see_each_other(store):
    """G-3: two folders of one name never share."""
    one, two = Flags(store, "/a/shop"), Flags(store, "/b/shop")
    one.set_project("f", "one")
    assert two.get_project("f") == (None, "none")


@pytest.mark.parametrize("name", ["a", "A1", "a.b_c-d", "0", "x" * 64])
def test_good_names_are_taken(name):
    """G-2: [A-Za-z0-9][A-Za-z0-9._-]{0,63}."""
    assert checked_name(name) == name


@pytest.mark.parametrize("name", ["", "-a", ".a", "_a", "a b", "a/b", "ä", "a\n", "x" * 65, "٣"])
def test_other_names_are_refused_with_the_rule(name):
    """G-2."""
    with pytest.raises(InvalidName, match="must begin with a letter or digit and hold at most 64"):
        checked_name(name)


@pytest.mark.parametrize("value", [1, 1.5, [1], [None], {"a": 1}, {"a": ["b"]}, "\ud800", [[]]])
def test_other_values_are_refused_with_what_is_possible(value):
    """G-2."""
    with pytest.raises(InvalidValue, match=r"true, false, a string, a list of strings, a map"):
        checked_value(value)


def test_a_value_has_a_limit_that_is_named():
    checked_value("x" * (LARGEST_VALUE - 2))
    with pytest.raises(InvalidValue, match="at most 65,536 characters, got 65,537"):
        checked_value("x" * (LARGEST_VALUE - 1))


@given(st.text())
def test_a_name_is_taken_exactly_when_it_fits_the_rule(name):
    import re

    fits = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name) is not None
    try:
        checked_name(name)
    except InvalidName:
        assert not fits
    else:
        assert fits


def test_a_session_has_the_global_flags_by_themselves(tmp_path, monkeypatch):
    """G-2, seed: `session.feature_flags()` works on the global scope and no other."""
    from toolcrib.packs.guide.session import GuideSession

    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    session = GuideSession(tmp_path)
    session.flags.set_project("terse", False)
    flags = session.feature_flags()
    flags.set("terse", True)
    assert flags.get("terse") is True
    assert flags.list() == {"terse": True}
    assert session.flags.get_project("terse") == (False, "project")
    flags.set("terse", None)
    assert flags.list() == {}
    session.close()
