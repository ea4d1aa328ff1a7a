"""What a program prints for --help, and how it is read."""
