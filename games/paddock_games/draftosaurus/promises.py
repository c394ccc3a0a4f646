"""What the pens of a zoo still promise."""
PROMISES = {(b, t): {} for b in ("SUMMER", "WINTER") for t in (False, True)}
