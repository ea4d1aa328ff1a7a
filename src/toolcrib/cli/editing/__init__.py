"""Changing one thing in a file that somebody else wrote, and leaving all the rest as it is."""
