"""The lobby: who is here, what waits, and which matches may begin."""
