"""Statements about other pods, and about volumes: those that it must be near, or away from, or be spread among."""

from __future__ import annotations

from collections.abc import Sequence

from kexplain.cluster.placed_pods import Maker
from kexplain.diagnosis.findings.place import Place
from kexplain.diagnosis.findings.statement import Few, Words, plain, statement
from kexplain.explain.output import Output
from kexplain.explain.wording import a_pod, pods_of
from kexplain.objects.well_known import HOSTNAME, ZONE
from kexplain.words import ask, clauses, joined, verb

#: What people call the domains of well-known labels.
_CALLED = {ZONE: "zone", HOSTNAME: "node"}


def workload(made_by: Maker | None) -> str:
    """A workload by its kind and key: `deployment shop/web`; empty for none."""
    if made_by is None:
        return ""
    namespace, kind, name = made_by
    return f"{'deployment' if kind == 'ReplicaSet' else str(kind).lower()} {namespace}/{name}"


preempted = plain("preempted", "{by}, which is more important, preempted {pods} of its pods")


# --------------------------------------------------------------------------------------------------------------- near


@statement
def near_reserved(selector: str, place: Place, taints: Sequence[str]) -> str:
    """`it must be near pods app=db, which run only on node d1, whose taint for=db:NoSchedule it does not tolerate`"""
    why = f"whose taint {joined(taints)} it does not tolerate" if taints else "which is kept for others"
    return f"it must be near {pods_of(selector)}, which run only on {place.what}, {why}"


@statement
def near_by_no_label(selector: str, key: str) -> str:
    """`the required affinity is to pods app=db by the label rack, which no node has`"""
    return f"the required affinity is to {pods_of(selector)} by the label {key}, which no node has"


@statement
def near_elsewhere(selector: str, pods: Few) -> str:
    """`the required affinity is to pods app=db, which run only where this pod cannot: shop/db-0`"""
    return f"the required affinity is to {pods_of(selector)}, which run only where this pod cannot: {pods}"


@statement
def near_idle(selector: str, pods: Few, *, finished: bool) -> str:
    """`the required affinity is to pods app=db, which are pending, too: shop/db-0`"""
    state = "have finished" if finished else "are pending, too"
    return f"the required affinity is to {pods_of(selector)}, which {state}: {pods}"


@statement
def near_scaled_down(selector: str, workload: str) -> str:
    """`the required affinity is to pods app=db, and Deployment shop/db, which makes them, is scaled to 0`"""
    return f"the required affinity is to {pods_of(selector)}, and {workload}, which makes them, is scaled to 0"


@statement
def near_nobody(selector: str, namespaces: Sequence[str], others: Few, elsewhere: Sequence[str], *, any: bool) -> str:  # noqa: A002
    """`the required affinity is to pods app=db, and none runs in namespace shop; data has some: data/db-0`

    They would have to be in these namespaces, in `any`, or where a selector of namespaces leads; `others` are there
    in namespaces `elsewhere`.
    """
    where = "anywhere" if any else "where its namespaceSelector leads: no namespace has these labels"
    where = f"in namespace {joined(namespaces, 'or')}" if namespaces else where
    text = f"the required affinity is to {pods_of(selector)}, and none runs {where}"
    return clauses(text, f"{joined(elsewhere)} has some: {others}" if others else "")


# --------------------------------------------------------------------------------------------------------------- away


@statement
def away_from_others(selector: str, key: str, place: Place, domains: Few, held: str, *, own: bool) -> str:
    """`each of the 3 nodes of pool general runs a replica already`

    `domains` are the values of the label `key`; `held` is what can be reached only there.
    """
    who, already = "a replica" if own else f"{a_pod(selector)} that it must be away from", " already" if own else ""
    named = f"{_CALLED.get(key, key)} {domains}" if domains.count == 1 else f"each {_CALLED.get(key, key)} ({domains})"
    text = f"{named} has {who}{already}"
    if key == HOSTNAME:
        text = f"{'' if domains.count == 1 else 'each of '}{place.plural} runs {who}{already}"
    return f"{text}, and only there can its {held} be reached" if held else text


@statement
def others_away(key: str, place: Place, pods: Few, workload: str) -> str:
    """`deployment shop/web must be away from it, and has pods on node g1`"""
    where = f"on{'' if key == HOSTNAME else ' or near'} {place.plural}"
    several = f"pods {where} must be away from it: {pods}"
    return f"{workload} must be away from it, and has pods {where}" if workload else several


@statement
def port_taken(ports: Sequence[int], place: Place, by: str) -> str:
    """`host port 80 is taken on all 3 nodes of pool general, by its own replicas`"""
    what = f"host {'port' if len(ports) == 1 else 'ports'} {joined([*map(str, ports)])}"
    what = f"{what} {verb(len(ports), 'is')} taken on {place.every}"
    return f"{what}, by {by}" if by else what


# ----------------------------------------------------------------------------------------------------------- spreading


@statement
def domain_label_missing(key: str, meant: Sequence[str], place: Place | None, *, spreads: bool) -> str:
    """`no node has a label topology.kubernetes.io/zon, which it is spread over; did you mean …?`

    Without a place, no node at all has the label.
    """
    who = f"no node of {place.what} has the label" if place else "no node has a label"
    why = "which it is spread over" if spreads else "by which it must be near other pods"
    return clauses(f"{who} {key}, {why}", ask(*meant))


domain_label_missing_sign = plain("domain-label-missing-sign", "no label {key}")


@statement
def too_few_domains(key: str, wanted: int, domains: int) -> str:
    """`the pods must spread over 3 zones, and there are only 2`"""
    return f"the pods must spread over {wanted} {_domains(key)}, and there {verb(domains, 'is')} only {domains}"


@statement
def domain_out_of_service(key: str, value: str, ailing: str) -> str:
    """`the pods must spread over zones, and zone eu-1a is out of service (unreachable)`"""
    return f"the pods must spread over {_domains(key)}, and {domain(key, value)} is out of service ({ailing})"


@statement
def domain_closed(key: str, value: str, held: str = "", zone: str = "") -> str:
    """`the pods must spread over zones, and zone eu-1a, which has the fewest, has no node for this pod`

    `held` is what keeps the pod in a zone.
    """
    lacks = "is not" if key == HOSTNAME else "has no node"
    where = f"{domain(key, value)}, which has the fewest,"
    tied = f", whose {held} is in zone {zone}" if held and zone else ""
    return f"the pods must spread over {_domains(key)}, and {where} {lacks} for this pod{tied}"


def _domains(key: str) -> str:
    return f"{_CALLED[key]}s" if key in _CALLED else key


def domain(key: str, value: str) -> str:
    """A domain: `zone eu-1a`."""
    return f"{_CALLED[key]} {value}" if key in _CALLED else f"{key}={value}"


# ------------------------------------------------------------------------------------------------------------- volumes


class VolumePlace(Output, frozen=True):
    """The one zone or node that a volume is in, by its label: `in zone eu-1a`, `on node g1`.

    `word` is what its domain is called; `exists` is whether there is such a node. Where no label says so, `node` is one
    that is called so otherwise, by its address for instance, and `label` is what its label says.
    """

    claim: str
    key: str
    value: str
    word: str = ""
    exists: bool = False
    node: str = ""
    label: str = ""

    def __str__(self) -> str:
        if self.key == HOSTNAME:
            return f"on node {self.value}"
        return f"in {self.value if self.value.startswith(self.word) else f'{self.word} {self.value}'}"


@statement
def volumes_apart(volumes: Sequence[VolumePlace]) -> str:
    """`its volumes are in different places: that of claim a in zone eu-1a and that of claim b in zone eu-1b`"""
    apart = joined([f"that of claim {each.claim} {each}" for each in volumes])
    return f"its volumes are in different places: {apart}"


@statement
def volume_elsewhere(claim: str, volume: VolumePlace, place: Place) -> str:
    """`the volume of claim data is in zone eu-1c, where pool general has no node`"""
    whose = f"{place.what} {place.has}" if place.is_pool else "it may use"
    wrong = f"where {whose} no node"
    if volume.node:
        what = f"the volume of claim {claim} is for nodes with {volume.key}={volume.value}"
        return f"{what}, and no node has that label: node {volume.node} is called so, and its label is {volume.label}"
    if volume.key == HOSTNAME:
        wrong = f"which {'is not for this pod' if volume.exists else 'does not exist'}"
    return f"the volume of claim {claim} is {volume}, {wrong}"


@statement
def volume_out_of_reach(volume: str, claim: str, reachable_from: str, place: Place) -> str:
    """`volume pv-1 of claim data can only be reached from nodes with rack=r1, and pool general has none`"""
    where = f"{place.what} {place.has} none" if place.pool else "it may use none"
    return f"volume {volume} of claim {claim} can only be reached from nodes with {reachable_from}, and {where}"


@statement
def driver_unregistered(driver: str, volume: str, labels: Sequence[str], place: Place) -> Words:
    """`CSI driver ebs.csi.aws.com is not registered on node g1, so that its volume is out of reach`"""
    text = f"CSI driver {driver} is not registered on {place.plural}, so that its volume is out of reach"
    return Words(text, f"they lack {joined(labels)}, which volume {volume} needs")
