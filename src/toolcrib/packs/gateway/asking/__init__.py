"""What servers ask of whoever calls them: samples, answers of a person, roots."""
