"""The scheduling cycle of kube-scheduler."""
