"""What of the servers can be found: which tools may be used, and how search sees them."""
