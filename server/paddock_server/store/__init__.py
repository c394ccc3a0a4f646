"""What survives the process: bots, matches and the journal of those that are open."""
