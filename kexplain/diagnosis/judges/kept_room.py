"""Room that is short because it is made or kept for somebody, or taken by what should not have so much of it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from kexplain.cluster import PodInfo
from kexplain.cluster.resource import Resource
from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.findings.ways import workload
from kexplain.diagnosis.piled_up import half_placed, piled_up, scaled_up
from kexplain.diagnosis.records import Kind, Sign, When
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.shortfalls import Short, with_room_kept
from kexplain.objects.batch import CronJob
from kexplain.objects.requests import DEFAULT_RULES, pod_requests
from kexplain.objects.resizes import as_given, is_deferred

#: On more nodes than these it is not looked for resizes.
_FEW = 100


class Ending(Struct, frozen=True):
    """How the sentence about nodes without room goes on, and what that means."""

    statement: Statement | None
    kind: Kind | None = None
    signs: tuple[Sign, ...] = ()
    retry: When = When.SOMETHING_CHANGES
    #: The nodes that it is about, where those are not the ones without room.
    nodes: tuple[str, ...] = ()
    certain: bool = True


def kept(scene: Scene, found: Short) -> Ending | None:
    """Room is made or kept for it, or for others, or taken by what should not have so much of it."""
    given = _making_room(scene) or _kept_for_others(scene, found) or _kept_for_resizes(scene, found)
    return given or _piled_up(scene, found) or _scaled_up(scene, found) or _half_placed(scene, found)


def _kept_for_others(scene: Scene, found: Short) -> Ending | None:
    """Pods of no less importance will take the room on some of the nodes."""
    nodes, before = with_room_kept(scene, found.nodes), scene.cluster.nominated_before
    kept = [each.pod.key for name in nodes for each in before(scene.pod, name)]
    return Ending(told("kept-for-others", Few.of(kept), Few.of(nodes))) if kept else None


def _kept_for_resizes(scene: Scene, found: Short) -> Ending | None:
    """Room on one of few nodes that would be enough is kept for pods there whose resizes wait for it."""
    resource = found.resource
    asked = scene.cluster.pod_info(scene.pod).resource.requested.amount(resource)
    for info in scene.infos(found.nodes) if len(found.nodes) <= _FEW else ():
        kept = {each.pod.key: _kept_for(each, resource) for each in info.pods if is_deferred(each.pod)}
        if kept and info.free(resource) + sum(kept.values()) >= asked:
            said = told("kept-for-resizes", resource, sum(kept.values()), info.name, Few.of(kept))
            return Ending(said, signs=(Sign(text=str(said).removeprefix("; "), nodes=(info.name,), pods=tuple(kept)),))
    return None


def _kept_for(info: PodInfo, resource: str) -> int:
    """How much more a pod asks for than its kubelet has given it."""
    given = pod_requests(as_given(info.pod), DEFAULT_RULES)
    return info.resource.requested.amount(resource) - Resource.of_nanos(given).amount(resource)


def _piled_up(scene: Scene, found: Short) -> Ending | None:
    """A Job, or runs of one CronJob at the same time, take most of it."""
    held = piled_up(scene.cluster, found.nodes, found.resource, scene.pod)
    if held is None:
        return None
    cron_job, job = (held.by.key, "") if isinstance(held.by, CronJob) else ("", held.by.key)
    said = told("piled-up", cron_job, len(held.jobs), found.resource, held.taken, held.total, job)
    return Ending(said, signs=(Sign(text=str(said).removeprefix("; "), pods=tuple(pod.key for pod in held.pods)[:20]),))


def _scaled_up(scene: Scene, found: Short) -> Ending | None:
    """A workload that an autoscaler has scaled up takes most of it, and wants more."""
    held = scaled_up(scene.pod, scene.cluster, found.nodes, found.resource)
    if held is None:
        return None
    by, of = held.autoscaler.name, workload(held.made_by)
    of = "" if held.is_own else of
    return Ending(told("scaled-up", of, held.pods, by, found.resource, held.taken, held.total))


def _half_placed(scene: Scene, found: Short) -> Ending | None:
    """Pods that wait for others of theirs take most of it, so that none of them gets on."""
    pods, *shares = half_placed(scene.cluster, found.nodes, found.resource) or ((), 0, 0)
    return Ending(told("half-placed", Few.of((pod.key for pod in pods), 1), found.resource, *shares)) if pods else None


def _making_room(scene: Scene) -> Ending | None:
    """The scheduler has seen to it, or has before, and those that make room are still there."""
    node, kept = scene.nominated_node, scene.pod.status.nominated_node_name or ""
    if node:
        ending = told("evicting", Few.of(pod.key for pod in scene.victims), node, is_drawn=scene.draws_victims)
        return Ending(ending, retry=When.BY_ITSELF, certain=not scene.draws_victims)
    left = leaving(scene, [kept])
    return Ending(told("room-kept", Few.of(left), kept), retry=When.BY_ITSELF) if left else None


def leaving(scene: Scene, names: Iterable[str]) -> list[str]:
    """The pods on these nodes that are being deleted."""
    left = scene.cluster.leaving_pods.on_nodes
    return [key for name in names for key in left.get(name, ())]
