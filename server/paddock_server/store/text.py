"""JSON as the store keeps it: short, and made quickly."""

import json
from typing import Final

dumps: Final = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode
"""A value as JSON."""
