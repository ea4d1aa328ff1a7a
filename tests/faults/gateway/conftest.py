"""A project of servers whose faults are switches."""

from packs.gateway.conftest import project

__all__ = ["project"]
