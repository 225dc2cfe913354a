"""In what two releases differ for the objects of one cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from kexplain.case import Case
from kexplain.config.releases.release import Trait
from kexplain.explain.output import Output
from kexplain.objects.core import Pod
from kexplain.objects.device_taint_rules import DeviceTaintRule
from kexplain.objects.meta import LabelSelector
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.resource import ResourceClaim, ResourceSlice
from kexplain.objects.scheduling import PodGroup
from kexplain.objects.storage import CSIDriver
from kexplain.plugins.disruption_budgets import parse_budgets
from kexplain.words import plural

#: So many names are enough to find the objects by.
EXAMPLES = 3


class ReleaseChange(Output, frozen=True):
    """A row of the table of releases that begins to hold, or ends, between two releases, and touches some objects.

    `objects` says how many there are and what is about them, `examples` names the first, and `then` says what becomes
    of them; `release` is the one in which it changes.
    """

    name: str
    effect: str
    release: str
    on: bool
    objects: str
    then: str
    examples: tuple[str, ...]


class _Touched(Struct, frozen=True):
    """Which objects a row is about: what one of them is called, what is about it, and where they are.

    `on` says what becomes of them where the row holds, `off` where it does not.
    """

    noun: str
    has: str
    have: str
    find: Callable[[Case], Iterable[str]]
    on: str
    off: str


def release_changes(case: Case, differing: Iterable[Trait]) -> tuple[ReleaseChange, ...]:
    """The differences that touch an object of the cluster, or a pod that waits, in the order of the table."""
    return tuple(change for trait in differing if (change := _change(case, trait)) is not None)


def _change(case: Case, trait: Trait) -> ReleaseChange | None:
    touched = _TOUCHED.get(trait.name)
    names = list(touched.find(case)) if touched else []
    if touched is None or not names:
        return None
    objects = f"{plural(len(names), touched.noun)} {touched.has if len(names) == 1 else touched.have}"
    return ReleaseChange(
        name=trait.name,
        effect=trait.effect,
        release=trait.release,
        on=trait.is_on,
        objects=objects,
        then=touched.on if trait.is_on else touched.off,
        examples=tuple(names[:EXAMPLES]),
    )


def _pods(case: Case) -> Iterator[Pod]:
    yield from (asked.pod for asked in case.pods)
    yield from (info.pod for node_info in case.cluster.node_infos for info in node_info.pods)


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
    running = (info.pod for node_info in case.cluster.node_infos for info in node_info.pods)
    return (pod.key for pod in running if len(budgets.protecting(pod)) > 1)


def _groups(case: Case, pods: Iterable[Pod]) -> Iterator[PodGroup]:
    """The groups of these pods, each once, where the scheduler goes by groups."""
    if case.scheduler.features.pod_groups:
        names = dict.fromkeys(pod.group for pod in pods if pod.group is not None)
        found = (case.cluster.listers.get(PodGroup, name.name, name.namespace) for name in names)
        yield from (group for group in found if group is not None)


def _waiting_groups(case: Case) -> Iterator[str]:
    return (group.key for group in _groups(case, (asked.pod for asked in case.pods)))


def _running_groups(case: Case) -> Iterator[str]:
    running = (info.pod for node_info in case.cluster.node_infos for info in node_info.pods)
    return (group.key for group in _groups(case, running))


def _groups_of_two_priorities(case: Case) -> Iterator[str]:
    waiting = [asked.pod for asked in case.pods]
    for group in _groups(case, waiting):
        named = (pod for pod in waiting if pod.group == (group.namespace, group.name, "", ""))
        if any(pod.priority != group.priority for pod in named):
            yield group.key


def _groups_that_share_new_claims(case: Case) -> Iterator[str]:
    users: dict[str, list[Pod]] = {}
    for pod in (asked.pod for asked in case.pods):
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


def _with_lists(case: Case) -> Iterator[str]:
    for each in case.cluster.listers.every(ResourceSlice):
        attributes = (some for device in each.spec.devices or () for some in (device.attributes or {}).values())
        if any(attribute.values is not None for attribute in attributes):
            yield each.name


def _with_distinct_devices(case: Case) -> Iterator[str]:
    for claim in case.cluster.listers.every(ResourceClaim):
        if any(each.distinct_attribute for each in claim.spec.devices.constraints or ()):
            yield claim.key


def _all_of_shared(case: Case) -> Iterator[str]:
    slices = case.cluster.listers.every(ResourceSlice)
    shared = any(device.allow_multiple_allocations for each in slices for device in each.spec.devices or ())
    return _asking_for_all(case) if shared else iter(())


def _capacities_by_another_name(case: Case) -> Iterator[str]:
    slices = case.cluster.listers.every(ResourceSlice)
    published = {name for each in slices for device in each.spec.devices or () for name in device.capacity or ()}
    for claim in case.cluster.listers.every(ResourceClaim):
        if any(name not in published for name in _capacities(claim)):
            yield claim.key


def _capacities(claim: ResourceClaim) -> Iterator[str]:
    for request in claim.spec.devices.requests or ():
        for asked in (request.exactly, *(request.first_available or ())):
            if asked is not None and asked.capacity is not None:
                yield from asked.capacity.requests or ()


def _asking_for_all(case: Case) -> Iterator[str]:
    for claim in case.cluster.listers.every(ResourceClaim):
        asked = (each for each in claim.spec.devices.requests or () if each.exactly is not None)
        if any(each.exactly and each.exactly.allocation_mode == "All" for each in asked):
            yield claim.key


def _taint_rules(case: Case) -> Iterator[str]:
    return (each.name for each in case.cluster.listers.every(DeviceTaintRule))


def _taint_rules_without_selector(case: Case) -> Iterator[str]:
    return (each.name for each in case.cluster.listers.every(DeviceTaintRule) if each.spec.device_selector is None)


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
_TOUCHED: Mapping[str, _Touched] = {
    "empty_spread_selectors_count_nothing": _Touched(
        "pod", "has a spread constraint with an empty selector", "have a spread constraint with an empty selector",
        _spread_over_all, "it counts no pods", "it counts all pods of the namespace",
    ),
    "empty_budget_selectors_protect_nothing": _Touched(
        "disruption budget", "has an empty selector", "have an empty selector", _budgets_for_all,
        "preemption ignores it", "preemption counts it for all pods of the namespace",
    ),
    "groups_are_counted_while_tried": _Touched(
        "pod group", "waits", "wait", _waiting_groups,
        "it is given up once too few of its pods can get a node, and none of them preempts on its own",
        "all of its pods are tried, and each may preempt",
    ),
    "groups_must_agree": _Touched(
        "pod group", "has pods of another priority", "have pods of another priority", _groups_of_two_priorities,
        "it fails with an error", "it is scheduled anyway",
    ),
    "groups_stay_where_their_claims_are": _Touched(
        "pod group", "shares a claim without devices yet", "share a claim without devices yet",
        _groups_that_share_new_claims,
        "all of its pods go where the devices are available", "only the first of its pods goes where the devices are",
    ),
    "lists_are_known": _Touched(
        "ResourceSlice", "has attributes that are lists", "have attributes that are lists", _with_lists,
        "selectors read them", "claims that its devices are looked at for fail",
    ),
    "groups_are_victims": _Touched(
        "pod group", "runs", "run", _running_groups,
        "its pods are preempted by its priority, and all together if it is disrupted as a whole",
        "its pods are preempted one by one, each by its own priority",
    ),
    "violations_draw_on_one_budget": _Touched(
        "pod", "is protected by several disruption budgets", "are protected by several disruption budgets",
        _under_several_budgets,
        "evicting it draws on no further budget after the first that it violates",
        "evicting it draws on all of them, violated or not",
    ),
    "distinct_values_are_all_remembered": _Touched(
        "claim", "wants devices that differ in an attribute", "want devices that differ in an attribute",
        _with_distinct_devices,
        "each device differs from all others", "each device differs from the latest of each request",
    ),
    "all_devices_need_room": _Touched(
        "claim", "asks for all devices, and some are shared", "ask for all devices, and some are shared",
        _all_of_shared,
        "a device without room left keeps the pod from its node", "devices without room left are passed over",
    ),
    "claims_name_capacities_in_full": _Touched(
        "claim", "asks for a capacity that no driver publishes by that name",
        "ask for a capacity that no driver publishes by that name", _capacities_by_another_name,
        "the name may be with or without the driver's domain", "no device is known to have it",
    ),
    "all_of_unusable_pools_is_an_error": _Touched(
        "claim", "asks for all devices", "ask for all devices", _asking_for_all,
        "a pool that is being updated keeps the pod from every node",
        "nodes with a pool that is being updated are passed over",
    ),
    "taint_rules_without_selector_taint_all": _Touched(
        "DeviceTaintRule", "has no selector", "have no selector", _taint_rules_without_selector,
        "it taints every device", "it taints nothing",
    ),
    "DRADeviceTaintRules": _Touched(
        "DeviceTaintRule", "is there", "are there", _taint_rules, "it taints devices", "it taints nothing"
    ),
    "StorageCapacityScoring": _Touched(
        "claim", "has no volume yet", "have no volume yet", _unbound_claims,
        "nodes are scored by the storage they have left", "nodes are not scored by their storage",
    ),
    "VolumeLimitScaling": _Touched(
        "CSIDriver", "keeps pods from nodes without it", "keep pods from nodes without them",
        _drivers_that_must_be_there,
        "nodes without the driver are turned away", "nodes without the driver are accepted",
    ),
    "image_volumes_score": _Touched(
        "pod", "mounts an image", "mount an image", _with_image_volumes,
        "nodes that hold the image score more", "the image does not count",
    ),
    "image_volumes_raise_the_ceiling": _Touched(
        "pod", "mounts an image", "mount an image", _with_image_volumes,
        "nodes need more of the pod's images for the same score",
        "nodes need less of the pod's images for the same score",
    ),
    "resizes_count_in_sum": _Touched(
        "pod", "is being resized", "are being resized", _resized,
        "the larger of what all containers request and of what they have counts",
        "the larger of the two counts, container by container",
    ),
}  # fmt: skip
