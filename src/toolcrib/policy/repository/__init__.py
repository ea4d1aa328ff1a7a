"""The policy of a repository: where it lies, and how it becomes layers."""
