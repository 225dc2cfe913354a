"""The labels that a pod asks for and no node has, and those that were probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from kexplain.cluster import Cluster
from kexplain.diagnosis.wishes import GIVEN
from kexplain.objects.core import Namespace, Pod
from kexplain.objects.meta import Labels
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.selectors import Requirement, label_values
from kexplain.objects.well_known import CONTROL_PLANE, HOSTNAME, OLD_CONTROL_PLANE
from kexplain.words import near


def requirements(pod: Pod, cluster: Cluster) -> list[Requirement]:
    """The requirements that stand in the way: those that no node meets, or else all, of the term that lacks least."""
    required, known = RequiredNodeAffinity.of(pod), values_by_key(cluster)

    def unmet(requirements: Iterable[Requirement]) -> list[Requirement]:
        return [each for each in requirements if not is_met(each, known)]

    terms = [term.labels for term in required.terms or ()]
    nearest: Sequence[Requirement] = min(terms, key=lambda labels: len(unmet(labels)), default=())
    missing = [*unmet(required.labels), *unmet(nearest)]
    return list(dict.fromkeys(missing or (*required.labels, *nearest)))


def is_met(requirement: Requirement, values_by_key: Mapping[str, set[str]]) -> bool:
    """Whether some node meets it; what asks for the lack of a label counts as met."""
    values = values_by_key.get(requirement.key)
    if requirement.operator in ("NotIn", "DoesNotExist"):
        return True
    return values is not None and any(requirement.matches({requirement.key: value}) for value in values)


def values_by_key(cluster: Cluster) -> dict[str, set[str]]:
    """The values of each label of nodes."""
    return cluster.fact(values_by_key, lambda: label_values(info.labels for info in cluster.node_infos))


def near_key(key: str, known: Collection[str]) -> list[str]:
    """The label of nodes that may have been meant by one that no node has."""
    return [CONTROL_PLANE] if key == OLD_CONTROL_PLANE and CONTROL_PLANE in known else near(key, known)


def meant_by(requirement: Requirement, known: Mapping[str, set[str]]) -> list[str]:
    """The label or the value that may have been meant."""
    if requirement.key not in known:
        return near_key(requirement.key, known)
    if requirement.operator in ("Gt", "Lt"):
        return []
    close = [name for value in sorted(requirement.values) for name in near(value, known[requirement.key])]
    return close if len(close) == 1 else []


def nodes_meant(pod: Pod, cluster: Cluster) -> frozenset[str]:
    """The nodes with the label that was probably meant where no node has the one asked for; none if nobody knows."""
    known = values_by_key(cluster)
    missing = [each for each in requirements(pod, cluster) if not is_met(each, known)]
    if len(missing) != 1 or missing[0].key in GIVEN or missing[0].key == HOSTNAME:
        return frozenset()
    return frozenset(having(meant_by(missing[0], known), missing[0], cluster))


def having(meant: Sequence[str], requirement: Requirement, cluster: Cluster) -> tuple[str, ...]:
    """The nodes that have what was meant."""
    if not meant:
        return ()
    by_key = requirement.key in values_by_key(cluster)
    infos = cluster.node_infos
    if by_key:
        return tuple(info.name for info in infos if info.labels.get(requirement.key) == meant[0])
    return tuple(info.name for info in infos if meant[0] in info.labels)


def labels_of_namespace(pod: Pod, cluster: Cluster) -> Labels:
    """The labels of nodes in the pod's node selector that an annotation of its namespace adds."""
    namespace = cluster.listers.get(Namespace, pod.namespace)
    said = (namespace.annotations.node_selector, namespace.annotations.openshift_node_selector) if namespace else ()
    pairs = [part.strip().split("=") for text in said for part in (text or "").split(",")]
    own = (pod.spec.node_selector or {}).items()
    return {key: value for key, value in own if [key, value] in pairs}
