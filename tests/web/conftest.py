"""A real dashboard on a copy of the shop, and a real browser."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.pipe import Pipe, toolcrib

SHOP = Path(__file__).parents[2] / "examples" / "shop"
TOOLS = Path(__file__).parents[1] / "support" / "page_tools.py"


class Dash:
    """A dashboard process, and a plain client for it."""

    def __init__(self, project: Path, state: Path, *words: str) -> None:
        self.project = project
        self.env = {**os.environ, "TOOLCRIB_STATE": str(state), "TOOLCRIB_TRUST": "all"}
        self._words = words
        self._start(0)

    def _start(self, port: int) -> None:
        command = toolcrib("dashboard", "--no-open", "--port", str(port), "--json", *self._words)
        self.process = subprocess.Popen(
            command, cwd=self.project, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read() if self.process.stderr else ""
        self.told = json.loads(line)
        self.port = self.told["port"]
        self.token = self.told["url"].split("token=")[1]
        self.base = f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        body: str | None = None,
        token: bool = True,
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and body of one request."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        given = {"Authorization": f"Bearer {self.token}"} if token else {}
        link.request(method, path, body=body, headers={**given, **(headers or {})})
        answer = link.getresponse()
        found = {key.lower(): value for key, value in answer.getheaders()}
        text = answer.read().decode("utf-8", "replace")
        link.close()
        return answer.status, found, text

    def json(self, path: str) -> Any:
        """The JSON of a page."""
        status, _, text = self.ask(path)
        assert status == 200, text
        return json.loads(text)

    def call(self, *calls: tuple[str, dict[str, Any]]) -> None:
        """Calls by a real client over a real pipe."""
        with Pipe(toolcrib("serve"), cwd=self.project, env=self.env) as pipe:
            pipe.initialize()
            for name, arguments in calls:
                pipe.ask("tools/call", {"name": name, "arguments": arguments})
            pipe.hang_up()

    def start_again(self) -> None:
        """Start once more after it was stopped: the same port, a new token."""
        self._start(self.port)

    def stop(self) -> int:
        """End it as a person would."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)
            assert self.process.stderr is not None
            raise AssertionError(self.process.stderr.read().decode()) from None


@pytest.fixture(scope="session")
def dashboards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Dash]]:
    made: list[Dash] = []
    recorded = _recorded_shop(tmp_path_factory.mktemp("recorded"))

    def start(*words: str, tools: bool = False) -> Dash:
        folder = tmp_path_factory.mktemp("page")
        project = Path(shutil.copytree(recorded, folder / "shop"))
        settings = project / "toolcrib.toml"
        if tools:
            shutil.copy(TOOLS, project / "tools" / "page_tools.py")
            own = 'modules = ["tools/shop_tools.py"'
            settings.write_text(settings.read_text().replace(own, f'{own}, "tools/page_tools.py"'))
        made.append(Dash(project, folder / "state", *words))
        return made[-1]

    yield start
    for each in made:
        if each.process.poll() is None:
            each.process.kill()
        each.process.wait()


def _recorded_shop(folder: Path) -> Path:
    """A copy of the shop whose calls are recorded."""
    project = Path(shutil.copytree(SHOP, folder / "shop"))
    subprocess.run(
        toolcrib("calls", "--on"),
        cwd=project,
        env={**os.environ, "TOOLCRIB_STATE": str(folder / "state")},
        check=True,
        capture_output=True,
    )
    assert "auto" in (project / "toolcrib.toml").read_text()
    return project


@pytest.fixture(scope="session")
def dash(dashboards: Callable[..., Dash]) -> Dash:
    """A dashboard with three calls of a client on record; what the page itself calls is added."""
    found: Dash = dashboards()
    found.call(
        ("search-architecture", {"query": "money"}),
        ("climax_call", {"tool_name": "shop_stock_count", "args": {"sku": "a", "pieces": 900}}),
        ("nothing_of_that_name", {"text": "<script>alert(1)</script>"}),
    )
    return found
