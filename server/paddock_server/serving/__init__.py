"""The server as a whole, in one process, and the file that configures it."""
