"""Configs of command-line programs, from YAML to records."""
