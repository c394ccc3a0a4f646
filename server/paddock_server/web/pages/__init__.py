"""The pages: one module each, values in named tuples."""
