"""The objects of a cluster, those for devices aside, that a row of the table of releases is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from kexplain.case import Case
from kexplain.objects.core import Pod
from kexplain.objects.meta import LabelSelector
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.requests import pod_requests
from kexplain.objects.resource import ResourceClaim
from kexplain.objects.scheduling import PodGroup
from kexplain.objects.storage import CSIDriver, VolumeAttachment
from kexplain.plugins.disruption_budgets import parse_budgets


class Touched(Struct, frozen=True):
    """Which objects a row is about: what one of them is called, what is about it, and where they are.

    `on` says what becomes of them where the row holds, `off` where it does not.
    """

    noun: str
    has: str
    have: str
    find: Callable[[Case], Iterable[str]]
    on: str
    off: str


def _waiting(case: Case) -> Iterator[Pod]:
    return (asked.pod for asked in case.pods)


def _running(case: Case) -> Iterator[Pod]:
    return case.cluster.pods


def _pods(case: Case) -> Iterator[Pod]:
    yield from _waiting(case)
    yield from _running(case)


def _repelled_in_several_ways(case: Case) -> Iterator[str]:
    return (pod.key for pod in _waiting(case) if len(pod.spec.required_anti_affinity) > 1)


def _starting_alike(case: Case) -> Iterator[str]:
    """Those of one priority on one node that have not started, and that somebody who waits could preempt."""
    highest = max((pod.priority for pod in _waiting(case)), default=0)
    starting = [pod for pod in _running(case) if pod.status.start_time is None and pod.priority < highest]
    alike = Counter((pod.spec.node_name, pod.priority) for pod in starting)
    return (pod.key for pod in starting if alike[pod.spec.node_name, pod.priority] > 1)


def _in_host_network_with_own_users(case: Case) -> Iterator[str]:
    return (pod.key for pod in _waiting(case) if pod.spec.host_network and pod.spec.host_users is False)


def _extenders_that_preempt(case: Case) -> Iterator[str]:
    return (each.name for each in case.scheduler.extenders if each.filter_verb and each.preempt_verb)


def _spread_over_all(case: Case) -> Iterator[str]:
    for pod in _pods(case):
        if any(_is_empty(each.label_selector) for each in pod.spec.topology_spread_constraints or ()):
            yield pod.key


def _is_empty(selector: LabelSelector | None) -> bool:
    return selector is not None and not selector.match_labels and not selector.match_expressions


def _budgets_for_all(case: Case) -> Iterator[str]:
    return (each.key for each in case.cluster.listers.every(PodDisruptionBudget) if _is_empty(each.spec.selector))


def _under_several_budgets(case: Case) -> Iterator[str]:
    budgets = parse_budgets(case.cluster)
    return (pod.key for pod in _running(case) if len(budgets.protecting(pod)) > 1)


def _groups(case: Case, pods: Iterable[Pod]) -> Iterator[PodGroup]:
    """The groups of these pods, each once, where the scheduler goes by groups."""
    if case.scheduler.features.pod_groups:
        names = dict.fromkeys(pod.group for pod in pods if pod.group is not None)
        found = (case.cluster.listers.get(PodGroup, name.name, name.namespace) for name in names)
        yield from (group for group in found if group is not None)


def _waiting_groups(case: Case) -> Iterator[str]:
    return (group.key for group in _groups(case, _waiting(case)))


def _running_groups(case: Case) -> Iterator[str]:
    return (group.key for group in _groups(case, _running(case)))


def _groups_that_preempt(case: Case) -> Iterator[str]:
    least = min((pod.priority for pod in _running(case)), default=None)
    return (group.key for group in _groups(case, _waiting(case)) if least is not None and group.priority > least)


def _groups_with_affinity(case: Case) -> Iterator[str]:
    related = (pod for pod in _waiting(case) if pod.spec.required_affinity or pod.spec.required_anti_affinity)
    return (group.key for group in _groups(case, related))


def _nominated_groups(case: Case) -> Iterator[str]:
    nominated = (pod for pod in _waiting(case) if pod.status.nominated_node_name)
    return (group.key for group in _groups(case, nominated) if group.topology_key)


def _groups_of_two_priorities(case: Case) -> Iterator[str]:
    waiting = [*_waiting(case)]
    for group in _groups(case, waiting):
        named = (pod for pod in waiting if pod.group == (group.namespace, group.name, "", ""))
        if any(pod.priority != group.priority for pod in named):
            yield group.key


def _groups_that_share_new_claims(case: Case) -> Iterator[str]:
    users: dict[str, list[Pod]] = {}
    for pod in _waiting(case):
        for key in _new_claims(case, pod):
            users.setdefault(key, []).append(pod)
    sharing = [pod for pods in users.values() for pod in pods if sum(each.group == pod.group for each in pods) > 1]
    return (group.key for group in _groups(case, sharing))


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
    return (each.name for each in case.cluster.node_infos if each.node.spec.taints and case.pods)


def _with_claims(case: Case) -> Iterator[str]:
    return (pod.key for pod in _waiting(case) if pod.spec.resource_claims)


def _requesting_as_a_whole(case: Case) -> Iterator[str]:
    return (pod.key for pod in _pods(case) if pod.spec.resources is not None)


def _attachments(case: Case) -> Iterator[str]:
    return (each.name for each in case.cluster.listers.every(VolumeAttachment))


def _unbound_claims(case: Case) -> Iterator[str]:
    return (each.key for each in case.cluster.listers.every(PersistentVolumeClaim) if not each.volume_name)


def _drivers_that_must_be_there(case: Case) -> Iterator[str]:
    every = case.cluster.listers.every(CSIDriver)
    return (each.name for each in every if each.spec.prevent_pod_scheduling_if_missing)


def _with_image_volumes(case: Case) -> Iterator[str]:
    return (pod.key for pod in _pods(case) if any(volume.image for volume in pod.spec.volumes or ()))


def _resized(case: Case) -> Iterator[str]:
    waits = ("PodResizePending", "PodResizeInProgress")
    return (pod.key for pod in _pods(case) if any(each.type in waits for each in pod.status.conditions or ()))


#: By the row of the table.
TOUCHED: Mapping[str, Touched] = {
    "empty_spread_selectors_count_nothing": Touched(
        "pod", "has a spread constraint with an empty selector", "have a spread constraint with an empty selector",
        _spread_over_all, "it counts no pods", "it counts all pods of the namespace",
    ),
    "empty_budget_selectors_protect_nothing": Touched(
        "disruption budget", "has an empty selector", "have an empty selector", _budgets_for_all,
        "preemption ignores it", "preemption counts it for all pods of the namespace",
    ),
    "groups_are_counted_while_tried": Touched(
        "pod group", "waits", "wait", _waiting_groups,
        "it is given up once too few of its pods can get a node, and none of them preempts on its own",
        "all of its pods are tried, and each may preempt",
    ),
    "groups_are_scheduled_at_once": Touched(
        "pod group", "waits", "wait", _waiting_groups,
        "all of its pods are tried before any is placed", "each of its pods waits for the others on its node",
    ),
    "groups_must_agree": Touched(
        "pod group", "has pods of another priority", "have pods of another priority", _groups_of_two_priorities,
        "it fails with an error", "it is scheduled anyway",
    ),
    "groups_stay_where_their_claims_are": Touched(
        "pod group", "shares a claim without devices yet", "share a claim without devices yet",
        _groups_that_share_new_claims,
        "all of its pods go where the devices are available",
        "only the first of its pods goes where the devices are; binding the others fails",
    ),
    "groups_see_their_own_affinity": Touched(
        "pod group", "has pods with affinity", "have pods with affinity", _groups_with_affinity,
        "its pods see each other's affinity while they are tried", "its pods see only that of pods outside",
    ),
    "groups_preempt_where_they_fit": Touched(
        "pod group", "may preempt", "may preempt", _groups_that_preempt,
        "it preempts only what stands in its way where it fits", "it is tried anew for each pod that is spared",
    ),
    "nominated_placements_come_first": Touched(
        "pod group", "is nominated within a topology", "are nominated within a topology", _nominated_groups,
        "it is tried first where most of its pods are nominated to", "it goes where it scores best",
    ),
    "one_repelling_term_wakes": Touched(
        "pod", "waits with several terms of anti-affinity", "wait with several terms of anti-affinity",
        _repelled_in_several_ways,
        "whoever leaves wakes it if any of the terms is about them", "only if all of the terms are about them",
    ),
    "starting_pods_keep_their_order": Touched(
        "pod", "has not started beside others of its priority", "have not started beside others of their priority",
        _starting_alike,
        "preemption evicts those last that stand first on their node", "preemption evicts them in no certain order",
    ),
    "host_network_user_namespaces_are_declared": Touched(
        "pod", "has users of its own in the host's network", "have users of their own in the host's network",
        _in_host_network_with_own_users,
        "it needs a node that declares to know that", "it may go to any node",
    ),
    "preemption_needs_victims": Touched(
        "extender", "filters and preempts", "filter and preempt", _extenders_that_preempt,
        "where it alone objects, preemption ends with an error", "where it alone objects, it is asked for victims",
    ),
    "groups_are_victims": Touched(
        "pod group", "runs", "run", _running_groups,
        "its pods are preempted by its priority, and all together if it is disrupted as a whole",
        "its pods are preempted one by one, each by its own priority",
    ),
    "violations_draw_on_one_budget": Touched(
        "pod", "is protected by several disruption budgets", "are protected by several disruption budgets",
        _under_several_budgets,
        "evicting it draws on no further budget after the first that it violates",
        "evicting it draws on all of them, violated or not",
    ),
    "StorageCapacityScoring": Touched(
        "claim", "has no volume yet", "have no volume yet", _unbound_claims,
        "nodes are scored by the storage they have left", "nodes are not scored by their storage",
    ),
    "VolumeLimitScaling": Touched(
        "CSIDriver", "keeps pods from nodes without it", "keep pods from nodes without them",
        _drivers_that_must_be_there,
        "nodes without the driver are turned away", "nodes without the driver are accepted",
    ),
    "image_volumes_score": Touched(
        "pod", "mounts an image", "mount an image", _with_image_volumes,
        "nodes that hold the image score more", "the image does not count",
    ),
    "image_volumes_raise_the_ceiling": Touched(
        "pod", "mounts an image", "mount an image", _with_image_volumes,
        "nodes need more of the pod's images for the same score",
        "nodes need less of the pod's images for the same score",
    ),
    "InPlacePodVerticalScaling": Touched(
        "pod", "is being resized", "are being resized", _resized,
        "what it has counts until the resize is done", "what it asks for counts at once",
    ),
    "PodLevelResources": Touched(
        "pod", "requests something as a whole", "request something as a whole", _requesting_as_a_whole,
        "that counts", "only what containers request counts",
    ),
    "DynamicResourceAllocation": Touched(
        "pod", "waits with claims for devices", "wait with claims for devices", _with_claims,
        "the scheduler allocates devices", "the scheduler ignores its claims",
    ),
    "attachments_count": Touched(
        "VolumeAttachment", "is there", "are there", _attachments,
        "it counts against the limits of its node", "only volumes of pods count",
    ),
    "untolerated_taint_is_named": Touched(
        "node", "has a taint", "have taints", _tainted_nodes,
        "messages name the taint that a pod does not tolerate", "messages count such nodes without naming the taint",
    ),
    "balance_by_improvement": Touched(
        "pod", "waits with requests", "wait with requests", _requesting,
        "nodes score by how much it improves their balance", "nodes score by the balance that results",
    ),
    "best_effort_skips_balance": Touched(
        "pod", "waits without requests", "wait without requests", _requesting_nothing,
        "the balance of nodes does not count", "nodes score by their balance",
    ),
    "resizes_count_in_sum": Touched(
        "pod", "is being resized", "are being resized", _resized,
        "the larger of what all containers request and of what they have counts",
        "the larger of the two counts, container by container",
    ),
}  # fmt: skip
