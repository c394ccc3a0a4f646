"""Tournaments: their files, running them, changes by organisers, and reports."""
