"""The processes that start commands and see to it that nothing of them is left.

They run beside the server, in a small interpreter of their own, and on the bubblewrap rung inside
of the sandbox. Over a socket comes one line after the other; each gets a fork of the first process,
a supervisor, which takes orders on its line, one at a time. It starts the command, adopts whatever
the command leaves behind, and answers when the last descendant is gone. The line is its life: when
it closes, because the server crashed or was killed, everything is killed at once.

No command can reach its supervisor: inside bubblewrap it is the first process of a process
namespace of its own, which the kernel shields from signals; elsewhere seccomp refuses signals to
it, and Landlock those to all others. Nothing but the lightest of the standard library is imported
here, so that it starts quickly and stays small.
"""
