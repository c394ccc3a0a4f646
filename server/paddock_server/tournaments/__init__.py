"""Tournaments: what an organiser wants played, played to its end whatever happens."""
