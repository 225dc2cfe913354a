"""The releases of Kubernetes: what each one does, and which one a cluster runs."""
