"""An MCP server whose faults are switches: `python odd_server.py '{"tools": 3, "hang": "list"}'`.

It speaks by lines, without any library, so that it can be wrong in every way.
"""

import array
import fcntl
import json
import os
import resource
import signal
import sys
import termios
import time

SWITCHES = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
CLIENT = {}
STATE = os.environ.get("ODD_STATE")


def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(request, result):
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})


def fail(request, code, text):
    send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": text}})


def tools():
    if "shapes" in SWITCHES:
        return SWITCHES["shapes"]
    names = SWITCHES.get("names") or [f"t{n}" for n in range(SWITCHES.get("tools", 2))]
    if SWITCHES.get("roots_tool") and "roots" in CLIENT.get("capabilities", {}):
        names = [*names, "roots"]
    suffix = ""
    if STATE and os.path.exists(STATE):
        with open(STATE) as file:
            suffix = file.read().strip()
    found = []
    for name in names:
        tool = {
            "name": name,
            "description": f"Does {name}{suffix}",
            "inputSchema": SWITCHES.get("schema", {"type": "object"}),
        }
        tool.update(SWITCHES.get("extra", {}))
        if SWITCHES.get("read_only"):
            tool["annotations"] = {"readOnlyHint": True}
        found.append(tool)
    return found


def raw(request, mode):
    """An answer that no library would write."""
    head = b'{"jsonrpc": "2.0", "id": %d, ' % request["id"]
    text = b'"result": {"content": [{"type": "text", "text": "%s"}]}}'
    large = b"x" * SWITCHES.get("size", 0)
    whole = {
        "long": head + text % large,
        "last": b"{" + text[:-1] % large + b', "jsonrpc": "2.0", "id": %d}' % request["id"],
        "deep": head + b'"result": {"content": [], "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
        "latin": head + text % b"\xff\xfe",
        "doubled": head + b'"result": {"content": []}, ' + text % b"second",
        "surrogate": head + text % b"a\\ud800b",
        "both": head + b'"error": {"code": 1, "message": "no"}, ' + text % b"yes",
    }[mode]
    view = memoryview(whole + b"\n")
    while view:
        view = view[os.write(1, view[: 1 << 20]) :]


RAW = ("long", "last", "deep", "latin", "doubled", "surrogate", "both")


def wait_for_input(size):
    """Wait until so many bytes have come that nobody has read."""
    there = array.array("i", [0])
    while there[0] < size:
        fcntl.ioctl(0, termios.FIONREAD, there)


def ask(number, method):
    """Ask the client something, and return the code of what it answers."""
    send({"jsonrpc": "2.0", "id": f"q{number}", "method": method, "params": {}})
    while True:
        message = json.loads(sys.stdin.readline())
        if message.get("id") == f"q{number}":
            return message.get("error", {}).get("code", "answered")


def called(request):
    mode = SWITCHES.get("call", "echo")
    if mode == "die":
        os._exit(3)
    if mode == "die_once" and not os.path.exists(STATE):
        open(STATE, "w").close()
        os._exit(3)
    if mode == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "close":
        os.close(1)
        time.sleep(60)  # work: none
    if mode == "wait":
        return None
    if mode == "hang":
        while True:
            line = sys.stdin.readline()
            if not line or SWITCHES.get("log"):
                with open(SWITCHES["log"], "a") as log:
                    log.write(line)
            if not line:
                sys.exit(0)
    if mode in RAW:
        return raw(request, mode)
    if mode == "images":
        image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
        return answer(request, {"content": [image] * 1000})
    if mode == "ids":
        for number in (999, str(request["id"]), None, 1.5):
            send({"jsonrpc": "2.0", "id": number, "result": {"content": []}})
    if mode == "noise":
        sys.stdout.write("not json\n" * 5000)
        log = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x"}}
        for _ in range(3000):
            send(log)
    if mode == "asks":
        found = [ask(n, method) for n, method in enumerate(SWITCHES["methods"])]
        return answer(request, {"content": [{"type": "text", "text": json.dumps(found)}]})
    if mode == "relist":
        for _ in range(SWITCHES["times"]):
            send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    if mode == "error":
        return fail(request, -32050, "no such luck")
    if mode == "no_content":
        return answer(request, {"x": 1})
    if mode == "huge":
        text = "x" * SWITCHES["size"]
        return answer(request, {"content": [{"type": "text", "text": text}]})
    if mode == "broken":
        sys.stdout.write(f'{{"jsonrpc": "2.0", "id": {request["id"]}, "result": {{"content": [\n')
        sys.stdout.flush()
        return None
    if mode == "twice":
        answer(request, {"content": [{"type": "text", "text": "first"}]})
        return answer(request, {"content": [{"type": "text", "text": "second"}]})
    if mode == "progress":
        token = request["params"]["_meta"]["progressToken"]
        params = {"progressToken": "not-ours", "progress": 99}
        send({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        for done in SWITCHES.get("values", (1, 2, 3)):
            params = {"progressToken": token, "progress": done, "total": 3}
            send({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
    if mode == "env":
        text = json.dumps(dict(os.environ))
        return answer(request, {"content": [{"type": "text", "text": text}]})
    if mode == "limits":
        found = {"memory": resource.RLIMIT_DATA, "cpu": resource.RLIMIT_CPU}
        text = json.dumps({name: resource.getrlimit(kind)[0] for name, kind in found.items()})
        return answer(request, {"content": [{"type": "text", "text": text}]})
    if mode == "stderr":
        sys.stderr.write("noise " * 20_000)
        sys.stderr.flush()
    text = json.dumps(request["params"].get("arguments"))
    result = {
        "content": [{"type": "text", "text": text}],
        "structuredContent": {"pid": os.getpid()},
    }
    return answer(request, result)


def serve(request):
    method = request["method"]
    if method == "initialize":
        CLIENT.update(request["params"])
        if SWITCHES.get("hang") == "handshake":
            time.sleep(3600)  # work: none
        if SWITCHES.get("modern"):
            return fail(request, -32601, "no initialize here")
        return answer(
            request,
            {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "odd", "version": "1"},
                "instructions": SWITCHES.get("instructions", "Odd things. For tests."),
            },
        )
    if method == "ping":
        return answer(request, {})
    if method == "server/discover":
        meta = request["params"]["_meta"]
        assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        return answer(request, {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
    if method == "tools/list":
        if SWITCHES.get("lists"):
            with open(SWITCHES["lists"], "a") as file:
                file.write("x")
        if SWITCHES.get("hang") == "list":
            time.sleep(3600)  # work: none
        if STATE and os.path.exists(STATE):
            if SWITCHES.get("hang") == "list again":
                time.sleep(3600)  # work: none
            if SWITCHES.get("fail") == "list again":
                return fail(request, -32050, "no list today, " + os.environ.get("SECRET", ""))
        if SWITCHES.get("pages"):
            cursor = int(request.get("params", {}).get("cursor", "0"))
            page = tools()[cursor : cursor + 1]
            result = {"tools": page}
            if SWITCHES["pages"] == "endless":
                result["nextCursor"] = str(cursor)
            elif SWITCHES["pages"] == "growing" or cursor + 1 < len(tools()):
                result["nextCursor"] = str(cursor + 1)
            return answer(request, result)
        return answer(request, {"tools": tools()})
    if method == "tools/call":
        return called(request)
    return fail(request, -32601, f"Method not found: {method}")


def stay():
    """Note what happens at the end, and stay where a switch says so."""
    diary, stays = open(SWITCHES["diary"], "w"), SWITCHES.get("stays")  # noqa: SIM115

    def note(text):
        diary.write(text)
        diary.flush()

    def asked(number, frame):
        note(", SIGTERM")
        if stays == "input":
            os._exit(0)

    signal.signal(signal.SIGTERM, asked)
    note("input closed")
    while stays:
        signal.pause()


def main():
    if SWITCHES.get("stderr"):
        sys.stderr.write(SWITCHES["stderr"] + "\n")
        sys.stderr.flush()
    if "exit" in SWITCHES:
        sys.exit(SWITCHES["exit"])
    if SWITCHES.get("pid"):
        with open(SWITCHES["pid"], "w") as file:
            file.write(str(os.getpid()))
    if SWITCHES.get("slow"):
        time.sleep(SWITCHES["slow"])  # work: none
    if SWITCHES.get("hang") == "start":
        time.sleep(3600)  # work: none
    if SWITCHES.get("banner"):
        print("Welcome to odd!")
        sys.stdout.flush()
    for line in sys.stdin:
        message = json.loads(line)
        if SWITCHES.get("journal"):
            with open(SWITCHES["journal"], "a") as file:
                file.write(message.get("method", "answer") + "\n")
        if "id" in message and "method" in message:
            serve(message)
            if SWITCHES.get("gulp") == message["method"] and not os.path.exists(STATE):
                open(STATE, "w").close()
                wait_for_input(50_000)
                os._exit(5)
            if SWITCHES.get("close_after") == message["method"]:
                os.close(1)
            if SWITCHES.get("deaf") == message["method"]:
                time.sleep(3600)  # work: none
    if SWITCHES.get("diary"):
        stay()


main()
