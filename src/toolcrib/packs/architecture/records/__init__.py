"""Decision records: written, linted and drawn as a graph."""
