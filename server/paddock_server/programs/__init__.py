"""Bot programs: processes that can not outlive whoever started them, and what they write."""
