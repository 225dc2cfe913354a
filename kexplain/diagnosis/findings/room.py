"""Statements about room, and about devices and other things that only some nodes offer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from kexplain.cluster.resource import is_scalar_resource_name
from kexplain.diagnosis.findings.place import Ailments, Place, reported
from kexplain.diagnosis.findings.statement import Few, Statement, Words, plain, statement
from kexplain.explain.wording import amount
from kexplain.objects.requests import CPU, EPHEMERAL_STORAGE, HUGEPAGES_PREFIX, PODS
from kexplain.words import ask, clauses, joined, plural, verb


def all_of(statements: Iterable[Statement | None]) -> str:
    """The statements as one sentence."""
    return clauses(*(str(each or "") for each in statements))


# ---------------------------------------------------------------------------------------------------------- too little


@statement
def no_room(
    place: Place,
    resource: str,
    needed: int,
    held: str,
    near: str,
    because: Sequence[Statement | None],
    ending: Statement | None = None,
    *,
    taken: bool,
) -> Words:
    """`held` is what keeps the pod there, and `near` the pods that do; `ending` is how the sentence goes on."""
    if resource == PODS:
        text = f"no pod slot is free {place.where}"
    elif not is_scalar_resource_name(resource):
        text = f"no room {'for its ephemeral storage ' if resource == EPHEMERAL_STORAGE else ''}{place.where}"
    elif taken:
        text = f"no {resource} is free {place.where}"
    else:
        who = f"{place.what} does not have" if place.count == 1 else f"none of {place.plural} has"
        text = f"{who} {amount(resource, needed)} {resource} free"
    text += f", where its {held} is" if held else ""
    text += f", near pods {near}" if near else ""
    words = ending.in_words if ending else Words("")
    return Words(f"{text}{words.text}", clauses(all_of(because), words.amounts))


@statement
def no_room_to_spread(domains: Sequence[str], shortage: Statement) -> Words:
    """`no room in zone eu-1a, where the next pod has to go to stay spread`"""
    text = f"no room in {joined(domains)}, where the next pod has to go to stay spread"
    return Words(text, str(shortage))


class Needed(Struct, frozen=True):
    """What a pod needs of a resource, and what the best of its nodes has free."""

    resource: str
    needed: int
    free: int


@statement
def shortage(
    best: str,
    nodes: int,
    amounts: Sequence[Needed],
    others: int,
    others_lack: Sequence[str],
    in_all: int | None = None,
) -> str:
    """Of so many nodes, that which lacks least; what all have together, and how many others lack something else."""
    needs = joined([f"{amount(each.resource, each.needed)} {each.resource}" for each in amounts])
    free = [amount(each.resource, each.free, each.needed) for each in amounts]
    several = [f"{text} {each.resource}" for text, each in zip(free, amounts, strict=True)]
    has, first = joined(several) if several[1:] else free[0], amounts[0].resource
    which, has = ("none", "any") if has == "0" and nodes > 1 else ("the best", "none" if has == "0" else has)
    who = best if nodes == 1 else f"{which} of its {nodes} nodes in service"
    total = "" if in_all is None else f", all of them together {amount(first, in_all)}"
    lacking = f"{others} with enough {first} {verb(others, 'lacks')} {joined(others_lack, 'or')}" if others else ""
    return clauses(f"needs {needs}; {who} has {has} free{total}", lacking)


@statement
def no_slots(best: str, nodes: int, slots: Sequence[int]) -> str:
    """`slots` is how many pods each may run."""
    if not any(slots):
        return "its kubelet takes none at all" if nodes == 1 else "their kubelets take none at all"
    each = f"{best} runs" if nodes == 1 else f"each of its {nodes} nodes runs"
    return f"{each} as many pods as it can{f' ({slots[0]})' if len(slots) == 1 else ''}"


@statement
def asked_before(resource: str, needed: int) -> str:
    """`its earlier pods ask for 500m`"""
    return f"its earlier pods ask for {amount(resource, needed)}"


asked_by_default = plain("asked-by-default", "it asks for none itself: that is the default of LimitRange {limit_range}")


asked_by_template = plain("asked-by-template", "its template asks for {request}")


@statement
def added(resource: str, containers: dict[str, int]) -> str:
    """`2 cpu of what it needs are for istio-proxy, which its template does not have`"""
    every = amount(resource, sum(containers.values()))
    return f"{every} {resource} of what it needs are for {joined([*containers])}, which its template does not have"


@statement
def pods_leaving(count: int) -> str:
    """`2 pods there are being deleted, and take room till then`"""
    there = f"{plural(count, 'pod')} there {verb(count, 'is')} being deleted"
    return f"{there}, and {verb(count, 'takes')} room till then"


device_free = plain(
    "device-free", "{device} is free there, and most of the {resource} is held by pods that ask for none: {pods}"
)


@statement
def pods_spared(pod: str) -> str:
    """`pods there are less important, such as shop/batch-1, and its preemptionPolicy Never leaves them the room`"""
    left = "and its preemptionPolicy Never leaves them the room"
    return f"pods there are less important, such as {pod}, {left}"


@statement
def nodes_unlabelled(nodes_by_labels: dict[str, int]) -> str:
    """`2 more of the pool lack disk=ssd`"""
    found = nodes_by_labels.items()
    return joined([f"{count} more of the pool {verb(count, 'lacks')} {labels}" for labels, count in found])


@statement
def kept_off(objection: str, nodes: int) -> str:
    """`objection` is the evidence, empty where nobody has a word for it."""
    one, rest = _OBJECTIONS.get(objection, ("", ""))
    others = f"something else keeps it off {plural(nodes, 'more node')}"
    return f"{nodes} more {verb(nodes, one)} {rest}" if one else others


@statement
def kept_off_by_taints(taints: Sequence[str], nodes: Few) -> str:
    """`2 more have the taint maintenance=true:NoSchedule`"""
    who = f"{nodes.count} more have" if nodes.count > 1 else f"{nodes} has"
    return f"{who} the taint {joined(taints, 'or')}"


_OBJECTIONS = {
    "AntiAffinityMatched": ("runs", "a pod to keep away from"),
    "ExistingAntiAffinity": ("runs", "a pod that keeps away from it"),
    "SkewExceeded": ("has", "too many of the pods already"),
    "PortInUse": ("has", "the host port in use"),
}


@statement
def evicting(pods: Few, node: str, *, is_drawn: bool = False) -> str:
    """`; the scheduler evicts shop/batch-1 from g1 to make room`"""
    if is_drawn and pods:
        return f"; the scheduler evicts other pods to make room, for example {pods} from {node}, drawn at random"
    return f"; the scheduler evicts {pods} from {node} to make room" if pods else ""


@statement
def room_kept(pods: Few, node: str) -> str:
    """`; room is kept for it on g1 once shop/batch-1 has ended`"""
    return f"; room is kept for it on {node} once {pods} {verb(pods.count, 'has')} ended"


@statement
def kept_for_resizes(resource: str, kept: int, node: str, pods: Few) -> str:
    """`; 2 cpu on g1 are kept for the resize of shop/db-0, which is deferred`"""
    return f"; {amount(resource, kept)} {resource} on {node} are kept for the resize of {pods}, which is deferred"


@statement
def piled_up(cron_job: str, runs: int, resource: str, taken: int, total: int) -> Words:
    """`; 63 runs at once of CronJob crm/sync-crm take most of it there`"""
    text = f"; {runs} runs at once of CronJob {cron_job} take most of {'them' if resource == PODS else 'it'} there"
    what = "pod slots" if resource == PODS else resource
    return Words(text, f"they take {amount(resource, taken)} of {amount(resource, total)} {what} taken there")


@statement
def kept_for_others(pods: Few, nodes: Few) -> str:
    """`; room on g1 is kept for shop/batch-1, which is nominated`"""
    return f"; room on {nodes} is kept for {pods}, which {verb(pods.count, 'is')} nominated"


@statement
def partly_lost(
    nodes: Few, of: int, ailments: Ailments, left: Few, *, is_rest: bool = True, kubelets: str = "", drain: str = ""
) -> Words:
    """So many nodes of the pool are gone, and those that are left are full; something else may keep it off the rest."""
    count = f"{nodes} is" if nodes.count == 1 else f"{nodes.count} of its {of} nodes are"
    full = f"{left} is" if left.count == 1 else "the others are" if is_rest else f"{left} are"
    out = f"{ailments.out} ({drain})" if drain else ailments.out
    return Words(f": {count} {out}, and {full} full", reported(nodes.count, kubelets))


@statement
def overcommitted(resource: str, nodes: Few, of: int, requested: int, allocatable: int) -> str:
    """`: 4 of its 6 nodes allocate less memory than their pods request (2.5Gi, where 3Gi is requested)`"""
    who = f"{nodes}" if of == 1 else f"{nodes.count} of its {of} nodes"
    less = f"{verb(nodes.count, 'allocates')} less {resource} than the pods there request"
    figures = f"{amount(resource, allocatable)} allocatable, {amount(resource, requested, allocatable)} requested"
    return f": {who} {less} ({figures}), so {'it' if nodes.count == 1 else 'they'} had more once"


@statement
def cannot_grow(by: str, why: Sequence[str]) -> str:
    """`and cluster-autoscaler adds no node: node group a-1 has its maximum of 6 nodes`"""
    return f"and {by} adds no node: {joined(why)}"


@statement
def outranked(priority: int, least: int, pod: str) -> Words:
    """`least` is the lowest priority of those that fill the nodes."""
    why = f"it has priority {priority}, and the pods there have {least} or more, such as {pod}"
    return Words(", which more important pods fill", why)


outranked_sign = plain("outranked-sign", "priority {least} or more")


# ------------------------------------------------------------------------------------------------------------- too big


@statement
def too_big(
    place: Place,
    resource: str,
    needed: int,
    most: int,
    because: Sequence[Statement | None],
    *,
    beside_daemons: bool,
    limit_range: str,
    raised_from: str,
    runtime_class: str,
    init_container: str,
) -> Words:
    """`most` is the most that any of the nodes has, maybe beside the DaemonSets there.

    A LimitRange may have set the request as a default, something may have raised it from that of the template, the
    overhead of a RuntimeClass may be what is too much, or one init container may ask for all of it.
    """
    whose = f"any node of {place.what}" if place.is_one else f"any of {place.plural}"
    has = f"{amount(resource, most, needed)}{' beside the DaemonSets' if beside_daemons else ''}"
    more = f"more than {place.what if place.count == 1 else whose} has ({has})"
    by = f" with the overhead of RuntimeClass {runtime_class}" if runtime_class else ""
    by = f", raised from {raised_from} as by a VerticalPodAutoscaler," if raised_from else by
    what = f"{amount(resource, needed, most)} {resource}{by}"
    default = f"the default of LimitRange {limit_range}, {what}, is {more}" if limit_range else f"{what} is {more}"
    text = f"init container {init_container} asks for {what}, {more}" if init_container else default
    return Words(text, all_of(because))


@statement
def adds_up(parts: str, runtime_class: str) -> str:
    """`that is web 2 + overhead 250m of RuntimeClass kata`"""
    return f"that is {parts}{f' of RuntimeClass {runtime_class}' if runtime_class else ''}"


@statement
def nodes_shrank(resource: str, replicas: int) -> str:
    """`2 replicas that ask for as much run there: the nodes had more cpu to give once`"""
    ask_for = f"{plural(replicas, 'replica')} that {verb(replicas, 'asks')} for as much"
    return f"{ask_for} {verb(replicas, 'runs')} there: the nodes had more {resource} to give once"


larger_elsewhere = plain("larger-elsewhere", "only {place.plural} would be large enough", "place")


@statement
def too_big_together(place: Place, needed_by_resource: dict[str, int], larger: Statement | None) -> Words:
    """`none of the 2 nodes of pool general has 4 cpu and 16Gi memory together`"""
    needs = joined([f"{amount(name, least)} {name}" for name, least in needed_by_resource.items()])
    return Words(f"none of {place.plural} has {needs} together", str(larger or ""))


@statement
def request_slip(
    place: Place, resource: str, request: str, requested: int, needed: int, most: int, instead: str
) -> Words:
    """`the request of 200 whole CPUs should probably be 200m`: a request as it is written, of what is needed in all."""
    what = f"{amount(CPU, requested)} whole CPUs" if resource == CPU else f"{request} {resource}"
    whose = f" of {place.what}" if place.is_one else ""
    more = f"no node{whose} has more than {amount(resource, most, needed)}"
    return Words(f"the request of {what} should probably be {instead or 'less'}", more)


# ------------------------------------------------------------------------------------------------------------- offers


@statement
def objected(
    objection: str,
    place: Place | None = None,
    meant: Sequence[str] = (),
    known: Few | None = None,
    beside: Statement | None = None,
    *,
    no_node: bool = False,
) -> Words:
    """`CSI driver ebs.csi.aws.com is not installed in pool general`: an objection in its own words, and where.

    It may be about a node that does not exist; `known` is what there is instead.
    """
    where = f"{f' {place.where}' if place else ''}{', which does not exist' if no_node else ''}"
    instead = ask(*meant) or (f"there is {known}" if known else "")
    return Words(clauses(f"{objection}{where}", instead), str(beside or ""))


@statement
def offered_elsewhere(resource: str, place: Place, labels: Sequence[str], offering: Place) -> str:
    """`no node with pool=general offers nvidia.com/gpu; only pool gpu has it`"""
    here = f"no node with {joined(labels)} offers" if labels else f"{place.what} {place.offers} no"
    return f"{here} {resource}; only {offering.what} {offering.has} it"


offers = plain("offers", "{place.what} {place.offers} {resource}", "place", "resource")


@statement
def resource_unknown(resource: str, meant: Sequence[str], instead: Sequence[Statement]) -> str:
    """`no node offers nvidia.com/gpuu; did you mean nvidia.com/gpu?`"""
    is_page = resource.startswith(HUGEPAGES_PREFIX)
    what = f"huge pages of {resource.removeprefix(HUGEPAGES_PREFIX)}" if is_page else resource
    offered = f"nodes offer {Few.of(map(str, instead), 4)}" if instead else ""
    return clauses(f"no node offers {what}", ask(*meant) or offered)


supply = plain("supply", "{total} {resource} ({free} free)", "resource", "total", "free")


@statement
def device_plugin_down(resource: str, place: Place, capacity: int, home: Place | None) -> Words:
    """`the device plugin of nvidia.com/gpu is down in pool gpu, or all devices are unhealthy`

    `capacity` is that of the first of the nodes; these may be some of those where the pod belongs.
    """
    where = f"on {place.count} of {home.plural}" if home else place.where
    unhealthy = ", or all devices are unhealthy" if capacity else ""
    has = f"{'the node has' if place.count == 1 else 'each of them has'} {capacity}, and none is allocatable"
    none = has if capacity else "pods hold some there, and none is reported"
    text = f"the device plugin of {resource} is down {where}{unhealthy}"
    return Words(text, clauses(none, "the other nodes have none free" if home else ""))


device_plugin_down_sign = plain(
    "device-plugin-down-sign", "capacity {capacity}, allocatable 0 {resource}", "resource", "capacity"
)


@statement
def devices_tainted(device_class: str, place: Place, taints: Few) -> str:
    """`the devices of class gpu.nvidia.com in pool gpu are tainted unhealthy:NoSchedule`"""
    return f"the devices of class {device_class} {place.where} are tainted {taints}"


@statement
def devices_missing(device_class: str, place: Place, claim: str, request: str) -> Words:
    """`no driver reports a device of class gpu.nvidia.com in pool gpu`, and what asks for one."""
    asked = f"claim {claim}, request {request}, asks for one" if claim else f"{request} asks for one"
    return Words(f"no driver reports a device of class {device_class} {place.where}", amounts=asked)


@statement
def devices_taken(
    device_class: str,
    place: Place,
    claim: str,
    request: str,
    wanted: int,
    matching: int,
    free: int,
    pods: Few,
    ending: Statement | None,
) -> Words:
    """`no device of class gpu.nvidia.com is free in pool gpu: it needs 1; 2 of 2 that match are taken`"""
    lacking = "too few devices" if free else "no device"
    whose = f"claim {claim}, request {request}," if claim else "it"
    by = f", by {plural(pods.count, 'pod')} ({pods})" if pods else ""
    taken = f"{whose} needs {wanted}; {matching - free} of {matching} that match are taken{by}"
    return Words(f"{lacking} of class {device_class} {'are' if free else 'is'} free {place.where}{ending or ''}", taken)
