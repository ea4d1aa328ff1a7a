"""Flags and other state, in SQLite or PostgreSQL."""
