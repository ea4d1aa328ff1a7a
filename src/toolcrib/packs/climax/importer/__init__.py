"""Configs made from what a program says about itself: its help, manual or completions."""
