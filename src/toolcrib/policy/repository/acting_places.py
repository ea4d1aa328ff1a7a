"""Where a repository's configs, policies and servers lie, or would appear: no command writes there.

What was trusted is known by its digest. This is about what nobody has seen yet: a file that a
command makes where none was before, and that would act once it is trusted.
"""

from __future__ import annotations

import os
from pathlib import Path

from toolcrib.policy.repository.places import (
    HOMES,
    POLICIES,
    SERVERS_FILE,
    SHARED_HOME,
    SUFFIXES,
    found_configs,
)
from toolcrib.policy.repository.strays import stray_policies


def acting_places(project: Path) -> list[str]:
    """The paths, whether there is a file or not; of other names only what is there."""
    found = [str(project / name) for name in ("toolcrib.toml", SERVERS_FILE)]
    for home in (*HOMES, SHARED_HOME):
        found += [f"{project}/{home}/{name}" for name in POLICIES]
    for home in HOMES:
        try:
            names = os.listdir(project / home)  # noqa: PTH208 - names are all we need
        except OSError:
            continue
        found += [f"{project}/{home}/{name}" for name in names if name.endswith(SUFFIXES)]
    found += [str(project / config) for config in found_configs(project)]
    found += map(str, stray_policies(project, (), ()))
    return list(dict.fromkeys(found))
