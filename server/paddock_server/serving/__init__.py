"""A whole server in one process, and the file that configures it."""
