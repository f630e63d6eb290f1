"""Examples: each is small, runs by itself and is run by a test."""
