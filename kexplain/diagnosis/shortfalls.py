"""What nodes have too little of."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from kexplain.cluster import NodeInfo
from kexplain.diagnosis.findings.statement import Statement, told
from kexplain.diagnosis.findings.ways import Needed
from kexplain.diagnosis.scene import Scene
from kexplain.framework.evidence import InsufficientResource
from kexplain.grouping import counted, grouped
from kexplain.objects.meta import RawQuantity
from kexplain.objects.requests import CPU, MEMORY, PODS

#: The cores and the memory of a machine.
_Size: TypeAlias = tuple[RawQuantity | None, RawQuantity | None]
#: So many resources are named.
_NAMED = 2


class Short(Struct, frozen=True):
    """Nodes that have too little of some resources, the scarcest first."""

    shortage: Statement
    resources: tuple[str, ...]
    nodes: tuple[str, ...]

    @property
    def resource(self) -> str:
        """The scarcest."""
        return self.resources[0]


def lacking_nodes(scene: Scene, names: Sequence[str]) -> Short | None:
    """What those of the nodes lack that lack anything, with what the best of them has left; None if none does."""
    lacking = scene.where(names, partial(short_of, scene))
    if not lacking:
        return None
    found = [(short_of(scene, group[0]), group) for group in scene.alike(lacking)]
    counts = counted((name, len(group)) for short, group in found for name in {each.resource: None for each in short})
    resources = tuple(name for name, _ in counts.most_common())
    if counts[PODS] == len(lacking):
        slots = {each.allocatable for short, _ in found for each in short if each.resource == PODS}
        resources = (PODS, *(name for name in resources if name != PODS))
        said = told("no-slots", lacking[0], len(lacking), sorted(slots), slots_of_others(scene, lacking[0]))
        return Short(said, resources, tuple(lacking))
    return Short(_of_resources(scene, lacking, resources), resources, tuple(lacking))


def slots_of_others(scene: Scene, name: str) -> int:
    """How many pods machines as large take at most, if that is twice as many or more; else 0."""
    own = scene.cluster.node_info_by_name[name]
    most = scene.cluster.fact((slots_of_others,), lambda: _slots_by_size(scene.cluster.node_infos))[_size(own)]
    return most if most >= 2 * own.allocatable.amount(PODS) > 0 else 0


def _slots_by_size(infos: Iterable[NodeInfo]) -> dict[_Size, int]:
    """How many pods machines of a size take at most."""
    slots = grouped((_size(each), each.allocatable.amount(PODS)) for each in infos)
    return {size: max(each) for size, each in slots.items()}


def _size(info: NodeInfo) -> _Size:
    capacity = info.node.status.capacity or {}
    return capacity.get(CPU), capacity.get(MEMORY)


def short_of(scene: Scene, name: str) -> list[InsufficientResource]:
    """What a node has too little of."""
    return scene.objected(name, InsufficientResource)


def _closest(scene: Scene, names: Sequence[str]) -> str:
    """The node that lacks the smallest share of a request, of each the largest of its own."""
    least: list[tuple[float, str]] = []
    for group in scene.alike(names):
        shares: list[list[float]] = [[0.0] * len(group)]
        for each in short_of(scene, group[0]):
            used = scene.cluster.room_by_place(each.resource).used
            taken = [used[place] if each.used is None else each.used for place in scene.cluster.places(group)]
            missing, asked = each.requested - each.allocatable, each.requested
            shares.append([(missing + each) / asked if asked else 1.0 for each in taken])
        largest = [*map(max, *shares)]
        least.append((min(largest), group[largest.index(min(largest))]))
    closest = min(share for share, _ in least)
    return min([name for share, name in least if share == closest], key=names.index)


def _of_resources(scene: Scene, names: Sequence[str], resources: tuple[str, ...]) -> Statement:
    """What is needed, and what the best node has."""
    asked = scene.cluster.pod_info(scene.pod).resource.requested
    best = _closest(scene, names)
    lacking = (each.resource for each in short_of(scene, best))
    shown = [name for name in dict.fromkeys((*lacking, *resources)) if name != PODS][:_NAMED]
    first, total = shown[0], sum(_free(scene, names, shown[0]))
    groups = [({each.resource for each in short_of(scene, group[0])}, len(group)) for group in scene.alike(names)]
    others = [(short, size) for short, size in groups if first not in short]
    free = [sum(_free(scene, [best], name)) for name in shown]
    amounts = [Needed(name, asked.amount(name), left) for name, left in zip(shown, free, strict=True)]
    in_all = total if len(names) > 1 and asked.amount(first) <= total else None
    others_lack = sorted({each for short, _ in others for each in short})
    return told("shortage", best, len(names), amounts, sum(size for _, size in others), others_lack, in_all)


def _free(scene: Scene, names: Sequence[str], resource: str) -> Iterator[int]:
    """What is left on each of the nodes, nothing where one is overcommitted, or where it is kept for other pods."""
    free = scene.cluster.room_by_place(resource).free
    kept = {name: short_of(scene, name) for name in with_room_kept(scene, names)}
    for name, place in zip(names, scene.cluster.places(names), strict=True):
        seen = [each.allocatable - (each.used or 0) for each in kept.get(name, ()) if each.resource == resource]
        left = seen[0] if seen else free[place]
        if left > 0:
            yield left


def with_room_kept(scene: Scene, names: Sequence[str]) -> list[str]:
    """Those of the nodes that have too little only as pods are nominated for them."""
    nominated = scene.cluster.nominated_by_node
    return [name for name in names if name in nominated and any(one.used is not None for one in short_of(scene, name))]
