"""Bot programs: processes that can't outlive the server that started them, and their output."""
