"""Too little room: on the candidates, on any node at all, or because more important pods have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from kexplain.admission.limit_range import container_defaults
from kexplain.admission.workloads import template_of
from kexplain.case.own_pods import owner_of, read_controller
from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import is_scalar_resource_name
from kexplain.cluster.siblings import asked_before
from kexplain.diagnosis.judges.besides import besides
from kexplain.diagnosis.records import Diagnosis, Kind, Sign, When
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.shortfalls import Lack, lack, short_of
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.requests import request_sums
from kexplain.explain.wording import amount
from kexplain.objects.core import Container, LimitRange, Pod
from kexplain.objects.meta import ResourceList
from kexplain.objects.node_pools import comes_along
from kexplain.objects.request_slips import requested_by_mistake
from kexplain.objects.requests import CPU, EPHEMERAL_STORAGE, PODS, resource_units
from kexplain.words import clauses, joined, some

_PLUGIN = "NodeResourcesFit"


# ------------------------------------------------------------------------------------------------------ no room


def no_room(scene: Scene) -> Diagnosis | None:
    """Every candidate in service has too little left; None where something else stops the pod there."""
    names = scene.circles.candidates
    found = lack(scene, names)
    if found is None:
        return None
    too_big = _beside_daemons(scene, found)
    if too_big is not None:
        return too_big
    kind = Kind.NO_POD_SLOT if found.resources[0] == PODS else Kind.ZONE_FULL if scene.zone else Kind.NO_ROOM
    what = _what(found)
    text = f"no {what} {scene.place.where}{_why_there(scene)}"
    lacking = frozenset(found.nodes)
    others = [name for name in names if name not in lacking]
    amounts = clauses(found.text, _before(scene, found.resources[0]), besides(scene, others))
    plain = scene.diagnosis(kind, text, names, _PLUGIN, amounts=amounts)
    return _making_room(scene, plain) or _partly_lost(scene, plain, what) or _outranked(scene, plain) or plain


def _before(scene: Scene, resource: str) -> str:
    """How much pods of an earlier template ask for, if that is less; or who asks for it in place of the template."""
    before = asked_before(scene.pod, scene.cluster, resource)
    if before:
        return f"its earlier pods ask for {amount(resource, before[1])}"
    given = default_of(scene.pod, resource, scene.cluster)
    if given:
        return f"it asks for none itself: that is the default of LimitRange {given}"
    least = raised_from(scene.pod, resource, scene.cluster)
    return f"its template asks for {least}" if least else ""


def _what(found: Lack) -> str:
    first = found.resources[0]
    if first == PODS:
        return "pod slot is free"
    room = "room for its ephemeral storage" if first == EPHEMERAL_STORAGE else "room"
    return f"{first} is free" if is_scalar_resource_name(first) else room


def _why_there(scene: Scene) -> str:
    if scene.zone and scene.circles.narrowed & Wish.VOLUME:
        return f", where its {scene.held} is"
    return ""


def _making_room(scene: Scene, plain: Diagnosis) -> Diagnosis | None:
    """The scheduler has seen to it."""
    node = scene.decision.nominated_node
    if not node:
        return None
    victims = [pod.key for pod in scene.decision.victims]
    text = f"{plain.text}; the scheduler evicts {some(victims)} from {node} to make room" if victims else plain.text
    return replace(plain, text=text, retry=When.BY_ITSELF)


def _partly_lost(scene: Scene, plain: Diagnosis, what: str) -> Diagnosis | None:
    """Nodes of the pool are gone that would have had room."""
    lost = scene.circles.lapsed
    having = [name for name in lost if not short_of(scene, name)]
    # One node in many is what every cluster has; a third of a pool explains why the rest is full.
    if not having or 2 * len(lost) < len(scene.circles.candidates):
        return None
    place, others = scene.place, "the others are" if scene.candidates[1:] else f"{scene.candidates[0].name} is"
    count = f"{len(lost)} of its {len(scene.home)} nodes are" if lost[1:] else f"{lost[0]} is"
    text = f"no {what} {place.where}: {count} {scene.places.out(lost)}, and {others} full"
    signs = (Sign(text=scene.places.ailing(lost), nodes=lost),)
    return replace(plain, kind=Kind.POOL_PARTLY_OUT_OF_SERVICE, text=text, evidence=signs)


def _outranked(scene: Scene, plain: Diagnosis) -> Diagnosis | None:
    """Nearly all that runs there is more important."""
    own = scene.pod.priority
    above: list[Pod] = []
    for pod in (info.pod for node in scene.candidates for info in node.pods):
        if not comes_along(pod):
            if pod.priority <= own:
                return None
            above.append(pod)
    if not above:
        return None
    least = min(pod.priority for pod in above)
    keys = [pod.key for pod in sorted(above, key=lambda pod: -pod.priority)]
    return replace(
        plain,
        kind=Kind.OUTRANKED,
        text=f"{plain.text}, which more important pods fill",
        amounts=f"{plain.amounts}; it has priority {own}, the pods there have {least} or more",
        evidence=(Sign(text=f"priority {least} or more", pods=tuple(keys[:20])),),
    )


# ------------------------------------------------------------------------------------------------------ too big


def too_big(scene: Scene) -> Diagnosis | None:
    """No node where it belongs could hold it if it were empty."""
    if not scene.circles.unmet & Wish.SIZE:
        return None
    short: Counter[str] = Counter()
    for group in scene.alike(scene.home):
        short.update(dict.fromkeys(_never_had(scene, group[0]), len(group)))
    # A node that takes no pods at all is no smaller than others.
    del short[PODS]
    if not short:
        return None
    asked = scene.cluster.pod_info(scene.pod).resource.requested.amounts()
    resource, count = short.most_common(1)[0]
    if count == len(scene.home):
        room = scene.cluster.room_by_place(resource)
        most = max(room.offered[kind] for kind in {*map(room.kinds.__getitem__, scene.cluster.places(scene.home))})
        return _too_big(scene, resource, asked[resource], most, "")
    # Some have enough of each, and none of all.
    needs = joined([f"{amount(name, least)} {name}" for name, least in asked.items() if name in short])
    text = f"none of {scene.place.nodes} has {needs} together"
    return scene.diagnosis(Kind.TOO_BIG, text, scene.home, _PLUGIN, amounts=_larger(scene))


def _never_had(scene: Scene, name: str) -> list[str]:
    """What a node would have too little of if it were empty."""
    return [each.resource for each in short_of(scene, name) if each.never_fits]


def _too_big(scene: Scene, resource: str, requested: int, most: int, beside: str) -> Diagnosis:
    place = scene.place
    needs, has = amount(resource, requested, most), amount(resource, most, requested)
    for raw, slip in requested_by_mistake(scene.pod, resource, most_of_any(resource, scene.cluster)):
        what = f"{amount(CPU, resource_units(CPU, raw))} whole CPUs" if resource == CPU else f"{raw} {resource}"
        text = f"the request of {what} should probably be {slip.instead or 'less'}"
        amounts = f"no node{f' of {place.what}' if place.is_one else ''} has more than {has}"
        return replace(scene.diagnosis(Kind.REQUEST_SLIP, text, scene.home, _PLUGIN, amounts=amounts), certain=False)
    whose = (
        place.what if len(scene.home) == 1 else f"any node of {place.what}" if place.is_one else f"any of {place.nodes}"
    )
    text = f"{needs} {resource} is more than {whose} has ({has}{beside})"
    amounts = clauses(_parts(scene, resource) or _before(scene, resource), "" if beside else _larger(scene))
    return scene.diagnosis(Kind.TOO_BIG, text, scene.home, _PLUGIN, amounts=amounts)


def _larger(scene: Scene) -> str:
    """Which other nodes would hold it, unless it names its node."""
    others = () if scene.circles.narrowed & Wish.NAME else (*scene.circles.reserved, *scene.circles.elsewhere)
    larger = scene.where(others, lambda name: not _never_had(scene, name))
    return f"only {scene.places.of(larger).nodes} would be large enough" if larger else ""


def _parts(scene: Scene, resource: str) -> str:
    """What it adds up from, where that is more than one container."""
    parts = next(each.parts for each in request_sums(scene.pod, scene.cluster) if each.resource == resource)
    runtime_class = scene.pod.spec.runtime_class_name if resource in (scene.pod.spec.overhead or {}) else None
    if parts.startswith("pod-level") and "+" not in parts:
        return ""
    return parts and f"that is {parts}{f' of RuntimeClass {runtime_class}' if runtime_class else ''}"


def _beside_daemons(scene: Scene, found: Lack) -> Diagnosis | None:
    """It would fit on empty nodes, but none is ever empty: DaemonSets run on each."""
    requested = scene.cluster.pod_info(scene.pod).resource.requested
    for resource in found.resources:
        if resource == PODS:
            continue
        asked = requested.amount(resource)
        most = max(0, most_beside_daemons(scene.circles.candidates, resource, scene.cluster))
        if asked > most:
            return _too_big(scene, resource, asked, most, " beside the DaemonSets")
    return None


def most_of_any(resource: str, cluster: Cluster) -> int:
    """The most that any node offers of a resource."""
    return cluster.fact(
        (most_of_any, resource),
        lambda: max((info.allocatable.amount(resource) for info in cluster.node_infos), default=0),
    )


def most_beside_daemons(names: Iterable[str], resource: str, cluster: Cluster) -> int:
    """The most that any of these nodes has beside the pods that come with it."""

    def count(node_info: NodeInfo) -> int:
        daemons = (each.resource.requested.amount(resource) for each in node_info.pods if comes_along(each.pod))
        return node_info.allocatable.amount(resource) - sum(daemons)

    every = cluster.of_nodes((most_beside_daemons, resource), count)
    return max(map(every.__getitem__, cluster.places(names)), default=0)


# ------------------------------------------------------------------------------------------------------ defaults


def default_of(pod: Pod, resource: str, cluster: Cluster) -> str:
    """The LimitRange whose default a container requests that asks for none in its template; empty if there is none."""
    ranges = [each for each in cluster.listers.every(LimitRange) if each.namespace == pod.namespace]
    silent = {each.name for each in _made_of(pod, cluster) if resource not in _asked(each)} if ranges else set()
    asked = [_asked(each).get(resource) for each in pod.spec.containers or () if each.name in silent]
    given = ((each.name, (container_defaults(each).requests or {}).get(resource)) for each in ranges)
    return next((name for name, amount in given if amount is not None and amount in asked), "")


def raised_from(pod: Pod, resource: str, cluster: Cluster) -> str:
    """What the template asks for of which a container requests more, as something raised it; empty if nothing did."""
    owner = pod.metadata.controller
    before = {each.name: _asked(each).get(resource) for each in _made_of(pod, cluster)}
    for each in (pod.spec.containers or ()) if owner and owner.kind == "ReplicaSet" else ():
        least, now = before.get(each.name), _asked(each).get(resource)
        if least is not None and now is not None and resource_units(resource, least) < resource_units(resource, now):
            return str(least)
    return ""


def _made_of(pod: Pod, cluster: Cluster) -> tuple[Container, ...]:
    """The containers in the template of the pod's controller, as far as that was read."""
    owner = owner_of(pod, pod.namespace)
    found = read_controller(cluster.listers, owner) if owner else None
    template = template_of(found) if found else None
    return (template.spec.containers if template else None) or ()


def _asked(container: Container) -> ResourceList:
    resources = container.resources
    return {**(resources.limits or {}), **(resources.requests or {})} if resources else {}
