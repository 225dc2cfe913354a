"""Who should see to it that a pod is not held any longer: who prepares its volumes, devices, network or queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.listers import volumes_of
from kexplain.diagnosis.answering import answerer, behind
from kexplain.diagnosis.behind import provisioner_of
from kexplain.diagnosis.caretakers import Caretaker, Subject, caretaker
from kexplain.diagnosis.components import State, components, of_caretaker, registered, worst_of
from kexplain.diagnosis.culprits import Care, at_fault
from kexplain.diagnosis.records import Held, Kind
from kexplain.objects.core import Node, Pod
from kexplain.objects.other_resources import OtherResource
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.queues import Workload
from kexplain.objects.resource import ResourceClaim
from kexplain.objects.storage import CSIDriver, CSINode
from kexplain.objects.untrusted import conditions
from kexplain.patterns import regex
from kexplain.words import joined, near

#: A server of files that is a Service, as mount names it: nfs.storage.svc.cluster.local:/exports.
_MOUNTED_FROM = regex(r"\b(?P<name>[a-z0-9-]+)\.(?P<namespace>[a-z0-9-]+)\.svc[a-z0-9.]*:/")
#: What to do about volumes, or a class, of a driver that nobody is.
_DRIVER = "install the driver again under the name that its volumes have, {name}, or make them anew"
_CLASS = "give the claim a class whose provisioner is there ({others}), or install {name}"


def keeper_of(found: Held, pod: Pod | None, cluster: Cluster) -> Care | None:
    """Who should see to it that the pod is not held any longer, and does not; None where nobody is known to fail."""
    nodes = _nodes(found, cluster)
    match found.kind:
        case Kind.CLAIM_NOT_PROVISIONED:
            own = _maker_of_volume(found, cluster) or _registrar(found.hold.by, pod, cluster, nodes)
            return own or next(_unknown([found.hold.by], cluster, _CLASS), None)
        case Kind.NOT_TRIED if pod:
            return at_fault(Subject.SCHEDULER, pod.scheduler_name, "places its pods", cluster, pod)
        case Kind.FAILED:
            return answerer(found.hold.message, cluster)
        case Kind.NOT_READY if pod and (gate := str(found.facts.get("gate", ""))):
            return at_fault(Subject.GATE, gate, "sets that condition", cluster, pod)
        case Kind.TURNED_AWAY:
            return _reporter(found, cluster, nodes)
        case Kind.SANDBOX_FAILED if "handler" not in found.facts:
            return at_fault(Subject.NETWORK, "network", "sets up its network", cluster, pod, nodes)
        case Kind.VOLUME_NOT_ATTACHED | Kind.VOLUME_NOT_MOUNTED | Kind.DEVICE_NOT_PREPARED if pod:
            return _mounter(found, pod, cluster, nodes)
        case Kind.CONTAINER_NOT_STARTED if pod and (service := str(found.facts.get("service", ""))):
            *_, namespace, name = f"{pod.namespace}/{service}".split("/")
            return behind(name, namespace, cluster)
        case kind if kind.is_of_queues:
            return _holder(found, cluster) or _of_queue(found, pod, cluster)
        case _:
            return None


def _nodes(found: Held, cluster: Cluster) -> list[Node]:
    names = found.nodes or (str(found.facts.get("node", "")),)
    return [cluster.node_info_by_name[name].node for name in names if name in cluster.node_info_by_name]


def _of_queue(found: Held, pod: Pod | None, cluster: Cluster) -> Care | None:
    """The queue's own controller, or what it admitted and waits for, as its pods are not ready."""
    care = at_fault(Subject.QUEUE, found.hold.by, "lets it start", cluster, pod)
    is_waiting = care is None and found.kind is Kind.QUEUE_WAITING_FOR_PODS_READY
    for each in cluster.listers.every(Workload) if is_waiting else ():
        is_so = {kind: one.status == "True" for kind, one in conditions(each.status, "conditions").items()}
        waits = is_so.get("Admitted") and not is_so.get("PodsReady", True) and not is_so.get("Finished")
        for owner in (waits and each.metadata.owner_references) or ():
            worst = worst_of((each.namespace, owner.kind, owner.name or ""), cluster)
            if worst and worst.state is not State.RUNS:
                who = Caretaker("", f"what {each.name} is for")
                return Care(Subject.QUEUE, each.name, who, "was admitted before", worst)
    return care


def _holder(found: Held, cluster: Cluster) -> Care | None:
    """Another one of its kind that its status names, whose pods do not run."""
    other = cluster.listers.at(OtherResource, found.hold.object)
    keys = [key for key in components(cluster) if other and key[:2] == (other.namespace, other.kind)]
    named = (worst_of(key, cluster) for key in keys if other and other.waits_for(key[2]))
    worst = next((each for each in named if each and each.state is not State.RUNS), None)
    who = Caretaker("", f"{worst.kind} {worst.name}" if worst else "")
    return Care(Subject.QUEUE, worst.name, who, "holds what it waits for", worst) if worst else None


def _mounter(found: Held, pod: Pod, cluster: Cluster, nodes: Sequence[Node]) -> Care | None:
    """Who should prepare the pod's volumes or devices on its node, and fails there or is not registered."""
    does = "attaches and mounts its volumes"
    every = [*_drivers(pod, cluster)]
    fails = [at_fault(Subject.DRIVER, each, does, cluster, pod, nodes) for each in every]
    if found.kind is Kind.DEVICE_NOT_PREPARED:
        given = _given(pod, cluster)
        fails = [at_fault(Subject.DEVICES, each, "prepares them", cluster, pod, nodes) for each in given]
    others = (*_unknown(every, cluster), *_unregistered(every, does, cluster, nodes))
    return next(filter(None, (*fails, *others, _server(found.hold.message, cluster))), None)


def _unknown(drivers: Iterable[str], cluster: Cluster, ask: str = _DRIVER) -> Iterator[Care]:
    """Drivers that volumes or their classes name, and nobody is called, while others are registered on nodes."""
    known = {one.name: None for each in cluster.listers.every(CSINode) for one in each.spec.drivers or ()}
    for name in drivers:
        is_csi = bool(known) and ("csi" in name or bool(near(name, known)))
        if is_csi and name not in known and cluster.listers.get(CSIDriver, name) is None:
            others = joined(near(name, known) or [*known])
            fails = f"is registered on no node, while {others} is"
            who = Caretaker("", f"driver {name}", fails=fails, ask=ask.format(name=name, others=others))
            yield Care(Subject.DRIVER, name, who, "its volume names", None)


def _given(pod: Pod, cluster: Cluster) -> Iterator[str]:
    """The drivers of the devices that the pod's claims were given."""
    for each in cluster.listers.every(ResourceClaim):
        if each.status.allocation and any(one.uid == pod.metadata.uid for one in each.status.reserved_for or ()):
            yield from (one.driver for one in each.status.allocation.devices.results or ())


def _server(message: str, cluster: Cluster) -> Care | None:
    """Who is behind the Service that a volume is mounted from, as the mount that failed says; None where that runs."""
    found = _MOUNTED_FROM.search(message)
    care = behind(found["name"], found["namespace"], cluster) if found else None
    return replace(care, does="serves that volume") if care and care.component else None


def _maker_of_volume(found: Held, cluster: Cluster) -> Care | None:
    """Who makes the volume of a claim: the pod made for just that, whose name has the claim's uid, or a provisioner."""
    key = found.hold.object.rpartition(" ")[2]
    claim = cluster.listers.at(PersistentVolumeClaim, key)
    uid = claim.metadata.uid if claim else None
    worst = (worst_of(each, cluster) for each in components(cluster) if uid and uid in each[2])
    pod = next((each for each in worst if each and each.state is not State.RUNS), None)
    care = Care(Subject.DRIVER, key, Caretaker("", "its helper"), "makes its volume", pod)
    return care if pod else provisioner_of(found.hold.by, cluster, found.hold.message)


def _registrar(driver: str, pod: Pod | None, cluster: Cluster, nodes: Sequence[Node]) -> Care | None:
    """Who should have registered the driver on the node that a volume is to be made for."""
    does = f"registers {driver} on nodes"
    others = _unregistered([driver], does, cluster, nodes)
    return (at_fault(Subject.DRIVER, driver, does, cluster, pod, nodes) or next(others, None)) if nodes else None


def _reporter(found: Held, cluster: Cluster, nodes: Sequence[Node]) -> Care | None:
    """Who reports the devices there which a kubelet has not for a pod, as it says, though its node has some free."""
    said = f"{found.hold.reason} {found.hold.message}"
    infos = [cluster.node_info_by_name[node.name] for node in nodes]
    for name in dict.fromkeys(name for info in infos for name in info.allocatable.scalars if info.free(name) > 0):
        who = caretaker(Subject.RESOURCE, name) if name in said else None
        every = of_caretaker(who, cluster, nodes) if who else ()
        if who and (agent := next((each for each in every if each.kind == "DaemonSet"), None)):
            return Care(Subject.RESOURCE, name, who, f"reports {name}", agent, is_undone=True)
    return None


def _unregistered(drivers: Iterable[str], does: str, cluster: Cluster, nodes: Sequence[Node]) -> Iterator[Care]:
    """Drivers that run on the nodes, and are registered on others alone."""
    for name in drivers:
        who, known = caretaker(Subject.DRIVER, name), registered(name, cluster)
        if who and known and not any(node.name in known for node in nodes):
            for agent in of_caretaker(who, cluster, nodes)[:1]:
                yield Care(Subject.DRIVER, name, who, does, agent, is_undone=True)


def _drivers(pod: Pod, cluster: Cluster) -> Iterator[str]:
    """The CSI drivers of the pod's volumes."""
    yield from (volume.csi.driver for volume in pod.spec.volumes or () if volume.csi)
    yield from (csi.driver for csi in (volume.spec.csi for _, volume in volumes_of(pod, cluster.listers)) if csi)
