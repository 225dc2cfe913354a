"""Spoils scenarios in every way and runs every command on them; see `__main__`."""
