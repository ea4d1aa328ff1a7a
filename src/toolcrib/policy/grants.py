"""Grants: what each command-line tool may reach, from `[climax.access.…]` and bundled sidecars.

    [climax.access.shop]                  # all tools of the config shop
    network = ["backup.example"]

    [climax.access.shop.shop_deploy]      # one of them; it takes the place of the line above
    network = "public"
    reads = ["~/.kube"]

The repository's own file counts only in its trusted version, which the caller provides. For
`network`, the strictest of all files that name a tool applies, or the bundled value if none does;
the other grants add up. Only hosts in a file of the person or the organisation may be private
addresses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.running.network.hosts import NO_NETWORK, Network, parse_network, strictest
from toolcrib.running.sandbox.profile import Access

KEYS = ("network", "reads", "writes", "sockets", "env")
_BUNDLED_KEYS = (*KEYS, "hides", "changes_work_tree", "tools")

Bundled = Callable[[str], Mapping[str, Any]]
"""What the sidecar of a bundled config says, by the config's file; nothing for others."""


@record
class GrantFile:
    """One file with `[climax.access.…]` tables."""

    name: str
    """As messages show it."""
    table: Mapping[str, Any]
    private: bool = False
    """Whether it is the person's or the organisation's, which may name private addresses."""
    line_of: Callable[[Sequence[str]], int | None] = lambda path: None
    """The line of a key below `[climax]`."""

    def tables(self, config: str, tool: str) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
        """The tables that speak of a tool, the special before the general, each with its path."""
        whole = self.table.get(config)
        if isinstance(whole, Mapping):
            special = whole.get(tool)
            if isinstance(special, Mapping):
                yield ("access", config, tool), special
            yield ("access", config), whole

    def value(self, config: str, tool: str, key: str) -> tuple[Any, str] | None:
        """Its value of a key for a tool, and where; None if it has none."""
        for path, table in self.tables(config, tool):
            if key in table:
                line = self.line_of((*path, key))
                return table[key], f"{self.name}:{line}" if line else self.name
        return None


@record
class Granted:
    """The grants in effect for one tool, and the files they come from."""

    access: Access
    sources: tuple[str, ...]


class Grants:
    """All grants of one repository."""

    def __init__(
        self,
        files: Sequence[GrantFile] = (),
        bundled: Bundled = lambda file: {},
        ceilings: Sequence[Network] = (),
    ) -> None:
        """`ceilings`: the most that any tool may have of the network."""
        self._files = files
        self._ceilings = ceilings
        self._bundled = bundled
        self._known: dict[tuple[str, str, str], Granted] = {}
        for file in files:
            _check(file)

    def of(self, config: str, file: str, tool: str) -> Granted:
        """What a tool is granted; `config` is the config's name and `file` where it was read."""
        key = (config, file, tool)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._worked_out(config, file, tool)
        return found

    def access(self, config: str, file: str, tool: str) -> Access:
        """What a tool may reach."""
        return self.of(config, file, tool).access

    def _worked_out(self, config: str, file: str, tool: str) -> Granted:
        sidecar = self._bundled(file)
        sources: list[str] = []
        lists: dict[str, list[str]] = {key: [] for key in (*KEYS[1:], "hides")}
        free = False
        for rule in _rules(sidecar, tool):
            free = free or bool(rule.get("changes_work_tree"))
            for key, found in lists.items():
                found += rule.get(key, ())
        if sidecar:
            sources.append(file)
        networks: list[Network] = []
        for each in self._files:
            said = each.value(config, tool, "network")
            if said is not None:
                networks.append(parse_network(said[0], private=each.private))
                sources.append(said[1])
            for key in KEYS[1:]:
                more = each.value(config, tool, key)
                if more is not None:
                    lists[key] += more[0]
                    sources.append(more[1])
        bundled = sidecar.get("network", {}).get(tool)
        if not networks:
            networks = [parse_network(bundled) if bundled is not None else NO_NETWORK]
        unique = {key: tuple(dict.fromkeys(found)) for key, found in lists.items()}
        network = strictest([*networks, *self._ceilings])
        access = Access(network, deaf_sockets=False, changes_work_tree=free, **unique)
        return Granted(access, tuple(dict.fromkeys(sources)))


def _rules(sidecar: Mapping[str, Any], tool: str) -> Iterator[Mapping[str, Any]]:
    for rule in sidecar.get("access", ()):
        if "*" in rule["tools"] or tool in rule["tools"]:
            yield rule


def _check(file: GrantFile) -> None:
    """Raise `ConfigError` for what does not fit in a file's grants."""
    for config, table in file.table.items():
        if not isinstance(table, Mapping):
            raise _error(file, ("access", config), "must be a table")
        tools = {key: value for key, value in table.items() if isinstance(value, Mapping)}
        _check_table(file, ("access", config), table, tools)
        for tool, own in tools.items():
            _check_table(file, ("access", config, tool), own, {})


def _check_table(
    file: GrantFile, path: tuple[str, ...], table: Mapping[str, Any], tools: Mapping[str, Any]
) -> None:
    for key, value in table.items():
        if key in tools:
            continue
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) or f"; it has: {', '.join(KEYS)}"
            raise _error(file, (*path, key), f"is not a grant{hint}")
        if key == "network":
            try:
                parse_network(value, private=file.private)
            except ValueError as error:
                raise _error(file, (*path, key), str(error)) from error
        elif not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise _error(file, (*path, key), "must be a list of strings")


def _error(file: GrantFile, path: tuple[str, ...], problem: str) -> ConfigError:
    where = Place(file.name, file.line_of(path))
    shown = ".".join(("climax", *path[:-1]))
    return ConfigError(f"[{shown}] {path[-1]}: {problem}", where=where)
