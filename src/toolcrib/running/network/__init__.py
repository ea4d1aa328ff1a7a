"""Network access of commands: grants of hosts, and the proxy that enforces them."""
