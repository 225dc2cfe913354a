"""What would help a pod that does not fit: proposals, tried through the whole cycle, and ranked."""
