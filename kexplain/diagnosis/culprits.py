"""One hop more: who should clear a taint, report a resource or serve a driver, and what keeps that from doing so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import Maker
from kexplain.cluster.resource import is_extended_resource_name
from kexplain.diagnosis.blamed import blamed, without_rights
from kexplain.diagnosis.caretakers import Caretaker, Subject, caretaker
from kexplain.diagnosis.components import (
    OF_IMAGES,
    OUT_OF_MEMORY,
    Component,
    State,
    components,
    kept_away,
    maker_of,
    of_caretaker,
    registered,
)
from kexplain.diagnosis.findings.statement import Statement, rows, told
from kexplain.diagnosis.overdue import is_new, overdue_since
from kexplain.diagnosis.pool_members import pool_members
from kexplain.diagnosis.records import Finding, Kind, Link, Relation
from kexplain.diagnosis.reservations import outlived_taints
from kexplain.framework.trace import Decision
from kexplain.objects.core import Node, Pod
from kexplain.objects.node_selectors import node_named_by
from kexplain.objects.node_service import Trouble, is_of_machine, out_of_service, saying, waits_for_network
from kexplain.objects.other_resources import OtherResource
from kexplain.patterns import regex
from kexplain.tables import table

FindingT = TypeVar("FindingT", bound=Finding)

_PARTLY = Kind.POOL_PARTLY_OUT_OF_SERVICE
_SERVICE = (Kind.POOL_OUT_OF_SERVICE, Kind.ZONE_OUT_OF_SERVICE, _PARTLY)

#: States of components with a pod that does not run, and reasons of its containers that are said with the state.
WITH_PODS = (State.PENDING, State.FAILING, State.NOT_READY)
_TELLING = ("CrashLoopBackOff", OUT_OF_MEMORY, *OF_IMAGES)


class Care(Struct, frozen=True):
    """What somebody looks after, on which nodes, and who: `does` says what the component would do.

    `component` is that at fault, or that to look at; None where nothing of its names is in the cluster. `nodes` are
    those of a finding that it is about.
    """

    subject: Subject
    name: str
    who: Caretaker
    does: str
    component: Component | None
    is_own: bool = False
    #: Whether it did what it is there for before, and something undid that while it ran.
    is_undone: bool = False
    nodes: tuple[str, ...] = ()

    @property
    def is_at_fault(self) -> bool:
        """Whether the component is known not to do what it is there for."""
        each = self.component
        runs = each is not None and each.state in (State.STARTS, State.RUNS)
        return bool(self.who.object) if each is None else not runs or self.subject is Subject.CAPACITY

    @property
    def is_known(self) -> bool:
        """Whether the component is there, or nothing that it would look after has ever been as it should be."""
        is_open = self.subject is not Subject.NETWORK and not self.is_undone
        return is_open or bool(self.component or self.who.object)

    @property
    def is_all(self) -> bool:
        """Whether nothing else would help for long: whatever is done to nodes, or to have more of them, is undone."""
        is_asked = self.component is None and bool(self.who.ask)
        is_of_nodes = self.subject in (Subject.TAINT, Subject.NETWORK, Subject.DRIVER, Subject.CAPACITY)
        return is_asked or (self.is_at_fault and is_of_nodes)


def care_of(found: Finding, pod: Pod, cluster: Cluster) -> Care | None:
    """Who looks after what the finding is about; None where nobody is known to, or all of them run."""
    # Of a pool in part it is those that are lost.
    names = found.evidence[0].nodes if found.kind is _PARTLY else found.nodes
    nodes = [info.node for info in cluster.nodes_named(names)]
    for subject, name, does in _subjects(found, nodes, cluster):
        who, tainted = caretaker(subject, name), [node for node in nodes if name in saying(node, Trouble.STARTING)]
        care = care_for(subject, name, does, who, pod, cluster, tainted or nodes) if who else None
        if care is not None:
            return replace(care, nodes=tuple(node.name for node in tainted or nodes))
    return None


def _subjects(found: Finding, nodes: Sequence[Node], cluster: Cluster) -> Iterable[tuple[Subject, str, str]]:
    """What the finding is about that somebody looks after, and what that somebody does with it."""
    match found.kind:
        case kind if kind in _SERVICE:
            yield from _of_service(nodes, cluster)
        case Kind.DEVICE_PLUGIN_DOWN | Kind.RESOURCE_UNKNOWN | Kind.RESOURCE_LOST:
            resource = str(found.facts.get("resource", ""))
            if is_extended_resource_name(resource) and not (found.facts.get("meant") or found.facts.get("instead")):
                yield Subject.RESOURCE, resource, f"reports {resource}"
        case Kind.SELECTOR_UNSATISFIED | Kind.LABEL_LOST:
            for key in dict.fromkeys(regex(r"[=! ]").split(each.label)[0] for each in found.evidence):
                yield Subject.LABEL, key, "labels nodes with it"
        case Kind.OTHER_SCHEDULER:
            yield Subject.SCHEDULER, str(found.facts.get("scheduler", "")), "serves that name"
        case Kind.GATED:
            yield from ((Subject.GATE, gate, f"takes off {gate}") for gate in found.facts.get("gates", ()))
        case Kind.STORAGE_FULL:
            yield Subject.CAPACITY, str(found.facts.get("publisher", "")), "publishes what is left (CSIStorageCapacity)"
        case Kind.DEVICES_UNAVAILABLE | Kind.DRIVER_MISSING:
            yield from _of_chain(found)


def _of_chain(found: Finding) -> Iterable[tuple[Subject, str, str]]:
    for step in found.chain:
        name = step.object.name
        if found.kind is Kind.DEVICES_UNAVAILABLE:
            yield Subject.DEVICES, name, "reports these devices"
        elif step.object.kind == "CSIDriver":
            yield Subject.DRIVER, name, f"registers {name} on nodes"


def _of_service(nodes: Sequence[Node], cluster: Cluster) -> Iterable[tuple[Subject, str, str]]:
    troubles = {service.troubles[0] for node in nodes if (service := out_of_service(node))}
    # Who cordons a node has a reason, and a taint that is not cleared on others has another one.
    if Trouble.STARTING in troubles and troubles <= {Trouble.STARTING, Trouble.CORDONED}:
        for taint in dict.fromkeys(taint for node in nodes for taint in saying(node, Trouble.STARTING)):
            yield Subject.TAINT, taint, "clears that taint"
    if Trouble.NOT_READY in troubles and any(map(waits_for_network, nodes)):
        has_range = {bool(info.node.spec.pod_cidr) for info in cluster.node_infos}
        if len(has_range) > 1 and not any(each.spec.pod_cidr for each in nodes):
            yield Subject.CONTROLLER, "pod CIDRs", "gives nodes their pod CIDR"
        yield Subject.NETWORK, "network", "sets up their network"


def care_for(
    subject: Subject, name: str, does: str, who: Caretaker, pod: Pod | None, cluster: Cluster, nodes: Sequence[Node]
) -> Care | None:
    """Who does that, by the component of the name that is worst off; None where all of them run."""
    own = maker_of(pod) if pod is not None else None
    every = _able(of_caretaker(who, cluster, nodes), subject, own, cluster)
    is_undone = subject is Subject.TAINT and _is_outlived(name, cluster, nodes)
    worst = _worst(every, subject, name, who, cluster, nodes)
    if worst is None:
        is_missing = _is_missing(subject, name, who, cluster, nodes)
        return Care(subject, name, who, does, None, is_undone=is_undone) if is_missing else None
    if worst.state is State.NOT_CREATED and worst.lacks:
        # It is for none of these nodes, unless whoever labels them is at fault.
        key, kept = next(iter(worst.lacks)).partition("=")[0], f"which DaemonSet {worst.key} selects"
        return at_fault(Subject.LABEL, key, f"labels nodes with {key}, {kept}", cluster, pod, nodes)
    if worst.state is State.RUNS and (idle := _idle(subject, worst, every, who, cluster)):
        return Care(subject, name, idle, does, None)
    if worst.state is State.RUNS and not _is_doubtful(subject, name, cluster, nodes):
        agent = next((each for each in every if each.kind == "DaemonSet"), None)
        return Care(subject, name, who, does, agent, is_undone=True) if is_undone and agent else None
    return Care(subject, name, who, _part_of(worst, subject, does), _landed(worst, cluster), worst.made_by == own)


def _idle(
    subject: Subject, worst: Component, every: Sequence[Component], who: Caretaker, cluster: Cluster
) -> Caretaker | None:
    """Why what runs does nothing: it lacks rights, or, of networks, has nothing on any node, of which none is ready."""
    is_out = subject is Subject.NETWORK and all(out_of_service(info.node) for info in cluster.node_infos)
    if is_out and not any(each.kind == "DaemonSet" for each in every):
        return blamed("no-network", worst.workload, who.role)
    return without_rights(worst, cluster)


def _landed(component: Component, cluster: Cluster) -> Component:
    """The component that starts, if the pod has got a node since that was pending."""
    pod = cluster.placed_pods.named(component.namespace, component.pod) if component.state is State.PENDING else None
    node = cluster.placed_pods.node_of(pod.pod) if pod else None
    return replace(component, state=State.STARTS, node=node.name, taint="") if node else component


def _are_overdue(nodes: Sequence[Node], cluster: Cluster) -> bool:
    """Whether who runs outside of the cluster leaves these as they are for longer than nodes take to start."""
    return bool(nodes) and all(overdue_since(node, cluster) for node in nodes)


def _able(every: Sequence[Component], subject: Subject, own: Maker | None, cluster: Cluster) -> Sequence[Component]:
    """Those that can do it: what bears the name of its scheduler may be what that is for, and what needs a network
    of its own sets up none.
    """
    if subject is Subject.SCHEDULER:
        return [each for each in every if each.made_by != own]
    made = {each: components(cluster)[each.made_by].template for each in every if subject is Subject.NETWORK}
    return [each for each, template in made.items() if template and template.spec.host_network] or every


def _is_doubtful(subject: Subject, name: str, cluster: Cluster, nodes: Sequence[Node]) -> bool:
    """Whether it is to be looked at though it runs: what it looks after is not so, on nodes that are not new."""
    if is_of_machine(name):
        return _are_overdue(nodes, cluster)
    is_of_offers = subject in (Subject.RESOURCE, Subject.DEVICES, Subject.CAPACITY)
    return is_of_offers and not (nodes and all(is_new(node, cluster) for node in nodes))


def _part_of(component: Component, subject: Subject, does: str) -> str:
    """What it has to do with that: drivers of devices report none themselves, where a device plugin does."""
    if component.kind == "Job":
        return f"installs what {does}"
    is_driver = subject is Subject.RESOURCE and "driver" in component.name
    return f"{does.removeprefix('reports ')} depends on" if is_driver else does


def _worst(
    every: Sequence[Component], subject: Subject, name: str, who: Caretaker, cluster: Cluster, nodes: Sequence[Node]
) -> Component | None:
    """The most broken; of drivers that run, or that nothing is called after, the one that is kept off these nodes."""
    is_driver = subject in (Subject.DRIVER, Subject.LABEL) and not (every and every[0].state is not State.RUNS)
    away = kept_away(who, cluster, nodes, registered(name, cluster)) if is_driver else None
    return away or next(iter(every), None)


def _is_missing(subject: Subject, name: str, who: Caretaker, cluster: Cluster, nodes: Sequence[Node]) -> bool:
    """Whether it should be there: where clouds run it outside of the cluster, if it has done nothing for any node."""
    # Where no DaemonSet was read, others of the cluster's own components are missing, too.
    is_known = cluster.fact(
        (_is_missing, cluster.listers), lambda: any(kind == "DaemonSet" for _, kind, _ in components(cluster))
    )
    is_sought = bool(who.install or who.ask) or subject is Subject.TAINT
    is_late = bool(who.ask) and _are_overdue(nodes, cluster)
    return is_late or (is_sought and is_known and not _is_at_work(subject, name, who, cluster))


def _is_outlived(taint: str, cluster: Cluster, nodes: Sequence[Node]) -> bool:
    """Whether pods run on nodes of the same pools that came before the taint."""
    outlived, members = outlived_taints(cluster), pool_members(cluster)
    return any((members[node.name].pool, taint) in outlived for node in nodes)


def _is_at_work(subject: Subject, name: str, who: Caretaker, cluster: Cluster) -> bool:
    """Whether what is looked after is as it should be on any node: then there is somebody, under whatever name."""
    match subject:
        case Subject.RESOURCE:
            return any(info.allocatable.amount(name) > 0 for info in cluster.node_infos)
        case Subject.LABEL:
            return any(caretaker(subject, key) == who for info in cluster.node_infos for key in info.labels)
        case Subject.TAINT | Subject.NETWORK:
            return any(out_of_service(info.node) is None for info in cluster.node_infos)
        case _:
            return False


def silent_pod(care: Care, cluster: Cluster) -> Pod | None:
    """The pod of a component that does not run, where what is said of the component does not tell why."""
    found = care.component
    if found is None or found.state not in WITH_PODS or found.taint or found.reason in _TELLING or care.is_own:
        return None
    return next((each for each in components(cluster)[found.made_by].pods if each.name == found.pod), None)


def at_fault(
    subject: Subject, name: str, does: str, cluster: Cluster, pod: Pod | None = None, nodes: Sequence[Node] = ()
) -> Care | None:
    """Who should do that, and does not; None where it runs, as far as is known, or is what makes the pod itself."""
    who = caretaker(subject, name)
    care = care_for(subject, name, does, who, pod, cluster, nodes) if who else None
    return care if care and care.is_at_fault and not care.is_own else None


def manager_at_fault(cluster: Cluster) -> Care | None:
    """The controller manager, if it does not run, as far as is known."""
    return at_fault(Subject.CONTROLLER, "kube-controller-manager", "makes its pods", cluster)


def adder_of(decision: Decision) -> Care | None:
    """Who should add nodes, or let them join, and does not; None where that is not known, or helps the pod nothing."""
    cluster = decision.cluster
    if node_named_by(decision.pod):
        return None
    if joining := sum(each.kind == "CertificateSigningRequest" for each in cluster.listers.every(OtherResource)):
        does = f"lets kubelets join, {joining} of which wait for their certificates to be approved"
        what, who = Subject.CONTROLLER, caretaker(Subject.CONTROLLER, "kubelet certificates")
        return care_for(what, "kubelet certificates", does, who, decision.pod, cluster, ()) if who else None
    names = ("Karpenter", "cluster-autoscaler")
    found = (at_fault(Subject.AUTOSCALER, by, "adds nodes", cluster, decision.pod) for by in names)
    return next(filter(None, found), None)


#: What is said of one that runs by what it has not done, or what was undone.
_UNDONE = {Subject.RESOURCE: "is-stale", Subject.CAPACITY: "publishes-nothing"}
#: What is said of a component by its state, if nothing else is known.
_SAID = table("component-states", dict[State, str])


def statement_of(care: Care) -> Statement:
    """What is wrong with who looks after it."""
    each = care.component
    if each is None:
        is_sure = care.subject is Subject.TAINT and not care.who.install
        return told("is-absent", care.who.role.removesuffix(","), care.does, is_sure=is_sure, fails=care.who.fails)
    if care.is_own and each.taint:
        return told("is-own", each.taint)
    name = _SAID.get(each.state, "has-no-pods")
    if each.state is State.RUNS and care.subject is Subject.TAINT:
        name = "is-undone" if care.is_undone else "is-late"
    elif each.state is State.RUNS and (care.is_undone or care.is_at_fault):
        name = _UNDONE.get(care.subject, "is-unregistered")
    elif each.state is State.NOT_CREATED and care.is_own:
        name = "keeps-itself-out"
    who = told("component", each.kind, *each.key.split("/"), care.does)
    others = {"who": who, "is_scaled_down": each.state is State.SCALED_DOWN, "pod": each.own_pod}
    # What else it is about is called as the component has it.
    return told(name, *(others[fact] if fact in others else getattr(each, fact) for fact in rows()[name].about.split()))


def with_culprit(found: FindingT, care: Care) -> FindingT:
    """The finding with who is at fault, as the last step of its chain."""
    why, each = statement_of(care), care.component
    is_beside = care.is_own or found.kind in (Kind.NOT_TRIED, _PARTLY) or found.kind.is_of_queues
    is_beside = is_beside or care.subject is Subject.API
    said = told("because", found.clause, why, is_cause=care.is_at_fault and not is_beside)
    found = found.with_text(str(said), because=why.published)
    if each is None:
        # Where it would be is not known.
        return replace(found, certain=False, culprit=care.who.object or found.culprit)
    step = Link(relation=Relation.LOOKED_AFTER_BY, object=each.workload)
    culprit = each.workload if care.is_at_fault else found.culprit
    return replace(found, culprit=culprit, chain=(*found.chain, step))
