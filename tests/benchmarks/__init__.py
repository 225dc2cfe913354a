"""How long whole runs take and how much memory, on dumps as wide as those of real clusters."""
