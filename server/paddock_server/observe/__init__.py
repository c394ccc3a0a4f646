"""What can be seen of a running server: metrics and logs."""
