"""The tables of a PostgreSQL store. Later releases add to them, and never change what is there."""

from __future__ import annotations

import psycopg

from toolcrib.core.support.logs import get_logger
from toolcrib.packs.guide.errors import StoreNewer
from toolcrib.packs.guide.state.connection import BoundedConnection
from toolcrib.packs.guide.state.store import SCHEMA

_log = get_logger("guide.store")

CHANNEL = "toolcrib"
"""The channel of `NOTIFY`; a payload is `kind project`, or nothing: all."""
LOCK = 0x54435242
"""Held alone by writers of release 0.1 and by whoever makes tables, shared by all other writers."""

_ENTRIES = f"""
CREATE TABLE IF NOT EXISTS toolcrib_meta (schema_version integer NOT NULL);
CREATE TABLE IF NOT EXISTS toolcrib_entries (
    project text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (project, kind, name)
);
INSERT INTO toolcrib_meta SELECT {SCHEMA} WHERE NOT EXISTS (SELECT FROM toolcrib_meta);
"""  # noqa: S608 - of constants
# Triggers, so that what release 0.1 or a person with psql writes is announced as well; one call per
# statement, since somebody may write many thousand rows with one. The function has the rights of
# its owner, so it takes no name from the search path of whoever writes.
_ADDITIONS = f"""
CREATE TABLE IF NOT EXISTS toolcrib_changes (
    project text COLLATE "C" PRIMARY KEY,
    counter bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS toolcrib_expiring (
    project text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    owner text NOT NULL,
    value text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (project, kind, name)
);
CREATE INDEX IF NOT EXISTS toolcrib_expiring_age ON toolcrib_expiring (project, kind, created_at);
CREATE OR REPLACE FUNCTION toolcrib_entries_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
    EXECUTE format(
        'INSERT INTO %%I.toolcrib_changes AS known '
        'SELECT DISTINCT project, 1 FROM changed ORDER BY project '
        'ON CONFLICT (project) DO UPDATE SET counter = known.counter + 1', TG_TABLE_SCHEMA
    );
    PERFORM pg_notify('{CHANNEL}', CASE WHEN octet_length(project) < 7900
        THEN kind || ' ' || project ELSE '' END)
        FROM (SELECT DISTINCT kind, project FROM changed) AS each;
    RETURN NULL;
END $body$;
DROP TRIGGER IF EXISTS toolcrib_entries_inserted ON toolcrib_entries;
DROP TRIGGER IF EXISTS toolcrib_entries_updated ON toolcrib_entries;
DROP TRIGGER IF EXISTS toolcrib_entries_deleted ON toolcrib_entries;
CREATE TRIGGER toolcrib_entries_inserted AFTER INSERT ON toolcrib_entries
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION toolcrib_entries_changed();
CREATE TRIGGER toolcrib_entries_updated AFTER UPDATE ON toolcrib_entries
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION toolcrib_entries_changed();
CREATE TRIGGER toolcrib_entries_deleted AFTER DELETE ON toolcrib_entries
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION toolcrib_entries_changed();
"""  # noqa: S608 - of constants
_FOUND = """
SELECT to_regclass('toolcrib_entries') IS NOT NULL AND to_regclass('toolcrib_meta') IS NOT NULL,
    to_regclass('toolcrib_changes') IS NOT NULL AND to_regclass('toolcrib_expiring') IS NOT NULL
    AND (SELECT count(*) = 3 FROM pg_trigger WHERE tgrelid = to_regclass('toolcrib_entries')
        AND tgname LIKE 'toolcrib_entries_%%')
"""
_VERSION = "SELECT max(schema_version) FROM toolcrib_meta"
_BEGIN = f"""
BEGIN; SELECT set_config('lock_timeout', '3s', true), set_config('statement_timeout', '5s', true);
SELECT pg_advisory_xact_lock({LOCK});
"""


def prepare(connection: BoundedConnection) -> None:
    """Make what is missing; refuse tables of a newer version."""
    ((entries, additions),) = connection.rows(_FOUND)
    if entries:
        ((version,),) = connection.rows(_VERSION)
        if version is not None and version > SCHEMA:
            raise StoreNewer(
                f"The state was written by a newer toolcrib (schema {version}; known: {SCHEMA})",
                why="it is left as it is",
                next="Upgrade toolcrib, or use another database.",
            )
    else:
        connection.rows(f"{_BEGIN} {_ENTRIES} COMMIT")
    if not additions:
        _add(connection)


def _add(connection: BoundedConnection) -> None:
    """Flags need none of the additions, so a role that may not make them can still have flags."""
    try:
        connection.rows(f"{_BEGIN} {_ADDITIONS} COMMIT")
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction) as error:
        connection.rows("ROLLBACK")
        _log.warning(
            "PostgreSQL store: no news and no shared workflows: tables cannot be made (%s)",
            error.diag.message_primary,
        )
