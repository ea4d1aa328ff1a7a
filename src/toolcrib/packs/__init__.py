"""The packs: each turns files of a repository into tools, resources and prompts."""
