"""The documents of the library: what there is, and how it is found."""
