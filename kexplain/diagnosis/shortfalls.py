"""What nodes have too little of, in amounts."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from msgspec import Struct

from kexplain.cluster import NodeInfo
from kexplain.diagnosis.scene import Scene
from kexplain.explain.wording import amount
from kexplain.framework.evidence import InsufficientResource
from kexplain.objects.requests import PODS
from kexplain.words import joined

#: So many resources are named.
_NAMED = 2


class Lack(Struct, frozen=True):
    """What some nodes have too little of: in words, and the resources, the scarcest first."""

    text: str
    resources: tuple[str, ...]
    nodes: tuple[str, ...]


def lack(scene: Scene, names: Sequence[str]) -> Lack | None:
    """What those of the nodes lack that lack anything, with what the best of them has left; None if none does."""
    short = {name: found for name, found in scene.of_each(names, partial(short_of, scene)).items() if found}
    if not short:
        return None
    distinct = {id(found): found for found in short.values()}
    counts: Counter[str] = Counter()
    for key, count in Counter(map(id, short.values())).items():
        counts.update({each.resource: count for each in distinct[key]})
    resources = tuple(name for name, _ in counts.most_common())
    if counts[PODS] == len(short):
        used = {each.allocatable for found in distinct.values() for each in found if each.resource == PODS}
        text = _slots(list(short), used)
        return Lack(text, (PODS, *(name for name in resources if name != PODS)), tuple(short))
    return Lack(_amounts(scene, short, resources), resources, tuple(short))


def short_of(scene: Scene, name: str) -> list[InsufficientResource]:
    """What a node has too little of."""
    return scene.found(name, InsufficientResource)


def _missing(short: Sequence[InsufficientResource], info: NodeInfo) -> float:
    """The largest share of a request that a node lacks."""
    missing = [(each.requested + each.used_on(info) - each.allocatable, each.requested) for each in short]
    return max([lacking / requested if requested else 1.0 for lacking, requested in missing])


def _slots(names: Sequence[str], used: Collection[int]) -> str:
    if not any(used):
        return "its kubelet takes none at all" if len(names) == 1 else "their kubelets take none at all"
    each = f"{names[0]} runs" if len(names) == 1 else f"each of its {len(names)} nodes runs"
    return f"{each} as many pods as it can{f' ({max(used)})' if len(used) == 1 else ''}"


def _amounts(scene: Scene, short: Mapping[str, Sequence[InsufficientResource]], resources: Sequence[str]) -> str:
    """What is needed, and what the best node has: `needs 2 cpu; the best of its 9 nodes has 890m free`."""
    asked = scene.cluster.pod_info(scene.pod).resource.requested
    infos = {info.name: info for info in scene.infos(list(short))}
    best = min(short, key=lambda name: _missing(short[name], infos[name]))
    lacking = (each.resource for each in short[best])
    shown = [name for name in dict.fromkeys((*lacking, *resources)) if name != PODS][:_NAMED]
    needs = joined([f"{amount(name, asked.amount(name))} {name}" for name in shown])
    free = {name: amount(name, _free(infos[best], name), asked.amount(name)) for name in shown}
    has = joined([f"{text} {name}" for name, text in free.items()]) if len(shown) > 1 else free[shown[0]]
    which, has = ("none", "any") if has == "0" and len(short) > 1 else ("the best", "none" if has == "0" else has)
    who = best if len(short) == 1 else f"{which} of its {len(short)} nodes in service"
    return (
        f"needs {needs}; {who} has {has} free{_enough_in_all(list(infos.values()), shown[0], asked.amount(shown[0]))}"
    )


def _enough_in_all(infos: Sequence[NodeInfo], resource: str, asked: int) -> str:
    """What all of them have together, where that would be enough."""
    total = sum(_free(info, resource) for info in infos)
    return f", all of them together {amount(resource, total)}" if len(infos) > 1 and asked <= total else ""


def _free(info: NodeInfo, resource: str) -> int:
    """What is left, nothing where the node is overcommitted."""
    return max(info.allocatable.amount(resource) - info.requested.amount(resource), 0)
