"""Messages of a server: items for bots as bytes, and answers of bots as values."""
