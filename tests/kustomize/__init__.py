"""Compares builds of kustomizations with those of kubectl; see `against_kubectl`."""
