"""What the input would have to hold for the verdict on a pod's devices to be the cluster's, or a claim to be there.

Only kinds of which there is no object at all are named: one object that is missing among others is missing in
the cluster, too, as far as anybody can tell.
"""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.core import Pod
from kexplain.objects.resource import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice

_KINDS = (
    (ResourceClaim, "resourceclaims", "whether its claims exist, and which devices others hold"),
    (ResourceSlice, "resourceslices", "which devices there are"),
    (DeviceClass, "deviceclasses", "which devices belong to a class"),
)


def device_notes(decision: Decision) -> tuple[str, ...]:
    """Notes on the claims of the pod; empty if it has none, or if nothing is missing."""
    pod, cluster = decision.pod, decision.cluster
    if not pod.spec.resource_claims or decision.outcome in (Outcome.NO_PROFILE, Outcome.DELETING):
        return ()
    return (*_missing_kinds(pod, cluster), *_missing_claims(pod, cluster))


def _missing_kinds(pod: Pod, cluster: Cluster) -> Iterator[str]:
    uses_existing = any(claim.resource_claim_name is not None for claim in pod.spec.resource_claims or ())
    missing = [
        (kind.__name__, resource, consequence)
        for kind, resource, consequence in _KINDS
        if not cluster.listers.every(kind) and (kind is not ResourceClaim or uses_existing)
    ]
    if missing:
        kinds = " and ".join(f"no {_plural(kind)} ({consequence})" for kind, _, consequence in missing)
        resources = ",".join(resource for _, resource, _ in missing)
        command = f"kubectl get {resources} -A -o json > devices.json"
        yield f"the input holds {kinds}: get them with {command}, and add --cluster devices.json"


def _plural(kind: str) -> str:
    return f"{kind}es" if kind.endswith("s") else f"{kind}s"


def _missing_claims(pod: Pod, cluster: Cluster) -> Iterator[str]:
    generated = {status.name for status in pod.status.resource_claim_statuses or ()}
    for reference in pod.spec.resource_claims or ():
        template = reference.resource_claim_template_name
        if template is None or reference.name in generated:
            continue
        if cluster.listers.get(ResourceClaimTemplate, template, pod.namespace) is None:
            yield (
                f"claim {reference.name} is generated from ResourceClaimTemplate {pod.namespace}/{template}, "
                "which the input does not hold: add it with --cluster FILE"
            )
        else:
            yield (
                f"claim {reference.name} has a template, {pod.namespace}/{template}, but is not in the pod's "
                "status.resourceClaimStatuses: kube-controller-manager generates it"
            )
