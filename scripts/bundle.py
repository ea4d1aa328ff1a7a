"""Make `dist/toolcrib-VERSION.mcpb`: a bundle that desktop clients install with one click.

It holds the wheel of this checkout, a manifest, and a small program that makes an environment of
its own on the first start. The bundle and `server.json` say the same version as pyproject.toml;
`dist/server.json` is the same with the bundle's digest, as the registry wants it.

    python scripts/bundle.py
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[1]
LAUNCHER = '''"""Start toolcrib from the wheel beside this file, in an environment of its own."""

import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent


def environment() -> Path:
    """The folder of the environment, made on the first start."""
    wheel = next(HERE.glob("toolcrib-*.whl"))
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "toolcrib" / "bundle" / wheel.stem
    ready = folder / ".ready"
    if not ready.exists():
        venv.create(folder, with_pip=True, clear=True)
        words = [python(folder), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        words += ["-c", str(HERE / "constraints.txt"), str(wheel)]
        subprocess.run(words, check=True, stdout=sys.stderr)
        ready.touch()
    return folder


def python(folder: Path) -> str:
    """The Python of an environment."""
    inner = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    return str(folder.joinpath(*inner))


program = python(environment())
words = [program, "-m", "toolcrib", *sys.argv[1:]]
if os.name == "nt":
    sys.exit(subprocess.run(words).returncode)
os.execv(program, words)
'''


def version() -> str:
    """The version that pyproject.toml has."""
    text = TOP.joinpath("pyproject.toml").read_text()
    return str(tomllib.loads(text)["project"]["version"])


def manifest(number: str) -> dict[str, Any]:
    """What a client reads of the bundle."""
    project = tomllib.loads(TOP.joinpath("pyproject.toml").read_text())["project"]
    return {
        "manifest_version": "0.3",
        "name": "toolcrib",
        "display_name": "toolcrib",
        "version": number,
        "description": project["description"],
        "author": {"name": "The toolcrib authors"},
        "license": project["license"],
        "server": {
            "type": "python",
            "entry_point": "server/start.py",
            "mcp_config": {
                "command": "python3",
                "args": [
                    "${__dirname}/server/start.py", "serve", "--names", "safe",
                    "--project", "${user_config.project}",
                ],
            },
        },
        "user_config": {
            "project": {
                "type": "directory",
                "title": "Repository",
                "description": "The repository whose documents and tools are served.",
                "required": True,
            }
        },
        "tools_generated": True,
        "prompts_generated": True,
        "compatibility": {
            "platforms": ["darwin", "linux", "win32"],
            "runtimes": {"python": ">=3.11"},
        },
    }  # fmt: skip


def build(target: Path) -> Path:
    """Write the bundle into a folder and return its path."""
    number = version()
    target.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(target), str(TOP)],
        check=True,
    )
    wheel = next(iter(sorted(target.glob(f"toolcrib-{number}-*.whl"))))
    bundle = target / f"toolcrib-{number}.mcpb"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("manifest.json", json.dumps(manifest(number), indent=2) + "\n")
        packed.writestr("server/start.py", LAUNCHER)
        packed.write(wheel, f"server/{wheel.name}")
        packed.write(TOP / "constraints.txt", "server/constraints.txt")
    return bundle


def published(entry: dict[str, Any], digest: str) -> dict[str, Any]:
    """The entry for the registry, with the digest of the bundle that it points to."""
    packages = [{**package, "fileSha256": digest} for package in entry["packages"]]
    return {**entry, "packages": packages}


def main() -> int:
    """Make the bundle and print its digest."""
    stated = json.loads(TOP.joinpath("server.json").read_text())
    if stated["version"] != version():
        print(f"server.json says {stated['version']}, pyproject.toml {version()}", file=sys.stderr)
        return 1
    bundle = build(TOP / "dist")
    digest = hashlib.sha256(bundle.read_bytes()).hexdigest()
    entry = TOP / "dist" / "server.json"
    entry.write_text(json.dumps(published(stated, digest), indent=2) + "\n")
    print(f"{bundle.relative_to(TOP)}  sha256 {digest}\n{entry.relative_to(TOP)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
