"""Which tools of servers may be used, and how search sees them."""
