"""What of a repository a person has trusted, and what waits for one."""
