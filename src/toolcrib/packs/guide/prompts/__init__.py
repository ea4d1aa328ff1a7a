"""The guide's prompts."""
