"""Whose pods have preempted those of a workload, as events say, and hold the room still."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import Maker, maker
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.findings.ways import workload
from kexplain.diagnosis.records import Finding, Kind, Sign
from kexplain.grouping import grouped
from kexplain.objects.core import Pod
from kexplain.objects.events import Event, made_by
from kexplain.patterns import regex

#: By its uid since 1.28, and by its key before. Source: kube-scheduler `preemption.Evaluator.prepareCandidate`.
_BY = regex(r"Preempted by (?:pod )?(?P<by>\S+) on node (?P<node>\S+)")
#: What a pod says that finds no room.
_WITHOUT_ROOM = (Kind.NO_ROOM, Kind.NO_POD_SLOT, Kind.ZONE_FULL, Kind.OUTRANKED, Kind.POOL_PARTLY_OUT_OF_SERVICE)


class Preemptors(Struct, frozen=True):
    """Pods of one workload that are where they made room for themselves, and how many pods they made it of."""

    made_by: Maker | None
    pods: tuple[Pod, ...]
    victims: int

    @property
    def words(self) -> str:
        """The workload, or the pod itself."""
        return workload(self.made_by) or f"pod {self.pods[0].key}"


def preemptors_of(pod: Pod, events: Iterable[Event], cluster: Cluster) -> Preemptors | None:
    """Those that had most pods of the pod's workload evicted; None where none is there that is more important."""
    own = made_by(pod)
    own_events = ((_preemptor(event, cluster), event) for event in events if event.preempted_from == own)
    above = ((by, event.subject.name) for by, event in own_events if by and by.priority > pod.priority)
    by_maker = grouped((maker(by) or by.key, (by, name)) for by, name in above)
    most = max(by_maker.values(), key=len, default=None)
    if most is None:
        return None
    pods = {by.key: by for by, _ in most}
    return Preemptors(maker(most[0][0]), tuple(pods.values()), len({name for _, name in most}))


def _preemptor(event: Event, cluster: Cluster) -> Pod | None:
    """The pod that is still on the node where it was to go."""
    said = _BY.match(event.text)
    info = cluster.node_info_by_name.get(said["node"]) if said else None
    if said is None or info is None:
        return None
    return next((each.pod for each in info.pods if said["by"] in (each.pod.uid, each.pod.key)), None)


def with_preemptors(found: Finding | None, by: Preemptors | None) -> Finding | None:
    """The finding with who has taken the room, where that is what the pod lacks."""
    if found is None or by is None or found.kind not in _WITHOUT_ROOM:
        return found
    why = told("preempted", by.words, by.victims)
    sign = Sign(text=str(why), pods=tuple(pod.key for pod in by.pods)[:20])
    text = str(told("because", found.text, why, is_cause=True))
    return replace(found, text=text, evidence=(*found.evidence, sign), facts={**found.facts, "because": why.published})
