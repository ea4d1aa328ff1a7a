"""Changes on disk: the watcher and the listener for file system notifications."""
