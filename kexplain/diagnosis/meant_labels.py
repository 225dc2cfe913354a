"""The labels that a pod asks for and no node has, and those that were probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain

from kexplain.case.own_pods import Key, owners_of, read_maker
from kexplain.cluster import Cluster, Listers, NodeInfo
from kexplain.diagnosis.wishes import GIVEN
from kexplain.grouping import grouped
from kexplain.objects.core import Namespace, Node, Pod
from kexplain.objects.karpenter import NODE_POOL
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.queues import ResourceFlavor, Workload
from kexplain.objects.scheduling import RuntimeClass
from kexplain.objects.selectors import Requirement, label_values
from kexplain.objects.untrusted import entries, texts
from kexplain.objects.well_known import HOSTNAME, RENAMED_LABELS
from kexplain.words import near

#: What labels are called that had another name.
_RENAMED = {**RENAMED_LABELS, "karpenter.sh/provisioner-name": NODE_POOL}
#: Whose labels name models of devices, of which an A100 is no misspelt A10.
_OF_DEVICES = ("nvidia.com/", "amd.com/", "intel.com/")


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
    now = _RENAMED.get(key, "")
    return [now] if now in known else near(key, known)


def renamed(
    wanted: Sequence[Requirement], known: Mapping[str, set[str]], *, only_known: bool = False
) -> dict[str, str]:
    """By each label, none of which any node has, the one with the same values that nodes have now; else empty.

    Where `only_known`, it has to be known that the label was renamed.
    """
    found = {}
    for each in wanted:
        now, last = _RENAMED.get(each.key, ""), each.key.rpartition("/")[2]
        alike = (key for key in (now, *(() if only_known else known)) if key.rpartition("/")[2] == last)
        same = next((key for key in alike if each.operator == "In" and each.values & known.get(key, set())), "")
        if each.key in known or not same:
            return {}
        found[each.key] = same
    return found


def meant_by(requirement: Requirement, known: Mapping[str, set[str]]) -> list[str]:
    """The label or the value that may have been meant."""
    if requirement.key not in known:
        is_given = requirement.key in GIVEN and requirement.key not in _RENAMED
        return [] if is_given else [*renamed([requirement], known).values()] or near_key(requirement.key, known)
    if requirement.key in GIVEN or requirement.operator in ("Gt", "Lt"):
        return []
    close = [name for value in sorted(requirement.values) for name in near(value, known[requirement.key])]
    is_model = requirement.key.startswith(_OF_DEVICES)
    return close if len(close) == 1 and (not is_model or digits(close[0]) in map(digits, requirement.values)) else []


def digits(name: str) -> str:
    """What tells sizes, models and numbered names apart."""
    return "".join(filter(str.isdigit, name))


def nodes_meant(pod: Pod, cluster: Cluster) -> frozenset[str]:
    """The nodes with the label that was probably meant where no node has the one asked for; none if nobody knows."""
    known = values_by_key(cluster)
    missing = [each for each in requirements(pod, cluster) if not is_met(each, known)]
    if len(missing) != 1 or missing[0].key == HOSTNAME:
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


def outlived(pod: Pod, cluster: Cluster) -> list[tuple[Pod, Node, list[Requirement]]]:
    """The pods on nodes that lack what they ask for as this pod does, and what that is: the nodes have changed."""
    required = RequiredNodeAffinity.of(pod)
    own = {*required.labels, *(each for term in required.terms or () for each in term.labels)}
    keys = frozenset(each.key for each in own)
    everybody = chain.from_iterable(cluster.of_each_node((outlived, keys), partial(_outlived, keys)).values())
    found = ((other, node, [each for each in unmet if each in own]) for other, node, unmet in everybody)
    return [each for each in found if each[2]]


def _outlived(keys: frozenset[str], info: NodeInfo) -> list[tuple[Pod, Node, list[Requirement]]]:
    """The pods on a node that lack what they ask for, of those that ask for such labels, or by affinity."""
    found = []
    for each in info.pods:
        rules = each.affinity and each.affinity.node_affinity
        if (rules and rules.required is not None) or not keys.isdisjoint(each.node_selector):
            unmet = RequiredNodeAffinity.of(each.pod).unmet(info.node)
            found += [(each.pod, info.node, unmet)] if unmet and not each.comes_along else []
    return found


def renewed_since(pod: Pod, nodes: Sequence[Node], cluster: Cluster) -> str:
    """When the oldest of the nodes was made, if all are newer than what asks for the labels; empty if any is older.

    What asked for labels before there was any of these nodes was made for others, which had them.
    """
    owner = read_maker(pod, cluster.listers)
    since = owner.metadata.creation_timestamp if owner else None
    made = [node.metadata.creation_timestamp or "" for node in nodes]
    return min(made) if since and made and min(made) > since else ""


def labels_added(pod: Pod, cluster: Cluster) -> dict[str, str]:
    """Who adds which labels of nodes, by key, to the pod's node selector: its namespace, RuntimeClass, or a queue."""
    namespace = cluster.listers.get(Namespace, pod.namespace)
    said = (namespace.annotations.node_selector, namespace.annotations.openshift_node_selector) if namespace else ()
    pairs = [part.strip().split("=") for text in said for part in (text or "").split(",")]
    own = (pod.spec.node_selector or {}).items()
    added = {key: f"an annotation of namespace {pod.namespace}" for key, value in own if [key, value] in pairs}
    runtime = cluster.listers.get(RuntimeClass, pod.spec.runtime_class_name or "")
    asked = (runtime.scheduling.node_selector if runtime and runtime.scheduling else None) or {}
    return added | _by_flavors(pod, cluster) | dict.fromkeys(asked, f"RuntimeClass {pod.spec.runtime_class_name}")


def _by_flavors(pod: Pod, cluster: Cluster) -> dict[str, str]:
    """The same by the sorts of nodes that Kueue has let in the pod for, or what makes it."""
    flavors, maker = cluster.listers.derived(_flavors, Workload), read_maker(pod, cluster.listers)
    made = (*owners_of(pod, ""), *(owners_of(maker, "") if maker else ()))
    names = {flavor for key in made for flavor in flavors.get(key, ())}
    labels = ((each.name, texts(each.spec, "nodeLabels")) for each in cluster.listers.every(ResourceFlavor))
    asked = ((name, (pod.spec.node_selector or {}).items() & given.items()) for name, given in labels if name in names)
    return {key: f"ResourceFlavor {name}" for name, own in asked for key, _ in own}


def _flavors(listers: Listers) -> Mapping[Key, Sequence[str]]:
    """The sorts of nodes that Kueue has let in work for, by what owns its Workload."""
    admitted = ((each, entries(each.status, "admission", "podSetAssignments")) for each in listers.every(Workload))
    given = ((each, texts(one, "flavors").values()) for each, sets in admitted for one in sets)
    return grouped((key, flavor) for each, flavors in given for key in owners_of(each, "") for flavor in flavors)
