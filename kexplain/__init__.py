"""Why didn't my pod schedule? The whole scheduling cycle of kube-scheduler, offline, and explained."""

__version__ = "0.1.0"
