"""Where a pod is not what the template of its controller says: defaults, what raised or was added, earlier ones."""

from __future__ import annotations

from typing import TypeVar

from kexplain.admission.limit_range import container_defaults
from kexplain.admission.workloads import template_of
from kexplain.case.own_pods import maker_kind, read_maker
from kexplain.cluster import Cluster
from kexplain.cluster.listers import claims_of
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Finding
from kexplain.objects.apps import StatefulSet
from kexplain.objects.batch import CronJob
from kexplain.objects.core import Container, LimitRange, Pod
from kexplain.objects.meta import ResourceList
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.requests import resource_units
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH
from kexplain.words import clauses

#: What of a claim nobody fills in.
_OF_CLAIMS = ("storage_class_name", "access_modes", "selector", "requests")
AnyFinding = TypeVar("AnyFinding", bound=Finding)


def default_of(pod: Pod, resource: str, cluster: Cluster) -> str:
    """The LimitRange whose default a container requests that asks for none in its template; empty if there is none."""
    ranges = [each for each in cluster.listers.every(LimitRange) if each.namespace == pod.namespace]
    silent = {each.name for each in _made_of(pod, cluster) if resource not in _asked(each)} if ranges else set()
    given = {units(_asked(each), resource) for each in pod.spec.containers or () if each.name in silent} - {0}
    defaults = ((each.name, container_defaults(each).requests or {}) for each in ranges)
    return next((name for name, each in defaults if units(each, resource) in given), "")


def raised_from(pod: Pod, resource: str, cluster: Cluster) -> str:
    """What the template asks for of which a container requests more, as something raised it; empty if nothing did."""
    before = {each.name: _asked(each).get(resource) for each in _made_of(pod, cluster)}
    for each in (pod.spec.containers or ()) if maker_kind(pod) == "ReplicaSet" else ():
        least, now = before.get(each.name), _asked(each).get(resource)
        if least is not None and now is not None and resource_units(resource, least) < resource_units(resource, now):
            return str(least)
    return ""


def added_to(pod: Pod, resource: str, cluster: Cluster) -> dict[str, int]:
    """The containers that something has added to those of the template, with what each requests."""
    known = {each.name for each in _made_of(pod, cluster)}
    others = (each for each in pod.spec.containers or () if known and each.name not in known)
    return {each.name or "": amount for each in others if (amount := units(_asked(each), resource))}


def with_template(found: AnyFinding, pod: Pod, cluster: Cluster) -> AnyFinding:
    """The finding with the set whose update waits for the pod, as that is of an earlier template, if there is one."""
    made_by = read_maker(pod, cluster.listers)
    if not isinstance(made_by, StatefulSet):
        return found
    named = {each.object.name for each in found.chain}
    is_of_claim = any(
        remade_claim(each, pod, cluster) for each in claims_of(pod, cluster.listers) if each.name in named
    )
    is_older = not made_by.partition and made_by.leaves_alone(pod.labels.get(CONTROLLER_REVISION_HASH))
    if not (is_older or is_of_claim):
        return found
    said = told("of-earlier-template" if is_older else "claim-of-earlier-template", made_by.name)
    return found.with_text(clauses(found.clause, str(said)), template=said.published)


def remade_claim(claim: PersistentVolumeClaim, pod: Pod, cluster: Cluster) -> bool:
    """Whether a claim has no volume, and its set would make another one in its place now."""
    made_by = read_maker(pod, cluster.listers)
    if claim.volume_name or not isinstance(made_by, StatefulSet):
        return False
    templates = {f"{each.metadata.name}-{pod.name}": each.spec for each in made_by.spec.volume_claim_templates or ()}
    asked = {field: getattr(templates.get(claim.name), field, None) for field in _OF_CLAIMS}
    return any(value and value != getattr(claim.spec, field) for field, value in asked.items())


def with_runs(found: AnyFinding, pod: Pod, cluster: Cluster) -> AnyFinding:
    """The finding with the CronJob of which no other run starts before that of the pod has ended, if there is one."""
    made = read_maker(read_maker(pod, cluster.listers), cluster.listers)
    if not isinstance(made, CronJob) or made.spec.concurrency_policy != "Forbid":
        return found
    return found.with_text(clauses(found.clause, str(told("holds-up-runs", made.name))))


def units(amounts: ResourceList, resource: str) -> int:
    """So much of a resource, as kube-scheduler counts it; 0 for what is not there."""
    return resource_units(resource, amounts.get(resource, 0))


def _made_of(pod: Pod, cluster: Cluster) -> tuple[Container, ...]:
    """The containers in the template of the pod's controller, as far as that was read."""
    found = read_maker(pod, cluster.listers)
    template = template_of(found) if found else None
    return (template.spec.containers if template else None) or ()


def _asked(container: Container) -> ResourceList:
    return {**container.limits, **container.requests}
