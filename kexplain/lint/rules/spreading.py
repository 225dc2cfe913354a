"""Whether replicas can be spread, kept apart and brought together as asked."""

from collections.abc import Iterable, Iterator

from kexplain.lint.rule import Rule
from kexplain.lint.subjects import Surroundings, Workload, parsed
from kexplain.objects.apps import Deployment, is_recreated
from kexplain.objects.core import Node, PodAffinityTerm
from kexplain.objects.core.placement import REQUIRED
from kexplain.objects.meta import Labels
from kexplain.objects.problem import Path, Problem
from kexplain.objects.well_known import (
    CONTROLLER_REVISION_HASH,
    HOSTNAME,
    JOB_UID_LABELS,
    POD_TEMPLATE_GENERATION,
    POD_TEMPLATE_HASH,
    ROLLOUTS_POD_TEMPLATE_HASH,
)
from kexplain.plugins.pod_topology_spread import DO_NOT_SCHEDULE
from kexplain.words import clauses, joined, plural, verb
from kexplain.world.surge import deployment_bounds

#: Labels that controllers add, which nobody selects by.
_REVISIONS = (POD_TEMPLATE_HASH, ROLLOUTS_POD_TEMPLATE_HASH)
_GENERATED = (*_REVISIONS, CONTROLLER_REVISION_HASH, POD_TEMPLATE_GENERATION, *JOB_UID_LABELS)


# --------------------------------------------------------------------------------------- topology spread


def _spread_selector(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    for index, constraint in enumerate(workload.spec.topology_spread_constraints or ()):
        at = workload.at("topologySpreadConstraints", index)
        if constraint.label_selector is None:
            yield Problem(at, "without a labelSelector no pods are counted and nothing is spread")
            continue
        selector = parsed(constraint.label_selector)
        if selector is not None and not selector.matches(workload.labels):
            own = f"does not select the workload's own pods ({_own_labels(workload.labels)})"
            yield Problem((*at, "labelSelector"), f"{selector} {own}, so they are not spread")


def _own_labels(labels: Labels) -> str:
    return ",".join([f"{key}={value}" for key, value in labels.items() if key not in _GENERATED]) or "no labels"


def _min_domains(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """With fewer domains than that, the least filled one counts as empty: each takes no more than maxSkew pods."""
    replicas = workload.replicas or 0
    for index, constraint in enumerate(workload.spec.topology_spread_constraints or ()):
        if constraint.when_unsatisfiable != DO_NOT_SCHEDULE or not constraint.min_domains:
            continue
        selector = parsed(constraint.label_selector)
        if selector is None or not selector.matches(workload.labels):
            continue
        domains = len(_domains(around.eligible(workload), constraint.topology_key))
        room = domains * constraint.max_skew
        if 0 < domains < constraint.min_domains and replicas > room:
            at = workload.at("topologySpreadConstraints", index, "minDomains")
            short = f"minDomains is {constraint.min_domains}, but there {verb(domains, 'is')} {domains}"
            taken = f"each domain takes at most maxSkew ({constraint.max_skew}), {room} of {replicas} replicas in total"
            yield Problem(at, f"{short}; {taken}")


def _domains(nodes: Iterable[Node], key: str) -> set[str]:
    return {node.labels[key] for node in nodes if key in node.labels}


# -------------------------------------------------------------------------------------------- anti-affinity


def _own_anti_affinity(workload: Workload) -> Iterator[tuple[Path, PodAffinityTerm]]:
    """The required terms that keep a workload's own pods apart."""
    for index, term in enumerate(workload.spec.required_anti_affinity):
        selector = parsed(term.label_selector)
        at_home = not term.namespaces or workload.namespace in term.namespaces
        if selector is not None and at_home and term.namespace_selector is None and selector.matches(workload.labels):
            yield workload.at("affinity", "podAntiAffinity", REQUIRED, index), term


def _too_few_domains(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    replicas = workload.replicas or 0
    for path, term in _own_anti_affinity(workload):
        domains = len(_domains(around.usable(workload), term.topology_key))
        if 0 < domains < replicas:
            where = plural(domains, "node" if term.topology_key == HOSTNAME else f"{term.topology_key} domain")
            yield Problem(path, f"{replicas} replicas must be apart, but the workload can use only {where}")


def _blocks_rollout(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """As many replicas as domains: no replica may stop before its successor runs, which finds no domain."""
    if not isinstance(workload.obj, Deployment):
        return
    replicas = workload.replicas or 0
    if replicas < 1 or is_recreated(workload.obj) or deployment_bounds(workload.obj, replicas).unavailable:
        return
    for path, term in _own_anti_affinity(workload):
        if {*_REVISIONS} & {*(term.match_label_keys or ())}:
            continue
        domains = len(_domains(around.usable(workload), term.topology_key))
        if domains == replicas:
            held = f"all {domains} domains of {term.topology_key} have a replica, and maxUnavailable is 0"
            yield Problem(path, f"no rolling update can start: {held}")


# ------------------------------------------------------------------------------------------------- affinity


def _affinity_to_nobody(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    for index, term in enumerate(workload.spec.required_affinity):
        selector = parsed(term.label_selector)
        if selector is None or term.namespace_selector is not None or term.match_label_keys or term.mismatch_label_keys:
            continue
        namespaces = term.namespaces or (workload.namespace,)
        others = [(pod.namespace, pod.labels) for pod in around.pods]
        others += [(each.namespace, each.labels) for each in around.workloads]
        homes = sorted({namespace for namespace, labels in others if selector.matches(labels)})
        if not set(homes) & set(namespaces):
            hint = f"namespace {homes[0]} has such pods; name it in namespaces" if homes else ""
            message = clauses(f"no pod in namespace {joined(namespaces, 'or')} is labelled {selector}", hint)
            yield Problem(workload.at("affinity", "podAffinity", REQUIRED, index), message)


RULES = (
    Rule("spread-misses-own-pods", _spread_selector), Rule("spread-too-few-domains", _min_domains),
    Rule("anti-affinity-too-few-domains", _too_few_domains), Rule("anti-affinity-blocks-rollout", _blocks_rollout),
    Rule("affinity-to-nobody", _affinity_to_nobody),
)  # fmt: skip
