"""Spec first: the templates, the procedure and the context of a repo's `directive/`, read-only."""
