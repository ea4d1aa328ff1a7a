"""Prompts of servers, in each pair of eras, over real pipes."""

from __future__ import annotations

import pytest

from support.pipe import Pipe

ERAS = ("legacy", "modern")


def opened(pipe: Pipe, client: str) -> bool:
    modern = client == "modern"
    if not modern:
        pipe.initialize()
    pipe.call("climax_call", {"tool_name": "srv__show", "args": {}}, modern=modern)
    return modern


def told(pipe: Pipe, kind: str) -> None:
    """Wait for the next notification of a kind."""
    while not any(kind in str(each) for each in pipe.notifications):
        pipe.notifications.append(pipe.receive())
    pipe.notifications.clear()


@pytest.mark.parametrize("server", ERAS)
@pytest.mark.parametrize("client", ERAS)
def test_prompts_are_listed_filled_in_and_completed(serving, client, server) -> None:
    """X-26: `SERVER__PROMPT`; arguments and messages as they came, uris ours."""
    with serving(server) as pipe:
        modern = opened(pipe, client)
        (listed,) = pipe.result("prompts/list", modern=modern)["prompts"]
        assert listed == {
            "name": "srv__greet",
            "description": "Greets",
            "icons": [],
            "arguments": [{"name": "who", "required": True}],
        }
        params = {"name": "srv__greet", "arguments": {"who": "Zoë"}}
        got = pipe.result("prompts/get", params, modern=modern)
        assert got["description"] == "d"
        resource = {"uri": "mcp://srv/note://a", "text": "Zoë"}
        content = {"type": "resource", "resource": resource}
        assert got["messages"] == [{"role": "user", "content": content}]
        wanted = {
            "ref": {"type": "ref/prompt", "name": "srv__greet"},
            "argument": {"name": "who", "value": "v"},
        }
        found = pipe.result("completion/complete", wanted, modern=modern)["completion"]["values"]
        assert found == ["v-greet"]


def test_an_unknown_prompt_and_a_missing_argument_are_named(serving) -> None:
    """X-26: before the server is asked."""
    with serving("legacy") as pipe:
        opened(pipe, "legacy")
        assert "srv__greet" in pipe.error("prompts/get", {"name": "srv__gret"})["message"]
        missing = pipe.error("prompts/get", {"name": "srv__greet", "arguments": {}})
        assert "'who'" in missing["message"]


def test_a_prompt_that_is_new_is_held(serving) -> None:
    """X-21, X-16: what a server adds later waits for a person; resources are there at once."""
    with serving("legacy") as pipe:
        opened(pipe, "legacy")
        told(pipe, "resources/list_changed")
        pipe.call("climax_call", {"tool_name": "srv__more", "args": {}})
        told(pipe, "resources/list_changed")
        names = [each["name"] for each in pipe.result("prompts/list")["prompts"]]
        assert names == ["srv__greet"]
        assert len(pipe.result("resources/list")["resources"]) == 3
