"""Settings: where they are found, what they may hold, whose count, and which files they choose."""
