"""A quick survey of a repository's folders: names only, within limits."""
