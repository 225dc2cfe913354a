"""The plugins of kube-scheduler, a module each."""
