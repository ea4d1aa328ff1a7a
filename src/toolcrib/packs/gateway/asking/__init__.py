"""Requests from servers to their callers: sampling, elicitation, roots."""
