"""A cluster in one compressed file, with its own names or with others in their place."""
