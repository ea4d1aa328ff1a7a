"""Names in code, and the roles in which they stand there."""
