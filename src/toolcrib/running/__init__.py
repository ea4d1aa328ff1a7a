"""Processes: the command line, its sandbox, its output and its end."""
