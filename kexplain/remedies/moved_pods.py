"""Room on a node: the fewest and least important pods that would have to leave it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.cluster.siblings import are_siblings
from kexplain.diagnosis.piled_up import taken_by
from kexplain.explain.wording import amount
from kexplain.objects.core import Pod
from kexplain.objects.requests import PODS
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action, Rank
from kexplain.remedies.scaled_down import scaled_down
from kexplain.remedies.steps import deletion
from kexplain.scheduler.draining import DrainOptions, EvictionBudgets, Fate, verdict
from kexplain.words import joined, verb

if TYPE_CHECKING:
    from kexplain.diagnosis.scene import Scene
    from kexplain.remedies.trials import Tried

#: More pods than these nobody moves for one; and more than a few only where it has no more than a few nodes to go to.
MOST_MOVED, FEW_MOVED = 6, 3
FEW_NODES = 20
#: Of more nodes than these where they find room, only the number is told.
NODES_NAMED = 3


def evictable(pods: Sequence[Pod], cluster: Cluster) -> bool:
    """Whether an API server lets all of these pods be evicted, and a controller makes each again somewhere."""
    options = DrainOptions(delete_emptydir_data=True, force=True)
    budgets = EvictionBudgets(cluster)
    fates = (verdict(pod, cluster, options)[0] for pod in pods)
    return all(fate in (Fate.EVICTED, Fate.GONE, Fate.ENDED) for fate in fates) and all(
        budgets.evict(pod) is None for pod in pods
    )


def moving(keys: Sequence[str], why: str) -> Proposal:
    """The end of these pods, by `namespace/name`, where they run."""
    return Proposal(Action.FREE, f"move {joined(keys)}{why}", rank=Rank.MOVES, steps=tuple(map(deletion, keys)))


def making_room(node_info: NodeInfo, missing: Mapping[str, int], home: Scene) -> Iterator[Proposal]:
    """Who would have to leave for so much to become free; nothing if they would be very many."""
    near = home.cluster.pod_info(home.pod).terms.required
    # Those that it must be near stay, too.
    strange = (info for info in node_info.pods if not are_siblings(home.pod, info.pod))
    others = (info for info in strange if not any(term.matches(info.pod, {}) for term in near))
    # Those that are leaving already free their room without anybody's doing.
    # Those that only hold room for others are not moved: their workload does with fewer.
    candidates = [info for info in others if info.pod.metadata.deletion_timestamp is None and info.pod.priority >= 0]
    candidates.sort(key=lambda info: info.pod.priority)
    chosen = _fewest(candidates, missing, home.cluster)
    if 0 < len(chosen) <= (MOST_MOVED if len(home.names) <= FEW_NODES else FEW_MOVED):
        yield moving([info.pod.key for info in chosen], f" away from {node_info.name}, which lacks {lacking(missing)}")


def lacking(missing: Mapping[str, int]) -> str:
    """What a node has too little of: `2 cpu and a pod slot`."""
    return joined(["a pod slot" if key == PODS else f"{amount(key, least)} {key}" for key, least in missing.items()])


def _fewest(candidates: Sequence[PodInfo], missing: Mapping[str, int], cluster: Cluster) -> list[PodInfo]:
    """One that is enough, else the largest, one after the other, without those that turn out not to be needed."""

    def allows(chosen: Sequence[PodInfo]) -> bool:
        return evictable([info.pod for info in chosen], cluster)

    alone = [info for info in candidates if _is_enough([info], missing) and allows([info])]
    if alone:
        return [min(alone, key=lambda info: (info.pod.priority, *(taken_by(info, name) for name in missing)))]
    chosen: list[PodInfo] = []
    for info in sorted(candidates, key=lambda info: (-_share(info, missing), info.pod.priority)):
        if len(chosen) < MOST_MOVED and not _is_enough(chosen, missing) and allows([*chosen, info]):
            chosen.append(info)
    return [] if not _is_enough(chosen, missing) else _needed(chosen, missing)


def _needed(chosen: Sequence[PodInfo], missing: Mapping[str, int]) -> list[PodInfo]:
    """Without those that turn out not to be needed."""
    left = list(chosen)
    for info in chosen:
        others = [each for each in left if each is not info]
        if _is_enough(others, missing):
            left = others
    return left


def _is_enough(chosen: Sequence[PodInfo], missing: Mapping[str, int]) -> bool:
    return all(sum(taken_by(info, name) for info in chosen) >= least for name, least in missing.items())


def _share(info: PodInfo, missing: Mapping[str, int]) -> float:
    return sum(min(taken_by(info, name) / least, 1.0) for name, least in missing.items() if least > 0)


def named(keys: Sequence[str], cluster: Cluster, node_infos: Sequence[NodeInfo] = ()) -> list[Pod] | None:
    """The pods of these keys, wherever they run; None if one is not there or may not be evicted."""
    every = (info.pod for node_info in (node_infos or cluster.node_infos) for info in node_info.pods)
    wanted = set(keys)
    found = [pod for pod in every if pod.key in wanted]
    return found if len(found) == len(wanted) and evictable(found, cluster) else None


def first_to_go(node_info: NodeInfo, count: int, holds: Callable[[Pod], bool], cluster: Cluster) -> list[Pod] | None:
    """So many of the least important pods on a node that hold something; None if there are too few that may go."""
    chosen: list[Pod] = []
    for info in sorted(node_info.pods, key=lambda info: info.pod.priority):
        if len(chosen) < count and holds(info.pod) and evictable([*chosen, info.pod], cluster):
            chosen.append(info.pod)
    return chosen if len(chosen) == count <= MOST_MOVED else None


def splits(pod: Pod, node_name: str, cluster: Cluster) -> bool:
    """Whether the pod would be on a node where its volume cannot be, as another pod has it elsewhere."""
    if not pod.spec.volumes:
        return False
    from kexplain.bound.starting import user_elsewhere  # noqa: PLC0415 (few pods that wait have volumes)

    return user_elsewhere(replace(pod, spec=replace(pod.spec, node_name=node_name)), cluster) is not None


def strands(tried: Tried, places: Sequence[tuple[Pod, str]]) -> bool:
    """Whether it mends nothing: who has to leave finds no other place, or a volume is wanted on two nodes."""
    is_split = splits(tried.decision.pod, tried.decision.host, tried.cluster)
    return is_split or any(node in ("", pod.spec.node_name) or pod.metadata.controller is None for pod, node in places)


def ended(tried: Tried, places: Sequence[tuple[Pod, str]], cluster: Cluster) -> tuple[Tried, str]:
    """What was tried, and what becomes of pods that leave: what would be left pending is scaled down instead."""
    left = [pod for pod, node in places if not node and pod.metadata.controller]
    if not left:
        return tried, where_they_go(places)
    tried, scaled = scaled_down(tried, left, cluster)
    return tried, f"{where_they_go(places)}{scaled}"


def where_they_go(places: Sequence[tuple[Pod, str]]) -> str:
    """What becomes of pods that leave their nodes, in brackets; empty without any."""
    if not places:
        return ""
    staying = {pod.key: node for pod, node in places if pod.metadata.controller}
    found = [key for key, node in staying.items() if node]
    waiting = [key for key, node in staying.items() if not node]
    gone = [pod.key for pod, _ in places if not pod.metadata.controller]
    nodes = [*dict.fromkeys(staying[key] for key in found)]
    here = joined(nodes) if len(nodes) <= NODES_NAMED else f"{len(nodes)} other nodes"
    count = len(places)
    parts = [
        f"{_who(found, count)} {verb(len(found), 'finds')} room on {here}" if found else "",
        f"{_who(waiting, count)} then {verb(len(waiting), 'stays')} pending" if waiting else "",
        f"no controller would recreate {_who(gone, count, 'them')}" if gone else "",
    ]
    return f" ({'; '.join(filter(None, parts))})"


def _who(keys: Sequence[str], count: int, several: str = "they") -> str:
    """Those of so many pods: `it`, `they` if it is all of them, or their names."""
    return joined(keys) if len(keys) < count else "it" if count == 1 else several
