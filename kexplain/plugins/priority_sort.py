"""Pods of higher priority go first. Source: `plugins/queuesort`."""

from kexplain.objects.core import Pod


class PrioritySort:
    """Orders the queue by priority, then by arrival."""

    name = "PrioritySort"

    def sort_key(self, pod: Pod) -> int:
        """Lower for higher priority; arrival decides among equals."""
        return -pod.priority
