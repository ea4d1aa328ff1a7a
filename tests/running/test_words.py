"""Words of a command line, read as a shell would."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.running.words import UnsetVariable, expand, split_words

ENV = {"HOME": "/home/me", "TOOLS": "/opt/my tools", "EMPTY": ""}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("git", ["git"]),
        ("git  -c   a=b", ["git", "-c", "a=b"]),
        ("echo 'two words' \"and three more\"", ["echo", "two words", "and three more"]),
        (r"a\ b", ["a b"]),
        ("''", [""]),
        ("", []),
        ("pre'fix 'ed", ["prefix ed"]),
        (r'"say \"hi\" \n"', ['say "hi" \\n']),
    ],
)
def test_quotes_and_backslashes_work_as_in_a_shell(text: str, words: list[str]) -> None:
    """C-2: the base command is read with shell-like quoting."""
    assert split_words(text) == words


@given(st.lists(st.text(min_size=1, alphabet=st.characters(exclude_characters="\0"))))
def test_what_shlex_quotes_comes_back_as_it_was(words: list[str]) -> None:
    """C-2: quoting is the same as everybody else's."""
    assert split_words(shlex.join(words), {}) == words


def test_home_and_variables_are_expanded_into_one_word() -> None:
    """C-2: `~` and `$VAR` are expanded; a value with a space stays one word."""
    assert split_words("~/bin/x $TOOLS/run ${EMPTY} a~b", ENV) == [
        "/home/me/bin/x",
        "/opt/my tools/run",
        "",
        "a~b",
    ]


def test_single_quotes_keep_a_dollar_as_it_is() -> None:
    """C-2: as in a shell, nothing happens inside of single quotes."""
    assert split_words("awk '{print $TOOLS}' \"$TOOLS\" $1 \\$TOOLS '~'", ENV) == [
        "awk",
        "{print $TOOLS}",
        "/opt/my tools",
        "$1",
        "$TOOLS",
        "~",
    ]


def test_without_an_environment_nothing_is_expanded() -> None:
    """C-2: only the base command is expanded, subcommand words are not."""
    assert split_words("log --format=$h ~") == ["log", "--format=$h", "~"]


def test_a_variable_that_is_not_set_is_named() -> None:
    """C-11: an unset variable is an error."""
    with pytest.raises(UnsetVariable, match=r"\$NOPE is not set"):
        split_words("$NOPE/x", ENV)
    with pytest.raises(UnsetVariable, match=r"\$NOPE"):
        expand("a${NOPE}b", ENV)


@pytest.mark.parametrize("text", ["'open", '"open', "a\\"])
def test_what_is_not_closed_is_refused(text: str) -> None:
    """C-2: half a quote is a mistake, not a word."""
    with pytest.raises(ValueError, match=r"closed|end"):
        split_words(text)
