"""Usage lines: the ways to call a command, in the many notations that programs have for them."""
