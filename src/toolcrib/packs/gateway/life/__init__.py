"""The life of servers: clocks of calls, how processes end, one process for each client."""
