"""The objects of a cluster, those for devices aside, that a row of the table of releases is about.

`touched.json` among the tables has the words for each row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar

from kexplain.case import Case
from kexplain.grouping import grouped
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject, LabelSelector
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.requests import pod_requests
from kexplain.objects.resource import ResourceClaim
from kexplain.objects.scheduling import PodGroup
from kexplain.objects.selectors import REPELLING_EFFECTS
from kexplain.objects.storage import CSIDriver, VolumeAttachment
from kexplain.plugins.disruption_budgets import parse_budgets

Kind = TypeVar("Kind", bound=KubernetesObject)
#: The names of the objects of a case that a row is about.
Find: TypeAlias = Callable[[Case], Iterable[str]]


def objects(kind: type[Kind], is_so: Callable[[Kind], object] = bool) -> Find:
    """The objects of a kind that are so, or all of them."""

    def find(case: Case) -> Iterator[str]:
        found = filter(is_so, case.cluster.listers.every(kind))
        return (each.key if kind.is_namespaced else each.name for each in found)

    return find


def _waiting(case: Case) -> Iterator[Pod]:
    return (asked.pod for asked in case.pods)


def _running(case: Case) -> Iterator[Pod]:
    return case.cluster.pods


def _waiting_that(is_so: Callable[[Pod], object]) -> Find:
    return lambda case: (pod.key for pod in _waiting(case) if is_so(pod))


def _pods_that(is_so: Callable[[Pod], object]) -> Find:
    """Pods that wait, and those that run."""
    return lambda case: (pod.key for pod in (*_waiting(case), *_running(case)) if is_so(pod))


def _starting_alike(case: Case) -> Iterator[str]:
    """Those of one priority on one node that have not started, and that somebody who waits could preempt."""
    highest = max((pod.priority for pod in _waiting(case)), default=0)
    starting = [pod for pod in _running(case) if pod.status.start_time is None and pod.priority < highest]
    alike = Counter((pod.spec.node_name, pod.priority) for pod in starting)
    return (pod.key for pod in starting if alike[pod.spec.node_name, pod.priority] > 1)


def _extenders_that_preempt(case: Case) -> Iterator[str]:
    return (each.name for each in case.scheduler.extenders if each.filter_verb and each.preempt_verb)


def _is_spread_over_all(pod: Pod) -> bool:
    return any(_is_empty(each.label_selector) for each in pod.spec.topology_spread_constraints or ())


def _is_empty(selector: LabelSelector | None) -> bool:
    return selector is not None and not selector.match_labels and not selector.match_expressions


def _under_several_budgets(case: Case) -> Iterator[str]:
    budgets = parse_budgets(case.cluster)
    return (pod.key for pod in _running(case) if len(budgets.protecting(pod)) > 1)


def _groups(case: Case, pods: Iterable[Pod]) -> Iterator[PodGroup]:
    """The groups of these pods, each once, where the scheduler goes by groups."""
    if case.scheduler.features.pod_groups:
        names = dict.fromkeys(pod.group for pod in pods if pod.group is not None)
        found = (case.cluster.listers.get(PodGroup, name.name, name.namespace) for name in names)
        yield from (group for group in found if group is not None)


def _groups_of(pods: Callable[[Case], Iterable[Pod]], is_so: Callable[[PodGroup], object] = bool) -> Find:
    """The groups of these pods that are so, or all of them."""
    return lambda case: (group.key for group in _groups(case, pods(case)) if is_so(group))


def _with_affinity(case: Case) -> Iterator[Pod]:
    return (pod for pod in _waiting(case) if pod.spec.required_affinity or pod.spec.required_anti_affinity)


def _nominated(case: Case) -> Iterator[Pod]:
    return (pod for pod in _waiting(case) if pod.status.nominated_node_name)


def _groups_that_preempt(case: Case) -> Iterator[str]:
    least = min((pod.priority for pod in _running(case)), default=None)
    return (group.key for group in _groups(case, _waiting(case)) if least is not None and group.priority > least)


def _groups_of_two_priorities(case: Case) -> Iterator[str]:
    waiting = [*_waiting(case)]
    for group in _groups(case, waiting):
        named = (pod for pod in waiting if pod.group == (group.namespace, group.name, "", ""))
        if any(pod.priority != group.priority for pod in named):
            yield group.key


def _sharing_new_claims(case: Case) -> Iterator[Pod]:
    users = grouped((key, pod) for pod in _waiting(case) for key in _new_claims(case, pod))
    return (pod for pods in users.values() for pod in pods if sum(each.group == pod.group for each in pods) > 1)


def _new_claims(case: Case, pod: Pod) -> Iterator[str]:
    """The claims of the pod that have no devices yet."""
    made = {each.name: each.resource_claim_name for each in pod.status.resource_claim_statuses or ()}
    for each in pod.spec.resource_claims or ():
        name = each.resource_claim_name or made.get(each.name) or ""
        claim = case.cluster.listers.get(ResourceClaim, name, pod.namespace)
        if claim is not None and claim.status.allocation is None:
            yield claim.key


def _requesting(case: Case) -> Iterator[str]:
    return (pod.key for pod in _waiting(case) if _requests_anything(pod, case))


def _requesting_nothing(case: Case) -> Iterator[str]:
    return (pod.key for pod in _waiting(case) if not _requests_anything(pod, case))


def _requests_anything(pod: Pod, case: Case) -> bool:
    return any(pod_requests(pod, case.cluster.rules).values())


def _tainted_nodes(case: Case) -> Iterator[str]:
    """Those with a taint that can turn a pod away: a message names no other."""
    taints = ((each.name, each.node.spec.taints or ()) for each in case.cluster.node_infos if case.pods)
    return (name for name, those in taints if any(taint.effect in REPELLING_EFFECTS for taint in those))


def _is_resized(pod: Pod) -> bool:
    return any(each.type in ("PodResizePending", "PodResizeInProgress") for each in pod.status.conditions or ())


def _mounts_images(pod: Pod) -> bool:
    return any(volume.image for volume in pod.spec.volumes or ())


#: By the row of the table.
FIND: Mapping[str, Find] = {
    "empty_spread_selectors_count_nothing": _pods_that(_is_spread_over_all),
    "empty_budget_selectors_protect_nothing": objects(PodDisruptionBudget, lambda each: _is_empty(each.spec.selector)),
    "GenericWorkload": _groups_of(_waiting),
    "groups_are_counted_while_tried": _groups_of(_waiting),
    "groups_are_scheduled_at_once": _groups_of(_waiting),
    "groups_must_agree": _groups_of_two_priorities,
    "groups_stay_where_their_claims_are": _groups_of(_sharing_new_claims),
    "groups_see_their_own_affinity": _groups_of(_with_affinity),
    "groups_preempt_where_they_fit": _groups_that_preempt,
    "nominated_placements_come_first": _groups_of(_nominated, lambda group: group.topology_key),
    "one_repelling_term_wakes": _waiting_that(lambda pod: len(pod.spec.required_anti_affinity) > 1),
    "starting_pods_keep_their_order": _starting_alike,
    "host_network_user_namespaces_are_declared": _waiting_that(
        lambda pod: pod.spec.host_network and pod.spec.host_users is False
    ),
    "preemption_needs_victims": _extenders_that_preempt,
    "groups_are_victims": _groups_of(_running),
    "violations_draw_on_one_budget": _under_several_budgets,
    "StorageCapacityScoring": objects(PersistentVolumeClaim, lambda claim: not claim.volume_name),
    "VolumeLimitScaling": objects(CSIDriver, lambda each: each.spec.prevent_pod_scheduling_if_missing),
    "image_volumes_score": _pods_that(_mounts_images),
    "image_volumes_raise_the_ceiling": _pods_that(_mounts_images),
    "InPlacePodVerticalScaling": _pods_that(_is_resized),
    "PodLevelResources": _pods_that(lambda pod: pod.spec.resources is not None),
    "DynamicResourceAllocation": _waiting_that(lambda pod: pod.spec.resource_claims),
    "attachments_count": objects(VolumeAttachment),
    "untolerated_taint_is_named": _tainted_nodes,
    "balance_by_improvement": _requesting,
    "best_effort_skips_balance": _requesting_nothing,
    "resizes_count_in_sum": _pods_that(_is_resized),
}
