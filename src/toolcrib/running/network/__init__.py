"""What commands reach of the network: grants of hosts, and the proxy that keeps to them."""
