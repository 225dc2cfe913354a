"""What the input would need for the verdict on a pod's devices to be the cluster's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kexplain.cluster import Cluster, Listers
from kexplain.explanation.missing_kinds import MissingKind, missing_note
from kexplain.explanation.storage_notes import storage_notes
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.objects.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from kexplain.parameters import parameter
from kexplain.words import joined

_CLAIMS = MissingKind("ResourceClaims", "resourceclaims", "claims are taken to be met")
_TEMPLATES = MissingKind("ResourceClaimTemplates", "resourceclaimtemplates", "claims made of them are taken to be met")
_SLICES = MissingKind("ResourceSlices", "resourceslices", "each node is taken to have the devices that claims ask for")
_CLASSES = MissingKind("DeviceClasses", "deviceclasses", "every device is taken to belong to the class asked for")


def rests_on(pods: Iterable[Pod], cluster: Cluster) -> tuple[str, ...]:
    """Notes on what these pods' volumes and devices need and the input lacks, and on what is taken for granted."""
    every = [*pods]
    return (*storage_notes(every, cluster), *_devices_taken_for_granted(every, cluster))


def device_notes(decision: Decision) -> tuple[str, ...]:
    """Notes on the claims of the pod; empty if it has none, or if nothing is missing."""
    pod, cluster = decision.pod, decision.cluster
    if not pod.spec.resource_claims or decision.outcome in (Outcome.NO_PROFILE, Outcome.DELETING):
        return ()
    return (*_devices_taken_for_granted([pod], cluster), *_missing_claims(pod, cluster))


def _devices_taken_for_granted(pods: Iterable[Pod], cluster: Cluster) -> tuple[str, ...]:
    users = [pod for pod in pods if pod.spec.resource_claims]
    missing = tuple(_missing_kinds(users, cluster.listers)) if users else ()
    if cluster.listers.are_of_a_server and missing:
        return (f"what may not be listed is taken for granted: {joined([each.consequence for each in missing])}",)
    return missing_note(missing, "devices.json")


def _missing_kinds(users: Sequence[Pod], listers: Listers) -> Iterator[MissingKind]:
    references = [(pod, each) for pod in users for each in pod.spec.resource_claims or ()]
    if any(each.resource_claim_name for _, each in references) and not listers.has(ResourceClaim):
        yield _CLAIMS
    of_templates = {(each.resource_claim_template_name, pod.namespace) for pod, each in references}
    templates = [listers.get(ResourceClaimTemplate, name, where) for name, where in of_templates if name]
    if any(each is not None and each.is_unread for each in templates):
        yield _TEMPLATES
    if not listers.has(ResourceSlice):
        yield _SLICES
    if not listers.has(DeviceClass):
        yield _CLASSES


def _missing_claims(pod: Pod, cluster: Cluster) -> Iterator[str]:
    generated = {status.name for status in pod.status.resource_claim_statuses or ()}
    for reference in pod.spec.resource_claims or ():
        template = reference.resource_claim_template_name
        if template is None or reference.name in generated:
            continue
        if cluster.listers.get(ResourceClaimTemplate, template, pod.namespace) is None:
            missing = f"which was not read: add it with {parameter('cluster', 'FILE')}"
            if cluster.listers.has(ResourceClaimTemplate):
                missing = "which does not exist"
            yield (
                f"claim {reference.name} is generated from ResourceClaimTemplate {pod.namespace}/{template}, {missing}"
            )
        else:
            yield (
                f"claim {reference.name} has a template, {pod.namespace}/{template}, but is not in the pod's "
                "status.resourceClaimStatuses: kube-controller-manager has not generated it yet"
            )
