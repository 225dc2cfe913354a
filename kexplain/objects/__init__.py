"""What scheduling reads of the Kubernetes API, as frozen typed records, and the exact reading of its texts."""
