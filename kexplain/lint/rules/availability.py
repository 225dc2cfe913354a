"""Whether pods can be evicted, replaced and run beside each other."""

from collections.abc import Iterator

from kexplain.admission import declared_replicas
from kexplain.admission.workloads import template_of
from kexplain.lint.rule import Rule
from kexplain.lint.subjects import Subject, Surroundings, Workload, budgets_of, describes_cluster, parsed
from kexplain.objects.apps import Deployment, ReplicaSet, StatefulSet
from kexplain.objects.core import Container, Pod, ReplicationController, ResourceRequirements
from kexplain.objects.meta import ResourceList, scaled
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.problem import Path, Problem
from kexplain.objects.requests import CPU
from kexplain.objects.untrusted import at, entries, text
from kexplain.words import plural, some, verb

#: Kinds whose budgets count replicas; pods that finish by themselves are not replaced.
_KEPT_UP = (Deployment, StatefulSet, ReplicaSet, ReplicationController)


def _blocking_budget(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    budget = subject.obj
    if not isinstance(budget, PodDisruptionBudget):
        return
    spec = budget.spec
    if spec.max_unavailable is not None and scaled(spec.max_unavailable, 1, up=True) == 0:
        said = f"maxUnavailable {spec.max_unavailable} allows no eviction, so nodes cannot be drained"
        yield Problem(("spec", "maxUnavailable"), said)
    if spec.min_available is None:
        return
    counted = _replicas(budget, subject.namespace, around)
    replicas = sum(counted.values())
    needed = scaled(spec.min_available, replicas, up=True)
    if replicas and needed is not None and needed >= replicas:
        there = f"{', '.join(counted)} {verb(len(counted), 'has')} {plural(replicas, 'replica')}"
        yield Problem(("spec", "minAvailable"), f"minAvailable {spec.min_available} lets no pod be evicted, as {there}")


def _replicas(budget: PodDisruptionBudget, namespace: str, around: Surroundings) -> dict[str, int]:
    """The replicas of workloads whose pods a budget selects, by their names; manifests count more than the cluster.

    A manifest's replicas are all there is to count, unless something else scales the workload.
    """
    selector = parsed(budget.spec.selector)
    counted: dict[str, int] = {}
    for obj in (each for kind in _KEPT_UP for each in around.every(kind) if not describes_cluster(each)):
        template, home = template_of(obj), obj.namespace or around.namespace
        if selector and template and home == namespace and selector.matches(template.metadata.labels or {}):
            counted[f"{obj.kind} {home}/{obj.name}"] = declared_replicas(obj) or 0
    own = around.selected(budget.spec.selector, namespace)
    return counted | {each.name: each.replicas or 0 for each in own if isinstance(each.obj, _KEPT_UP)}


def _several_budgets(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    if isinstance(workload.obj, Pod) or not workload.labels:
        return
    names = budgets_of(workload, around)
    if len(names) > 1:
        path = (*workload.path, "metadata", "labels")
        yield Problem(path, f"{len(names)} budgets select these pods ({', '.join(names)}), so no eviction is allowed")


# ---------------------------------------------------------------------------------------------- host ports


def _host_port(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """One pod a node can have a host port."""
    replicas = workload.replicas or 0
    ports = list(host_ports(workload))
    if replicas < 2 or not ports:
        return
    path, port = ports[0]
    if not around.has_cluster:
        yield Problem(path, f"each of the {replicas} replicas needs a node of its own for host port {port}")
        return
    nodes = len(around.usable(workload))
    if 0 < nodes < replicas:
        yield Problem(path, f"{replicas} replicas need a node each for host port {port}, but can use only {nodes}")


def host_ports(workload: Workload) -> Iterator[tuple[Path, int]]:
    """Every port that a pod takes on its node: on the host's network, each that it names."""
    for (field, index), container in workload.spec.placed_containers():
        lasts = field == "containers" or container.restarts_always
        for place, port in enumerate((container.ports or ()) if lasts else ()):
            at = workload.at(field, index, "ports", place)
            if port.host_port:
                yield (*at, "hostPort"), port.host_port
            elif workload.spec.host_network and port.container_port:
                yield (*at, "containerPort"), port.container_port


# -------------------------------------------------------------------------------------------- autoscalers


def _unmeasured(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """Metrics in percent of requests that containers do not have. Source: podautoscaler `calculatePodRequests`."""
    target = next((each for each in around.workloads if each.scaler is subject.manifest), None)
    pod = around.admitted(target) if target else None
    if target is None or pod is None:
        return
    for path, resource, only in _in_percent(subject):
        if without := _without(pod, resource, only):
            who = f"{'container' if len(without) == 1 else 'containers'} {some(without)} of {target.name}"
            lacks = f"{verb(len(without), 'requests')} no {resource}"
            yield Problem(path, f"{who} {lacks}, so that its utilization is unknown, and does not scale it")


def _without(pod: Pod, resource: str, only: str) -> list[str]:
    """The containers that do not request a resource, or the only one that counts; none if the pod as a whole does."""
    if resource in _requests(pod.spec.resources) and not only:
        return []
    named = [each for each in _lasting(pod) if only in ("", each.name)]
    return [each.name or "" for each in named if resource not in _requests(each.resources)]


def _in_percent(subject: Subject) -> Iterator[tuple[Path, str, str]]:
    """The resources whose utilization an autoscaler goes by, each with the one container that it is of, if any."""
    spec = at(subject.manifest.value, "spec")
    if at(spec, "targetCPUUtilizationPercentage") is not None:
        yield ("spec", "targetCPUUtilizationPercentage"), CPU, ""
    elif not at(spec, "metrics"):
        # Where nothing is said, it is to be 80 % of the CPU.
        yield ("spec",), CPU, ""
    for index, metric in enumerate(entries(spec, "metrics")):
        for field in ("resource", "containerResource"):
            if text(at(metric, field, "target"), "type") == "Utilization":
                path = ("spec", "metrics", index, field, "target")
                yield path, text(at(metric, field), "name"), text(at(metric, field), "container")


def _lasting(pod: Pod) -> list[Container]:
    """The containers that run as long as the pod does."""
    every = pod.spec.placed_containers()
    return [each for (field, _), each in every if field == "containers" or each.restarts_always]


def _requests(resources: ResourceRequirements | None) -> ResourceList:
    return (resources.requests if resources else None) or {}


RULES = (
    Rule("autoscaler-without-requests", of_object=_unmeasured),
    Rule("budget-blocks-evictions", of_object=_blocking_budget), Rule("several-budgets", _several_budgets),
    Rule("host-port-replicas", _host_port),
)  # fmt: skip
