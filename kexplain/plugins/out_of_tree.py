"""What stands in for a plugin that kube-scheduler does not have in its tree."""

from __future__ import annotations

from dataclasses import dataclass

from kexplain.objects.core import Pod


@dataclass(frozen=True, slots=True)
class OutOfTreePlugin:
    """A plugin of somebody's own, known by name only: what it would say of a pod is left open, and told."""

    name: str
    points: tuple[str, ...]

    def not_evaluated(self, pod: Pod) -> str:  # noqa: ARG002
        """Always something: where it would have had a say."""
        return f"it is not part of kube-scheduler, and may have a say at {', '.join(self.points)}"
