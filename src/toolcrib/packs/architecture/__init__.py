"""Guidelines, patterns and decisions: searched, checked, and served."""
