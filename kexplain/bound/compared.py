"""How nodes where a pod fails differ from those where others like it run."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.listers import volumes_of
from kexplain.cluster.placed_pods import maker
from kexplain.cluster.siblings import are_siblings, placed_siblings
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.overdue import SOON
from kexplain.diagnosis.records import Held, Kind
from kexplain.diagnosis.reported import reported
from kexplain.objects.core import NodeCondition, NodeSystemInfo, Pod
from kexplain.objects.meta import Condition
from kexplain.objects.node_pools import POOL_LABELS, comes_along, created
from kexplain.objects.persistent_volumes import PersistentVolume
from kexplain.objects.storage import CSINode, VolumeAttachment
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH, INSTANCE_TYPE, POD_TEMPLATE_HASH, ZONE
from kexplain.patterns import regex
from kexplain.plugins.victims import seconds
from kexplain.tables import sections, table
from kexplain.words import clauses

#: What a node has, as a word for it, or a label, and the value.
_Marks: TypeAlias = frozenset[tuple[str, str]]
_VERSIONS = table("node-versions", dict[str, str])
#: What is said of a pull that fails for the node.
_UNABLE = regex("|".join(sections("kubelet-reasons")["of nodes that cannot pull"]))
_PLATFORM = ("kubernetes.io/os", "kubernetes.io/arch", "node.kubernetes.io/windows-build")
_PLACES = (*POOL_LABELS, INSTANCE_TYPE, ZONE)
#: What a container may do by itself: of one such pod its zone or pool says nothing.
_OWN_FAULTS = (Kind.CONTAINER_NOT_STARTED, Kind.NOT_READY)


def with_other_nodes(found: Held, pod: Pod, cluster: Cluster) -> Held:
    """The finding with what nodes have where pods like it are ready, and none has where they are not.

    Where such pods are on no other nodes, or nothing tells these apart, it stays as it is. What its kind, or what is
    known already, leaves open is compared: labels that say what a node is, then all else, then where it is.
    """
    own, by_class = pod.spec.node_name or "", "handler" in found.facts
    is_of_volumes = found.kind is Kind.VOLUME_NOT_ATTACHED
    # Of a DaemonSet there may be thousands of pods, which are all compared with the same others.
    alike = by_class, pod.spec.runtime_class_name if by_class else None, maker(pod), _template(pod), cluster.listers
    known = partial(_by_pods, pod, cluster, by_class)
    ready, failing = ({*_attached(pod, cluster)}, {own}) if is_of_volumes else cluster.fact((_by_pods, alike), known)
    if not ready or own not in cluster.node_info_by_name:
        return found
    if agents := _late_agents(cluster.node_info_by_name[own], pod):
        return _with(found, early=told("before-agents", own, pod.status.start_time, Few.of(sorted(agents))))

    def with_nodes(*said: object) -> tuple[object, ...]:
        return *said, Few.of(sorted(ready)), Few.of(sorted(failing))

    for keys in () if own in ready else (_PLACES,) if by_class else _open_ones(found, failing):
        compared = partial(_apart, ready, failing, pod, cluster, keys)
        if said := compared() if is_of_volumes else cluster.fact((_apart, alike, keys), compared):
            return _with(found, apart=told("nodes-apart", *with_nodes(*said), is_of_volumes))
    if own in ready or not _is_unable(found):
        return found
    return _with(found, apart=told("nodes-apart", *with_nodes(None, False, Few.of(()), Few.of(())), False))


def with_reports(found: Held, pod: Pod, cluster: Cluster) -> Held:
    """The finding with what others report of a volume of the pod, or of the node that it is on."""
    if found.kind in (*_OWN_FAULTS, Kind.IMAGE_NOT_PULLED):
        return found
    known, node = reported(cluster), found.hold.node
    names = [*(volume.name for _, volume in volumes_of(pod, cluster.listers)), node]
    said = next(((name, known[name], name == node) for name in names if name in known), None)
    return _with(found, reported=told("reported", *said)) if said else found


def _open_ones(found: Held, failing: Collection[str]) -> Sequence[Sequence[str]]:
    """The labels, or all but labels, by which it may be told why."""
    at_places = (_PLACES,) if len(failing) > 1 or found.kind not in _OWN_FAULTS else ()
    # Any node has the image that it pulled before.
    is_image = found.kind is Kind.IMAGE_NOT_PULLED and not _is_unable(found)
    return (_PLATFORM,) if is_image else (_PLATFORM, (), *at_places)


def _is_unable(found: Held) -> bool:
    """Whether a kubelet cannot have an image that others have."""
    return found.kind is Kind.IMAGE_NOT_PULLED and bool(_UNABLE.search(found.hold.message))


def _apart(
    ready: Iterable[str], failing: Iterable[str], pod: Pod, cluster: Cluster, keys: Sequence[str]
) -> tuple[object, ...]:
    """What all of the ones have and none of the others, and the other way round; nothing where there is nothing."""
    works, fails = ([_marks(name, pod, cluster, keys) for name in names] for names in (ready, failing))
    there = sorted(frozenset.intersection(*works).difference(*fails))
    here = sorted(frozenset.intersection(*fails).difference(*works))
    # Of labels one says it all.
    few = [Few.of(map("=".join, each[:1]) if keys else map(" ".join, each), 2) for each in (there, here)]
    label: object = dict(there[:1]) if keys else None
    if there and all(name in _VERSIONS for name, _ in (*there, *here)):
        # Nobody mends versions: of machines that are made with others, it is a matter of which are chosen.
        label = next(iter(_apart(ready, failing, pod, cluster, POOL_LABELS)), None)
    return (label, keys is _PLATFORM, *few) if there or here else ()


def _with(found: Held, **said: Statement) -> Held:
    facts = {name: each.about for name, each in said.items()}
    return found.with_text(clauses(found.clause, *map(str, said.values())), **facts)


def _late_agents(info: NodeInfo, pod: Pod) -> set[str]:
    """The agents that were not ready yet when the pod came, soon after its node did, or after that was ready again."""
    came, born = seconds(pod.status.start_time or ""), (created(info.node), _ready_since(info.node.status.conditions))
    is_early = any(abs(came - seconds(each)) < SOON for each in born)
    return {name for name, since in _agents(info, pod) if is_early and 0 < seconds(since) - came < SOON}


def _ready_since(conditions: Sequence[Condition | NodeCondition] | None) -> str:
    return next((each.last_transition_time or "" for each in conditions or () if each.type == "Ready"), "")


def _by_pods(pod: Pod, cluster: Cluster, by_class: bool) -> tuple[set[str], set[str]]:
    """The nodes with a pod of its template, or else of its RuntimeClass, that is ready, and the others with one."""
    # A pod that is asked about may have been taken off its node.
    alike = [pod, *(each for each, _ in placed_siblings(pod, cluster) if _template(each) == _template(pod))]
    if by_class:
        placed = (each.pod for info in cluster.node_infos for each in info.pods)
        alike = [pod, *(each for each in placed if each.spec.runtime_class_name == pod.spec.runtime_class_name)]
    names = {each.spec.node_name or "": each.is_ready for each in sorted(alike, key=lambda each: each.is_ready)}
    there = cluster.node_info_by_name.keys() & names.keys()
    ready = there & {name for name, is_ready in names.items() if is_ready}
    return ready, there - ready


def _attached(pod: Pod, cluster: Cluster) -> Iterator[str]:
    """The nodes to which volumes of the same classes are attached."""
    listers = cluster.listers
    classes = {volume.spec.storage_class_name for _, volume in volumes_of(pod, listers)}
    for each in listers.every(VolumeAttachment):
        volume = listers.get(PersistentVolume, each.spec.source.persistent_volume_name or "")
        is_alike = volume is not None and volume.spec.storage_class_name in classes
        if is_alike and each.status.attached and each.spec.node_name in cluster.node_info_by_name:
            yield each.spec.node_name


def _template(pod: Pod) -> tuple[str | None, ...]:
    return pod.labels.get(POD_TEMPLATE_HASH), pod.labels.get(CONTROLLER_REVISION_HASH)


def _marks(name: str, pod: Pod, cluster: Cluster, keys: Sequence[str]) -> _Marks:
    """The labels of these keys; without any, versions, drivers, devices, and agents that are ready."""
    info = cluster.node_info_by_name[name]
    if keys:
        return frozenset((key, info.labels[key]) for key in keys if key in info.labels)
    system, csi = info.node.status.node_info or NodeSystemInfo(), cluster.listers.get(CSINode, info.name)
    marks = [(words, getattr(system, field) or "") for words, field in _VERSIONS.items()]
    marks += [("CSI driver", each.name) for each in (csi.spec.drivers if csi else None) or ()]
    marks += [("devices of", key) for key in info.node.status.capacity or () if "/" in key]
    return frozenset((*marks, *(("a ready pod of DaemonSet", name) for name, _ in _agents(info, pod))))


def _agents(info: NodeInfo, pod: Pod) -> Iterator[tuple[str, str]]:
    """The DaemonSets of others whose pods are ready there, and since when."""
    for each in (one.pod for one in info.pods if comes_along(one.pod)):
        owner = each.metadata.controller
        if owner and each.is_ready and not are_siblings(each, pod):
            yield owner.name or "", _ready_since(each.status.conditions)
