from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.files.globs import (
    BadGlob,
    compile_glob,
    compile_text,
    escape,
    expand_braces,
    path_matches,
)


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("python", ["python"], ["python.md", "x/python", "pythons"]),
        ("*.md", ["a.md", ".md"], ["x/a.md", "a.mdx"]),
        ("**/*.md", ["a.md", "x/a.md", "x/y/a.md"], ["a.txt"]),
        ("docs/**", ["docs/a", "docs/x/y"], ["docs", "docsx/a", "x/docs/a"]),
        ("**/docs/**", ["docs/a", "x/docs/a/b"], ["docs", "xdocs/a"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "ab", "b"]),
        ("**", ["a", "a/b"], []),
        ("a/**/b/**/c", ["a/b/c", "a/b/b/c", "a/x/b/y/c"], ["a/c", "a/b"]),
        ("**/b/c/**/d", ["b/c/d", "b/b/c/x/d", "a/b/c/d"], ["b/x/c/d"]),
        ("?.md", ["a.md"], ["ab.md", "/.md"]),
        ("[ab].md", ["a.md", "b.md"], ["c.md"]),
        ("[!ab].md", ["c.md"], ["a.md"]),
        ("[^ab]*", ["cat"], ["ant"]),
        ("[a-c]x", ["bx"], ["dx"]),
        ("[]x]", ["]", "x"], ["y"]),
        ("c[+][+]", ["c++"], ["c+"]),
        ("a*b*c", ["abc", "axbxc", "abbc", "abcbc"], ["acb", "ab/c"]),
        ("*a*", ["a", "banana"], ["b", "b/a"]),
        ("**x", ["x", "ax"], ["a/x"]),
        ("a.b", ["a.b"], ["axb"]),
    ],
)
def test_a_pattern_matches_these_and_not_those(pattern, matching, other):
    """G-1: `*` within a name, `**` recurses."""
    glob = compile_glob(pattern)
    assert [each for each in matching if not glob.matches(each)] == []
    assert [each for each in other if glob.matches(each)] == []


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("python", ["python", "python.md", "python.rst"], ["python.tar.gz", "python/x.md"]),
        ("*a", ["banana.md", "a", "papaya"], ["banana.mad.d"]),
        ("py*", ["python.md"], ["x/python.md"]),
        ("**/api", ["api.md", "v1/api.md"], ["v1/apis.md"]),
        ("api.v1", ["api.v1.md", "api.v1"], ["api.md"]),
    ],
)
def test_an_extension_may_be_left_off(pattern, matching, other):
    """G-1: a pattern matches with or without extension."""
    glob = compile_glob(pattern, extension=True)
    assert [each for each in matching if not glob.matches(each)] == []
    assert [each for each in other if glob.matches(each)] == []


@pytest.mark.parametrize(
    ("pattern", "position", "reason"),
    [
        ("a/../b", 2, "is no name"),
        ("a//b", 2, "an empty name"),
        ("/a", 0, "an empty name"),
        ("ab[cd", 2, "never closed"),
        ("a/[z-a]", 2, "is no range"),
        ("a\0", 0, "is no name"),
    ],
)
def test_a_bad_pattern_is_refused_at_its_place(pattern, position, reason):
    """G-1: an error that points at the character."""
    with pytest.raises(BadGlob, match=reason) as caught:
        compile_glob(pattern)
    assert caught.value.position == position


def test_braces_are_expanded_and_bounded():
    """G-6: `applyTo: src/**/*.{ts,tsx}`."""
    assert expand_braces("src/*.{ts,tsx}") == ["src/*.ts", "src/*.tsx"]
    assert set(expand_braces("{a,b{c,d}}")) == {"a", "bc", "bd"}
    assert expand_braces("plain}{") == ["plain}{"]
    with pytest.raises(BadGlob, match="more than 256 alternatives"):
        expand_braces("{a,b}" * 20)


@pytest.mark.parametrize(
    "pattern", ["*a" * 40 + "b", "**/a*/" * 20 + "b", "**/" + "*a*" * 30 + "/**/x"]
)
def test_a_hostile_pattern_takes_time_in_proportion_to_the_path(pattern):
    """FAULTS: catastrophic backtracking: linear time."""
    matches = compile_glob(pattern).matches
    assert_grows_slowly(lambda size: matches("/".join(["a" * 60] * size)), 20)


def test_a_pattern_is_read_as_people_write_it_into_files():
    """A-6, G-6, C-1: `./src/` is a folder, `{a,b}` a choice; a bare name fits anywhere."""
    assert path_matches("src/a/b.ts", "./src/")
    assert path_matches("src/a/b.ts", "/src/**/*.{js,ts}")
    assert path_matches("src/a/b.ts", "*.ts") and path_matches("src/a/b.ts", "a")
    assert not path_matches("lib/src/b.ts", "src/*.ts")
    assert not path_matches("src/a/b.ts", "src/*.ts")
    with pytest.raises(BadGlob, match="never closed"):
        path_matches("a", "src/[")


def test_a_text_that_is_no_path_has_slashes_like_any_character():
    """A-3: addresses of documents; what an argument holds is no wildcard."""
    assert compile_text("architecture://adr/*")("architecture://adr/sub/7")
    assert compile_text("a?b*")("a/b")
    assert not compile_text(escape("*[x]?"))("abc")
    assert compile_text(escape("*[x]?"))("*[x]?")


@given(st.text("a*?[]!/", max_size=8), st.text("a*?[]!/", max_size=8))
def test_an_escaped_text_matches_itself_alone(text, other):
    assert bool(compile_text(escape(text))(other)) == (text == other)


names = st.text("ab.[", min_size=1, max_size=6).filter(lambda text: text not in (".", ".."))


@given(names, st.text("ab.*?", min_size=1, max_size=8).filter(lambda p: p not in (".", "..", "**")))
def test_within_one_name_it_agrees_with_the_standard_library(name, pattern):
    assert bool(compile_glob(pattern).matches(name)) == fnmatchcase(name, pattern)


def reference(path: list[str], pattern: list[str]) -> bool:
    """Segments matched the slow and obvious way."""
    if not pattern:
        return not path
    if pattern[0] == "**":
        if len(pattern) == 1:
            return bool(path)
        return any(reference(path[skip:], pattern[1:]) for skip in range(len(path) + 1))
    return bool(path) and fnmatchcase(path[0], pattern[0]) and reference(path[1:], pattern[1:])


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "ba"]), min_size=1, max_size=6),
    st.lists(st.sampled_from(["a", "b", "**", "*", "a*", "*b", "?b"]), min_size=1, max_size=6),
)
def test_across_folders_it_agrees_with_the_obvious_way(path, pattern):
    squeezed = [p for i, p in enumerate(pattern) if p != "**" or pattern[i - 1 : i] != ["**"]]
    glob = compile_glob("/".join(pattern))
    found = glob.matches("/".join(path))
    assert bool(found) == reference(path, squeezed)
    if found:
        assert "/".join(path).startswith(glob.prefix)


@given(st.text("ab*?[]!^-\\|&~.{}", max_size=12), st.text("ab[]!^-\\|&~.", min_size=1, max_size=8))
def test_any_text_is_a_pattern_or_a_clear_refusal(pattern, name):
    try:
        glob = compile_glob(pattern)
    except BadGlob as error:
        assert 0 <= error.position <= len(pattern)
    else:
        if glob.matches(name):
            assert glob.hint in name
            assert name.startswith(glob.prefix)
