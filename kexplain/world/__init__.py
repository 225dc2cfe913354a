"""What becomes of a cluster: changes as an API server takes them, and what controllers and scheduler make of them."""
