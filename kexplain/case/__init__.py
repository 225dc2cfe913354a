"""Which pods are meant, and the cluster they meet."""
