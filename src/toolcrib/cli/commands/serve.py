"""Serve this repo's packs to an MCP client.

examples:
  toolcrib serve                       what the repo has, over stdio
  toolcrib serve directive             one pack alone
  toolcrib serve --progressive         two tools that reach all the others
  toolcrib serve --http                over HTTP, on 127.0.0.1:8321/mcp
  toolcrib serve --http 0.0.0.0:80 --token-file tokens.txt
  toolcrib serve --http --projects projects.toml     many repositories, each at /NAME/mcp
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import UsageError
from toolcrib.core.support.gc_pause import lasting
from toolcrib.settings import PACKS, Settings, load

if TYPE_CHECKING:  # loaded only where there are options, or a page
    import argparse

    from toolcrib.server.surface import Surface
    from toolcrib.server.transports.http_app import HttpApplication, PageRoutes

SERVING: dict[str, Any] = {
    "discovery": None,
    "trust": None,
    "names": None,
    "policy": None,
    "sandbox": None,
    "http": None,
    "token_file": None,
    "insecure_no_auth": False,
    "allow_private_servers": False,
    "log_level": None,
    "log_json": None,
    "log_file": None,
    "dashboard": False,
    "warm": False,
    "audit": None,
}
"""What every serving command goes by where its options say nothing; None leaves it to settings."""
DEFAULTS = {"projects": None, **SERVING}
"""The same for `serve`."""


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `serve`."""
    parser.add_argument("packs", nargs="*", metavar="PACK", help=f"any of: {', '.join(PACKS)}")
    parser.add_argument(
        "--projects",
        metavar="FILE",
        help="over HTTP: serve each project of a TOML file, or of a folder, at /NAME/mcp",
    )
    add_serving_options(parser)
    parser.set_defaults(**DEFAULTS)


def add_serving_options(parser: argparse.ArgumentParser) -> None:
    """What every serving command understands."""
    listing = parser.add_mutually_exclusive_group()
    listing.add_argument(
        "--classic",
        dest="discovery",
        action="store_const",
        const="classic",
        help="list every tool, including those of command-line programs",
    )
    listing.add_argument(
        "--progressive",
        dest="discovery",
        action="store_const",
        const="progressive",
        help="list only climax_search and climax_call, which reach every tool",
    )
    parser.add_argument(
        "--trust", metavar="DIGEST", help="trust this content (toolcrib trust --digest), or: all"
    )
    parser.add_argument("--names", choices=["exact", "safe"], help="how tool names are spelled")
    parser.add_argument("--policy", metavar="FILE", help="policy for command-line tools")
    parser.add_argument(
        "--sandbox", choices=["off", "auto", "required"], help="sandbox for command-line tools"
    )
    parser.add_argument(
        "--http", nargs="?", const="", metavar="HOST:PORT", help="serve over HTTP, not stdio"
    )
    parser.add_argument("--token-file", metavar="FILE", help="accepted bearer tokens, one per line")
    parser.add_argument(
        "--insecure-no-auth", action="store_true", help="bind a public address without any tokens"
    )
    parser.add_argument(
        "--allow-private-servers",
        action="store_true",
        help="let servers at a URL have private addresses",
    )
    parser.add_argument(
        "--log-level",
        type=str.upper,
        choices=["TRACE", "DEBUG", "INFO", "WARNING", "ERROR"],
        help="lowest level that is logged (default: WARNING)",
    )
    parser.add_argument("--log-json", action="store_true", help="log JSON lines")
    parser.add_argument("--log-file", metavar="FILE", help="log to a file, not to standard error")
    parser.add_argument(
        "--dashboard", action="store_true", help="over HTTP: the page for people at /dashboard/"
    )
    parser.add_argument(
        "--warm", action="store_true", help="over HTTP: build the indexes before the port opens"
    )
    parser.add_argument(
        "--audit", metavar="FILE", help="append one JSON line per call; - is standard output"
    )
    parser.set_defaults(**SERVING)


def run(args: argparse.Namespace) -> int:
    """Serve until the client closes the connection."""
    if args.projects is None:
        return serve(args, args.packs)
    if args.http is None or args.packs:
        raise UsageError(
            "--projects needs --http, and names no packs",
            next="toolcrib serve --http --projects FILE",
        )
    return _serve_projects(args)


def _serve_projects(args: argparse.Namespace) -> int:
    """Serve many projects over HTTP; address, tokens and logs are those of this folder."""
    settings = load(args.project, _overrides(args))
    _set_up_logging(settings)
    from toolcrib.server.transports.http import serve_http

    page = _page(None, settings) if args.dashboard else None
    insecure = args.insecure_no_auth
    code = serve_http(None, settings, insecure=insecure, projects=Path(args.projects), page=page)
    # What hundreds of projects held goes with the process: nothing needs to be sorted out first.
    gc.disable()
    gc.freeze()
    return code


def serve(
    args: argparse.Namespace,
    packs: Sequence[str],
    more: Mapping[str, Mapping[str, Any]] | None = None,
) -> int:
    """Serve these packs; `more` are further settings that a command implies."""
    overrides = _overrides(args)
    for section, values in (more or {}).items():
        overrides.setdefault(section, {}).update(values)
    with lasting():
        surface, settings = _made(args, packs, overrides)
    if args.http is not None:
        from toolcrib.server.transports.http import serve_http

        page = _page(surface, settings) if args.dashboard else None
        insecure = args.insecure_no_auth
        return serve_http(surface, settings, insecure=insecure, warm=args.warm, page=page)
    with lasting():
        from toolcrib.server.losses import NOTE
        from toolcrib.server.transports.stdio import serve_stdio

    NOTE.cover(settings.project)

    return serve_stdio(surface, cap=settings.server.max_message_bytes)


def _made(
    args: argparse.Namespace, packs: Sequence[str], overrides: dict[str, dict[str, Any]]
) -> tuple[Surface, Settings]:
    """What is served, and by which settings."""
    settings = load(args.project, overrides)
    if settings.server.audit == "-" and args.http is None:
        raise UsageError(
            "--audit - needs --http: over stdio, standard output is the wire",
            next="Name a file: --audit FILE.",
        )
    _set_up_logging(settings)
    from toolcrib.server.assembly import assemble, chosen_packs, tell_trust

    tell_trust(settings)

    if chosen_packs(settings, packs) == ["guide"]:
        from toolcrib.packs.guide.environment import configure_environment

        configure_environment()
    return assemble(settings, packs, overrides), settings


def _page(
    surface: Surface | None, settings: Settings
) -> Callable[[HttpApplication, int], PageRoutes]:
    """What makes the page for people, once the port is known; prints the address that opens it."""
    from toolcrib.cli.commands.dashboard import made_source
    from toolcrib.web.serving import page_of

    def make(application: HttpApplication, port: int) -> PageRoutes:
        page, url = page_of(application, port, surface, settings, made_source)
        if url is not None:
            print(url, flush=True)
        return page

    return make


def _overrides(args: argparse.Namespace) -> dict[str, dict[str, Any]]:
    host, port = _address(args.http) if args.http else (None, None)
    given = {
        "server": {
            "discovery": args.discovery,
            "names": args.names,
            "log_level": args.log_level,
            "log_json": args.log_json,
            "log_file": args.log_file,
            "audit": args.audit if args.audit in ("-", "auto") else _absolute(args.audit),
        },
        "climax": {"policy": _absolute(args.policy), "sandbox": args.sandbox},
        "gateway": {"private": ["*"] if args.allow_private_servers else None},
        "trust": {"digest": args.trust},
        "http": {"host": host, "port": port, "token_file": _absolute(args.token_file)},
    }
    known = {
        section: {key: value for key, value in values.items() if value is not None}
        for section, values in given.items()
    }
    return {section: values for section, values in known.items() if values}


def _absolute(file: str | None) -> str | None:
    """A file named on the command line is meant from where the person stands."""
    return str(Path(file).absolute()) if file else None


def _address(text: str) -> tuple[str | None, int | None]:
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = (text, "") if not text.isdigit() else ("", text)
    elif ":" in host and not host.endswith("]"):  # an IPv6 address alone
        host, port = text, ""
    if port and not (port.isdigit() and int(port) < 65536):
        raise UsageError(f"--http {text}: the port must be a number up to 65535")
    return host.strip("[]") or None, int(port) if port else None


def _set_up_logging(settings: Settings) -> None:
    """Warnings reach stderr without any set-up; only what goes beyond that is worth loading."""
    server = settings.server
    if server.log_level == "WARNING" and not (server.log_file or server.log_json):
        return
    from toolcrib.core.support.logs import setup

    if not server.log_file:
        setup(server.log_level, as_json=server.log_json)
        return
    from toolcrib.files.private import opener_for

    file, opener = settings.project / server.log_file, opener_for(settings.project)
    setup(server.log_level, as_json=server.log_json, file=file, opener=opener)
