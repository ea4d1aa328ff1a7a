"""Results of servers: passed on as they came, cleaned, and cut where they are too long."""

from __future__ import annotations

import asyncio

import pytest

from support.waiting import until_async
from toolcrib.core.errors import ResourceNotFound
from toolcrib.core.pack import READER
from toolcrib.packs.gateway import results
from toolcrib.packs.gateway.results import SCHEME, KeptResults, ResultResources, Results
from toolcrib.server.mcp.calls import _wire
from toolcrib.wire.eras import LEGACY, MODERN


def test_everything_is_passed_on_whole_and_in_order() -> None:
    """X-18: every content type, structured content, isError, _meta; unknown types, too."""
    content = [
        {"type": "text", "text": "a\x1b[31mb\x00ü\u05d0"},
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "resource", "resource": {"uri": "x:y", "text": "t"}},
        {"type": "hologram", "x": 1},
    ]
    given = {"content": content, "structuredContent": {"a": 1}, "isError": True, "_meta": {"k": 1}}
    output = Results(KeptResults(), 1000).output(given, "me")
    assert [item["type"] for item in output.content] == ["text", "image", "resource", "hologram"]
    assert output.content[0]["text"] == "abü\u05d0" and output.content[1:] == content[1:]
    assert output.structured == {"a": 1} and output.is_error and output.extra == {"_meta": {"k": 1}}


def test_structured_content_that_is_no_object_is_for_the_era_that_has_it() -> None:
    """X-18: any JSON value in the stateless era; earlier clients refuse all but an object."""
    given = {"content": [], "structuredContent": [1, 2]}
    output = Results(KeptResults(), 1000).output(given, "me")
    assert _wire(output, MODERN)["structuredContent"] == [1, 2]
    assert "structuredContent" not in _wire(output, LEGACY)
    long = {**given, "content": [{"type": "text", "text": "x" * 2000}]}
    assert "structuredContent" not in Results(KeptResults(), 1000).output(long, "me").extra


def test_a_long_text_is_cut_and_the_whole_can_be_read_by_its_session_alone() -> None:
    """X-19: first 60 %, last 20 %, how much is left out and where; nobody else can read it."""
    kept = KeptResults()
    text = "".join(chr(97 + n % 26) for n in range(5000))
    given = {"content": [{"type": "text", "text": text}], "structuredContent": {"a": 1}}
    output = Results(kept, 1000).output(given, "me")
    shown, link = output.content
    assert shown["text"].startswith(text[:600]) and shown["text"].endswith(text[-200:])
    assert f"[4200 characters left out: read {link['uri']}]" in shown["text"]
    assert output.structured is None and link["type"] == "resource_link"
    assert link["uri"].startswith(SCHEME) and link["size"] == 5000
    source = ResultResources(kept)

    async def read(reader: str) -> str | None:
        READER.set(reader)
        return (await source.read(link["uri"]))[0].text

    assert asyncio.run(read("me")) == text and list(source.resources()) == []
    with pytest.raises(ResourceNotFound):
        asyncio.run(read("somebody else"))
    assert Results(kept, 5000).output(given, "me").structured == {"a": 1}


def test_what_is_kept_is_bounded_in_size_and_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """X-19: at most 64 MiB and one hour; the oldest goes first."""
    kept = KeptResults()
    monkeypatch.setattr(results, "MOST_BYTES", 10_000)
    first, last = [kept.put(b"x" * 3000, "me") or "" for _ in range(5)][::4]
    with pytest.raises(ResourceNotFound):
        kept.get(first, "me")
    assert kept.get(last, "me") and kept.size == 9000
    monkeypatch.setattr(results, "LIFETIME", -1.0)
    late = KeptResults()
    with pytest.raises(ResourceNotFound):
        late.get(late.put(b"x", "me") or "", "me")
    assert late.size == 0


def test_what_is_kept_is_dropped_after_its_time_although_nobody_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """X-19: the whole is kept in memory for at most one hour."""
    monkeypatch.setattr(results, "LIFETIME", 0.01)
    kept = KeptResults()

    async def session() -> int:
        kept.put(b"x" * 3000, "me")
        before = kept.size
        await until_async(lambda: kept.size == 0)
        return before

    assert asyncio.run(session()) == 3000


def test_what_is_kept_later_is_dropped_later_by_the_same_timer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """X-19: one timer for all, set for the oldest."""
    monkeypatch.setattr(results, "LIFETIME", 0.01)
    kept = KeptResults()

    async def session() -> int:
        loop, timers = asyncio.get_running_loop(), []
        make = loop.call_later
        with monkeypatch.context() as patch:
            patch.setattr(loop, "call_later", lambda *told: timers.append(told) or make(*told))
            for _ in range(50):
                kept.put(b"x", "me")
            begun = len(timers)
        await until_async(lambda: kept.size == 0)
        kept.put(b"x", "me")
        await until_async(lambda: kept.size == 0)
        return begun

    assert asyncio.run(session()) == 1


def test_a_text_that_is_larger_than_all_that_is_kept_has_no_link_that_leads_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """X-19: at most 64 MiB; what a caller is told to read is there to be read."""
    monkeypatch.setattr(results, "MOST_BYTES", 4000)
    kept = KeptResults()
    small = kept.put(b"small", "me") or ""
    (shown,) = Results(kept, 1000).output({"content": [_text("x" * 5000)]}, "me").content
    assert "4200 characters left out, too many to be kept" in shown["text"]
    assert SCHEME not in shown["text"] and kept.get(small, "me") == "small"
    _, link = (
        Results(kept, 1000).output({"content": [_text("\U0001f600" + "x" * 3500)]}, "me").content
    )
    assert kept.get(link["uri"], "me").endswith("x" * 3500)


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def test_the_text_of_an_embedded_resource_is_cleaned_too() -> None:
    """X-18: text is stripped of ANSI and control characters."""
    item = {"type": "resource", "resource": {"uri": "x:y", "text": "a\x1b[31mb\x00", "n": 1}}
    (found,) = Results(KeptResults(), 1000).output({"content": [item]}, "me").content
    assert found == {"type": "resource", "resource": {"uri": "x:y", "text": "ab", "n": 1}}


def test_the_text_of_embedded_resources_counts_and_is_cut_as_any_other() -> None:
    """X-19: a long file in a resource is cut; its own uri is still there to be read."""
    kept = KeptResults()
    inner = {"uri": "mcp://files/file:///a.txt", "mimeType": "text/plain", "text": "b" * 900}
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    content = [{"type": "text", "text": "a" * 900}, {"type": "resource", "resource": inner}, image]
    shown, own, picture, link = Results(kept, 1000).output({"content": content}, "me").content
    assert shown["text"].startswith("a" * 600) and shown["text"].endswith("b" * 200)
    assert own == {"type": "resource_link", "name": inner["uri"], "uri": inner["uri"],
                   "mimeType": "text/plain"}  # fmt: skip
    assert picture == image and kept.get(link["uri"], "me") == "a" * 900 + "\n" + "b" * 900
    assert Results(kept, 2000).output({"content": content}, "me").content == content


@pytest.mark.parametrize("beside", [None, 5, []])
def test_what_stands_in_the_place_of_a_text_hides_no_text(beside: object) -> None:
    """X-19: a long text in a resource is cut, whatever else its item has."""
    item = {"type": "resource", "text": beside, "resource": {"uri": "x:y", "text": "b" * 900}}
    shown, own, _ = Results(KeptResults(), 500).output({"content": [item]}, "me").content
    assert len(shown["text"]) < 600 and "resource" not in own
