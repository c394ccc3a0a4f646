"""Basics that every room may use: errors, ids, wording, and settings that people write."""
