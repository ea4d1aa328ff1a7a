"""Policies for the tools of other MCP servers.

The layers are those of command-line tools. In each, `deny` comes first, then what `servers` says
of the server, then `tools` by the full name, then the default. A repository's policy applies to
its own servers; it disables a server from the user's own file only by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from toolcrib.core.errors import ConfigError, Place, ToolcribError
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.policy.layers import PRESENT, TRUSTED, Layer, Layers
from toolcrib.policy.model import Policy, ToolPolicy
from toolcrib.policy.repository.loading import load_layers
from toolcrib.policy.repository.places import HOMES, SHARED_HOME, PolicySource
from toolcrib.running.program import ArgDef

if TYPE_CHECKING:
    from toolcrib.policy.trust.project import Trust

BETWEEN: Final = "__"
_UNRESTRICTED = ToolPolicy()


@record
class ServerTool:
    """A tool of a server, as far as a policy is concerned."""

    server: str
    bare: str
    read_only: bool = False
    """Whether the server says so: nobody has checked it."""
    personal: bool = False
    """Whether the server stands in the person's own file."""

    @property
    def name(self) -> str:
        """The name that it is called by."""
        return f"{self.server}{BETWEEN}{self.bare}"


@record
class LayerVerdict:
    """What one layer says of a tool; without `rules` it may not be called."""

    layer: str
    rule: str
    place: Place
    rules: ToolPolicy | None
    why: str | None = None


def verdict(layer: Layer, tool: ServerTool) -> LayerVerdict:
    """What one layer says."""
    spared = tool.personal and layer.name in (PRESENT, TRUSTED)
    policy = layer.policy
    if policy is None:
        rules = _UNRESTRICTED if spared else None
        why = str(layer.problem) if layer.problem is not None else None
        return LayerVerdict(layer.name, "refuses everything", layer.place(tool.name), rules, why)
    denied = policy.denied_by(tool.name)
    if denied is not None:
        return LayerVerdict(layer.name, f"deny: {denied}", layer.place(tool.name), None)
    word = policy.servers.get(tool.server)
    named = policy.tools.get(tool.name)
    if word is not None:
        refused = _against(word, tool)
        if refused is not None or named is None:
            rules = None if refused else _UNRESTRICTED
            why = refused or _believed(word)
            rule = f"servers.{tool.server}: {word}"
            return LayerVerdict(layer.name, rule, server_place(policy, tool.server), rules, why)
    if named is not None:
        return LayerVerdict(layer.name, f"tools.{tool.name}", policy.place(tool.name), named)
    default = "enabled" if policy.enabled_by_default else "disabled"
    why = f"the policy does not name {tool.name}"
    if spared and not policy.enabled_by_default:
        why = "the repository closes a server of your own file only by name"
    rules = _UNRESTRICTED if spared or policy.enabled_by_default else None
    return LayerVerdict(layer.name, f"default: {default}", policy.refused_at(tool.name), rules, why)


def verdicts(layers: Layers | None, tool: ServerTool) -> list[LayerVerdict]:
    """What each layer says; the tool may be called where all of them allow it."""
    return [verdict(layer, tool) for layer in layers.layers] if layers is not None else []


def argument_problem(
    rules: Iterable[ToolPolicy], arguments: Mapping[str, Any], schema: Mapping[str, Any]
) -> str | None:
    """Why a call with these arguments is not allowed; None if it is.

    An argument that is left out counts by the default of its schema, if that has one.
    """
    for each in rules:
        for name, constraint in each.args.items():
            if name not in arguments and "default" not in _property(schema, name):
                continue
            given = arguments[name] if name in arguments else _property(schema, name)["default"]
            for value in given if isinstance(given, list) else [given]:
                if not isinstance(value, str | int | float):
                    return f"Argument {name!r}: the policy allows texts and numbers only"
                problem = constraint.problem(ArgDef(name), value)
                if problem is not None:
                    return problem
    return None


def server_place(policy: Policy, server: str) -> Place:
    """Where a policy speaks of a server."""
    return Place(policy.file, policy.lines.get(f"server {server}"))


def in_vain(layers: Layers | None, servers: Iterable[str]) -> list[ConfigError]:
    """Warnings about servers that policies name but nobody has."""
    known = list(servers)
    found = []
    for layer in layers.layers if layers is not None else ():
        policy = layer.policy
        if policy is None or layer.name not in (PRESENT,):
            continue
        for name in policy.servers:
            if name not in known:
                what = f"The policy names the server {name!r}, which is not there"
                where = server_place(policy, name)
                found.append(ConfigError(what + did_you_mean(name, known), where=where))
    return found


class ServerPolicies:
    """The policies of one project, read when they are first asked for and when they change."""

    def __init__(self, project: Path, source: PolicySource, trust: Trust | None) -> None:
        self._project = project
        self._source = source
        self._trust = trust
        self._stamp: object = None
        self._layers: Layers | None = None
        self.warnings: Sequence[ConfigError] = ()

    @property
    def layers(self) -> Layers | None:
        """Every policy that has a say; None where nobody says anything."""
        if self._stamp is None:
            self.refresh()
        return self._layers

    def refresh(self) -> bool:
        """Read the policies again if anything about them has changed, and say whether."""
        stamp = [_changed_at(path) for path in self.watched()]
        told = (stamp, self._trust.stamp if self._trust is not None else None)
        if told == self._stamp:
            return False
        first, self._stamp = self._stamp is None, told
        try:
            self._layers, self.warnings = load_layers(self._project, self._source, self._trust)
        except ConfigError as error:
            self._layers = Layers([Layer(PRESENT, str(error.where or ""), None, error)])
        return not first

    @property
    def problems(self) -> Sequence[ToolcribError]:
        """Why some policy cannot be used."""
        return [] if self.layers is None else self.layers.problems

    def watched(self) -> list[Path]:
        """Files that are policies, and folders where one may appear."""
        found = [*self._source.paths(self._project)]
        found += [self._project / home for home in (*HOMES, SHARED_HOME)]
        own = self._trust.person.files if self._trust is not None else ()
        return [*found, *(file.policy for file in own if file.policy.name)]


def _against(word: str, tool: ServerTool) -> str | None:
    """Why what is said of a server closes one of its tools; None if it does not."""
    if word == "disabled":
        return f"the server {tool.server} is disabled"
    if word == "read-only" and not tool.read_only:
        return f"{tool.name} does not say that it only reads (readOnlyHint)"
    return None


def _believed(word: str) -> str | None:
    if word == "read-only":
        return "that it only reads is what the server says of itself; nobody has checked it"
    return None


def _property(schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    properties = schema.get("properties")
    found = properties.get(name) if isinstance(properties, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _changed_at(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns)
