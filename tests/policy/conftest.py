"""Small configs on disk, an easy way to call their tools, and a real PostgreSQL."""

from support.climax import config, crib, own_cache, write
from support.database_fixtures import clean, postgres, postgres_url

__all__ = ["clean", "config", "crib", "own_cache", "postgres", "postgres_url", "write"]
