"""Editing a file of another program in place: comments and layout stay as they are."""
