"""Serve the conformance fixtures: `python tests/conformance/serve.py PORT`, or over stdio."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fixtures import Fixtures

from toolcrib.server.surface import Surface
from toolcrib.settings import load


def main() -> int:
    pack = Fixtures()
    surface = Surface([pack])
    pack.publish = surface.publish
    if len(sys.argv) > 1:
        from toolcrib.server.transports.http import serve_http

        return serve_http(
            surface, load(Path(__file__).parent, {"http": {"port": int(sys.argv[1])}})
        )
    from toolcrib.server.transports.stdio import serve_stdio

    return serve_stdio(surface)


if __name__ == "__main__":
    sys.exit(main())
