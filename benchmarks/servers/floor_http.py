"""The floor over HTTP: a bare ASGI function under uvicorn with httptools (and uvloop where it is
installed, as toolcrib does it), JSON in and JSON out.
"""

from __future__ import annotations

import json
import sys

import uvicorn

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    event = await receive()
    message = json.loads(event["body"])
    said = message["params"]["arguments"]["text"]
    result = {"content": [{"type": "text", "text": said}], "isError": False}
    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


uvicorn.run(
    app, port=int(sys.argv[2]), log_level="critical", lifespan="off", http="httptools", ws="none"
)
