from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolcrib.packs.guide.content import answers
from toolcrib.packs.guide.content.budget import (
    LEAST,
    AnswerPosition,
    Budget,
    decode_cursor,
    encode_cursor,
    estimate_tokens,
)
from toolcrib.packs.guide.errors import InvalidCursor, NotFound


def everything(library, expression: str, **more) -> tuple[list[dict], int]:
    """Follow the cursors to the end."""
    shown, calls, cursor = [], 0, None
    while True:
        answer = answers.content(library, expression, cursor=cursor, **more)
        shown += answer["documents"]
        calls += 1
        cursor = answer.get("cursor")
        if cursor is None:
            assert not answer["truncated"]
            return shown, calls


def joined(shown: list[dict]) -> dict[str, str]:
    whole: dict[str, str] = {}
    for each in shown:
        text = each["content"].split("\n\n[… cut at character")[0]
        whole[each["document"]] = whole.get(each["document"], "") + text
    return whole


@pytest.fixture
def long_text() -> str:
    return "\n\n".join(f"Paragraph {n}: {'wörter ' * 20}" for n in range(60))


def test_a_budget_that_suffices_gives_everything_at_once(library):
    """G-1: a token budget."""
    answer = answers.content(library, "lang")
    assert [each["document"] for each in answer["documents"]] == [
        "lang/c++.md",
        "lang/java.md",
        "lang/python.md",
        "lang/rust.md",
    ]
    assert (answer["matched"], answer["truncated"], answer["missing"]) == (4, False, [])
    assert answer["documents"][3]["title"] == "Rust here"
    assert answer["documents"][3]["content"] == "Use enums."


def test_what_does_not_fit_is_marked_and_the_rest_is_to_be_had(write, library, long_text):
    """G-1: an explicit marker and the way to get the rest; nothing is lost, nothing doubled."""
    write({"guide/lang/python.md": long_text})
    first = answers.content(library, "lang", max_tokens=500)
    assert first["truncated"]
    assert first["tokens"] <= 500
    assert first["matched"] == 4
    assert "[… cut at character" in first["documents"][-1]["content"]
    shown, calls = everything(library, "lang", max_tokens=500)
    assert calls > 3
    assert list(joined(shown)) == ["lang/c++.md", "lang/java.md", "lang/python.md", "lang/rust.md"]
    assert joined(shown)["lang/python.md"] == long_text


def test_a_cut_falls_between_paragraphs_where_it_can(write, library, long_text):
    write({"guide/lang/python.md": long_text})
    (part,) = answers.content(library, "lang/python", max_tokens=400)["documents"]
    shown, _ = part["content"].split("\n\n[… cut")
    assert long_text.startswith(shown)
    assert shown.endswith(("wörter", "wörter ", "\n"))
    assert part["part"] == {"from": 0, "to": part["part"]["to"], "of": len(long_text)}


def test_no_document_is_left_out_silently_however_many_there_are(write, library):
    """G-1: no hidden cap."""
    write({f"guide/many/d{n:04}.md": f"# Number {n}" for n in range(400)})
    library.forget()
    shown, _ = everything(library, "many", max_tokens=2000)
    assert [each["title"] for each in shown] == [f"Number {n}" for n in range(400)]


def test_a_document_that_changed_between_two_calls_begins_again(write, library, long_text):
    """FAULTS: changed meanwhile: one consistent version."""
    write({"guide/lang/python.md": long_text})
    first = answers.content(library, "lang/python", max_tokens=400)
    write({"guide/lang/python.md": "# Short now"})
    second = answers.content(library, "lang/python", cursor=first["cursor"])
    (part,) = second["documents"]
    assert part["content"] == "# Short now"
    assert part["notes"] == ["changed meanwhile; begins again"]


def test_documents_that_come_and_go_between_two_calls_move_the_cursor(write, project, library):
    write({f"guide/many/d{n}.md": "word " * 300 for n in range(5)})
    library.forget()
    first = answers.content(library, "many", max_tokens=900)
    assert [each["document"] for each in first["documents"]] == ["many/d0.md", "many/d1.md"]
    write({"guide/many/a.md": "new"})
    library.forget()
    second = answers.content(library, "many", cursor=first["cursor"])
    names = [each["document"] for each in second["documents"]]
    assert names[-3:] == ["many/d2.md", "many/d3.md", "many/d4.md"]
    assert "many/d0.md" not in names


def test_one_bad_file_never_fails_the_rest(write, library):
    """FAULTS: binary: one bad file never fails the rest."""
    write(
        {"guide/lang/bad.md": b"\x00\x01\x02", "guide/lang/latin.md": "caf\xe9".encode("latin-1")}
    )
    library.forget()
    by_name = {each["document"]: each for each in answers.content(library, "lang")["documents"]}
    assert "not text" in by_name["lang/bad.md"]["error"]
    assert by_name["lang/latin.md"]["content"] == "café"
    assert "cp1252" in by_name["lang/latin.md"]["notes"][0]
    assert by_name["lang/python.md"]["content"].startswith("# Python")


def test_only_when_nothing_matched_it_is_a_failure(library):
    """G-1: failure only when nothing matched, with the nearest names."""
    assert answers.content(library, "lang/python,nope")["missing"][0]["expression"] == "nope"
    with pytest.raises(NotFound, match="Nothing matches 'lang/pyton,dosc'") as caught:
        answers.content(library, "lang/pyton,dosc")
    assert caught.value.data["nearest"] == ["lang/python", "docs"]
    assert "Nearest: lang/python, docs" in str(caught.value)


@pytest.mark.parametrize(
    "cursor",
    ["x", "!!!", "ü", base64.b64encode(b"[]").decode(), base64.b64encode(b"[1,2,3,4,5]").decode()],
)
def test_what_is_no_cursor_is_refused(library, cursor):
    with pytest.raises(InvalidCursor, match="This is no cursor"):
        answers.content(library, "lang", cursor=cursor)


def test_a_cursor_of_another_expression_is_refused(library):
    cursor = encode_cursor(AnswerPosition(1), ("docs", None))
    with pytest.raises(InvalidCursor, match="belongs to another expression"):
        answers.content(library, "lang", cursor=cursor)


@given(st.text(max_size=40))
def test_no_text_is_a_cursor_by_chance(text):
    with pytest.raises(InvalidCursor):
        decode_cursor(text, ("lang", None))


@given(st.integers(0, 10**6), st.integers(0, 10**9), st.text(max_size=20))
def test_a_cursor_comes_back_as_it_went(index, offset, key):
    position = AnswerPosition(index, offset, key, "v")
    assert decode_cursor(encode_cursor(position, ("a", None)), ("a", None)) == position


@settings(max_examples=60)
@given(
    st.lists(st.text(st.sampled_from("ab é日\n"), max_size=1500), max_size=4),
    st.integers(LEAST, 500),
)
def test_taking_in_parts_gives_back_the_whole(texts, tokens):
    """G-1: whatever the budget, every call makes progress and nothing is lost."""
    for text in texts:
        whole, start = "", 0
        for _ in range(200):
            piece = Budget(tokens).take(text, start)
            assert piece is not None
            assert estimate_tokens(piece.text) <= tokens
            whole += piece.text
            start = piece.end
            if piece.end == piece.total:
                break
        assert whole == text


def test_a_cursor_is_short_enough_for_its_argument():
    cursor = encode_cursor(
        AnswerPosition(9999, 10**7, "c" * 64 + "/" + "d" * 255, "v" * 12), ("x", None)
    )
    assert len(cursor) < 4000
    assert json.loads(base64.urlsafe_b64decode(cursor + "=="))[1] == 9999
