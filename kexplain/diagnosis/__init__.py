"""What somebody who knows the cluster would say first about a pod that does not fit."""
