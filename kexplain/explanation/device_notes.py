"""What the input would need for the verdict on a pod's devices to be the cluster's."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.cluster import Cluster
from kexplain.explanation.missing_kinds import MissingKind, missing_note
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.objects.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from kexplain.parameters import parameter

_CLAIMS = MissingKind(
    "ResourceClaims", "resourceclaims", "to tell whether its claims exist, and which devices others hold"
)
_SLICES = MissingKind("ResourceSlices", "resourceslices", "to tell which devices there are")
_CLASSES = MissingKind("DeviceClasses", "deviceclasses", "to tell which devices belong to a class")


def device_notes(decision: Decision) -> tuple[str, ...]:
    """Notes on the claims of the pod; empty if it has none, or if nothing is missing."""
    pod, cluster = decision.pod, decision.cluster
    if not pod.spec.resource_claims or decision.outcome in (Outcome.NO_PROFILE, Outcome.DELETING):
        return ()
    missing = () if cluster.listers.are_of_a_server else tuple(_missing_kinds(pod, cluster))
    return (*missing_note(missing, "devices.json"), *_missing_claims(pod, cluster))


def _missing_kinds(pod: Pod, cluster: Cluster) -> Iterator[MissingKind]:
    listers = cluster.listers
    uses_existing = any(claim.resource_claim_name is not None for claim in pod.spec.resource_claims or ())
    if uses_existing and not listers.has(ResourceClaim):
        yield _CLAIMS
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
