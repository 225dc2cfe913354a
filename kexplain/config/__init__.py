"""Which scheduler is meant: its release, its profiles and their arguments."""
