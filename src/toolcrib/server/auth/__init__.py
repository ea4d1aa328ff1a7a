"""Who calls: static tokens and JWT."""
