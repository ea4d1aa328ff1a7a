"""What a document says of itself: status, date, links."""
