"""A JSON encoder for the store: short text, encoded quickly."""

import json
from typing import Final

dumps: Final = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode
"""A value as JSON."""
