"""Plugins that kube-scheduler had once, for configurations that still name them."""
