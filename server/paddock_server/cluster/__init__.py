"""Several servers, one database: the nodes of a cluster share bots, matches and tournaments."""
