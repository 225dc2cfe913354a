"""A copy of a pod goes where it would if nothing was known of the copies before it."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kexplain.api import Scheduler, SchedulerSettings, build_scheduler
from kexplain.cluster import Cluster
from kexplain.objects.core import Pod
from kexplain.scheduler.copies import Copies
from kexplain.scheduler.scheduling_queue import alone
from tests.factories import cluster, namespace, service
from tests.sampling import examples

from .strategies import nodes, pods

SCHEDULERS = [build_scheduler(SchedulerSettings(kubernetes_version=each)) for each in ("1.22", "1.26", "1.31", "1.36")]
#: Of fewer nodes all are looked at.
MANY = 100


@st.composite
def templates(draw: st.DrawFn, name: str) -> Pod:
    """A pod that asks for little, and in most cases has few rules."""
    made = draw(pods(name, deleting=False))
    affinity = made.spec.affinity if draw(st.integers(0, 2)) == 0 else None
    spread = made.spec.topology_spread_constraints if draw(st.booleans()) else None
    (container, *_) = made.spec.containers or ()
    small = (replace(container, resources=None, ports=container.ports if draw(st.integers(0, 4)) == 0 else None),)
    spec = replace(made.spec, affinity=affinity, topology_spread_constraints=spread, containers=small)
    return replace(made, spec=spec)


@st.composite
def crowds(draw: st.DrawFn) -> tuple[Cluster, list[Pod]]:
    """A few nodes or many of a few kinds, some pods, and two that are copied."""
    kinds = [draw(nodes(f"n{index}")) for index in range(draw(st.integers(1, 5)))]
    times = draw(st.sampled_from((1, 1, 2, 1 + MANY // len(kinds))))
    made = [
        replace(each, metadata=replace(each.metadata, name=f"{each.name}-{number}"))
        for number in range(times)
        for each in kinds
    ]
    names = [each.name for each in made]
    placed = [draw(pods(f"p{index}", on=names)) for index in range(draw(st.integers(0, 6)))]
    around = [namespace("default", {"team": "x"}), namespace("other"), service("all", {"app": "a"})]
    return cluster(made, placed, *around), [draw(templates(name)) for name in ("web", "other")]


@settings(max_examples=examples(25))
@given(crowds(), st.sampled_from(SCHEDULERS), st.lists(st.integers(0, 4), max_size=24))
def test_copies_go_where_each_would_by_itself(
    crowd: tuple[Cluster, list[Pod]], scheduler: Scheduler, turns: list[int]
) -> None:
    made, templates = crowd[0].counted_by(scheduler.rules), crowd[1]
    queue, landed, known = alone(scheduler, made, 0), list[str](), dict[int, Copies]()
    for number, turn in enumerate(turns):
        which = int(turn == 4)
        template = templates[which]
        metadata = replace(template.metadata, name=f"{template.name}-{number}", uid=f"{template.name}-{number}")
        copy = replace(template, metadata=metadata)
        decision = scheduler.schedule(copy, queue.cluster.anew(), queue.start_index)
        following = decision.sampling.next_start_index
        if which not in known or not (host := known[which].place(copy, queue, landed)):
            if not decision.host:
                continue
            host, queue.start_index = decision.host, following
            queue.cluster = queue.cluster.assume(copy, host)
            known.setdefault(which, Copies(queue, copy, len(landed) + 1))
        assert (host, queue.start_index) == (decision.host, following)
        landed.append(host)
