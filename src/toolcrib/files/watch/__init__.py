"""Changes on disk: the watcher, and who listens to it."""
