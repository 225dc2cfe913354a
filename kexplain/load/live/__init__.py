"""A live cluster, read only: how to reach its API server, what to ask of it, and what its answers mean."""
