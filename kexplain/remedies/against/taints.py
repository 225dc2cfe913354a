"""What helps against objections because of taints and cordons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.diagnosis.caretakers import Subject, caretaker
from kexplain.diagnosis.circles import is_for_devices
from kexplain.diagnosis.components import State, of_caretaker
from kexplain.diagnosis.judges.service import drain_help, stuck_drain
from kexplain.diagnosis.overdue import TO_BE_DELETED, overdue_since
from kexplain.diagnosis.piled_up import evicted_for
from kexplain.diagnosis.reported import reported
from kexplain.diagnosis.reservations import outlived_taints
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.taints import CordonFact, TaintFact, taint_text
from kexplain.objects.core import Node, Pod, Taint, Toleration
from kexplain.objects.node_pools import is_spot
from kexplain.objects.node_service import Trouble, is_of_machine, is_passing, saying, trouble_of_taint
from kexplain.objects.selectors import NO_EXECUTE
from kexplain.objects.well_known import CONTROL_PLANE, OLD_CONTROL_PLANE
from kexplain.patterns import regex
from kexplain.remedies import pod_edits
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.against import Against
from kexplain.remedies.proposal import NodeChange, Proposal, rank_back, rank_on
from kexplain.remedies.records import Action, Rank
from kexplain.scheduler.draining import uncordoned
from kexplain.shell import command
from kexplain.words import joined

_PRESSURES = (Trouble.MEMORY_PRESSURE, Trouble.DISK_PRESSURE)
_CONTROL_PLANES = (CONTROL_PLANE, OLD_CONTROL_PLANE)
_NUMBER = regex(r"\d+")


class AgainstTaints(Against[TaintFact]):
    """The pod does not tolerate the node's taints."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[TaintFact]]) -> Iterator[Proposal]:
        """Tolerate them, but for those that say what ails a node."""
        taints = next(iter(facts_by_node.values()))
        if any(is_passing(taint.key) and not _may_be_first(home.pod, taint) for taint in taints):
            return
        edit = pod_edits.tolerating(
            [Toleration(key=t.key, operator="Equal", value=t.value or None, effect=t.effect) for t in taints]
        )
        came_later = any(_came_later(home, name, taints) for name in facts_by_node)
        rank = Rank.LAST_RESORT if came_later else rank_on(home, facts_by_node)
        yield proposed("tolerate", " and ".join(map(taint_text, taints)), edit=edit, rank=rank, order=4)

    def node_change(self, node_info: NodeInfo, facts: Sequence[TaintFact], home: Scene) -> NodeChange | None:
        """Mend what ails the node, or take the taints off, but for those that say what it is."""
        name = node_info.name
        if any(trouble_of_taint(taint.key) for taint in facts):
            return in_service(name, home)
        # Who has nothing but control planes runs pods there.
        is_only = home.cluster.fact(_all_are_control_planes, lambda: _all_are_control_planes(home.cluster))
        if any(is_passing(each.key) or (each.key in _CONTROL_PLANES and not is_only) for each in facts):
            return None
        is_kept = _are_kept(home, node_info, facts)
        if is_only or (_came_later(home, name, facts) and not is_kept):
            return _without_taints(facts, rank_on(home, [name]), _before(facts, home.pod))
        return _without_taints(facts, Rank.LAST_RESORT if is_kept or not _emptied_all(home, facts) else Rank.LOOSENS)


def _are_kept(home: Scene, node_info: NodeInfo, facts: Sequence[TaintFact]) -> bool:
    """Whether the node has devices, and is kept from pods like this one, which asks for none."""
    asked = home.cluster.pod_info(home.pod).resource.requested
    return any(is_for_devices(each.key, node_info) and not asked.amount(each.key) for each in facts)


def _left_over(home: Scene, node: Node) -> list[TaintFact]:
    """The taints that say how the node is at the moment, if that was so once; empty if it is so by any of them."""
    passing = [each for each in node.spec.taints or () if trouble_of_taint(each.key) not in (None, Trouble.CORDONED)]
    service, going = home.service(node.name), node.metadata.deletion_timestamp
    is_up = service is not None and service.troubles[0] in (Trouble.MARKED, Trouble.STARTING, Trouble.LEAVING)
    is_left = is_up and not going and all(_is_left_over(home, node, each) for each in passing)
    return [TaintFact(each.key, each.value or "", each.effect) for each in passing if is_left]


def _is_left_over(home: Scene, node: Node, taint: Taint) -> bool:
    """Whether whoever put the taint there has not taken it off again.

    Pods run in the pool that came before what an agent would clear, or that runs there and should have long since; an
    autoscaler has given up, or people marked the node while it was down, and its kubelet is at work again.
    """
    match trouble_of_taint(taint.key):
        case Trouble.STARTING if (home.places.pool(node.name), taint.key) in outlived_taints(home.cluster):
            return True
        case Trouble.STARTING if not is_of_machine(taint.key) and overdue_since(node, home.cluster):
            who = caretaker(Subject.TAINT, taint.key)
            found = of_caretaker(who, home.cluster, [node]) if who else []
            return bool(found) and found[0].state is State.RUNS
        case Trouble.MARKED:
            return node.status.ready.status == "True"
        case _:
            return taint.key == TO_BE_DELETED and bool(overdue_since(node, home.cluster))


def _may_be_first(pod: Pod, taint: TaintFact) -> bool:
    """Whether a pod runs on nodes that are still coming up: it needs no network, and puts up with others of that."""
    others = (each for each in pod.spec.tolerations or () if each.key and each.toleration_seconds is None)
    is_starting = trouble_of_taint(taint.key) is Trouble.STARTING and bool(pod.spec.host_network)
    return is_starting and any(trouble_of_taint(each.key or "") for each in others)


def _all_are_control_planes(cluster: Cluster) -> bool:
    nodes = (info.node for info in cluster.node_infos)
    return all(any(each.key in _CONTROL_PLANES for each in node.spec.taints or ()) for node in nodes)


def _came_later(home: Scene, name: str, facts: Sequence[TaintFact]) -> bool:
    """Whether pods run with one of these taints that do not tolerate it."""
    return any(home.came_later(name, Taint(key=one.key, value=one.value or None, effect=one.effect)) for one in facts)


def _emptied_all(home: Scene, facts: Sequence[TaintFact]) -> bool:
    """Whether these taints turned the pods out of all nodes but control planes, and no ordinary pod tolerates any."""
    taints = {(each.key, each.effect) for each in facts}
    every = [{(each.key, each.effect) for each in info.node.spec.taints or ()} for info in home.cluster.node_infos]
    workers = (found for found in every if all(key not in _CONTROL_PLANES for key, _ in found))
    is_everywhere = all(map(taints.issubset, workers))
    return is_everywhere and any(effect == NO_EXECUTE for _, effect in taints) and not home.taint_use.has_any(taints)


def _before(facts: Sequence[TaintFact], pod: Pod) -> list[Taint]:
    """The taints with the values that the pod tolerates; empty unless nothing but a value keeps it away from each."""
    known = {one.key: one for one in pod.spec.tolerations or () if one.value}
    seen = [(fact, one) for fact in facts if (one := known.get(fact.key)) and one.effect in (None, fact.effect)]
    return [Taint(key=fact.key, value=one.value, effect=fact.effect) for fact, one in seen] * (len(seen) == len(facts))


def _without_taints(
    facts: Sequence[TaintFact], rank: Rank, back: Sequence[Taint] = (), *, uncordons: bool = False
) -> NodeChange:
    """Nodes without these taints, or with those `back` that have the same keys and effects."""
    removed = {(taint.key, taint.effect) for taint in facts}
    named = f"the {'taint' if len(facts) == 1 else 'taints'} {' and '.join(map(taint_text, facts))}"
    changed = [*map(str, back)] or [f"{key}:{effect}-" for key, effect in sorted(removed)]

    def untainted(node: Node) -> Node:
        left = tuple(taint for taint in node.spec.taints or () if (taint.key, taint.effect) not in removed)
        found = replace(node, spec=replace(node.spec, taints=(*left, *back) or None))
        return uncordoned(found) if uncordons else found

    def words(nodes: str) -> str:
        removed = f"uncordon {nodes}, and remove {named} there" if uncordons else f"remove {named} from {nodes}"
        return f"set {joined(changed)} again on {nodes}, as it was" if back else removed

    def commands(names: Sequence[str]) -> str:
        first = f"{command('kubectl uncordon', *names)} && " if uncordons else ""
        return first + command("kubectl taint node", *names, *changed, flags=["--overwrite"] if back else [])

    return NodeChange(
        Action.REMOVE_TAINT,
        (Action.REMOVE_TAINT, named, uncordons),
        untainted,
        words,
        commands,
        rank,
        # What keeps nodes for others is the last thing to give up.
        order=9 if rank is Rank.LAST_RESORT else 2,
    )


class AgainstCordons(Against[CordonFact]):
    """The node is cordoned."""

    def node_change(self, node_info: NodeInfo, facts: Sequence[CordonFact], home: Scene) -> NodeChange | None:
        """Uncordon it, or mend it if that is not all that ails it."""
        return in_service(node_info.name, home)


def in_service(name: str, home: Scene) -> NodeChange | None:
    """Nodes that take pods again: uncordoned if that is all, else repaired; None for one that is being removed."""
    node = home.cluster.node_info_by_name[name].node
    if left := _left_over(home, node):
        return _without_taints(left, rank_back(home, name), uncordons=bool(node.spec.unschedulable))
    return _repaired(name, node, home)


def _repaired(name: str, node: Node, home: Scene) -> NodeChange | None:
    service = home.service(name)
    trouble = service.troubles[0] if service else Trouble.CORDONED
    if trouble is Trouble.LEAVING or (trouble is Trouble.UNREACHABLE and is_spot(node)):
        return None
    rank = rank_back(home, name)
    if trouble is Trouble.CORDONED:
        return _uncordoning(rank, _before_uncordoning(name, home), *_upgrade(node, home))
    also = " and uncordon" if service and Trouble.CORDONED in service.troubles else ""
    keys = saying(node, trouble) if trouble is Trouble.STARTING else []
    # What is ready may have been forgotten by whoever was to say so.
    instead = f", or remove {joined(keys)} if it is left over" if keys and node.status.ready.status == "True" else ""
    if trouble in _PRESSURES and (greedy := evicted_for(home.circles.lapsed, home.cluster)):
        instead = f": mend {greedy.about['maker']} first, which used most there"
    return _mending(f"{trouble}: {joined(keys)}" if keys else trouble.value, rank, and_more=also, instead=instead)


def _before_uncordoning(name: str, home: Scene) -> str:
    """What comes first: what ends its drain, or what is reported of the node; empty where nothing is known."""
    drain, said = stuck_drain(name, home.cluster), reported(home.cluster).get(name)
    return drain_help(drain, home.pod.key) if drain else f"once this is mended: {said}" if said else ""


def _uncordoning(rank: Rank, drain: str, own: str = "", newest: str = "") -> NodeChange:
    """Uncordon nodes, of which it is known whether they are upgraded: one that is not waits for that."""
    and_then, is_behind = f" ({drain})" if drain else ", once the reason for the cordon is known", own != newest
    if is_behind:
        and_then = f", once its upgrade to {newest} is over (kubelet now {own})"
    done = f", which runs {own} by now" if own and not is_behind else ""
    return NodeChange(
        Action.UNCORDON,
        (Action.UNCORDON, drain, own),
        uncordoned,
        lambda nodes: f"uncordon {nodes}{done}{and_then}",
        lambda names: command("kubectl uncordon", *names),
        max(rank, Rank.MOVES) if is_behind else rank,
        order=1,
    )


def _upgrade(node: Node, home: Scene) -> tuple[str, str]:
    """The release of a cordoned node, and the newest of all that are only cordoned; nothing where it is one release."""
    lapsed = home.circles.lapsed
    by_release = home.cluster.fact((_releases, lapsed), lambda: _releases(home, lapsed))
    is_upgraded = len(by_release) > 1 and _release(node) in by_release
    return (node.status.kubelet_version, by_release[max(by_release)]) if is_upgraded else ("", "")


def _releases(home: Scene, names: Sequence[str]) -> dict[tuple[int, ...], str]:
    """What the kubelets run of those of the nodes that are cordoned and nothing else."""
    nodes = (info.node for info in home.infos(names) if _is_only_cordoned(home, info.name))
    return {release: node.status.kubelet_version for node in nodes if (release := _release(node))}


def _is_only_cordoned(home: Scene, name: str) -> bool:
    service = home.service(name)
    return service is not None and service.troubles == (Trouble.CORDONED,)


def _release(node: Node) -> tuple[int, ...]:
    """Major, minor and patch of the node's kubelet."""
    return tuple(map(int, _NUMBER.findall(node.status.kubelet_version)[:3]))


def _mending(trouble: str, rank: Rank, *, and_more: str, instead: str = "") -> NodeChange:
    verb = "start" if trouble == Trouble.SHUT_DOWN else "repair"
    words: Callable[[str], str] = lambda nodes: f"{verb}{and_more} {nodes} ({trouble}){instead}"  # noqa: E731
    return NodeChange(
        Action.MEND_NODE, (Action.MEND_NODE, trouble, and_more, instead), mended, words, None, rank, order=1
    )


def mended(node: Node) -> Node:
    """The node as it is once nothing ails it."""
    taints = tuple(each for each in node.spec.taints or () if trouble_of_taint(each.key) is None)
    healthy = {"Ready": "True", "NetworkUnavailable": "False"}
    conditions = tuple(replace(each, status=healthy.get(each.type, "False")) for each in node.status.conditions or ())
    return replace(
        node,
        spec=replace(node.spec, unschedulable=None, taints=taints or None),
        status=replace(node.status, conditions=conditions or None),
    )
