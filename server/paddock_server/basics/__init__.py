"""What every room may use: ids, wording, files that people write."""
