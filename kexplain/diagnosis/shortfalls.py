"""What nodes have too little of, in amounts."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial

from msgspec import Struct

from kexplain.diagnosis.scene import Scene
from kexplain.explain.wording import amount
from kexplain.framework.evidence import InsufficientResource
from kexplain.objects.requests import PODS
from kexplain.words import joined, verb

#: So many resources are named.
_NAMED = 2


class Lack(Struct, frozen=True):
    """What some nodes have too little of: in words, and the resources, the scarcest first."""

    text: str
    resources: tuple[str, ...]
    nodes: tuple[str, ...]


def lack(scene: Scene, names: Sequence[str]) -> Lack | None:
    """What those of the nodes lack that lack anything, with what the best of them has left; None if none does."""
    lacking = scene.where(names, partial(short_of, scene))
    if not lacking:
        return None
    counts: Counter[str] = Counter()
    found = [(short_of(scene, group[0]), group) for group in scene.alike(lacking)]
    for short, group in found:
        counts.update({each.resource: len(group) for each in short})
    resources = tuple(name for name, _ in counts.most_common())
    if counts[PODS] == len(lacking):
        used = {each.allocatable for short, _ in found for each in short if each.resource == PODS}
        text = _slots(lacking, used)
        return Lack(text, (PODS, *(name for name in resources if name != PODS)), tuple(lacking))
    return Lack(_amounts(scene, lacking, resources), resources, tuple(lacking))


def short_of(scene: Scene, name: str) -> list[InsufficientResource]:
    """What a node has too little of."""
    return scene.found(name, InsufficientResource)


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


def _slots(names: Sequence[str], used: Collection[int]) -> str:
    if not any(used):
        return "its kubelet takes none at all" if len(names) == 1 else "their kubelets take none at all"
    each = f"{names[0]} runs" if len(names) == 1 else f"each of its {len(names)} nodes runs"
    return f"{each} as many pods as it can{f' ({max(used)})' if len(used) == 1 else ''}"


def _amounts(scene: Scene, names: Sequence[str], resources: Sequence[str]) -> str:
    """What is needed, and what the best node has: `needs 2 cpu; the best of its 9 nodes has 890m free`."""
    asked = scene.cluster.pod_info(scene.pod).resource.requested
    best = _closest(scene, names)
    lacking = (each.resource for each in short_of(scene, best))
    shown = [name for name in dict.fromkeys((*lacking, *resources)) if name != PODS][:_NAMED]
    needs = joined([f"{amount(name, asked.amount(name))} {name}" for name in shown])
    free = {name: amount(name, sum(_free(scene, [best], name)), asked.amount(name)) for name in shown}
    has = joined([f"{text} {name}" for name, text in free.items()]) if len(shown) > 1 else free[shown[0]]
    which, has = ("none", "any") if has == "0" and len(names) > 1 else ("the best", "none" if has == "0" else has)
    who = best if len(names) == 1 else f"{which} of its {len(names)} nodes in service"
    total = _enough_in_all(scene, names, shown[0], asked.amount(shown[0]))
    return f"needs {needs}; {who} has {has} free{total}{_others(scene, names, shown[0])}"


def _others(scene: Scene, names: Sequence[str], resource: str) -> str:
    """What those nodes lack that have enough of what the best one lacks."""
    groups = [({each.resource for each in short_of(scene, group[0])}, len(group)) for group in scene.alike(names)]
    count = sum(size for lacking, size in groups if resource not in lacking)
    what = joined(sorted({each for lacking, _ in groups if resource not in lacking for each in lacking}), "or")
    return f"; {count} with enough {resource} {verb(count, 'lacks')} {what}" if count else ""


def _enough_in_all(scene: Scene, names: Sequence[str], resource: str, asked: int) -> str:
    """What all of them have together, where that would be enough."""
    total = sum(_free(scene, names, resource))
    return f", all of them together {amount(resource, total)}" if len(names) > 1 and asked <= total else ""


def _free(scene: Scene, names: Sequence[str], resource: str) -> Iterator[int]:
    """What is left on each of the nodes, nothing where one is overcommitted."""
    free = scene.cluster.room_by_place(resource).free
    return (each for each in map(free.__getitem__, scene.cluster.places(names)) if each > 0)
