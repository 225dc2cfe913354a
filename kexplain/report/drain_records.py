"""What is published of a drain: what becomes of each pod, and what would help those that are left."""

from kexplain.diagnosis.records import Finding, Hold
from kexplain.explain.output import Output
from kexplain.explain.records import Cause, Document
from kexplain.explain.removal import RemovalObstacle
from kexplain.framework.trace import Outcome
from kexplain.remedies.records import Remedy
from kexplain.scheduler.draining import Fate

#: So many remedies of one pod are shown.
_SHOWN = 5


class DrainedPod(Output, frozen=True):
    """What becomes of a pod.

    `outcome` is the verdict on it where it is placed again (Scheduled, Unschedulable and so on); else Stays,
    Refused (`kubectl drain` does not touch the node because of it), Blocked (a budget never lets it go), NotCreated
    (its controller gets no other made), Gone (nobody makes it again) or Ended (it has finished, or is being deleted).
    `node` is where it lands, `message` why it does not, or why it stays or goes. What `held_up_by` budgets had to wait
    leaves in a later `round`. Of a pod that was `preempted_by` another one on a node that is not drained, `drained` are
    the nodes that are.
    """

    pod: str
    outcome: str
    node: str | None
    message: str | None
    from_node: str
    round: int = 1
    held_up_by: tuple[str, ...] = ()
    #: Why it does not run where it is.
    held: Hold | None = None
    preempted_by: str = ""
    drained: tuple[str, ...] = ()
    #: Why it may not start where it lands, as a clause behind the name of the node.
    doubt: str = ""
    causes: tuple[Cause, ...] = ()
    #: What is wrong, where the pod gets no place, and what would help it and others that the same stops.
    diagnosis: Finding | None = None
    remedies: tuple[Remedy, ...] = ()

    @property
    def is_moved(self) -> bool:
        """Whether it, or what its controller makes in its place, gets a node."""
        return self.outcome == Outcome.SCHEDULED.value

    @property
    def is_left(self) -> bool:
        """Whether the drain does not get the pod a place: it is pending then, or in the way."""
        return self.outcome not in (Outcome.SCHEDULED.value, Fate.STAYS, Fate.GONE, Fate.ENDED)


class DrainStep(Output, frozen=True):
    """Nodes that were emptied together, how many of their pods moved, and how many did not get a place.

    `added` are fresh nodes that joined their pools first, and take the place of these. `together` is what the nodes
    share, such as the name of their zone, where each of several groups of nodes was drained alone.
    """

    nodes: tuple[str, ...]
    moved: int
    left: int
    added: tuple[str, ...] = ()
    together: str = ""


class DrainReport(Document, frozen=True, kw_only=True):
    """All nodes and their pods, in the order in which they were looked at.

    Of a drain one by one, `stopped_at` is the first node with a pod that gets no place; those behind it are not tried.
    """

    kind: str = "DrainReport"
    kubernetes_version: str
    nodes: tuple[str, ...]
    pods: tuple[DrainedPod, ...]
    steps: tuple[DrainStep, ...]
    stopped_at: str | None = None
    #: The pods that had no node before any left, as `namespace/name`: none of those that the drain leaves without one.
    pending_before: tuple[str, ...] = ()
    #: Those of them that have none since files were applied.
    unplaced: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    #: What is taken for granted, as the input does not say it.
    rests_on: tuple[str, ...] = ()
    #: Why autoscalers do not take these nodes away.
    removal: tuple[RemovalObstacle, ...] = ()
    #: Whether each node, or group of nodes, was drained alone, as if the others stayed.
    each: bool = False
    #: Whether it is a fault if only some of them can.
    all_have_to_go: bool = False

    @property
    def fails(self) -> bool:
        """Whether a pod is left, or has had no node since files were applied; of nodes drained alone, of all or any."""
        stopped = [bool(step.left) for step in self.steps]
        alone = any(stopped) if self.all_have_to_go else all(stopped)
        return bool(self.unplaced) or (alone if self.each else any(pod.is_left for pod in self.pods))

    @property
    def helps(self) -> dict[str, Remedy]:
        """What would help those that are left, or may not start, in words and in order; whom, where that differs."""
        left = [pod for pod in self.pods if pod.remedies]
        pending = [pod.pod for pod in left if pod.remedies and pod.outcome == Outcome.UNSCHEDULABLE]
        shown = ((pod.pod, remedy) for pod in left for remedy in pod.remedies[:_SHOWN])
        several = pending if pending[1:] else ()
        remedies = {f"for {pod}: {each.text}" if pod in several else each.text: each for pod, each in shown}
        return dict(sorted(remedies.items(), key=lambda each: each[1].rank))
