"""How far a command is shut in: bubblewrap, else Landlock, else limits and seccomp alone."""
