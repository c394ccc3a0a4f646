"""The HTTP side of a server: pages, JSON, health and metrics."""
