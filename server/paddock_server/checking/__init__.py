"""Takes a bot through all that can happen to it, against a referee that follows a script."""
