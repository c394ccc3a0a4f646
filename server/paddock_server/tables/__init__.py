"""The tables: matches under way, from their opening to their record."""
