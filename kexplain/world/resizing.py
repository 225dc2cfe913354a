"""Pods that are given other resources where they run, as their kubelet takes that.

Source: kubelet `allocation.manager` (`canResizePod`, `canAdmitPod`), API validation `ValidatePodResize`, admission
plugins `LimitRanger`, `ResourceQuota` and, since 1.36, `PodResizeValidator`. Deviation: what the kubelet itself is set
up for (static CPU or memory managers, swap) is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from msgspec.structs import replace

from kexplain.admission.limit_range import with_limit_ranges
from kexplain.admission.limits import limit_problems
from kexplain.admission.optional_plugins import qos_class
from kexplain.admission.quotas import QuotaRoom
from kexplain.errors import UsageError
from kexplain.objects.core import Container, ContainerStatus, LimitRange, Node, Pod, ResourceQuota, ResourceRequirements
from kexplain.objects.meta import Condition, ResourceList
from kexplain.objects.problem import last_field
from kexplain.objects.quantity import QuantityError
from kexplain.objects.requests import CPU, DEFAULT_RULES, MEMORY, amount_text, nanos_of, pod_requests
from kexplain.objects.resizes import RESIZE_PENDING, as_given
from kexplain.patterns import regex
from kexplain.words import did_you_mean, joined
from kexplain.world.edited_cluster import EditedCluster
from kexplain.world.members import Resized, ResizeOutcome
from kexplain.world.sources import changed_pods

_Bounding = TypeVar("_Bounding", LimitRange, ResourceQuota)

_RESIZE = regex(r"(?:(?:po|pod|pods)/)?(?P<pod>[^=:/]+)(?::(?P<container>[^=:/]+))?=(?P<amounts>.+)")
_FORM = "write pod/NAME=cpu:AMOUNT,memory:AMOUNT, with :CONTAINER behind the name where a pod has several"
#: The minor releases that resize by default, and that refuse what a node could never give.
_FIRST, _VALIDATED = 33, 36
#: What a container can be given more or less of while it runs.
_RESIZED = (CPU, MEMORY)


def resizing(value: str, release: str) -> Callable[[EditedCluster], None]:
    """The edit that gives a container of a pod other requests. Raises UsageError where an API server refuses that."""
    match = _RESIZE.fullmatch(value)
    amounts = dict(each.partition(":")[::2] for each in match["amounts"].split(",")) if match else {}
    if match is None or not all(amounts.values()):
        raise UsageError(f'"{value}" is not a resize', _FORM)
    if wrong := [name for name in amounts if name not in _RESIZED]:
        raise UsageError(f"{joined(wrong)} cannot be resized in place", f"only {joined(_RESIZED, 'and')} can")
    minor = int(release.split(".")[1])
    if minor < _FIRST:
        raise UsageError(f"Kubernetes {release} resizes no pods in place", "1.33 does, and every release since")
    try:
        negative = [amounts[name] for name, nanos in nanos_of(amounts).items() if nanos < 0]
    except QuantityError as error:
        raise UsageError(f'"{value}": {error}') from None
    if negative:
        raise UsageError(f'"{value}": "{negative[0]}" is negative')

    def edit(edited: EditedCluster) -> None:
        pod = _pod(edited, match["pod"])
        container, node = _container(pod, match["container"]), _node(edited, pod)
        ranges = _of_namespace(edited, LimitRange, pod)
        spec = with_limit_ranges(_with_requests(pod, container, amounts).spec, ranges)
        asked, others = replace(pod, spec=spec), [each for each in edited.on_node(node.name) if each.key != pod.key]
        outcome, because = _answer(pod, asked, node, others)
        refused = next(_refusals(edited, pod, asked, ranges), "")
        if refused or (outcome is ResizeOutcome.INFEASIBLE and minor >= _VALIDATED and not pod.is_mirror):
            outcome, because = ResizeOutcome.REFUSED, refused or because
        else:
            edited.put(_answered(asked, container, outcome, because))
        edited.resized.append(Resized(pod.key, container.name or "", node.name, outcome, because))

    return edit


def _pod(edited: EditedCluster, name: str) -> Pod:
    every = [each for each in edited.of(Pod) if each.namespace == edited.namespace]
    found = next((each for each in every if each.name == name), None)
    if found is None:
        near = did_you_mean(name, [each.name for each in every])
        raise UsageError(f"there is no pod {name} in namespace {edited.namespace}", near or None)
    if not found.spec.node_name or found.is_terminated:
        raise UsageError(f"pod {name} runs on no node", "change what its manifest asks for instead")
    return found


def _container(pod: Pod, name: str | None) -> Container:
    every = pod.spec.containers or ()
    found = [each for each in every if name is None or each.name == name]
    if len(found) == 1:
        return found[0]
    names = [each.name or "" for each in every]
    wrong = f"has no container {name}" if name else f"has {len(names)} containers"
    raise UsageError(f"pod {pod.name} {wrong}", (name and did_you_mean(name, names)) or f"there are {joined(names)}")


def _node(edited: EditedCluster, pod: Pod) -> Node:
    found = next((each for each in edited.nodes if each.name == pod.spec.node_name), None)
    if found is None:
        raise UsageError(f"pod {pod.name} is on {pod.spec.node_name}, which is not there")
    statuses = pod.status.container_statuses or ()
    if statuses and all(each.resources is None for each in statuses):
        raise UsageError(f"the kubelet of {found.name} resizes no pods in place: it reports no resources of {pod.name}")
    return found


def _with_requests(pod: Pod, container: Container, amounts: ResourceList) -> Pod:
    """The pod as it is asked for; limits that are as high as the requests move with them, as its class stays."""
    before, limits, raised = nanos_of(container.requests), nanos_of(container.limits), {**container.limits}
    for name, nanos in nanos_of(amounts).items():
        if name in limits and limits[name] == before.get(name):
            raised[name] = amounts[name]
        elif name in limits and nanos > limits[name]:
            limit = amount_text(name, limits[name])
            raise UsageError(f"container {container.name} is limited to {limit} {name}", f"resize to {limit} at most")
    given = replace(container.resources or ResourceRequirements(), limits=raised or None)
    made = replace(container, resources=replace(given, requests={**container.requests, **amounts}))
    containers = tuple(made if each is container else each for each in pod.spec.containers or ())
    return replace(pod, spec=replace(pod.spec, containers=containers))


def _refusals(edited: EditedCluster, pod: Pod, asked: Pod, ranges: list[LimitRange]) -> Iterator[str]:
    """What an API server has against it, whatever the node; LimitRanges and quotas of the namespace among that."""
    before, after = qos_class(pod.spec), qos_class(asked.spec)
    if before != after:
        yield f"it would be {after}, and its class stays {before}"
    yield from (f"{last_field(each)}: {each.message}" for each in limit_problems(asked.spec, ranges))
    room = QuotaRoom({pod.namespace: _of_namespace(edited, ResourceQuota, pod)}, edited.of(Pod))
    for pair in changed_pods(edited.differences):
        room.resize(*pair)
    yield from (each.in_words for each in room.growth_problems(pod, asked))


def _of_namespace(edited: EditedCluster, kind: type[_Bounding], pod: Pod) -> list[_Bounding]:
    return [each for each in edited.of(kind) if (each.namespace or edited.namespace) == pod.namespace]


def _answer(pod: Pod, asked: Pod, node: Node, others: list[Pod]) -> tuple[ResizeOutcome, str]:
    """What the kubelet of the node makes of it, beside what it has given to all other pods there."""
    if node.labels.get("kubernetes.io/os") == "windows":
        return ResizeOutcome.INFEASIBLE, "pods on Windows are not resized in place"
    if pod.is_mirror:
        return ResizeOutcome.INFEASIBLE, "static pods are not resized in place"
    wanted, offered = pod_requests(asked, DEFAULT_RULES), nanos_of(node.status.allocatable)
    if too_much := [*_short(wanted, offered, "in all")]:
        return ResizeOutcome.INFEASIBLE, f"{node.name} has {joined(too_much)}"
    left = dict(offered)
    for each in others:
        for name, nanos in pod_requests(as_given(each), DEFAULT_RULES).items():
            left[name] = left.get(name, 0) - nanos
    if short := [*_short(wanted, left, "for it")]:
        return ResizeOutcome.DEFERRED, f"{node.name} has {joined(short)}; what it asks for is kept for it meanwhile"
    return ResizeOutcome.DONE, ""


def _short(wanted: Mapping[str, int], there: Mapping[str, int], how: str) -> Iterator[str]:
    for name in _RESIZED:
        if wanted.get(name, 0) > there.get(name, 0):
            has = amount_text(name, max(there.get(name, 0), 0))
            yield f"{has} {name} {how}, and {amount_text(name, wanted[name])} is asked for"


def _answered(asked: Pod, container: Container, outcome: ResizeOutcome, because: str) -> Pod:
    """The pod with what its kubelet writes about it; the container is the one that was changed, as it was before."""
    name, every = container.name or "", {each.name: each for each in asked.status.container_statuses or ()}
    (now,) = (each for each in asked.spec.containers or () if each.name == container.name)
    given = (now if outcome is ResizeOutcome.DONE else container).requests
    known, resources = every.get(name) or ContainerStatus(name=name), ResourceRequirements(requests=given)
    status = replace(known, allocated_resources=given, resources=resources)
    conditions = tuple(each for each in asked.status.conditions or () if each.type != RESIZE_PENDING)
    if outcome is not ResizeOutcome.DONE:
        conditions += (Condition(type=RESIZE_PENDING, status="True", reason=outcome.value, message=because),)
    statuses = tuple({**every, status.name: status}.values())
    return replace(asked, status=replace(asked.status, container_statuses=statuses, conditions=conditions))
