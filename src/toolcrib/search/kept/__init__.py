"""An index that is kept on disk between two starts."""
