"""Ratings, standings and pairings: values in, values out."""
