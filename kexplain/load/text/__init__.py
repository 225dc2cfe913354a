"""Texts as Kubernetes reads them: where bytes come from, YAML, JSON dumps, and the place of every value."""
