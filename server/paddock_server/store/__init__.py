"""The store: bots, matches, ratings, tournaments and the journal of open matches, in a database."""
