"""Tools made from Python functions: arguments, descriptions, decorator, prefix."""
