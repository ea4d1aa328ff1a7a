"""The only place that speaks SQL: rows in, domain objects out. See ADR 0006."""
