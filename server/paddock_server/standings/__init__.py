"""Ladders as values, and the standing of a format computed from its whole history."""
