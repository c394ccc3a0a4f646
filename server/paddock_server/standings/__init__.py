"""Tables of the ladders as values, and standings, computed from a format's whole history."""
