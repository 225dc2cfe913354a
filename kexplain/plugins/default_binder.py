"""Binds the pod to its node. Source: `plugins/defaultbinder`."""

from __future__ import annotations


class DefaultBinder:
    """Last of the profile; an explanation ends before anything is bound."""

    name = "DefaultBinder"
