"""Run them from the shop's folder: `python3 -m unittest`."""
