"""The pages: one module per page, with its values as named tuples."""
