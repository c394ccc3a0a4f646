"""Visitors: whoever reads without a token. They get a share of the machine that play can spare."""
