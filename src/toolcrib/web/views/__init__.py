"""One module per page: from plain data to what its template shows."""
