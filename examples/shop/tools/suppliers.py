"""A small MCP server of the shop: when its suppliers deliver. The standard library is enough.

What its tools say of themselves stands in suppliers.json; when that file changes, clients are told.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("suppliers.json")


def send(message: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def read() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    """The result of a request; None for a method that is not known here."""
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion"),
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "suppliers", "version": "1"},
            "instructions": "When suppliers of clay and glaze deliver.",
        }
    if method == "tools/list":
        return {"tools": [read()["tool"]]}
    if method == "tools/call":
        name = params.get("arguments", {}).get("goods")
        days = read()["days"].get(name)
        text = f"{name}: {days} days" if days is not None else f"Nobody delivers {name}"
        return {"content": [{"type": "text", "text": text}], "isError": days is None}
    return {} if method == "ping" else None


def main() -> None:
    known = read()["tool"]
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request or "method" not in request:
            continue
        result = answer(request["method"], request.get("params", {}))
        if result is None:
            error = {"code": -32601, "message": f"Method not found: {request['method']}"}
            send({"id": request["id"], "error": error})
        else:
            send({"id": request["id"], "result": result})
        if read()["tool"] != known:
            known = read()["tool"]
            send({"method": "notifications/tools/list_changed"})


main()
