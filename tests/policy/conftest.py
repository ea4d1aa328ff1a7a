"""Small configs on disk, and an easy way to call their tools."""

from support.climax import config, crib, own_cache, write

__all__ = ["config", "crib", "own_cache", "write"]
