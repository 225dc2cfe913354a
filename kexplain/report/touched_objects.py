"""The objects of a cluster, those for devices aside, that a row of the table of releases is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar

from msgspec import Struct

from kexplain.case import Case
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject, LabelSelector
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.requests import pod_requests
from kexplain.objects.resource import ResourceClaim
from kexplain.objects.scheduling import PodGroup
from kexplain.objects.storage import CSIDriver, VolumeAttachment
from kexplain.plugins.disruption_budgets import parse_budgets
from kexplain.words import plural, verb

Kind = TypeVar("Kind", bound=KubernetesObject)
#: The names of the objects of a case that a row is about.
Find: TypeAlias = Callable[[Case], Iterable[str]]


class Touched(Struct, frozen=True):
    """Which objects a row is about: what one of them is called, what is about it, and where they are.

    `have` is what is about several, where more than the verb differs. `on` says what becomes of them where the row
    holds, `off` where it does not.
    """

    noun: str
    has: str
    find: Find
    on: str
    off: str
    have: str = ""

    def counted(self, count: int) -> str:
        """So many objects, and what is about them."""
        does, blank, rest = self.has.partition(" ")
        several = self.have or f"{verb(count, does)}{blank}{rest}"
        return f"{plural(count, self.noun)} {self.has if count == 1 else several}"


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
    users: dict[str, list[Pod]] = {}
    for pod in _waiting(case):
        for key in _new_claims(case, pod):
            users.setdefault(key, []).append(pod)
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
    return (each.name for each in case.cluster.node_infos if each.node.spec.taints and case.pods)


def _is_resized(pod: Pod) -> bool:
    return any(each.type in ("PodResizePending", "PodResizeInProgress") for each in pod.status.conditions or ())


def _mounts_images(pod: Pod) -> bool:
    return any(volume.image for volume in pod.spec.volumes or ())


#: By the row of the table.
TOUCHED: Mapping[str, Touched] = {
    "empty_spread_selectors_count_nothing": Touched(
        "pod", "has a spread constraint with an empty selector", _pods_that(_is_spread_over_all),
        "it counts no pods", "it counts all pods of the namespace",
    ),
    "empty_budget_selectors_protect_nothing": Touched(
        "disruption budget", "has an empty selector",
        objects(PodDisruptionBudget, lambda each: _is_empty(each.spec.selector)),
        "preemption ignores it", "preemption counts it for all pods of the namespace",
    ),
    "groups_are_counted_while_tried": Touched(
        "pod group", "waits", _groups_of(_waiting),
        "it is given up once too few of its pods can get a node, and none of them preempts on its own",
        "all of its pods are tried, and each may preempt",
    ),
    "groups_are_scheduled_at_once": Touched(
        "pod group", "waits", _groups_of(_waiting),
        "all of its pods are tried before any is placed", "each of its pods waits for the others on its node",
    ),
    "groups_must_agree": Touched(
        "pod group", "has pods of another priority", _groups_of_two_priorities,
        "it fails with an error", "it is scheduled anyway",
    ),
    "groups_stay_where_their_claims_are": Touched(
        "pod group", "shares a claim without devices yet", _groups_of(_sharing_new_claims),
        "all of its pods go where the devices are available",
        "only the first of its pods goes where the devices are; binding the others fails",
    ),
    "groups_see_their_own_affinity": Touched(
        "pod group", "has pods with affinity", _groups_of(_with_affinity),
        "its pods see each other's affinity while they are tried", "its pods see only that of pods outside",
    ),
    "groups_preempt_where_they_fit": Touched(
        "pod group", "may preempt", _groups_that_preempt,
        "it preempts only what stands in its way where it fits", "it is tried anew for each pod that is spared",
    ),
    "nominated_placements_come_first": Touched(
        "pod group", "is nominated within a topology", _groups_of(_nominated, lambda group: group.topology_key),
        "it is tried first where most of its pods are nominated to", "it goes where it scores best",
    ),
    "one_repelling_term_wakes": Touched(
        "pod", "waits with several terms of anti-affinity",
        _waiting_that(lambda pod: len(pod.spec.required_anti_affinity) > 1),
        "whoever leaves wakes it if any of the terms is about them", "only if all of the terms are about them",
    ),
    "starting_pods_keep_their_order": Touched(
        "pod", "has not started beside others of its priority", _starting_alike,
        "preemption evicts those last that stand first on their node",
        "preemption evicts them in no certain order", have="have not started beside others of their priority",
    ),
    "host_network_user_namespaces_are_declared": Touched(
        "pod", "has users of its own in the host's network",
        _waiting_that(lambda pod: pod.spec.host_network and pod.spec.host_users is False),
        "it needs a node that declares to know that",
        "it may go to any node", have="have users of their own in the host's network",
    ),
    "preemption_needs_victims": Touched(
        "extender", "filters and preempts", _extenders_that_preempt,
        "where it alone objects, preemption ends with an error",
        "where it alone objects, it is asked for victims", have="filter and preempt",
    ),
    "groups_are_victims": Touched(
        "pod group", "runs", _groups_of(_running),
        "its pods are preempted by its priority, and all together if it is disrupted as a whole",
        "its pods are preempted one by one, each by its own priority",
    ),
    "violations_draw_on_one_budget": Touched(
        "pod", "is protected by several disruption budgets", _under_several_budgets,
        "evicting it draws on no further budget after the first that it violates",
        "evicting it draws on all of them, violated or not",
    ),
    "StorageCapacityScoring": Touched(
        "claim", "has no volume yet", objects(PersistentVolumeClaim, lambda claim: not claim.volume_name),
        "nodes are scored by the storage they have left", "nodes are not scored by their storage",
    ),
    "VolumeLimitScaling": Touched(
        "CSIDriver", "keeps pods from nodes without it",
        objects(CSIDriver, lambda each: each.spec.prevent_pod_scheduling_if_missing),
        "nodes without the driver are turned away",
        "nodes without the driver are accepted", have="keep pods from nodes without them",
    ),
    "image_volumes_score": Touched(
        "pod", "mounts an image", _pods_that(_mounts_images),
        "nodes that hold the image score more", "the image does not count",
    ),
    "image_volumes_raise_the_ceiling": Touched(
        "pod", "mounts an image", _pods_that(_mounts_images),
        "nodes need more of the pod's images for the same score",
        "nodes need less of the pod's images for the same score",
    ),
    "InPlacePodVerticalScaling": Touched(
        "pod", "is being resized", _pods_that(_is_resized),
        "what it has counts until the resize is done", "what it asks for counts at once",
    ),
    "PodLevelResources": Touched(
        "pod", "requests something as a whole", _pods_that(lambda pod: pod.spec.resources is not None),
        "that counts", "only what containers request counts",
    ),
    "DynamicResourceAllocation": Touched(
        "pod", "waits with claims for devices", _waiting_that(lambda pod: pod.spec.resource_claims),
        "the scheduler allocates devices", "the scheduler ignores its claims",
    ),
    "attachments_count": Touched(
        "VolumeAttachment", "is there", objects(VolumeAttachment),
        "it counts against the limits of its node", "only volumes of pods count",
    ),
    "untolerated_taint_is_named": Touched(
        "node", "has a taint", _tainted_nodes,
        "messages name the taint that a pod does not tolerate",
        "messages count such nodes without naming the taint", have="have taints",
    ),
    "balance_by_improvement": Touched(
        "pod", "waits with requests", _requesting,
        "nodes score by how much it improves their balance", "nodes score by the balance that results",
    ),
    "best_effort_skips_balance": Touched(
        "pod", "waits without requests", _requesting_nothing,
        "the balance of nodes does not count", "nodes score by their balance",
    ),
    "resizes_count_in_sum": Touched(
        "pod", "is being resized", _pods_that(_is_resized),
        "the larger of what all containers request and of what they have counts",
        "the larger of the two counts, container by container",
    ),
}  # fmt: skip
