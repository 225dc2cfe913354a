"""The typed facts behind a rejection by a plugin that only a Policy can name."""

from kexplain.framework.evidence import Evidence


class LabelPresenceViolated(Evidence, frozen=True):
    """Labels by key that the node lacks, and those that it should not have."""

    missing: tuple[str, ...]
    unwanted: tuple[str, ...]


class ServiceAffinityUnmatched(Evidence, frozen=True):
    """A label that the node does not share with what pins the pod.

    That is a pod of its service, on a node; both are empty where the pod's own node selector does.
    """

    key: str
    value: str
    actual: str | None
    pinned_by: str = ""
    pinned_on: str = ""


class NodeConditionUnmet(Evidence, frozen=True):
    """A condition of the node that keeps pods away, and its status."""

    condition: str
    status: str
