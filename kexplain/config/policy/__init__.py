"""The legacy Policy of Kubernetes 1.22 and before, from its text to the scheduler it describes."""
