"""What lets a pod be evicted that its disruption budget keeps, though all that it counts run, or land elsewhere."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.own_pods import CONTROLLERS, OwnerChains, above, key_of, with_complaints
from kexplain.case.records import OwnPods
from kexplain.case.webhooks import SilentWebhooks
from kexplain.cluster import Cluster
from kexplain.cluster.listers import waits_for_volume
from kexplain.diagnosis.answering import behind
from kexplain.diagnosis.components import maker_of
from kexplain.framework.trace import Outcome
from kexplain.grouping import grouped
from kexplain.objects.batch import Job
from kexplain.objects.core import Pod, ResourceQuota, ResourceQuotaStatus
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.parameters import parameter
from kexplain.remedies.advice import advice
from kexplain.remedies.components import mending
from kexplain.remedies.never_created import creating
from kexplain.remedies.records import Remedy
from kexplain.remedies.steps import setting, target_of
from kexplain.scheduler.draining import EvictionBudgets, counted
from kexplain.world.draining import Leaver
from kexplain.world.jobs import losses_left

#: A pod's key, and what would help it.
Help: TypeAlias = tuple[str, Remedy]


def sparing_one(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """That the only budget of a pod spares one of those that it counts, where it can go then; or that one is kept."""
    protecting = EvictionBudgets(cluster).protecting(pod)
    if len(protecting) != 1:
        yield from [advice("drain/one-budget", [each.budget.key for each in protecting])] if protecting else ()
        return
    budget, (_, kind, name) = protecting[0].budget, maker_of(pod)
    sparing = replace(budget, spec=replace(budget.spec, max_unavailable=1, min_available=None))
    then, now = (counted(each, protecting[0].selector, cluster).status for each in (sparing, budget))
    if (then.disruptions_allowed or 0) <= (now.disruptions_allowed or 0):
        return
    least = budget.spec.min_available
    bounds = {"minAvailable": least, "maxUnavailable": budget.spec.max_unavailable}
    said = ", ".join(f"{field} {value}" for field, value in bounds.items() if value is not None)
    # Of a share, or of all but so many, each further pod raises how many have to run.
    lacking = least + 1 - (now.current_healthy or 0) if isinstance(least, int) and kind != "Pod" else 0
    more = lacking if lacking > 0 else None
    yield advice("spare-one", budget, said, more, f"{kind} {name}", budget.name, budget.namespace)


def created_again(pods: Sequence[Pod], gone: Collection[str], contents: Contents, cluster: Cluster) -> Iterator[Remedy]:
    """What would have the first of these pods created again once all that are `gone` leave their quota."""
    for each in SilentWebhooks(cluster).asked_about(pods[0], cluster):
        care = behind(each.service.name, each.service.namespace, cluster) if each.service else None
        yield from mending(care, cluster) if care else ()
    objects = [_uncounted(each) for each in contents.objects if not (isinstance(each, Pod) and each.key in gone)]
    known = {key_of(each, contents.namespace): each for each in objects if isinstance(each, CONTROLLERS)}
    *_, key = (("Pod", "", ""), *above(pods[0], contents.namespace, known.get))
    events = (each for each in objects if isinstance(each, Event))
    own = with_complaints(OwnerChains(objects, contents.namespace).own_pods(*key), events)
    yield from creating(CaseBuilder(replace(contents, objects=objects)).with_next_pod(own), 0, objects)
    yield from _failing_later(own, len(pods))


def of_others(step: Iterable[Leaver]) -> Iterator[Help]:
    """To have this scheduler place those that are left to another one, as if that decided alike."""
    decisions = (each.decision for each in step if each.decision)
    left = grouped((each.scheduler_name, each.pod.key) for each in decisions if each.outcome is Outcome.NO_PROFILE)
    for name, keys in left.items():
        yield keys[0], advice("drain/other-scheduler", name, parameter("scheduler_name", name))


def volumes_first(step: Iterable[Leaver]) -> Iterator[Help]:
    """To wait until the volumes are there that are being made on the node for pods that wait for nothing else."""
    for leaver in step:
        decision = leaver.decision
        if decision and not decision.host and waits_for_volume(leaver.pod, decision.cluster.listers):
            yield leaver.pod.key, advice("drain/volume", leaver.node_name, leaver.pod.key)


def _failing_later(own: OwnPods, evicted: int) -> Iterator[Remedy]:
    """That a Job takes more evictions before it fails, where it is one that these fail."""
    for job in (each for each in own.controllers if isinstance(each, Job)):
        if (left := losses_left(job)) is not None and left < evicted:
            failed = job.status.failed or 0
            made = setting(target_of(job), {"/spec/backoffLimit": failed + evicted})
            yield advice("drain/backoff-limit", job.name, failed + left, failed + evicted, changes=[made])


def _uncounted(obj: KubernetesObject) -> KubernetesObject:
    """A quota of which nobody has counted yet what is used, so that it is counted anew; or anything else."""
    return replace(obj, status=ResourceQuotaStatus()) if isinstance(obj, ResourceQuota) else obj
