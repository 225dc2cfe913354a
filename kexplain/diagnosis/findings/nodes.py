"""Statements about nodes: those that a pod names, their labels, their taints, and whether they take pods at all."""

from collections.abc import Sequence

from kexplain.diagnosis.findings.place import Ailments, Place, reported
from kexplain.diagnosis.findings.statement import Few, Statement, Words, plain, statement
from kexplain.words import ask, clauses, joined, plural, verb

no_nodes = plain("no-nodes", "the cluster has no nodes")


@statement
def node_unknown(node: str, meant: Sequence[str]) -> str:
    """`spec.nodeName is g9, and there is no such node; did you mean g1?`"""
    return clauses(f"spec.nodeName is {node}, and there is no such node", ask(*meant))


only_node_gone = plain("only-node-gone", "{nodes}, the only node where it may run, does not exist")


@statement
def host_unknown(names: Sequence[str]) -> str:
    """`there is no node g9, which it asks for`"""
    return f"there is no node {joined(names, 'or')}, which it asks for"


# ------------------------------------------------------------------------------------------------------------- labels


no_term_matches = plain("no-term-matches", "its required node affinity has no term that a node can match")


@statement
def labels_enforced(labels: Sequence[str]) -> str:
    """`the scheduler's configuration wants pool=x of every node (addedAffinity), and no node has it`"""
    return f"the scheduler's configuration wants {joined(labels)} of every node (addedAffinity), and no node has it"


@statement
def node_pools_empty(node_pools: Sequence[str]) -> str:
    """`NodePool gpu, which it asks for, has no node`"""
    return f"NodePool {joined(node_pools, 'or')}, which it asks for, has no node"


@statement
def labels_elsewhere(labels: Sequence[str], place: Place) -> str:
    """`no node of pool general has topology.kubernetes.io/zone=eu-1c`, though others have"""
    return f"no node {f'of {place.what}' if place.is_pool else 'that it may use'} has {joined(labels)}"


@statement
def labels_unmet(
    labels: Sequence[str],
    key: str,
    added_by: Sequence[str],
    meant: Sequence[str],
    known: Few,
    before: Sequence[str] = (),
) -> Words:
    """`known` are the values that nodes have of the first label, whose key is given."""
    by = f", which {joined(added_by)} adds to each pod" if added_by else ""
    instead = f"its earlier pods ask for {joined(before)}" if before else ask(*meant)
    text = clauses(f"no node has {joined(labels)}{by}", instead)
    return Words(text, f"nodes have {key}={known}" if known and not meant else "")


@statement
def labels_not_renewed(labels: Sequence[str], place: Place, since: str) -> Words:
    """`no node has tier=backend, probably lost when nodes were replaced: both nodes are newer than what asks for it`

    `since` is when the oldest of the nodes was made.
    """
    what = "what asks for it" if len(labels) == 1 else "what asks for them"
    newer = f"{place.every} {verb(place.count == 1, 'is')} newer than {what}"
    text = f"no node has {joined(labels)}, probably lost when nodes were replaced: {newer}"
    return Words(text, f"{'it' if place.count == 1 else 'the oldest'} was made at {since}")


@statement
def labels_excluded(labels: Sequence[str], place: Place) -> str:
    """`the required affinity (pool notin (general)) excludes both nodes of pool general`"""
    return f"the required affinity ({joined(labels)}) excludes {place.every}"


@statement
def labels_reserved(labels: Sequence[str], place: Place) -> str:
    """`only nodes that are kept for others have kubernetes.io/arch=amd64, not node g1 (pool general)`"""
    return f"only nodes that are kept for others have {joined(labels)}, not {place.plural}"


@statement
def labels_contradict(labels: Sequence[str], added: Sequence[str] = (), added_by: Sequence[str] = ()) -> str:
    """`no node has both disk=ssd and env=prod; an annotation of namespace data adds env=prod to each pod`"""
    text = f"no node has {'both ' if len(labels) == 2 else ''}{joined(labels)}"
    return clauses(
        text, f"{joined(added_by)} {verb(len(added_by), 'adds')} {joined(added)} to each pod" if added else ""
    )


@statement
def label_lost(label: str, place: Place, nodes: Few, pods: int, *, own: bool, gained: bool) -> Words:
    """So many pods run on the nodes still, which are of the pod's own workload or not."""
    has = "have" if place.count > 1 else "has"
    whose = f"nodes of pool {place.pool}" if place.pool else f"{place.count} nodes"
    text = f"{whose if place.count > 1 else place.what} {has} {'gained' if gained else 'lost'} the label {label}"
    who, without = plural(pods, "replica" if own else "pod"), "there" if gained else "without it"
    return Words(text, f"{who} still {verb(pods, 'runs')} {without}, on {nodes}")


@statement
def label_lost_sign(label: str, *, gained: bool) -> str:
    """`nodes have lost disk=ssd`"""
    return f"nodes have {'gained' if gained else 'lost'} {label}"


label_asked_for = plain("label-asked-for", "it asks for {label}")


# ------------------------------------------------------------------------------------------------- service and taints


@statement
def lost(nodes: Few, like: str, resource: str, *, newer: bool) -> str:
    """`: g3, which is made like g1, reports none`; of a resource, unless that is what is short."""
    none = f"no {resource}" if resource else "none"
    if nodes.count == 1:
        return f": {nodes}, {'newer but otherwise' if newer else 'which is'} like {like}, reports {none}"
    return f": {nodes.count} {'newer ' if newer else ''}nodes made like {like} report {none}"


@statement
def out_of_service(place: Place, ailments: Ailments, held: str, kubelets: str) -> Words:
    """`held` is what keeps the pod there, a volume or a device; `kubelets` is what all of them report."""
    nowhere = f"its {held} {verb(not held.endswith('s'), 'is')} nowhere else" if held else ""
    text = clauses(f"{place.every} {verb(place.count, 'is')} {ailments.out}", nowhere)
    return Words(text, reported(place.count, kubelets))


@statement
def drained(nodes: Few, held: str) -> str:
    """`g1 is drained, and its volume is nowhere else`"""
    what = f"its {held} {verb(not held.endswith('s'), 'is')}" if held else "it may run"
    return f"{nodes} {verb(nodes.count, 'is')} drained, and {what} nowhere else"


@statement
def out_of_service_sign(trouble: str, nodes: int) -> str:
    """`2 nodes cordoned`"""
    return f"{plural(nodes, 'node')} {trouble}"


@statement
def all_reserved(place: Place, by_pool: str, taints: Few, *, by_one: bool) -> Words:
    """`all 12 nodes are kept for others (8 spot, 4 gpu)`, and which taints there it does not tolerate."""
    nodes = f"{'all' if place.whole else 'the'} {place.count} nodes{'' if place.whole else ' in service'} are"
    what = f"{place.what} is" if place.count == 1 else nodes
    text = f"{what} kept for others{f' ({by_pool})' if by_pool and place.count > 1 else ''}"
    if by_one:
        return Words(f"{text} by the taint {taints}, which it does not tolerate")
    return Words(text, f"it tolerates none of the taints there: {taints}")


@statement
def taint_added(place: Place, taint: str, pods: Few, near_miss: Statement | None) -> Words:
    """`pool general was given the taint m=t:NoSchedule, which the pods that run there do not tolerate`"""
    was, run = verb(place.is_one, "was"), verb(pods.count, "runs")
    text = f"{place.what} {was} given the taint {taint}, which the pods that run there do not tolerate"
    older = f"{plural(pods.count, 'pod')} from before {run} there: {pods}"
    return Words(text, clauses(str(near_miss or ""), older))


taint_added_sign = plain("taint-added-sign", "taint {taint} came later")


@statement
def taint_probably_added(place: Place, taints: Sequence[str]) -> str:
    """`pool a has the taint m=t:NoExecute, which probably came later: no pod there tolerates it`"""
    why = "which probably came later: no pod there tolerates it"
    return f"{place.what} {place.has} the taint {joined(taints)}, {why}"


@statement
def taint_not_tolerated(place: Place, taints: Sequence[str], near_miss: Statement | None, older: Few) -> Words:
    """`older` are pods of the same workload that do tolerate it."""
    who = "every node has" if place.whole and place.count > 1 else f"{place.what} {place.has}"
    siblings = f"older pods of its workload tolerate it, such as {older}" if older else ""
    return Words(f"{who} the taint {joined(taints)}, which is not tolerated", str(near_miss or siblings))


taint_not_tolerated_sign = plain("taint-not-tolerated-sign", "taint {taint} is not tolerated")


@statement
def toleration_misses(toleration: str, meant: str = "") -> str:
    """`meant` is the key of the taint, where that of the toleration is another one."""
    return clauses(f"it tolerates {toleration}", ask(meant)) if meant else f"it tolerates only {toleration}"
