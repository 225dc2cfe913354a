"""Whatever happened to a cluster before, a pod is decided as if everything were worked out from scratch."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kexplain.case import Case, running_anew
from kexplain.cluster import Cluster
from kexplain.config.component.default_profile import default_profile
from kexplain.explanation import explain
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from tests.factories import namespace
from tests.sampling import examples

from .strategies import clusters, nodes, pods

SCHEDULER = Scheduler({"default-scheduler": default_profile()}, traces_everything=True)


def whole(decision: Decision) -> tuple[object, ...]:
    """All that a decision says, but for the states of plugins and the cluster itself."""
    return (
        decision.outcome,
        decision.message,
        decision.sampling,
        decision.feasible,
        decision.statuses,
        decision.matrix,
        decision.scores,
        decision.weights,
        decision.best,
        decision.post_filter,
        decision.binding,
    )


def changed(made: Cluster, others: list[Pod], data: st.DataObject) -> Cluster:
    """The cluster after something has happened to it."""
    running = [pod_info.pod for info in made.node_infos for pod_info in info.pods]
    names = [info.name for info in made.node_infos]
    match data.draw(st.sampled_from(("place", "nominate", "evict", "relabel", "join", "change", "leave"))):
        case "place":
            return made.assume(data.draw(st.sampled_from(others)), data.draw(st.sampled_from(names)))
        case "nominate":
            return made.nominate(data.draw(st.sampled_from(others)), data.draw(st.sampled_from(names)))
        case "evict" if running:
            return made.without(data.draw(st.lists(st.sampled_from(running), max_size=2, unique_by=id)))
        case "join":
            return made.with_nodes([data.draw(nodes(f"n{len(names) + 4}"))])
        case "change":
            return made.with_nodes([data.draw(nodes(data.draw(st.sampled_from(names))))])
        case "leave" if len(names) > 1:
            return made.with_nodes((), gone=[data.draw(st.sampled_from(names))])
        case _:
            return made.replacing([namespace("other", {"team": data.draw(st.sampled_from("xyz"))})])


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(clusters(), st.lists(pods("incoming"), min_size=1, max_size=3), st.data())
def test_decisions_do_not_depend_on_what_was_worked_out_before(
    made: Cluster, incoming: list[Pod], data: st.DataObject
) -> None:
    others = [data.draw(pods(f"other{index}")) for index in range(3)]
    known = [made]
    for _ in range(data.draw(st.integers(1, 6))):
        # Not only the last one: clusters that came of the same one are brought up to date from each other.
        known.append(changed(data.draw(st.sampled_from(known)), others, data))
        for asking in incoming:
            decision, from_scratch = (SCHEDULER.schedule(asking, each) for each in (known[-1], known[-1].anew()))
            assert whole(decision) == whole(from_scratch)
            assert explain(decision) == explain(from_scratch)
        # Pods that run are taken out one by one, each from the cluster that has all others.
        for alone in running_anew(Case(known[-1], ())):
            asking, made_anew = alone.pods[0].pod, alone.cluster.anew()
            decision, from_scratch = (SCHEDULER.schedule(asking, each) for each in (alone.cluster, made_anew))
            assert whole(decision) == whole(from_scratch)
