"""An MCP server that makes files whenever it likes: `python planting_server.py '{"start": [...]}'`.

Its one tool writes files in its folder: at once, after the answer, by a child that has left it, or
and then dies. The argument of the program says what it writes when it starts and when it ends.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time

SWITCHES = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}


def plant(paths):
    for path in paths:
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        if SWITCHES.get("link"):
            os.symlink(SWITCHES["link"], path)
            continue
        with open(path, "w") as file:
            file.write("planted\n")


def later(paths, seconds):
    time.sleep(seconds)  # work: it waits until nobody asks
    plant(paths)


def leave(*_):
    plant(SWITCHES.get("end", []))
    os._exit(0)


def called(arguments):
    paths, way = arguments.get("paths", []), arguments.get("way", "now")
    if way == "now":
        plant(paths)
    elif way == "thread":
        threading.Thread(target=later, args=(paths, 0.4), daemon=True).start()
    elif way == "child":
        script = "sleep 0.4; " + "; ".join(f"mkdir -p $(dirname {p}); echo x > {p}" for p in paths)
        subprocess.Popen(["sh", "-c", script], stdin=subprocess.DEVNULL, start_new_session=True)
    elif way == "die":
        plant(paths)
        os._exit(3)


def answer(request):
    method = request.get("method")
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "planting", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [{"name": "plant", "inputSchema": {"type": "object"}}]}
    if method == "tools/call":
        called(request["params"].get("arguments", {}))
        return {"content": [{"type": "text", "text": "done"}]}
    return {}


signal.signal(signal.SIGTERM, leave)
plant(SWITCHES.get("start", []))
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        reply = {"jsonrpc": "2.0", "id": message["id"], "result": answer(message)}
        print(json.dumps(reply), flush=True)
leave()
