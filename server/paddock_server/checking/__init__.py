"""The check of a bot: everything that can happen to it, against a referee with a script."""
