"""The scheduling framework: what a plugin is, what it answers, and how a profile's plugins are run."""
