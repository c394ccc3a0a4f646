"""A second, independent reading of the rules, kept only to cross-check the first."""
