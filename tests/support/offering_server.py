"""An MCP server with resources and prompts: `python offering_server.py legacy|modern`.

Its tool `touch` changes the resource `note://a` and tells whoever follows it; `show` answers with
a link and a whole resource; `more` adds a resource and a prompt, and says that its lists changed.
"""

import json
import sys

MODERN = sys.argv[1] == "modern"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
followed = set()
listening = []
more = False


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def tell(kind, params, key):
    """Tell of a change, in the way of the era."""
    if not MODERN:
        send({"method": f"notifications/{kind}", "params": params})
    for number, wanted in listening:
        if wanted.get(key) is True or params.get("uri") in wanted.get(key, ()):
            meta = {"_meta": {SUBSCRIPTION: number}}
            send({"method": f"notifications/{kind}", "params": {**params, **meta}})


def resources():
    found = [
        {"uri": "note://a", "name": "a", "size": 3, "_meta": {"x": 1}, "mimeType": "text/x-note"},
        {"uri": "file:///b c", "name": "b\u200b", "annotations": {"priority": 1}},
    ]
    return found + ([{"uri": "note://new", "name": "new"}] if more else [])


def prompts():
    found = [
        {
            "name": "greet",
            "description": "Greets",
            "icons": [],
            "arguments": [{"name": "who", "required": True}],
        }
    ]
    return found + ([{"name": "newer"}] if more else [])


def called(params):
    global more
    if params["name"] == "touch":
        if MODERN or "note://a" in followed:
            tell("resources/updated", {"uri": "note://a"}, "resourceSubscriptions")
    elif params["name"] == "more":
        more = True
        tell("resources/list_changed", {}, "resourcesListChanged")
        tell("prompts/list_changed", {}, "promptsListChanged")
    link = {"type": "resource_link", "uri": "note://a", "name": "a"}
    whole = {"type": "resource", "resource": {"uri": "note://a", "text": "hello"}}
    return {
        "content": [link, whole, {"type": "text", "text": "note://a"}],
        "_meta": {"ui": {"resourceUri": "ui://page"}},
        "resultType": "complete",
    }


def read(params):
    uri = params["uri"]
    piece = {"uri": uri, "mimeType": "text/x-note", "text": f"text of {uri}", "_meta": {"y": 2}}
    return {"contents": [piece, {"uri": uri, "blob": "AAEC"}]}


def got(params):
    content = {
        "type": "resource",
        "resource": {"uri": "note://a", "text": params["arguments"]["who"]},
    }
    return {"description": "d", "messages": [{"role": "user", "content": content}]}


def completed(params):
    ref = params["ref"].get("name") or params["ref"].get("uri")
    return {"completion": {"values": [f"{params['argument']['value']}-{ref}"]}}


def about():
    lists = {"listChanged": True}
    capabilities = {
        "tools": lists,
        "resources": {"subscribe": True, **lists},
        "prompts": lists,
        "completions": {},
    }
    info = {"name": "offering", "version": "1"}
    if MODERN:
        return {"supportedVersions": ["2026-07-28"], "capabilities": capabilities}
    return {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": info}


NAMES = ("touch", "show", "more")
ANSWERS = {
    ("server/discover" if MODERN else "initialize"): lambda params: about(),
    "tools/list": lambda params: {
        "tools": [{"name": n, "inputSchema": {"type": "object"}} for n in NAMES]
    },
    "resources/list": lambda params: {"resources": resources()},
    "resources/templates/list": lambda params: {
        "resourceTemplates": [{"uriTemplate": "note://{name}", "name": "note"}]
    },
    "prompts/list": lambda params: {"prompts": prompts()},
    "tools/call": called,
    "resources/read": read,
    "prompts/get": got,
    "completion/complete": completed,
}
if not MODERN:
    ANSWERS["resources/subscribe"] = lambda params: followed.add(params["uri"]) or {}
    ANSWERS["resources/unsubscribe"] = lambda params: followed.discard(params["uri"]) or {}

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    params = message.get("params", {})
    if MODERN and message["method"] == "subscriptions/listen":
        listening.append((message["id"], params["notifications"]))
        meta = {SUBSCRIPTION: message["id"]}
        told = {"notifications": params["notifications"], "_meta": meta}
        send({"method": "notifications/subscriptions/acknowledged", "params": told})
    elif message["method"] in ANSWERS:
        send({"id": message["id"], "result": ANSWERS[message["method"]](params)})
    else:
        send({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
