"""What the shop does: one class per errand, made of repositories. No HTTP, no SQL."""
