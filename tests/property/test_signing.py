"""Pods of one signature fare alike: what is known of one is what would be decided about the other, word by word."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kexplain.api import Scheduler, SchedulerSettings, build_scheduler
from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.well_known import POD_INDEX
from kexplain.scheduler.signing import holds_for, sign
from kexplain.scheduler.simulate import simulate
from tests.factories import affinity, cluster, namespace, pod, service, term
from tests.sampling import examples
from tests.storage_factories import claim, persistent_volume, storage_class, uses

from .strategies import nodes, pods

SCHEDULERS = [build_scheduler(SchedulerSettings(kubernetes_version=each)) for each in ("1.22", "1.26", "1.31", "1.36")]


@st.composite
def sets(draw: st.DrawFn) -> tuple[list[Pod], list[KubernetesObject]]:
    """Replicas in a row, with an index and perhaps a claim of its own each, and these claims with their volumes."""
    template = draw(pods("web", deleting=False))
    has_claims = draw(st.booleans())
    replicas: list[Pod] = []
    objects: list[KubernetesObject] = []
    for number in range(draw(st.integers(1, 4))):
        labels = {**template.labels, POD_INDEX: str(number % 2)} if draw(st.booleans()) else template.labels
        metadata = replace(template.metadata, name=f"web-{number}", uid=f"uid-{number}", labels=labels)
        replica = replace(template, metadata=metadata)
        if has_claims:
            replica = replace(replica, spec=replace(replica.spec, volumes=tuple(uses(f"data-{number}"))))
            objects += draw(storage(f"data-{number}", template.namespace))
        replicas.append(replica)
    return replicas, objects


@st.composite
def storage(draw: st.DrawFn, name: str, of: str) -> list[KubernetesObject]:
    """A claim that is missing, asks for something, or has a volume; and a volume that may be set aside for it."""
    if draw(st.integers(0, 5)) == 0:
        return []
    mode = draw(st.sampled_from(("ReadWriteOnce", "ReadWriteOncePod")))
    bound = f"pv-{name}" if draw(st.integers(0, 3)) == 0 else None
    made: list[KubernetesObject] = [claim(name, volume=bound, modes=[mode], namespace=of)]
    if bound or draw(st.booleans()):
        reserved = draw(st.sampled_from((None, name)))
        made.append(persistent_volume(f"pv-{name}", modes=[mode], reserved=reserved))
    return made


@st.composite
def crowds(draw: st.DrawFn) -> tuple[Cluster, list[Pod]]:
    """A small cluster, in which a claim may be in use, and two sets of replicas that wait."""
    names = [f"n{index}" for index in range(draw(st.integers(1, 3)))]
    queue: list[Pod] = []
    objects: list[KubernetesObject] = [namespace("default", {"team": "x"}), namespace("other")]
    for replicas, theirs in draw(st.lists(sets(), min_size=1, max_size=2)):
        mark = len(queue)
        queue += (
            replace(each, metadata=replace(each.metadata, uid=f"{mark}-{each.uid}", name=f"{each.name}-{mark}"))
            for each in replicas
        )
        objects += theirs
    placed = [draw(pods(f"p{index}", on=names)) for index in range(draw(st.integers(0, 5)))]
    if draw(st.booleans()) and placed:
        placed[0] = replace(placed[0], spec=replace(placed[0].spec, volumes=tuple(uses("data-0"))))
    if draw(st.booleans()):
        placed.append(pod("lone", node=names[0], affinity=affinity(far=[term({POD_INDEX: "0"})])))
    if draw(st.booleans()):
        objects += [service("all", {"app": "a"}), service("first", {POD_INDEX: "0"})]
    objects.append(storage_class("wait", provisioner=draw(st.sampled_from(("csi.example.com", "none")))))
    return cluster([draw(nodes(name)) for name in names], placed, *objects), queue


def one_by_one(scheduler: Scheduler, made: Cluster, queue: list[Pod]) -> Iterator[Decision]:
    """Each decided, whatever is known of those before it."""
    start_index = 0
    queue = sorted(queue, key=scheduler.sort_key)
    made = made.awaiting(queue)
    for each in queue:
        decision = scheduler.schedule(each, made, start_index)
        yield decision
        start_index = decision.sampling.next_start_index
        if decision.host:
            made = scheduler.assume(decision)
        elif decision.nominated_node:
            made = made.nominate(each, decision.nominated_node)


def said(decision: Decision) -> object:
    """All that a decision says, whoever it is about."""
    statuses = decision.statuses
    return (
        (decision.outcome, decision.message, decision.condition_message, decision.host),
        (dict(statuses.by_node), statuses.absent, dict(decision.matrix.by_node), decision.post_filter),
        (decision.best, decision.feasible, decision.scores.points(), decision.sampling),
    )


@settings(max_examples=examples(50))
@given(crowds(), st.sampled_from(SCHEDULERS))
def test_decisions_are_the_same_without_signatures(crowd: tuple[Cluster, list[Pod]], scheduler: Scheduler) -> None:
    made, queue = crowd
    made = made.counted_by(scheduler.rules)
    known = [(each.pod.key, said(each)) for each in simulate(scheduler, made, queue)]
    assert known == [(each.pod.key, said(each)) for each in one_by_one(scheduler, made.anew(), queue)]


@settings(max_examples=examples(50))
@given(crowds(), st.sampled_from(SCHEDULERS))
def test_pods_of_one_signature_fare_alike_where_they_fit_too(
    crowd: tuple[Cluster, list[Pod]], scheduler: Scheduler
) -> None:
    made, queue = crowd
    made = made.counted_by(scheduler.rules)
    first, *others = queue
    decision = scheduler.schedule(first, made)
    for other in others:
        if holds_for(decision, sign(scheduler, first, made), sign(scheduler, other, made)):
            assert said(decision) == said(scheduler.schedule(other, made.anew()))
