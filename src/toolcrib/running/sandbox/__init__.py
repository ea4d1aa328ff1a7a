"""The sandbox of a command: bubblewrap, else Landlock, else only limits and seccomp."""
