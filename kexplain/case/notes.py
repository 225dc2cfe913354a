"""What to say about the reading of a case: what was ignored, and what had to be assumed."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from kexplain.admission import declared_replicas, is_from_cluster
from kexplain.case.records import PodToPlace
from kexplain.case.relevance import bears_on
from kexplain.cluster import Cluster
from kexplain.load import Loaded
from kexplain.load.loaded import unlisted_notes
from kexplain.load.record_types import API_VERSIONS
from kexplain.objects.apps import DaemonSet
from kexplain.objects.core import Pod
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.requests import PODS
from kexplain.parameters import parameter
from kexplain.words import some, verb


def case_notes(
    loaded: Loaded, cluster: Cluster, placed: Collection[int], pods: Sequence[PodToPlace] = ()
) -> Iterator[str]:
    """The notes on everything that was read, but for what is placed, by their ids; of lists that could not be had, on
    those that bear on these pods.
    """
    if loaded.empty:
        yield f"{some(loaded.empty)} {verb(len(loaded.empty), 'holds')} no object"
    if loaded.foreign_note:
        yield loaded.foreign_note
    yield from loaded.passed_over_notes()
    yield from operator_notes(placed.made_of for placed in pods)
    yield from (str(warning) for warning in loaded.warnings)
    if loaded.more_warnings:
        yield f"{loaded.more_warnings} more such notes are not shown"
    yield from loaded.notes
    kinds = {record.__name__: record for record in API_VERSIONS}
    yield from unlisted_notes(each for each in loaded.unlisted if bears_on(kinds[each.kind], pods, cluster))
    yield from _running_notes(loaded, cluster, placed)
    yield from _webhook_notes(cluster, pods)
    if silent := [each.name for each in cluster.node_infos if PODS not in (each.node.status.allocatable or {})]:
        says, counts = verb(len(silent), "does"), verb(len(silent), "counts")
        yield f"{some(silent)} {says} not say how many pods fit (allocatable.pods), and {counts} as taking none"


def _webhook_notes(cluster: Cluster, pods: Iterable[PodToPlace]) -> Iterator[str]:
    """That new pods would not be let in as things stand."""
    if not any(kind.__name__.endswith("WebhookConfiguration") for kind in cluster.listers.kinds):
        return
    from kexplain.case.webhooks import SilentWebhooks  # noqa: PLC0415 (few inputs have webhooks)

    known = (each for each in pods if isinstance(each.made_of, Pod) and is_from_cluster(each.made_of))
    old = {placed.pod.uid for placed in known}
    new = {placed.pod.namespace: placed.pod for placed in pods if placed.pod.uid not in old}
    webhooks = SilentWebhooks(cluster)
    for namespace, pod in new.items():
        if why := webhooks.refusal(pod, cluster):
            yield f"no new pod gets into namespace {namespace} for now: {why}"


def operator_notes(objects: Iterable[KubernetesObject | None]) -> Iterator[str]:
    """That operators add to pods what their resources do not say."""
    gangs = {f"{obj.kind} {obj.metadata.name}": obj.gang for obj in objects if isinstance(obj, CustomWorkload)}
    if gangs:
        yield f"pods are as these say, without what their operators may add: {some([*gangs])}"
    for name, gang in gangs.items():
        least, every = gang or (0, 0)
        if every > 1:
            alone = "here each is tried alone"
            yield f"{name} is a gang: none of its {every} pods starts before {least} have a node; {alone}"


def _running_notes(loaded: Loaded, cluster: Cluster, placed: Collection[int]) -> Iterator[str]:
    stored = loaded.objects.stored
    known, names = {*cluster.node_info_by_name}, stored.without(placed).node_names if stored is not None else set()
    bound = [pod for pod in loaded.objects.others_of(Pod) if pod.spec.node_name and id(pod) not in placed]
    lost = (pod.spec.node_name or "" for pod in bound if pod.spec.node_name not in known and not pod.is_terminated)
    if missing := sorted({*names, *lost} - known):
        yield f"pods run on nodes that were not read: {some(missing)}"
    if not names and all(pod.is_terminated for pod in bound) and Pod not in loaded.listed:
        yield "no pods are running: every node counts as empty"


def replica_notes(obj: KubernetesObject, replicas: int | None) -> Iterator[str]:
    """That more pods are declared than the one that stands for them, if nobody asked for a number."""
    declared = declared_replicas(obj)
    if replicas is None and declared is not None and declared > 1:
        every = parameter("replicas", str(declared))
        yield f"this is one of the {declared} pods of {obj.kind} {obj.name}; {every} places all of them"


def daemon_notes(daemon_set: DaemonSet, pods: int, nodes: int) -> Iterator[str]:
    """That some nodes get no pod, where others do."""
    if 0 < pods < nodes:
        allowed = "as its node selector, affinity and tolerations allow no more"
        yield f"DaemonSet {daemon_set.name} gets a pod on {pods} of {nodes} nodes, {allowed}"


def node_notes(pod: Pod) -> Iterator[str]:
    """What a node means that the pod names already."""
    node, nominated = pod.spec.node_name, pod.status.nominated_node_name
    if not is_from_cluster(pod):
        if node:
            yield f"spec.nodeName is set: the kubelet of {node} takes the pod, and no scheduler is asked"
    elif node and pod.is_terminated:
        yield f"finished on {node}; explained as if it were placed now"
    elif nominated and not node:
        yield f"nominated to {nominated}, where room is kept for it"
