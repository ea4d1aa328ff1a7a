"""Resources of servers, in each pair of eras, over real pipes."""

from __future__ import annotations

from typing import Any

import pytest

from support.pipe import Pipe

ERAS = ("legacy", "modern")


def opened(pipe: Pipe, client: str) -> bool:
    """Greet as a client of an era, and have the server seen; whether it is the modern one."""
    modern = client == "modern"
    if not modern:
        pipe.initialize()
    pipe.call("climax_call", {"tool_name": "srv__show", "args": {}}, modern=modern)
    return modern


@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_resources_are_listed_read_and_completed(serving, client, server) -> None:
    """X-25, X-11: under `mcp://SERVER/`, with all that they came with."""
    with serving(server) as pipe:
        modern = opened(pipe, client)
        listed = pipe.result("resources/list", modern=modern)["resources"]
        assert listed == [
            {"uri": "mcp://srv/file:///b c", "name": "b", "annotations": {"priority": 1}},
            {"uri": "mcp://srv/note://a", "name": "a", "size": 3, "_meta": {"x": 1},
             "mimeType": "text/x-note"},
        ]  # fmt: skip
        templates = pipe.result("resources/templates/list", modern=modern)["resourceTemplates"]
        assert {"uriTemplate": "mcp://srv/note://{name}", "name": "note"} in templates
        read = pipe.result("resources/read", {"uri": "mcp://srv/file:///b c"}, modern=modern)
        assert read["contents"] == [
            {"uri": "mcp://srv/file:///b c", "mimeType": "text/x-note",
             "text": "text of file:///b c", "_meta": {"y": 2}},
            {"uri": "mcp://srv/file:///b c", "blob": "AAEC"},
        ]  # fmt: skip
        params = {
            "ref": {"type": "ref/resource", "uri": "mcp://srv/note://{name}"},
            "argument": {"name": "name", "value": "v"},
        }
        values = pipe.result("completion/complete", params, modern=modern)["completion"]["values"]
        assert values == ["v-note://{name}"]


@pytest.mark.parametrize("client", ERAS)
def test_an_unknown_server_is_an_invalid_parameter(serving, client) -> None:
    """X-25: -32602."""
    with serving("legacy") as pipe:
        modern = opened(pipe, client)
        error = pipe.error("resources/read", {"uri": "mcp://nobody/x://y"}, modern=modern)
        assert error["code"] == -32602 and "nobody" in error["message"]


def test_uris_in_results_can_be_read(serving) -> None:
    """X-25: links, resources and pages in the result of a tool are ours."""
    with serving("legacy") as pipe:
        pipe.initialize()
        result: Any = pipe.call("climax_call", {"tool_name": "srv__show", "args": {}})
        link, whole, text = result["content"]
        assert link["uri"] == whole["resource"]["uri"] == "mcp://srv/note://a"
        assert text["text"] == "note://a"
        assert result["_meta"]["ui"] == {"resourceUri": "mcp://srv/ui://page"}
        read = pipe.result("resources/read", {"uri": link["uri"]})
        assert read["contents"][0]["text"] == "text of note://a"
