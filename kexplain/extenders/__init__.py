"""Scheduler extenders, asked over HTTP or HTTPS."""
