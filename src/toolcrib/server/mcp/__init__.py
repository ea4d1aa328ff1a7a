"""The protocol: methods, calls, lists, subscriptions."""
