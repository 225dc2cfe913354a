"""Components that run in the cluster for the others: which there are, and in what state they are for some nodes."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import chain

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.daemon_pods import pinned_node
from kexplain.cluster import Cluster, PodInfo
from kexplain.cluster.placed_pods import Maker, maker_by
from kexplain.cluster.pod_info import AffinityTerm
from kexplain.diagnosis.caretakers import Caretaker
from kexplain.diagnosis.records import ObjectReference
from kexplain.objects.apps import DaemonSet, Deployment, StatefulSet
from kexplain.objects.core import ContainerStatus, Node, Pod, PodMeta, PodTemplateSpec, Service, Taint, Toleration
from kexplain.objects.core.containers import ContainerStateTerminated
from kexplain.objects.node_selectors import RequiredNodeAffinity
from kexplain.objects.node_service import OWN_DOMAINS
from kexplain.objects.selectors import REPELLING_EFFECTS
from kexplain.objects.storage import CSINode
from kexplain.objects.tolerations import tolerates
from kexplain.patterns import regex


class State(StrEnum):
    """How a component is, the worst first."""

    SCALED_DOWN = "scaled-down"
    PENDING = "pending"
    FAILING = "failing"
    NOT_CREATED = "not-created"
    NOT_THERE = "not-there"
    KEPT_AWAY = "kept-away"
    NOT_READY = "not-ready"
    #: It gets a node here, of which nobody has heard yet.
    STARTS = "starts"
    RUNS = "runs"


#: Why a container ended that used more memory than it may.
OUT_OF_MEMORY = "OOMKilled"
#: Reasons of containers whose image cannot be had, which tell what to see to.
OF_IMAGES = ("ErrImagePull", "ImagePullBackOff", "InvalidImageName")
#: What somebody should look at before the others: what says most of its cause.
_ORDER = {state: place for place, state in enumerate(State)}
#: The most of what a container says.
_MOST = 100


#: The fields that say what makes a pod that runs undisturbed.
_TELLING = ("metadata.name", "metadata.namespace", "metadata.labels", "metadata.ownerReferences", "spec.nodeName")


class Component(Struct, frozen=True):
    """What of a component is of interest: its workload, and one of its pods, with why that does not run.

    `reason` is a kubelet's word for it, `says` what its container said when it ended last, and `taint` one of the pod's
    own node that it does not tolerate, or that keeps the DaemonSet off the `node`, as do the labels that it `lacks`.
    """

    workload: ObjectReference
    state: State
    pod: str = ""
    node: str = ""
    reason: str = ""
    says: str = ""
    taint: str = ""
    lacks: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.workload.kind

    @property
    def name(self) -> str:
        return self.workload.name

    @property
    def namespace(self) -> str:
        return self.workload.namespace

    @property
    def own_pod(self) -> str:
        """The pod of the workload; empty where nothing makes the pod, which then is the component."""
        return self.pod if self.kind != "Pod" else ""

    @property
    def made_by(self) -> Maker:
        """What makes its pods."""
        return self.namespace, self.kind, self.name

    @property
    def key(self) -> str:
        """Its `namespace/name`, that of the very pod where nothing makes it."""
        return f"{self.namespace}/{self.pod if self.kind == 'Pod' and self.node else self.name}"


class _Found(Struct):
    """A workload with its pods, as far as they were read."""

    obj: DaemonSet | Deployment | StatefulSet | None = None
    #: Its pods, on nodes or not.
    read: list[PodInfo | Pod] = msgspec.field(default_factory=list)

    @property
    def pods(self) -> list[Pod]:
        return [*map(_pod, self.read)]

    @property
    def labels(self) -> Mapping[str, str]:
        """Those of its pods."""
        return (self.template.metadata.labels if self.template else None) or {}

    @property
    def own_template(self) -> PodTemplateSpec | None:
        return self.obj.spec.template if self.obj else None

    @property
    def template(self) -> PodTemplateSpec | Pod | None:
        """Its template; where that was not read, the first of its pods."""
        return self.own_template or (_pod(self.read[0]) if self.read else None)


def _pod(read: PodInfo | Pod) -> Pod:
    return read if isinstance(read, Pod) else read.pod


def components(cluster: Cluster) -> Mapping[Maker, _Found]:
    """Every workload with pods, or that wants some, by what makes these; worked out once for a cluster."""
    return cluster.fact((components, cluster.listers), lambda: _components(cluster))


def _components(cluster: Cluster) -> dict[Maker, _Found]:
    every = cluster.listers.every
    workloads: list[DaemonSet | Deployment | StatefulSet] = [*every(DaemonSet), *every(Deployment), *every(StatefulSet)]
    found = defaultdict[Maker, _Found](_Found)
    found |= {(obj.namespace, obj.kind, obj.name): _Found(obj) for obj in workloads}
    # What has ended is not on nodes.
    placed = chain.from_iterable(info.pods for info in cluster.node_infos)
    read: Iterator[PodInfo | Pod] = chain(placed, (pod for pod in every(Pod) if not pod.is_terminated))
    for each in read:
        pod = each if isinstance(each, Pod) else each.partly(_TELLING)
        if not pod.metadata.deletion_timestamp:
            found[maker_of(pod)].read.append(each)
    return dict(found)


def maker_of(pod: Pod) -> Maker:
    """What makes the pod; of a static one itself, as each of several control planes has one."""
    owner = pod.metadata.controller
    if owner is None or owner.kind == "Node":
        return pod.namespace, "Pod", pod.name.removesuffix(f"-{pod.spec.node_name}")
    namespace, kind, name = maker_by(pod, owner)
    return namespace, "Deployment" if kind == "ReplicaSet" and name != owner.name else kind, name


def of_caretaker(who: Caretaker, cluster: Cluster, nodes: Sequence[Node]) -> list[Component]:
    """The components that bear its name, the most broken first; where it has a pod on each node, those of these."""

    def states() -> list[Component]:
        everywhere = nodes if len(nodes) == len(cluster.node_infos) else ()
        called = _called(who, cluster).items()
        every = [_component(by, found, nodes if by[1] == "DaemonSet" else everywhere) for by, found in called]
        return sorted(filter(None, every), key=lambda each: _ORDER[each.state])

    # Apart from nodes it is the same for all pods.
    return states() if nodes else cluster.fact((of_caretaker, who, cluster.listers), states)


def _called(who: Caretaker, cluster: Cluster) -> Mapping[Maker, _Found]:
    """The workloads that bear its name, by their own or by that of an image."""
    every = components(cluster)
    return cluster.fact(
        (_called, who, cluster.listers),
        lambda: {by: found for by, found in every.items() if who.is_called(by[2], *_images(found))},
    )


def publisher(driver: str, cluster: Cluster) -> str:
    """What publishes how much a driver has left, by the image of its sidecar: of several, that which is called so."""
    words = {each for each in driver.replace("-", ".").split(".") if len(each) > len("csi")}
    sidecar = regex("(csi|external)-provisioner")
    every = [by for by, found in components(cluster).items() if any(map(sidecar.search, _images(found)))]
    scores = ((sum(each in f"{by[0]}/{by[2]}" for each in words), by[2]) for by in every)
    *others, (score, best) = sorted([(0, ""), *scores])
    return best if score or len(others) == 1 else ""


def kept_away(
    who: Caretaker, cluster: Cluster, nodes: Sequence[Node], serves: Collection[str] = ()
) -> Component | None:
    """A DaemonSet of that name that leaves these nodes out by its selector, or as it does not tolerate their taint.

    None where another one of the name has a pod there. Where none has the name, it is the only one that leaves them out
    and has a pod on every node that is served.
    """
    away: dict[bool, list[Component]] = {True: [], False: []}
    names, called = {node.name for node in nodes}, _called(who, cluster)
    for by, found in components(cluster).items() if nodes else ():
        template, there = found.own_template, {pinned_node(pod) for pod in found.pods}
        if by[1] != "DaemonSet" or template is None or not (by in called or (serves and there >= {*serves})):
            continue
        if there & names and by in called:
            return None
        if not there & names:
            what = ObjectReference(kind=by[1], name=by[2], namespace=by[0])
            away[by in called] += filter(None, (_kept_off(what, template, nodes[0]),))
    return away[True][-1] if away[True] else away[False][0] if len(away[False]) == 1 else None


def registered(driver: str, cluster: Cluster) -> frozenset[str]:
    """The nodes with the driver."""
    every = cluster.listers.every(CSINode)
    return frozenset(each.name for each in every if any(one.name == driver for one in each.spec.drivers or ()))


def _kept_off(what: ObjectReference, template: PodTemplateSpec, node: Node) -> Component | None:
    """By labels that its pods select, or else a taint; pods of DaemonSets tolerate what controllers say of nodes."""
    unmet = RequiredNodeAffinity.of(Pod(spec=template.spec)).unmet(node)
    if unmet:
        is_of_others = any(each.key.endswith(("/os", "/arch")) for each in unmet)
        lacks = tuple(map(str, unmet))
        return None if is_of_others else Component(what, State.KEPT_AWAY, node=node.name, lacks=lacks)
    taint = _repelling(template, node)
    return Component(what, State.KEPT_AWAY, node=node.name, taint=taint) if taint else None


def scaled_to_none(term: AffinityTerm, cluster: Cluster) -> str:
    """The workload that would make pods which the term is about, and is to make none; empty if there is none."""
    for (namespace, kind, name), found in components(cluster).items():
        obj, template = found.obj, found.template
        if isinstance(obj, Deployment | StatefulSet) and obj.spec.replicas == 0 and template and not found.read:
            meta = PodMeta(name=name, namespace=namespace, labels=template.metadata.labels)
            if term.matches(Pod(metadata=meta), {}):
                return f"{kind} {namespace}/{name}"
    return ""


def behind_service(service: Service, cluster: Cluster) -> list[Component]:
    """The components whose pods the Service selects, the most broken first."""
    wanted = (service.spec.selector or {}).items()
    here = ((key, each) for key, each in components(cluster).items() if wanted and key[0] == service.namespace)
    found = [_component(key, each) for key, each in here if wanted <= each.labels.items()]
    return sorted(filter(None, found), key=lambda each: _ORDER[each.state])


def worst_of(made_by: Maker, cluster: Cluster) -> Component | None:
    """Of the pods of a workload the one that is worst off; None without any."""
    namespace, kind, name = made_by
    what = ObjectReference(kind=kind or "", name=name, namespace=namespace)
    found = components(cluster).get(made_by, _Found())
    return min((_of_pod(what, pod, {}) for pod in found.pods), key=lambda each: _ORDER[each.state], default=None)


def _images(found: _Found) -> Iterator[str]:
    for each in (found.template.spec.containers or ()) if found.template else ():
        # The registry and the tag say nothing of what it is.
        yield (each.image or "").rpartition("/")[2].partition(":")[0]


def _component(made_by: Maker, found: _Found, nodes: Sequence[Node] = ()) -> Component | None:
    """How it is for these nodes, which are all where pods may be anywhere; None for one that they do not concern."""
    namespace, kind, name = made_by
    what = ObjectReference(kind=kind or "", name=name, namespace=namespace)
    by_name = {node.name: node for node in nodes}
    if kind != "DaemonSet":
        if isinstance(found.obj, Deployment | StatefulSet) and found.obj.spec.replicas == 0:
            return Component(what, State.SCALED_DOWN)
        return _of_pods(what, found.pods, by_name) if found.pods else Component(what, State.NOT_CREATED)
    if on_these := [pod for pod in found.pods if pinned_node(pod) in by_name]:
        return _of_pods(what, on_these, by_name)
    judge = _lacking if found.read else _without_pods
    absent = judge(what, found.own_template, nodes) if nodes and found.own_template else None
    return absent or (_of_pods(what, found.pods, {}) if found.pods else Component(what, State.NOT_CREATED))


def _without_pods(what: ObjectReference, template: PodTemplateSpec, nodes: Sequence[Node]) -> Component:
    """Why it has no pod on the first node that may be meant: a value of a label, or a taint; else what all lack."""
    selects = RequiredNodeAffinity.of(Pod(spec=template.spec))
    for node in nodes:
        unmet = selects.unmet(node)
        if all(each.key in node.labels and not each.key.endswith(("/os", "/arch")) for each in unmet):
            taint = "" if unmet else _repelling(template, node)
            state = State.NOT_THERE if unmet else State.KEPT_AWAY if taint else State.NOT_CREATED
            lacks, has = tuple(map(str, unmet)), " and ".join(node.labels[each.key] for each in unmet)
            return Component(what, state, node=node.name, taint=taint, lacks=lacks, says=has)
    return Component(what, State.NOT_CREATED, lacks=tuple(map(str, selects.unmet(nodes[0]))))


def _lacking(what: ObjectReference, template: PodTemplateSpec, nodes: Sequence[Node]) -> Component | None:
    """That it lacks a pod on the first node where a label alone, or nothing, keeps it away; None without any."""
    selects = RequiredNodeAffinity.of(Pod(spec=template.spec))
    for node in nodes:
        if not _repelling(template, node):
            unmet = selects.unmet(node)
            if all(each.key not in node.labels for each in unmet) and not any("role" in each.key for each in unmet):
                return Component(what, State.NOT_THERE, node=node.name, lacks=tuple(map(str, unmet)))
    return None


def _of_pods(what: ObjectReference, pods: Sequence[Pod], by_name: Mapping[str, Node]) -> Component:
    """By the pod that is worst off; of a Deployment, one that is ready serves for all."""
    found = [_of_pod(what, pod, by_name) for pod in pods]
    if (not by_name or what.kind != "DaemonSet") and any(each.state is State.RUNS for each in found):
        return next(each for each in found if each.state is State.RUNS)
    worst = min(found, key=lambda each: _ORDER[each.state])
    is_one = sum(each.state is worst.state for each in found) == 1
    return worst if is_one else replace(worst, node="")


def _repelled(pod: Pod, nodes: Sequence[Node]) -> str:
    """The taint that keeps the pod off all of these nodes; empty if there is none."""
    keys = [{each.key for each in _untolerated(pod.spec.tolerations or (), node)} for node in nodes]
    return min(set.intersection(*keys), default="") if keys else ""


def _of_pod(what: ObjectReference, pod: Pod, by_name: Mapping[str, Node]) -> Component:
    node = pinned_node(pod)
    if not pod.spec.node_name:
        taint = _repelled(pod, [by_name[node]] if node in by_name else [*by_name.values()])
        return Component(what, State.PENDING, pod=pod.name, node=node, taint=taint)
    statuses = (*(pod.status.init_container_statuses or ()), *(pod.status.container_statuses or ()))
    waiting = ((each, each.state.waiting.reason) for each in statuses if each.state and each.state.waiting)
    status, reason = next(((each, reason) for each, reason in waiting if reason), (ContainerStatus(), ""))
    if reason not in ("", "ContainerCreating", "PodInitializing"):
        reason = OUT_OF_MEMORY if last_end(status).reason == OUT_OF_MEMORY else reason
        return Component(what, State.FAILING, pod=pod.name, node=node, reason=reason, says=_last_words(status))
    return Component(what, State.RUNS if pod.is_ready else State.NOT_READY, pod=pod.name, node=node)


def last_end(status: ContainerStatus) -> ContainerStateTerminated:
    """How a container that starts again and again ended last."""
    return (status.last_state.terminated if status.last_state else None) or ContainerStateTerminated()


def _last_words(status: ContainerStatus) -> str:
    return textwrap.shorten(last_end(status).message or "", _MOST, placeholder=" …").removesuffix(".")


def _repelling(template: PodTemplateSpec, node: Node) -> str:
    """The first taint that repels a DaemonSet's pods, which tolerate what the node controller says; empty if none."""
    keys = (each.key for each in _untolerated(template.spec.tolerations or (), node))
    return next((key for key in keys if not key.startswith(OWN_DOMAINS[0])), "")


def _untolerated(tolerations: Collection[Toleration], node: Node) -> Iterator[Taint]:
    repelling = (taint for taint in node.spec.taints or () if taint.effect in REPELLING_EFFECTS)
    return (taint for taint in repelling if not any(tolerates(each, taint) for each in tolerations))
