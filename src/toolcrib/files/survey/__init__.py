"""A quick look at the folders of a repository: names only, within limits."""
