"""Where matches are played: who is connected, who waits, and the tables under way."""
