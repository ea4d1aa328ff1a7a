"""Servers as registries and bundles describe them."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from toolcrib.cli.adoption.described import Want, described
from toolcrib.core.errors import ConfigError, UsageError

ADD = ("servers", "add", "--yes")

ODD = Path(__file__).parents[2] / "support" / "odd_server.py"
KEY = {"name": "API_KEY", "description": "Your key", "isRequired": True, "isSecret": True}


def nobody(want: Want) -> None:
    return None


def written(folder: Path, value: Any) -> Path:
    file = folder / "server.json"
    file.write_text(json.dumps(value))
    return file


def bundle(folder: Path, manifest: Any, files: dict[str, str]) -> Path:
    file = folder / "x.mcpb"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        for name, text in files.items():
            archive.writestr(name, text)
    return file


def test_a_package_is_run_by_the_runner_of_its_registry(tmp_path) -> None:
    """X-29: npm, PyPI; fixed and asked arguments, secrets among the variables."""
    package = {
        "registryType": "npm", "identifier": "@scope/srv", "version": "1.2.3",
        "packageArguments": [
            {"type": "positional", "value": "serve"},
            {"type": "named", "name": "--root", "isRequired": True},
            {"type": "named", "name": "--level", "default": "info"},
            {"type": "named", "name": "--optional"},
        ],
        "environmentVariables": [KEY, {"name": "PLAIN", "value": "v"}, {"name": "NOT"}],
    }  # fmt: skip
    value = {"name": "io.github.me/my srv", "description": "d", "packages": [package]}
    answers = {"API_KEY": "k3y", "--root": "/r"}
    found = described(written(tmp_path, value), tmp_path, lambda want: answers.get(want.id))
    assert found.name == "my-srv"
    assert found.entry == {
        "description": "d", "command": "npx",
        "args": ["-y", "@scope/srv@1.2.3", "serve", "--root", "/r", "--level", "info"],
        "env": {"API_KEY": "k3y", "PLAIN": "v"},
    }  # fmt: skip
    assert found.private == {("env", "API_KEY")}
    package |= {"registryType": "pypi", "identifier": "srv", "packageArguments": []}
    found = described(written(tmp_path, value), tmp_path, lambda want: answers.get(want.id))
    assert (found.entry["command"], found.entry["args"]) == ("uvx", ["srv==1.2.3"])


def test_a_remote_comes_before_packages(tmp_path) -> None:
    """X-29: nothing has to be installed for it."""
    header = {"name": "Authorization", "isRequired": True, "isSecret": True}
    remote = {"type": "sse", "url": "https://x/sse", "headers": [header]}
    value = {"name": "a/b", "remotes": [remote], "packages": [{"registryType": "npm"}]}
    found = described(written(tmp_path, value), tmp_path, lambda want: "Bearer t")
    assert found.entry == {
        "url": "https://x/sse", "type": "sse", "headers": {"Authorization": "Bearer t"},
    }  # fmt: skip
    assert found.private == {("headers", "Authorization")}


def test_the_variables_of_a_value_are_asked_for_one_by_one(tmp_path) -> None:
    """X-29: in urls, headers and arguments; a text with a secret in it is one."""
    key = {"description": "Key", "isRequired": True, "isSecret": True}
    header = {"name": "Authorization", "value": "Bearer {key}", "variables": {"key": key}}
    remote = {
        "type": "streamable-http", "url": "https://{tenant}.example/mcp", "headers": [header],
        "variables": {"tenant": {"default": "main"}},
    }  # fmt: skip
    file = written(tmp_path, {"name": "a/b", "remotes": [remote]})
    found = described(file, tmp_path, lambda want: {"key": "k3y"}.get(want.id))
    assert found.entry == {
        "url": "https://main.example/mcp", "headers": {"Authorization": "Bearer k3y"},
    }  # fmt: skip
    assert found.private == {("headers", "Authorization")}
    with pytest.raises(UsageError, match="It needs key: Key"):
        described(file, tmp_path, nobody)
    mount = {"type": "named", "name": "-v", "value": "{place}:/data",
             "variables": {"place": {"isRequired": True}}}  # fmt: skip
    package = {"registryType": "oci", "identifier": "img", "runtimeArguments": [mount],
               "environmentVariables": [KEY]}  # fmt: skip
    file = written(tmp_path, {"name": "a/b", "packages": [package]})
    found = described(file, tmp_path, lambda want: "/here")
    assert [found.entry["command"], *found.entry["args"]] == [
        "docker", "run", "-i", "--rm", "-v", "/here:/data", "-e", "API_KEY", "img",
    ]  # fmt: skip


def test_what_is_missing_or_unusable_is_named(tmp_path) -> None:
    """X-29: the value that is needed, with the option; what is no description is an error."""
    package = {"registryType": "npm", "identifier": "x", "environmentVariables": [KEY]}
    with pytest.raises(UsageError, match="API_KEY: Your key"):
        described(written(tmp_path, {"name": "a/b", "packages": [package]}), tmp_path, nobody)
    for value in ({"name": "a/b"}, {"packages": []}, [1]):
        with pytest.raises(ConfigError):
            described(written(tmp_path, value), tmp_path, nobody)
    (tmp_path / "server.json").write_text("{")
    with pytest.raises(ConfigError, match="no JSON"):
        described(tmp_path / "server.json", tmp_path, nobody)
    with pytest.raises(UsageError, match="cannot be read"):
        described(tmp_path / "none", tmp_path, nobody)


MANIFEST = {
    "name": "odd", "version": "1.0", "server": {"type": "python", "mcp_config": {
        "command": sys.executable, "args": ["${__dirname}/srv.py", "${user_config.mode}"],
        "env": {"KEY": "${user_config.key}", "X": "1"}}},
    "user_config": {"mode": {"type": "string", "default": "{}"},
                    "key": {"type": "string", "sensitive": True, "required": True}},
}  # fmt: skip


def test_a_bundle_is_unpacked_into_a_folder_of_its_own(tmp_path) -> None:
    """X-29: `${__dirname}` and what the user configures are filled in."""
    file = bundle(tmp_path, MANIFEST, {"srv.py": "print()", "lib/x.txt": "x"})
    answers = {"key": "s3cret"}
    found = described(file, tmp_path / "bundles", lambda want: answers.get(want.id))
    folder = tmp_path / "bundles" / "odd-1.0"
    assert found.entry["args"] == [f"{folder}/srv.py", "{}"]
    assert found.entry["env"] == {"KEY": "s3cret", "X": "1"} and found.private == {("env", "KEY")}
    assert (folder / "lib/x.txt").read_text() == "x"


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "a/../../evil"])
def test_a_bundle_that_leads_out_is_refused_whole(tmp_path, name) -> None:
    """X-29: nothing is written beside its folder, and nothing of it."""
    file = bundle(tmp_path, MANIFEST, {"srv.py": "", name: "x"})
    with pytest.raises(ConfigError, match="lead out"):
        described(file, tmp_path / "bundles", lambda want: "x")
    assert not (tmp_path / "bundles").exists() and not (tmp_path / "evil").exists()


def test_a_server_is_added_from_a_file_and_can_be_called(tmp_path, home, repo, toolcrib) -> None:
    """X-29: `servers add --from FILE`; secrets into a file of the user."""
    manifest = {**MANIFEST, "server": {"mcp_config": {**MANIFEST["server"]["mcp_config"]}}}
    file = bundle(tmp_path, manifest, {"srv.py": ODD.read_text()})
    refused = toolcrib(*ADD, "--from", str(file))
    assert refused.code == 2 and "--input key=VALUE" in refused.err
    ran = toolcrib(*ADD, "mine", "--from", str(file), "--input", "key=s3cr3t")
    assert ran.code == 0, ran.err
    own = home / ".config/toolcrib"
    assert "s3cr3t" not in (own / "servers.json").read_text()
    assert json.loads((own / "servers.json").read_text())["mcpServers"]["mine"]["env"] == {
        "KEY": "secret:mine-KEY", "X": "1",
    }  # fmt: skip
    assert toolcrib("servers", "refresh", "mine").code == 0
    assert toolcrib("call", "mine__t0").code == 0
    assert toolcrib(*ADD, "mine", "--from", str(file), "--input", "key=x").code == 2
