"""The lobby: who is connected, what waits, and which matches may begin."""
