"""What the shop is about. Nothing here knows of HTTP, SQL or JSON."""
