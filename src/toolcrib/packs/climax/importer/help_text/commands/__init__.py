"""The commands of a program, as its help text lists or names them."""
