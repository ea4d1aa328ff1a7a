"""What may be called, and with which values."""
