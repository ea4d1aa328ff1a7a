"""An MCP server that asks in the midst of a call: `python asking_server.py legacy|modern`.

Its tool `ask` wants to know something by the method that its argument names, and answers with all
that it was told; `tell` says what the client has announced.
"""

import json
import sys

MODERN = sys.argv[1] == "modern"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
FORM = {
    "mode": "form",
    "message": "Which colour?",
    "requestedSchema": {"type": "object", "properties": {"colour": {"type": "string"}}},
}
SAMPLE = {"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}], "maxTokens": 9}
PARAMS = {"elicitation/create": FORM, "sampling/createMessage": SAMPLE, "roots/list": {}}
SCHEMA = {"type": "object", "properties": {"method": {"type": "string"}}}
announced = {}


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(value):
    return {"content": [{"type": "text", "text": json.dumps(value)}], "resultType": "complete"}


def asked(method):
    """Ask by a request, and wait for the answer to it."""
    send({"id": "question", "method": method, "params": PARAMS.get(method, {})})
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") == "question":
            return message.get("result", message.get("error"))
    sys.exit(0)


def called(params):
    if params["name"] == "tell":
        return text(params.get("_meta", {}).get(CAPABILITIES) if MODERN else announced)
    method = params["arguments"]["method"]
    if not MODERN:
        return text(asked(method))
    if "inputResponses" in params:
        return text([params["inputResponses"]["q"], params.get("requestState")])
    request = {"method": method, "params": PARAMS.get(method, {})}
    return {
        "resultType": "input_required",
        "inputRequests": {"q": request},
        "requestState": "s1",
        "question": True,  # a key of its own is no way past the checks
    }


def answer(message):
    global announced
    method = message["method"]
    if method == "initialize" and not MODERN:
        announced = message["params"]["capabilities"]
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "asking", "version": "1"},
        }
    if method == "server/discover" and MODERN:
        return {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
    if method == "tools/list":
        return {"tools": [{"name": name, "inputSchema": SCHEMA} for name in ("ask", "tell")]}
    if method == "tools/call":
        return called(message["params"])
    if method == "ping":
        return {}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    result = answer(message)
    if result is None:
        send({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
    else:
        send({"id": message["id"], "result": result})
