from support.database_fixtures import (  # noqa: F401 - fixtures
    clean,
    link,
    pgbouncer,
    postgres,
    postgres_url,
)
