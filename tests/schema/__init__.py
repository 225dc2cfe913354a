"""Where the schema of the Kubernetes API comes from."""
