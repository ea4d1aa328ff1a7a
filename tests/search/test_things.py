"""What a query names counts by its kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.discovery.tool_fields import tool_index, tool_item
from toolcrib.search.things import UNKNOWN, KnownNames, by_kind, kind_of

SERVERS = [
    ("excel", "write_data", "Write data to an Excel worksheet."),
    ("schools", "find_school", "Find schools and towers in a city."),
    ("word", "add_table", "Add a table to a Word document."),
    ("npm", "npm_init", "Make a package.json for a folder"),
    ("npm", "npm_test", "Run the tests"),
]


@pytest.fixture
def servers():
    """The tools above, lexically."""
    index = tool_index(semantic=False)
    index.add_all([tool_item(name, text, cli=cli) for cli, name, text in SERVERS])
    return index


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("~/school/towers.xlsx,", "excel spreadsheet"),
        ("'report.docx'", "word document"),
        ("(slides.pptx).", "powerpoint presentation"),
        ("/var/www/", "folder"),
        ("../notes", "folder"),
        ("C:\\data\\old", "folder"),
        ("/etc/nginx/nginx.conf", "file"),
        ("backup.tar.gz", "tar archive"),
        ("https://example.org/posts/42?", "url"),
        ("www.example.org", "url"),
        ("<anna@example.org>", "email"),
    ],
)
def test_a_file_or_an_address_is_told_by_its_kind(word, kind):
    """C-4: what a file is called says nothing about the tool, what it holds does."""
    assert kind_of(word) == kind


@pytest.mark.parametrize("word", ["and/or", "acme/web", "e.g.", "3.5", "Next.js", "@home", "."])
def test_other_words_are_no_files(word):
    """C-4: a mark within a word makes no file of it."""
    assert kind_of(word) == ""
    assert by_kind(f"see {word} now", UNKNOWN) == f"see {word} now"


def test_the_folders_of_a_file_do_not_find_tools_of_their_name(servers, keys):
    """C-4: a table in `~/school/towers.xlsx` is for a spreadsheet, not for schools."""
    found = keys(servers, "save the ten tallest ones of the list in ~/school/towers.xlsx")
    assert found[0] == "write_data"
    assert "find_school" not in found


def test_a_file_that_a_description_tells_of_counts_by_its_name(servers, keys):
    """C-4: `package.json` is what the tool makes; C-14: a fragment of a description is first."""
    assert keys(servers, "I would like to have a package.json for this project")[0] == "npm_init"
    assert keys(servers, "package.json")[0] == "npm_init"


def test_a_program_in_an_address_is_still_named():
    """C-4: who names a program means it, in an address as well."""
    known = KnownNames(lambda _: False, {"firebase"}.__contains__)
    assert by_kind("log in to https://console.firebase.google.com", known) == (
        "log in to url firebase"
    )


@given(st.text(max_size=80))
def test_a_text_without_marks_stays_as_it_is(text):
    """C-4: only what looks like a file or an address is replaced."""
    plain = text.translate(str.maketrans("", "", "./\\@"))
    assert by_kind(plain, UNKNOWN) == plain


def test_a_long_query_of_marks_is_read_in_linear_time():
    """FAULTS: what a client sends cannot stall a search."""
    assert_grows_slowly(lambda size: by_kind("a-./a\\ " * size + "a-./" * size, UNKNOWN), 500)
