"""The node that a decision chose, beside the one that came next."""

from msgspec.structs import replace

from kexplain.explanation.records import Choice, Margin
from kexplain.framework.trace import Decision, Outcome


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
    margins = [
        Margin(plugin=name, weighted=score.weighted - second.by_plugin[name].weighted)
        for name, score in chosen.by_plugin.items()
    ]
    return Choice(
        node=decision.host,
        best=decision.best,
        total=chosen.total,
        runner_up=second.node_name,
        runner_up_total=second.total,
        margins=tuple(sorted((m for m in margins if m.weighted), key=lambda margin: -abs(margin.weighted))),
    )
