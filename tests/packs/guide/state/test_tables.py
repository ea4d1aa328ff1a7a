"""The tables of a PostgreSQL store."""

from __future__ import annotations

import psycopg

from toolcrib.packs.guide.state.postgres import PostgresStore

FOREIGN = """
DROP SCHEMA IF EXISTS foreign_names CASCADE;
CREATE SCHEMA foreign_names;
CREATE FUNCTION foreign_names.octet_length(text) RETURNS integer LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'a function of somebody else ran'; END $$;
SET search_path = foreign_names, public, pg_catalog;
"""


def test_the_trigger_takes_no_function_from_the_path_of_whoever_writes(clean):
    """R-6: a trigger sees every writer; it has its owner's rights, and lends them to nobody."""
    store = PostgresStore(clean)
    store.change(lambda edit: edit.put("p", "flag", "x", "1"))
    with psycopg.connect(clean, autocommit=True) as person:
        person.execute(FOREIGN)
        person.execute("UPDATE toolcrib_entries SET value = '\"2\"' WHERE project = 'p'")
        person.execute("DROP SCHEMA foreign_names CASCADE")
        counted = person.execute("SELECT counter FROM toolcrib_changes WHERE project = 'p'")
        assert counted.fetchone() == (2,)
    assert store.get("p", "flag", "x") == "2"
