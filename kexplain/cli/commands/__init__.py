"""What the commands do: `run` answers a request of the same name, and returns the exit code."""
