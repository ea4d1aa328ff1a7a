"""Layers of policies: a call must be allowed by every one of them.

    /etc/toolcrib/policy.yaml                  the organisation's
    $XDG_CONFIG_HOME/toolcrib/policy.yaml      the person's
    the repository's as it was trusted
    the repository's as it is now

So an edit that forbids more applies at once, and one that allows more waits for trust. A missing
layer has no effect; one that is broken, or misplaced, refuses everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from toolcrib.core.errors import ConfigError, Place, ToolcribError
from toolcrib.core.support.records import record
from toolcrib.policy.check import check_tool
from toolcrib.policy.model import Policy, ToolPolicy
from toolcrib.policy.reader import policy_from
from toolcrib.running.program import ArgDef, CLIConfig, Executor, Scalar

ORGANISATION = "organisation"
PERSON = "person"
TRUSTED = "as trusted"
PRESENT = "repository"


@record
class Layer:
    """One policy among several; with a `problem` it refuses everything."""

    name: str
    file: str
    policy: Policy | None = None
    problem: ToolcribError | None = None
    source: bytes = b""
    """The text that it was made from."""
    waits: bool = False
    """Whether nobody has trusted it as it is: it may forbid, and nothing else."""

    def decide(self, tool: str) -> ToolPolicy | None:
        """What holds for a tool; None when it may not be called."""
        return self.policy.decide(tool) if self.policy is not None else None

    def place(self, tool: str) -> Place:
        """Where it speaks of a tool, or else of all that it does not name."""
        if self.policy is None:
            return (self.problem.where if self.problem else None) or Place(self.file)
        if self.policy.denied_by(tool) is not None:
            return Place(self.file, self.policy.lines.get("*"))
        if tool in self.policy.tools:
            return self.policy.place(tool)
        return Place(self.file, self.policy.lines.get(""))


@record
class LayeredRules:
    """What all layers together say of one tool."""

    parts: Sequence[ToolPolicy]
    description: str | None = None

    def problem(self, arg: ArgDef, value: Scalar) -> str | None:
        """Why the value is not allowed for that argument; None if every layer allows it."""
        for part in self.parts:
            found = part.problem(arg, value)
            if found is not None:
                return found
        return None

    def refused_at(self, arg: ArgDef, value: Scalar) -> Place | None:
        """Where the first rule stands that does not allow the value."""
        places = (part.refused_at(arg, value) for part in self.parts)
        return next((place for place in places if place is not None), None)


class Layers:
    """Several policies as one: all of them must allow a call."""

    def __init__(self, layers: Iterable[Layer], configs: Sequence[CLIConfig] = ()) -> None:
        self.layers = tuple(layers)
        self.executor, conflict = _executor(self.layers)
        self.problems = [each.problem for each in self.layers if each.problem is not None]
        if conflict is not None:
            self.problems.append(conflict)
        self.denied = _denied(self.layers, configs)
        """Tools that a layer cannot allow as they are defined, and why."""

    def decide(self, name: str) -> LayeredRules | None:
        """What holds for the tool `name`; None when it may not be called at all."""
        if self.problems or name in self.denied:
            return None
        parts: list[ToolPolicy] = []
        description = None
        for layer in self.layers:
            found = layer.decide(name)
            if found is None:
                return None
            parts.append(found)
            if layer.name in (PRESENT, TRUSTED):
                description = found.description or description
        return LayeredRules(parts, description)

    def place(self, name: str) -> Place:
        """Where the last layer that names a tool does so."""
        named = [e for e in self.layers if e.policy is not None and name in e.policy.tools]
        return named[-1].place(name) if named else Place("")

    def names(self, name: str) -> bool:
        """Whether any layer speaks of the tool by its name."""
        return any(e.policy is not None and name in e.policy.tools for e in self.layers)

    def refused_at(self, name: str) -> Place:
        """Where the first layer that refuses a tool says so."""
        if name in self.denied:
            return self.denied[name].where or Place("")
        for layer in self.layers:
            if layer.decide(name) is None:
                if layer.policy is not None and layer.policy.denied_by(name) is None:
                    return layer.policy.refused_at(name)
                return layer.place(name)
        return Place("")

    def places(self, name: str) -> list[str]:
        """The line of each layer that decides about a tool, as `file:line`."""
        return [_line(layer.place(name)) for layer in self.layers]

    @property
    def remember(self) -> bool:
        """Whether every layer lets approvals be remembered."""
        return all(each.policy is None or each.policy.remember for each in self.layers)


def personal_layer(name: str, file: str, source: bytes) -> Layer:
    """The layer of an organisation or a person: what it does not speak of is allowed."""
    policy = policy_from(source, file)
    if not policy.says_default:
        policy = replace(policy, enabled_by_default=True)
    return Layer(name, file, policy, source=source)


def _executor(layers: Sequence[Layer]) -> tuple[Executor, ConfigError | None]:
    """Where commands run: docker wins over local, and what cannot be joined refuses everything.

    An image, its volumes and its network are what a person trusted; a layer that waits for trust
    can only take some of it away.
    """
    docker = [e for e in layers if e.policy is not None and e.policy.executor.type == "docker"]
    if not docker:
        return Executor(), None
    settled = [each for each in docker if not each.waits]
    if not settled:
        return Executor(), _not_trusted(docker[0])
    executors = [each.policy.executor for each in (*docker, *settled) if each.policy is not None]
    last = executors[-1]
    images = dict.fromkeys(each.image for each in executors)
    if len(images) > 1:
        shown = " and ".join(str(image) for image in images)
        return last, ConfigError(f"Two policies want different images: {shown}")
    volumes = tuple(v for v in last.volumes if all(v in each.volumes for each in executors))
    network, conflict = _container_network(docker)
    return replace(last, volumes=volumes, network=network), conflict


def _container_network(layers: Sequence[Layer]) -> tuple[str | None, ConfigError | None]:
    """The strictest network of containers: none, then docker's own, and host last."""
    asked = [(e.policy.executor.network, e.waits) for e in layers if e.policy is not None]
    if any(name == "none" for name, _ in asked):
        return "none", None
    trusted = list(dict.fromkeys(name for name, waits in asked if not waits))
    narrow = [name for name in trusted if name != "host"] or trusted
    if len(narrow) == 1:
        return narrow[0], None
    shown = " and ".join(name or "docker's default" for name in narrow)
    return None, ConfigError(f"Two policies want different networks: {shown}")


def _not_trusted(layer: Layer) -> ConfigError:
    image = layer.policy.executor.image if layer.policy is not None else None
    return ConfigError(
        f"{layer.file} has commands run in the image {image}, and has not been trusted so",
        where=Place(layer.file),
        next="A person can look at it: toolcrib trust",
    )


def _denied(layers: Sequence[Layer], configs: Sequence[CLIConfig]) -> Mapping[str, ConfigError]:
    """Tools whose own defaults a layer other than the repository's present one would refuse."""
    found: dict[str, ConfigError] = {}
    for layer in layers:
        if layer.policy is None or layer.name == PRESENT:
            continue
        for config in configs:
            for name in config.tools.lines:
                rules = layer.policy.tools.get(name)
                if rules is not None and rules.args:
                    try:
                        check_tool(layer.policy, config.tools.named(name), rules)
                    except ConfigError as error:
                        found[name] = error
    return found


def _line(place: Place) -> str:
    return f"{place.file}:{place.line}" if place.line else place.file
