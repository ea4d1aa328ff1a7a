"""What a decision record says: its parts, its options, and what it says yes and no to."""
