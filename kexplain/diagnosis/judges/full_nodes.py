"""Too little room: on the candidates, on any node at all, or because more important pods have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.cluster.resource import is_extended_resource_name
from kexplain.cluster.siblings import asked_before
from kexplain.diagnosis.beyond_templates import added_to, default_of, raised_from, units
from kexplain.diagnosis.caretakers import Subject
from kexplain.diagnosis.culprits import at_fault
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.judges.besides import besides
from kexplain.diagnosis.judges.kept_room import Ending, kept, leaving
from kexplain.diagnosis.judges.neighbours import near_what
from kexplain.diagnosis.judges.service import said_by_kubelets, stuck_drain
from kexplain.diagnosis.records import Finding, Kind, Relation, Sign, link
from kexplain.diagnosis.reported import reported
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.shortfalls import Short, lacking_nodes, short_of
from kexplain.diagnosis.wishes import Wish
from kexplain.explain.requests import request_parts
from kexplain.framework.evidence import (
    Evidence,
    InsufficientResource,
    MissingTopologyLabel,
    NodeLabelsMismatch,
    UntoleratedTaints,
)
from kexplain.grouping import counted
from kexplain.objects.core import LimitRange, Pod
from kexplain.objects.node_pools import comes_along, created
from kexplain.objects.node_service import Trouble
from kexplain.objects.request_slips import requested_by_mistake
from kexplain.objects.requests import PODS, resource_units
from kexplain.objects.scheduling import RuntimeClass
from kexplain.plugins.victims import seconds
from kexplain.words import joined

_PLUGIN = "NodeResourcesFit"
#: Of more nodes than these it says little that pods end on some.
_FEW = 100
#: Within so many seconds pods are evicted from a node that is lost: the default is 300 s after some 40 s.
_MADE_ANEW = 1200


# ------------------------------------------------------------------------------------------------------ no room


def no_room(scene: Scene) -> Finding | None:
    """Every candidate in service has too little left; None where something else stops the pod there."""
    found = lacking_nodes(scene, scene.circles.candidates)
    if found is None:
        return None
    too_big = _beside_daemons(scene, found)
    if too_big is not None:
        return too_big
    first = found.resource
    usual = Kind.NO_POD_SLOT if first == PODS else Kind.ZONE_FULL if scene.zone else Kind.NO_ROOM
    more = _ending(scene, found)
    taken = all(info.free(first) <= 0 for info in scene.infos(found.nodes))
    held = scene.held if scene.zone and scene.circles.narrowed & Wish.VOLUME else ""
    needed = scene.cluster.pod_info(scene.pod).resource.requested.amount(first)
    others = {*scene.circles.candidates}.difference(found.nodes)
    tainted = any(scene.objected(name, UntoleratedTaints) for name in others)
    place = scene.place_of(found.nodes) if tainted and not scene.place.is_pool else scene.place
    said = told(
        "no-room", place, first, needed, held, near_what(scene), _because(scene, found), more.statement, taken=taken
    )
    kind, about = more.kind or usual, more.nodes or scene.circles.candidates
    wrong = scene.finding(kind, said, _PLUGIN, about, evidence=more.signs, certain=more.certain)
    return replace(wrong, retry=more.retry)


def _ending(scene: Scene, found: Short) -> Ending:
    """Why there is no more room, the likeliest first."""
    made = kept(scene, found) or _bereft(scene, found.resource) or _unserved(scene)
    made = made or _partly_lost(scene, found) or _spared(scene, found)
    return made or _outranked(scene, found.resource) or _overcommitted(scene, found) or Ending(None)


def _because(scene: Scene, found: Short) -> list[Statement]:
    """How much there is, and what may be why there is no more."""
    lacking = frozenset(found.nodes)
    others = [name for name in scene.circles.candidates if name not in lacking]
    why = _before(scene, found.resource) or _leaving_soon(scene, lacking) or _without_devices(scene, found)
    because = (found.shortage, why, _unlabelled(scene), besides(scene, others))
    return [*filter(None, because)]


def _before(scene: Scene, resource: str) -> Statement | None:
    """How much pods of an earlier template ask for, if that is less; or who asks for it in place of the template."""
    before = asked_before(scene.pod, scene.cluster, resource)
    if before:
        return told("asked-before", resource, before[1])
    given = default_of(scene.pod, resource, scene.cluster)
    if given:
        return told("asked-by-default", given)
    least = raised_from(scene.pod, resource, scene.cluster)
    added = added_to(scene.pod, resource, scene.cluster)
    return told("asked-by-template", least) if least else told("added", resource, added) if added else None


def _bereft(scene: Scene, resource: str) -> Ending | None:
    """Other nodes of the same make would take it, and do not offer any longer what it asks for."""
    lost = scene.lost_offer
    if lost is None:
        return None
    beside = "" if lost.resource == resource else lost.resource
    ending = told("lost", Few.of(lost.nodes), lost.like, beside, lost.newer, lost.left, lost.said)
    sign = Sign(text=str(ending).removeprefix(": "), nodes=lost.nodes)
    return Ending(ending, Kind.RESOURCE_LOST, (sign,), nodes=lost.nodes)


def _unserved(scene: Scene) -> Ending | None:
    """Other nodes lack but a label, and maybe devices, as who gives nodes that label does not run there."""
    for names in scene.alike(scene.circles.elsewhere) if scene.is_narrowed(Wish.LABELS) else ():
        evidence = [each for _, each in scene.evidence(names[0])]
        unmet = [each for one in evidence if isinstance(one, NodeLabelsMismatch) for each in one.unmet_labels]
        idle = [each for each in evidence if isinstance(each, InsufficientResource) and each.allocatable <= 0]
        if len(unmet) == len(evidence) - len(idle) == 1:
            about, nodes = (Subject.LABEL, unmet[0].key, "labels them"), [info.node for info in scene.infos(names)]
            if at_fault(*about, scene.cluster, scene.pod, nodes):
                ending = told("unserved", Few.of(names), str(unmet[0]))
                sign = Sign(text=str(ending).removeprefix(": "), nodes=tuple(names), label=str(unmet[0]))
                return Ending(ending, Kind.LABEL_LOST, (sign,), nodes=tuple(names))
    return None


def _leaving_soon(scene: Scene, names: Collection[str]) -> Statement | None:
    """How many pods there are on their way out, where that tells: unless nodes are many, or one is waited for."""
    is_of_use = len(names) <= _FEW and not scene.pod.status.nominated_node_name
    count = len(leaving(scene, names)) if is_of_use else 0
    return told("pods-leaving", count) if count else None


def _unlabelled(scene: Scene) -> Statement | None:
    """How many nodes lack nothing but labels: those which most of their pool has, or one to be spread by."""
    infos = scene.infos([name for name in scene.circles.elsewhere if name in scene.unlabelled])
    missing = Counter(filter(None, (_lacking([each for _, each in scene.evidence(i.name)], i) for i in infos)))
    return told("nodes-unlabelled", dict(missing)) if missing else None


def _lacking(found: Sequence[Evidence], node_info: NodeInfo) -> str:
    """The labels that are all that a node lacks; empty where it has others in their place, or lacks more."""
    if keys := [each.topology_key for each in found if isinstance(each, MissingTopologyLabel)]:
        return f"the label {joined(keys)}"
    unmet = [each for item in found if isinstance(item, NodeLabelsMismatch) for each in item.unmet_labels]
    is_all = len(found) == 1 and not any(each.key in node_info.labels for each in unmet)
    return joined(list(map(str, unmet))) if is_all else ""


def _without_devices(scene: Scene, found: Short) -> Statement | None:
    """A device that is free where pods which ask for none of it take the room of those that do."""
    first, asked = found.resource, scene.cluster.pod_info(scene.pod).resource.requested.amounts()
    short = found.resources
    for device in [each for each in asked if is_extended_resource_name(each) and each not in short]:
        infos = [each for info in scene.infos(found.nodes) for each in info.pods if not comes_along(each.pod)]
        used = {each.pod.key: each.resource.requested.amount(first) for each in infos}
        others = [each.pod.key for each in infos if not each.resource.requested.amount(device)]
        if 2 * sum(map(used.__getitem__, others)) > sum(used.values()):
            return told("device-free", device, first, Few.of(others))
    return None


def _spared(scene: Scene, found: Short) -> Ending | None:
    """Less important pods have the room on one node, which the policy of its class leaves to them."""
    first = found.resource
    if scene.pod.spec.preemption_policy != "Never":
        return None
    asked = scene.cluster.pod_info(scene.pod).resource.requested.amount(first)
    for info in scene.infos(found.nodes):
        less = [each for each in info.pods if each.pod.priority < scene.pod.priority]
        held = sum(each.resource.requested.amount(first) for each in less)
        if less and info.free(first) + held >= asked:
            return Ending(told("pods-spared", less[0].pod.key, scene.pod.spec.priority_class_name or ""))
    return None


def _partly_lost(scene: Scene, found: Short) -> Ending | None:
    """Nodes of the pool are gone that would have had room."""
    lost: Sequence[str] = scene.circles.lapsed
    having = [name for name in lost if not short_of(scene, name) or _is_freed(scene, name)]
    told_of = reported(scene.cluster)
    # One node in many is what every cluster has; a third of a pool explains why the rest is full.
    if 2 * len(lost) < len(scene.circles.candidates):
        # Those that are about to come into service were added for want of room; a drain that stands still gives none,
        # and who was on a node that is lost is made anew a few minutes later.
        known = (_is_starting, _came_from, lambda _, name: name in told_of or stuck_drain(name, scene.cluster))
        lost = having = [name for name in having if any(each(scene, name) for each in known)]
    if not having:
        return None
    ailments = scene.places.ailments(lost)
    full = Few.of(info.name for info in scene.candidates if info.name in found.nodes)
    is_rest, said = full.count == len(scene.candidates), said_by_kubelets(scene, lost)
    drain = next(filter(None, (stuck_drain(name, scene.cluster) or told_of.get(name) for name in lost)), "")
    about = Few.of(lost), len(scene.home), ailments, full, is_rest, said, str(drain)
    signs = (Sign(text=str(ailments), nodes=tuple(lost)),)
    return Ending(told("partly-lost", *about, scene.place.is_pool), Kind.POOL_PARTLY_OUT_OF_SERVICE, signs)


def _is_freed(scene: Scene, name: str) -> bool:
    """Whether there is room on a node that is lost once the pods are gone that are being deleted there."""
    info, asked = scene.cluster.node_info_by_name[name], scene.cluster.pod_info(scene.pod).resource.requested
    left = scene.cluster.leaving_pods.on_nodes.get(name, {})
    gone = [scene.cluster.pod_info(pod).resource.requested for pod in left.values()]
    lacking = [each.resource for each in short_of(scene, name)]
    return bool(gone) and all(asked.amount(r) <= info.free(r) + sum(one.amount(r) for one in gone) for r in lacking)


def _is_starting(scene: Scene, name: str) -> bool:
    """Whether it is being made ready, or has never been ready."""
    service, node = scene.service(name), scene.cluster.node_info_by_name[name].node
    ready, born = node.status.ready, created(node)[:16]
    is_new = ready.status != "True" and (ready.last_transition_time or "")[:16] == born != ""
    return is_new or bool(service and Trouble.STARTING in service.troubles)


def _came_from(scene: Scene, name: str) -> bool:
    """Whether the pod was made soon after the node was lost, as those are that were on it."""
    ready = scene.cluster.node_info_by_name[name].node.status.ready
    later = seconds(scene.pod.metadata.creation_timestamp or "") - seconds(ready.last_transition_time or "")
    return ready.status != "True" and 0 <= later < _MADE_ANEW


def _overcommitted(scene: Scene, found: Short) -> Ending | None:
    """Half of the nodes or more have pods that ask for more than they allocate: no scheduler puts them there."""
    first = found.resource
    over = [info for info in scene.infos(found.nodes) if info.free(first) < 0]
    if first == PODS or 2 * len(over) < len(found.nodes) or any(map(_is_named_by_pods, over)):
        return None
    most = min(over, key=lambda info: info.free(first))
    names = Few.of(info.name for info in over)
    requested, allocatable = most.requested.amount(first), most.allocatable.amount(first)
    ending = told("overcommitted", first, names, len(found.nodes), requested, allocatable)
    return Ending(ending, signs=(Sign(text=str(ending).removeprefix(": "), nodes=tuple(i.name for i in over)),))


def _is_named_by_pods(node_info: NodeInfo) -> bool:
    """Whether all that is too much there may have come past the scheduler: static pods, which only kubelets know."""
    return all(each.pod.metadata.controller is None for each in node_info.pods)


def _outranked(scene: Scene, resource: str) -> Ending | None:
    """Nearly all that runs there is more important; those that take most of the resource are named."""
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
    taken = {pod.key: scene.cluster.pod_info(pod).resource.requested.amount(resource) for pod in above}
    keys = tuple(sorted(taken, key=lambda key: -taken[key])[:20])
    sign = Sign(text=str(told("outranked-sign", least)), pods=keys)
    return Ending(told("outranked", own, least, keys[0]), Kind.OUTRANKED, (sign,))


# ------------------------------------------------------------------------------------------------------ too big


def too_big(scene: Scene) -> Finding | None:
    """No node where it belongs could hold it if it were empty."""
    if not scene.circles.unmet & Wish.SIZE:
        return None
    groups = scene.alike(scene.home)
    short = counted((name, len(group)) for group in groups for name in dict.fromkeys(_never_had(scene, group[0])))
    # A node that takes no pods at all is no smaller than others.
    del short[PODS]
    if not short:
        return None
    asked = scene.cluster.pod_info(scene.pod).resource.requested.amounts()
    resource, count = short.most_common(1)[0]
    if count == len(scene.home):
        there = scene.cluster.room_by_place(resource)
        most = max(there.offered[kind] for kind in {*map(there.kinds.__getitem__, scene.cluster.places(scene.home))})
        return _too_big(scene, resource, asked[resource], most)
    # Some have enough of each, and none of all.
    needed = {name: least for name, least in asked.items() if name in short}
    said = told("too-big-together", scene.place, needed, _larger(scene))
    return scene.finding(Kind.TOO_BIG, said, _PLUGIN, scene.home)


def _never_had(scene: Scene, name: str) -> list[str]:
    """What a node would have too little of if it were empty."""
    return [each.resource for each in short_of(scene, name) if each.never_fits]


def _too_big(scene: Scene, resource: str, needed: int, most: int, *, beside_daemons: bool = False) -> Finding:
    pod, cluster = scene.pod, scene.cluster
    most_had, before = most_of_any(resource, cluster), asked_before(pod, cluster, resource)
    for raw, slip in requested_by_mistake(pod, resource, most_had, before):
        asked = resource_units(resource, raw)
        meant = told("request-slip", scene.place, resource, str(raw), asked, needed, most, slip.instead)
        return scene.finding(Kind.REQUEST_SLIP, meant, _PLUGIN, scene.home, certain=False)
    return _asking_too_much(scene, resource, needed, most, beside_daemons=beside_daemons)


def _asking_too_much(scene: Scene, resource: str, needed: int, most: int, *, beside_daemons: bool) -> Finding:
    """How much it asks for, and where that comes from."""
    pod, cluster = scene.pod, scene.cluster
    given, raised = default_of(pod, resource, cluster), raised_from(pod, resource, cluster)
    parts, over = request_parts(pod, resource, cluster), units(pod.spec.overhead or {}, resource)
    runtime_class = _runtime_class(pod) if over else ""
    by_overhead = runtime_class if needed - most <= over and not raised else ""
    sums = told("adds-up", parts.text, runtime_class) if parts.are_several else None
    before = None if sums or given or raised or by_overhead else _before(scene, resource)
    larger = None if beside_daemons else _larger(scene)
    said = told(
        "too-big",
        scene.place,
        resource,
        needed,
        most,
        [*filter(None, (sums or before, _shrunk(scene, resource, needed), larger))],
        beside_daemons=beside_daemons,
        limit_range=given,
        raised_from=raised,
        runtime_class=by_overhead,
        init_container=parts.init_container,
    )
    key = f"{pod.namespace}/{given}" if given else by_overhead
    chain = [link(Relation.SET_BY, LimitRange if given else RuntimeClass, key)] if key else ()
    return scene.finding(Kind.TOO_BIG, said, _PLUGIN, scene.home, chain=chain)


def _runtime_class(pod: Pod) -> str:
    return pod.spec.runtime_class_name or ""


def _shrunk(scene: Scene, resource: str, requested: int) -> Statement | None:
    """That replicas run there which ask for as much: the nodes had more once."""
    home = frozenset(scene.home) if scene.siblings else ()
    there = [scene.cluster.pod_info(pod) for pod, node in scene.siblings if node.name in home]
    count = sum(each.resource.requested.amount(resource) >= requested for each in there)
    return told("nodes-shrank", resource, count) if count else None


def _larger(scene: Scene) -> Statement | None:
    """Which other nodes would hold it, unless it names its node."""
    others = () if scene.circles.narrowed & Wish.NAME else (*scene.circles.reserved, *scene.circles.elsewhere)
    larger = scene.where(others, lambda name: not _never_had(scene, name))
    return told("larger-elsewhere", scene.places.of(larger, others=True)) if larger else None


def _beside_daemons(scene: Scene, found: Short) -> Finding | None:
    """It would fit on empty nodes, but none is ever empty: DaemonSets run on each."""
    requested = scene.cluster.pod_info(scene.pod).resource.requested
    for resource in found.resources:
        if resource == PODS:
            continue
        asked = requested.amount(resource)
        if not fits_beside_daemons(scene.circles.candidates, resource, asked, scene.cluster):
            most = max((_beside(each, resource) for each in scene.candidates), default=0)
            return _too_big(scene, resource, asked, max(0, most), beside_daemons=True)
    return None


def most_of_any(resource: str, cluster: Cluster) -> int:
    """The most that any node offers of a resource."""
    return cluster.fact(
        (most_of_any, resource),
        lambda: max((info.allocatable.amount(resource) for info in cluster.node_infos), default=0),
    )


def fits_beside_daemons(names: Iterable[str], resource: str, needed: int, cluster: Cluster) -> bool:
    """Whether any of these nodes has so much of a resource beside the pods that come with it."""
    memo, nodes = cluster.node_memo((_beside, resource)), cluster.nodes_named(names)
    large = [info for info in nodes if info.allocatable.amount(resource) >= needed]
    # The first few often settle it.
    some = (memo.of(each, lambda infos: [_beside(info, resource) for info in infos]) for each in (large[:9], large))
    return any(free >= needed for found in some for free in found)


def _beside(node_info: NodeInfo, resource: str) -> int:
    daemons = (each.resource.requested.amount(resource) for each in node_info.pods if each.comes_along)
    return node_info.allocatable.amount(resource) - sum(daemons)
