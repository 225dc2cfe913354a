"""Which scheduler decides: its release, its profiles and their arguments."""
