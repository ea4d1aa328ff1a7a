"""The page over plain HTTP: addresses, JSON, the frame around everything."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from support.pipe import toolcrib

PAGES = ("/calls", "/tools", "/decisions", "/library", "/health", "/rules", "/trust", "/approvals")


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_its_heading_its_title_and_the_navigation(dash: Any, path: str) -> None:
    """W-6: `<title>` is `{h1} · {project} · toolcrib`; five links, the current one marked."""
    status, headers, text = dash.ask(path)
    heading = re.search(r"<h1>(.*?)</h1>", text)
    assert status == 200 and heading is not None
    assert f"<title>{heading[1]} · shop · toolcrib</title>" in text
    assert [name for name in ("Calls", "Tools", "Decisions", "Library", "Health") if name in text]
    assert text.count('aria-current="page"') == 1
    assert headers["cache-control"] == "no-store"


def test_the_first_address_leads_to_the_calls(dash: Any) -> None:
    """W-6: `/` is 303 to `/calls`."""
    status, headers, _ = dash.ask("/")
    assert (status, headers["location"]) == (303, "/calls")


def test_the_json_of_calls_has_the_same_numbers_as_the_page(dash: Any) -> None:
    """W-6, W-10: the summary counts, turned away are invalid, denied and refused."""
    found = dash.json("/calls.json?client=pipe")
    assert found["summary"]["calls"] == 3 and found["summary"]["turned_away"] == 2
    assert set(found["summary"]["outcomes"]) == {"ok", "denied", "invalid"}
    assert found["calls"][0]["tool"] == "nothing_of_that_name"
    _, _, text = dash.ask("/calls?outcome=denied")
    assert text.count("<tr data-id") == 1 and "shop_stock_count" in text
    _, _, words = dash.ask("/calls?q=mon%20search")
    assert words.count("<tr data-id") == 1


def test_one_call_shows_what_the_agent_was_told_and_why(dash: Any) -> None:
    """W-10: arguments, error, the place of the rule, and the way to the form."""
    denied = next(each for each in dash.json("/calls.json")["calls"] if each["outcome"] == "denied")
    status, _, text = dash.ask(f"/calls/{denied['id']}")
    assert status == 200 and "Open in Tools" in text and denied["place"] in text
    assert "at most 500" in text


def test_unknown_addresses_name_the_nearest(dash: Any) -> None:
    """W-6: 404 with the nearest names as links, the page's frame around it."""
    status, _, text = dash.ask("/tools/shop_stock_cont")
    assert status == 404 and "shop_stock_count" in text and 'aria-label="Pages"' in text
    assert dash.ask("/calls/nope")[0] == 404 and dash.ask("/nowhere")[0] == 404


def test_tools_show_what_they_cost_and_are_found_as_an_agent_finds_them(dash: Any) -> None:
    """W-11: tokens in all and by pack and way; the search has the order of climax_search."""
    found = dash.json("/tools.json")
    assert found["tokens"]["total"] == sum(found["tokens"]["packs"].values())
    assert found["tokens"]["ways"]["progressive"] < found["tokens"]["ways"]["default"]
    groups = {each["group"] for each in found["tools"]}
    assert {"listed", "behind climax_search"} <= groups
    assert dash.json("/tools.json?q=count%20stock")["tools"][0]["name"] == "shop_stock_count"
    assert dash.ask("/tools/directive%2Ffile.get")[0] == 200


def test_a_decision_is_read_with_its_links_and_a_proposal_is_checked(dash: Any) -> None:
    """W-12: links in words both ways; the answer of check-adr-alignment."""
    _, _, text = dash.ask("/decisions/0007")
    assert "supersedes" in text and 'href="/decisions/0004"' in text
    assert "<title>0007 supersedes 0004</title>" in text
    form = "proposal=Use+floating+point+numbers+for+money"
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    status, _, answer = dash.ask("/decisions/check", method="POST", headers=kind, body=form)
    assert status == 200 and 'aria-label="Alignment"' in answer and "0007" in answer


def test_calls_are_off_unless_allowed(dash: Any) -> None:
    """W-11, FAULTS: POST by hand: 403, names the option; a check is 200 and names the field."""
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    path = "/tools/shop_stock_count"
    status, _, text = dash.ask(f"{path}/call", method="POST", headers=kind, body="arguments={}")
    assert status == 403 and "--allow-calls" in text
    body = "sku=a&pieces=900"
    status, _, text = dash.ask(f"{path}/check", method="POST", headers=kind, body=body)
    assert status == 200 and "at most 500" in json.loads(text)["fields"]["pieces"]


def test_a_call_from_the_page_is_recorded_as_the_dashboards(dashboards: Callable[..., Any]) -> None:
    """W-2, W-11: what draws the page leaves no line; what a person starts does."""
    dash = dashboards("--allow-calls")
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    body = 'arguments={"query": "money"}'
    path = "/tools/search-architecture/call"
    status, _, text = dash.ask(path, method="POST", headers=kind, body=body)
    assert status == 200 and json.loads(text)["result"]["outcome"] == "ok"
    lines = dash.json("/calls.json")["calls"]
    assert [each["tool"] for each in lines] == ["search-architecture"]
    assert lines[0]["client"]["name"] == "dashboard" and lines[0]["caller"] == "dashboard"


def test_documents_of_strangers_are_text(dash: Any) -> None:
    """W-7: arguments with markup are escaped; raw text is plain text."""
    _, _, text = dash.ask("/calls")
    assert "<script>alert" not in text and "&lt;script&gt;" in text
    uri = "architecture%3A%2F%2Fadr%2F0007"
    _, headers, raw = dash.ask(f"/library?uri={uri}&raw=1")
    assert headers["content-type"] == "text/plain; charset=utf-8" and "#" in raw


def test_a_taken_port_is_named_with_the_option(dash: Any) -> None:
    """W-1: one line that names the port and `--port`, exit 1."""
    command = toolcrib("dashboard", "--no-open", "--port", str(dash.port))
    done = subprocess.run(command, cwd=dash.project, env=dash.env, capture_output=True, text=True)
    assert done.returncode == 1 and str(dash.port) in done.stderr and "--port" in done.stderr


def test_it_ends_at_a_signal_with_a_stream_open(dashboards: Callable[..., Any]) -> None:
    """W-1: TERM: exit 0 within 2 s, also with streams open."""
    import http.client

    dash = dashboards()
    link = http.client.HTTPConnection("127.0.0.1", dash.port, timeout=20)
    link.request("GET", "/calls/stream", headers={"Authorization": f"Bearer {dash.token}"})
    assert link.getresponse().read1(10)
    assert dash.stop() == 0


def test_serving_over_stdio_loads_nothing_of_the_page(dash: Any) -> None:
    """W-2: `toolcrib serve` over stdio imports nothing of the page."""
    command = toolcrib("serve")
    command[1:1] = ["-X", "importtime"]
    done = subprocess.run(command, cwd=dash.project, env=dash.env, input=b"", capture_output=True)
    loaded = done.stderr.decode()
    assert "toolcrib.server" in loaded
    for name in ("toolcrib.web", "jinja2", "markdown_it", "nh3", "starlette"):
        assert name not in loaded


def test_a_server_over_http_serves_the_same_pages_below_its_own_address(dash: Any) -> None:
    """W-1: `serve --http --dashboard`: `/dashboard/`, links under the prefix; /mcp as ever."""
    command = toolcrib("serve", "--http", "127.0.0.1:0", "--dashboard")
    server = subprocess.Popen(
        command, cwd=dash.project, env=dash.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().decode().strip()
        port = int(url.split(":")[2].split("/")[0])
        import http.client

        def ask(path: str, **headers: str) -> tuple[int, str]:
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            link.request("GET", path, headers=headers)
            answer = link.getresponse()
            return answer.status, answer.read().decode()

        token = url.split("token=")[1]
        status, text = ask("/dashboard/calls", Authorization=f"Bearer {token}")
        assert status == 200 and 'href="/dashboard/tools"' in text
        assert ask("/dashboard/calls")[0] == 401 and ask("/healthz")[0] == 200
        assert ask("/dashboard/calls", Host="evil.example")[0] == 421
    finally:
        server.terminate()
        server.wait(10)
