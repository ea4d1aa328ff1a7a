"""The guide: content by category, flags, and the rules that a repository already has."""
