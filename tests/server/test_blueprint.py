"""How the packs of a server are made again after a change."""

from __future__ import annotations

from pathlib import Path

from toolcrib.core.pack import Contributions, Pack
from toolcrib.server.blueprint import Blueprint
from toolcrib.server.surface import Surface


class Still(Pack):
    """A pack whose lists never change."""

    name = "still"
    live = False

    def contribute(self) -> Contributions:
        return Contributions()


def test_lists_can_change_where_packs_may_still_join() -> None:
    """S-1, S-5: `listChanged` is announced where the repository may grow, and nowhere else."""
    for growing in (False, True):
        blueprint = Blueprint((Path("toolcrib.toml"),), lambda packs: None, lambda packs: False,
                              growing)  # fmt: skip
        surface = Surface([Still()], blueprint=blueprint)
        assert surface.live is growing
        assert surface.capabilities("legacy")["tools"] == ({"listChanged": True} if growing else {})


def test_a_change_inside_of_a_folder_is_one_of_what_packs_are_made_of() -> None:
    """S-5, X-16: a record of trust appears in a folder that is there already."""
    settings, records = Path("/p/toolcrib.toml"), Path("/state/trust/p")
    blueprint = Blueprint((settings, records), lambda packs: None, lambda packs: False)
    for path in (settings, records, records / "digest"):
        assert blueprint.made_of([Path("/p/other"), path])
    assert not blueprint.made_of([Path("/p/other"), Path("/state/trust"), Path("/p")])
