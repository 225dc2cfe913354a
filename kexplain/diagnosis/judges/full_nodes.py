"""Too little room: on the candidates, on any node at all, or because more important pods have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from kexplain.admission.limit_range import container_defaults
from kexplain.admission.workloads import template_of
from kexplain.case.own_pods import owner_of, read_controller
from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import is_extended_resource_name, is_scalar_resource_name
from kexplain.cluster.siblings import asked_before
from kexplain.diagnosis.judges.besides import besides
from kexplain.diagnosis.pool_members import kin
from kexplain.diagnosis.records import Diagnosis, Kind, Sign, When
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.shortfalls import Lack, lack, short_of
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.requests import request_sums
from kexplain.explain.wording import amount
from kexplain.framework.evidence import NodeLabelsMismatch
from kexplain.objects.core import Container, LimitRange, Pod
from kexplain.objects.meta import ResourceList
from kexplain.objects.node_pools import comes_along
from kexplain.objects.node_service import Trouble
from kexplain.objects.request_slips import requested_by_mistake
from kexplain.objects.requests import CPU, EPHEMERAL_STORAGE, PODS, resource_units
from kexplain.words import clauses, joined, plural, some, verb

_PLUGIN = "NodeResourcesFit"
_INIT = "init container "
#: Of more nodes than these it says little that pods end on some.
_FEW = 100


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
    text = f"{_nothing(scene, found)}{_why_there(scene)}"
    lacking = frozenset(found.nodes)
    others = [name for name in names if name not in lacking]
    before = _before(scene, found.resources[0]) or _ending(scene, lacking) or _without_devices(scene, found)
    amounts = clauses(found.text, before, _never_preempts(scene, found), _unlabelled(scene), besides(scene, others))
    plain = scene.diagnosis(kind, text, names, _PLUGIN, amounts=amounts)
    return _making_room(scene, plain) or _partly_lost(scene, plain) or _outranked(scene, plain) or plain


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


def _nothing(scene: Scene, found: Lack) -> str:
    first, place = found.resources[0], scene.place
    if first == PODS:
        return f"no pod slot is free {place.where}"
    if not is_scalar_resource_name(first):
        return f"no room {'for its ephemeral storage ' if first == EPHEMERAL_STORAGE else ''}{place.where}"
    if all(info.requested.amount(first) >= info.allocatable.amount(first) for info in scene.infos(found.nodes)):
        return f"no {first} is free {place.where}"
    asked = amount(first, scene.cluster.pod_info(scene.pod).resource.requested.amount(first))
    who = f"none of {place.nodes} has" if scene.home[1:] else f"{place.what} does not have"
    return f"{who} {asked} {first} free"


def _why_there(scene: Scene) -> str:
    if scene.zone and scene.circles.narrowed & Wish.VOLUME:
        return f", where its {scene.held} is"
    return ""


def _making_room(scene: Scene, plain: Diagnosis) -> Diagnosis | None:
    """The scheduler has seen to it."""
    node = scene.decision.nominated_node
    if not node:
        return _waiting(scene, plain)
    victims = [pod.key for pod in scene.decision.victims]
    text = f"{plain.text}; the scheduler evicts {some(victims)} from {node} to make room" if victims else plain.text
    return replace(plain, text=text, retry=When.BY_ITSELF)


def _waiting(scene: Scene, plain: Diagnosis) -> Diagnosis | None:
    """It has seen to it before, and those that make room are still there."""
    node = scene.pod.status.nominated_node_name or ""
    leaving = _leaving(scene, [node])
    if not leaving:
        return None
    text = f"{plain.text}; room is kept for it on {node} once {some(leaving)} {verb(len(leaving), 'has')} ended"
    return replace(plain, text=text, retry=When.BY_ITSELF)


def _leaving(scene: Scene, names: Iterable[str]) -> list[str]:
    """The pods on these nodes that are being deleted."""
    left = scene.cluster.leaving_pods.on_nodes
    return [key for name in names for key in left.get(name, ())]


def _ending(scene: Scene, names: Collection[str]) -> str:
    """How many pods there are on their way out, where that tells: unless nodes are many, or one is waited for."""
    count = len(_leaving(scene, names)) if len(names) <= _FEW else 0
    text = f"{plural(count, 'pod')} there {verb(count, 'is')} being deleted, and {verb(count, 'takes')} room till then"
    return text if count and not scene.pod.status.nominated_node_name else ""


def _unlabelled(scene: Scene) -> str:
    """The nodes of the same pool that lack nothing but a label which most of it has."""
    own = kin(scene.home, scene.cluster) if scene.circles.narrowed & Wish.LABELS else ()
    missing: dict[str, list[str]] = {}
    for info in scene.infos([name for name in scene.circles.elsewhere if name in own]):
        found = [each for _, each in scene.evidence(info.name)]
        unmet = [each for item in found if isinstance(item, NodeLabelsMismatch) for each in item.unmet_labels]
        if unmet and len(found) == 1 and not any(each.key in info.labels for each in unmet):
            missing.setdefault(joined(list(map(str, unmet))), []).append(info.name)
    lacks = (f"{len(names)} more of the pool {verb(len(names), 'lacks')} {text}" for text, names in missing.items())
    return joined(list(lacks))


def _without_devices(scene: Scene, found: Lack) -> str:
    """That pods which ask for no device take the room of those that do, where devices are free."""
    first, asked = found.resources[0], scene.cluster.pod_info(scene.pod).resource.requested.amounts()
    for device in filter(is_extended_resource_name, asked.keys() - {*found.resources}):
        infos = [each for info in scene.infos(found.nodes) for each in info.pods if not comes_along(each.pod)]
        used = {each.pod.key: each.resource.requested.amount(first) for each in infos}
        others = [each.pod.key for each in infos if not each.resource.requested.amount(device)]
        if 2 * sum(map(used.__getitem__, others)) > sum(used.values()):
            return f"{device} is free there, and most of the {first} is held by pods that ask for none: {some(others)}"
    return ""


def _never_preempts(scene: Scene, found: Lack) -> str:
    """That less important pods have the room on one node, which its own policy leaves to them."""
    first = found.resources[0]
    if scene.pod.spec.preemption_policy != "Never" or first == PODS:
        return ""
    asked = scene.cluster.pod_info(scene.pod).resource.requested.amount(first)
    for info in scene.infos(found.nodes):
        less = [each for each in info.pods if each.pod.priority < scene.pod.priority]
        held = sum(each.resource.requested.amount(first) for each in less)
        if less and info.allocatable.amount(first) - info.requested.amount(first) + held >= asked:
            which = f"such as {less[0].pod.key}"
            return f"pods there are less important, {which}, and its preemptionPolicy Never leaves them the room"
    return ""


def _partly_lost(scene: Scene, plain: Diagnosis) -> Diagnosis | None:
    """Nodes of the pool are gone that would have had room."""
    lost: Sequence[str] = scene.circles.lapsed
    having = [name for name in lost if not short_of(scene, name)]
    # One node in many is what every cluster has; a third of a pool explains why the rest is full.
    if 2 * len(lost) < len(scene.circles.candidates):
        # Those that are about to come into service were added for want of room, however many the others are.
        lost = having = [name for name in having if _is_starting(scene, name)]
    if not having:
        return None
    others = "the others are" if scene.candidates[1:] else f"{scene.candidates[0].name} is"
    count = f"{len(lost)} of its {len(scene.home)} nodes are" if lost[1:] else f"{lost[0]} is"
    text = f"{plain.text}: {count} {scene.places.out(lost)}, and {others} full"
    signs = (Sign(text=scene.places.ailing(lost), nodes=tuple(lost)),)
    return replace(plain, kind=Kind.POOL_PARTLY_OUT_OF_SERVICE, text=text, evidence=signs)


def _is_starting(scene: Scene, name: str) -> bool:
    service = scene.member(name).service
    return service is not None and Trouble.STARTING in service.troubles


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
        amounts=f"{plain.amounts}; it has priority {own}, and the pods there have {least} or more, such as {keys[0]}",
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
    given, parts = default_of(scene.pod, resource, scene.cluster), _parts(scene, resource)
    more = f"more than {whose} has ({has}{beside})"
    by = _made_more(scene, resource, requested - most)
    what = f"{needs} {resource}{by}"
    text = f"the default of LimitRange {given}, {what}, is {more}" if given else f"{what} is {more}"
    if parts.startswith(_INIT) and "+" not in parts:
        text, parts = f"{parts.rpartition(' ')[0]} asks for {what}, {more}", ""
    said = (parts and f"that is {parts}") or ("" if given or by else _before(scene, resource))
    amounts = clauses(said, _grown_over(scene, resource, requested), "" if beside else _larger(scene))
    return scene.diagnosis(Kind.TOO_BIG, text, scene.home, _PLUGIN, amounts=amounts)


def _made_more(scene: Scene, resource: str, over: int) -> str:
    """What made it so much more than the template says, or the overhead of its RuntimeClass where it fits without."""
    least = raised_from(scene.pod, resource, scene.cluster)
    if least:
        return f", raised from {least} as by a VerticalPodAutoscaler,"
    is_cause = over <= _units(scene.pod.spec.overhead or {}, resource)
    return f" with the overhead of RuntimeClass {scene.pod.spec.runtime_class_name}" if is_cause else ""


def _grown_over(scene: Scene, resource: str, requested: int) -> str:
    """That replicas run there which ask for as much: the nodes had more once."""
    home = frozenset(scene.home) if scene.siblings else ()
    there = [scene.cluster.pod_info(pod) for pod, node in scene.siblings if node.name in home]
    count = sum(each.resource.requested.amount(resource) >= requested for each in there)
    as_much = f"{plural(count, 'replica')} that {verb(count, 'asks')} for as much {verb(count, 'runs')} there"
    return f"{as_much}: the nodes had more {resource} to give once" if count else ""


def _larger(scene: Scene) -> str:
    """Which other nodes would hold it, unless it names its node."""
    others = () if scene.circles.narrowed & Wish.NAME else (*scene.circles.reserved, *scene.circles.elsewhere)
    larger = scene.where(others, lambda name: not _never_had(scene, name))
    return f"only {scene.places.of(larger, others=True).nodes} would be large enough" if larger else ""


def _parts(scene: Scene, resource: str) -> str:
    """What it adds up from, where that is more than one container."""
    parts = next(each.parts for each in request_sums(scene.pod, scene.cluster) if each.resource == resource)
    runtime_class = scene.pod.spec.runtime_class_name if resource in (scene.pod.spec.overhead or {}) else None
    if parts.startswith("pod-level") and "+" not in parts:
        return ""
    return parts and f"{parts}{f' of RuntimeClass {runtime_class}' if runtime_class else ''}"


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
    given = {_units(_asked(each), resource) for each in pod.spec.containers or () if each.name in silent} - {0}
    defaults = ((each.name, container_defaults(each).requests or {}) for each in ranges)
    return next((name for name, each in defaults if _units(each, resource) in given), "")


def raised_from(pod: Pod, resource: str, cluster: Cluster) -> str:
    """What the template asks for of which a container requests more, as something raised it; empty if nothing did."""
    owner = pod.metadata.controller
    before = {each.name: _asked(each).get(resource) for each in _made_of(pod, cluster)}
    for each in (pod.spec.containers or ()) if owner and owner.kind == "ReplicaSet" else ():
        least, now = before.get(each.name), _asked(each).get(resource)
        if least is not None and now is not None and resource_units(resource, least) < resource_units(resource, now):
            return str(least)
    return ""


def _units(amounts: ResourceList, resource: str) -> int:
    return resource_units(resource, amounts.get(resource, 0))


def _made_of(pod: Pod, cluster: Cluster) -> tuple[Container, ...]:
    """The containers in the template of the pod's controller, as far as that was read."""
    owner = owner_of(pod, pod.namespace)
    found = read_controller(cluster.listers, owner) if owner else None
    template = template_of(found) if found else None
    return (template.spec.containers if template else None) or ()


def _asked(container: Container) -> ResourceList:
    resources = container.resources
    return {**(resources.limits or {}), **(resources.requests or {})} if resources else {}
