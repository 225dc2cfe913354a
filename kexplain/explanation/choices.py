"""The node that a decision chose, beside the one that came next; and how one stood that somebody asks about."""

from msgspec.structs import replace

from kexplain.explanation.records import Choice, Margin, NodeResource, NodeState
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.requests import PODS


def choice(decision: Decision) -> Choice | None:
    """The node that was chosen, and by how much; None if there is none."""
    if decision.outcome is not Outcome.SCHEDULED:
        return None
    devices = tuple(device for _, step in decision.binding for device in step.devices)
    return replace(_score_choice(decision), devices=devices)


def _score_choice(decision: Decision) -> Choice:
    totals = decision.scores.total_by_node
    if decision.host not in totals:
        return Choice(node=decision.host, best=decision.best)
    chosen = decision.scores.of(decision.host)
    best = frozenset(decision.best)
    others = [name for name in totals if name not in best]
    if not others:
        return Choice(node=decision.host, best=decision.best, total=chosen.total)
    second = decision.scores.of(max(others, key=totals.__getitem__))
    behind = {name: score.weighted - second.by_plugin[name].weighted for name, score in chosen.by_plugin.items()}
    margins = [Margin(plugin=name, weighted=points) for name, points in behind.items()]
    return Choice(
        node=decision.host,
        best=decision.best,
        total=chosen.total,
        runner_up=second.node_name,
        runner_up_total=second.total,
        margins=tuple(sorted((m for m in margins if m.weighted), key=lambda margin: -abs(margin.weighted))),
    )


def node_state(decision: Decision, name: str) -> NodeState | None:
    """The node of that name with what it has; None if there is none."""
    node_info = decision.cluster.node_info_by_name.get(name)
    if node_info is None:
        return None
    allocatable, requested = node_info.allocatable, node_info.requested
    names = dict.fromkeys((*allocatable.amounts(), *requested.amounts()))
    rows = [(resource, allocatable.amount(resource), requested.amount(resource)) for resource in names]
    rows.append((PODS, allocatable.allowed_pods, len(node_info.pods)))
    return NodeState(
        node=name,
        cordoned=bool(node_info.node.spec.unschedulable),
        taints=tuple(str(taint) for taint in node_info.node.spec.taints or ()),
        labels=dict(node_info.node.labels),
        resources=tuple(
            NodeResource(resource=resource, allocatable=has, requested=used, free=has - used)
            for resource, has, used in rows
        ),
        pods=tuple(pod_info.pod.key for pod_info in node_info.pods),
        nominated=tuple(p.pod.key for p in decision.cluster.nominated_by_node.get(name, ())),
    )
