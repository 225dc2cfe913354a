"""The claims that are generated for a pod once it is there. Source: kube-controller-manager `resourceclaim`."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from kexplain.objects.core import Pod, PodResourceClaimStatus
from kexplain.objects.resource import ResourceClaim, ResourceClaimMeta, ResourceClaimTemplate


class GeneratedClaims(Struct, frozen=True):
    """The pod as it is once its claims are generated, and these claims."""

    pod: Pod
    claims: tuple[ResourceClaim, ...] = ()


def generate_claims(pod: Pod, templates: Mapping[str, ResourceClaimTemplate]) -> GeneratedClaims:
    """What the controller does for the pod, given the templates by `namespace/name`.

    A claim whose template is not there is not generated. A name is the start of that which a cluster would draw.
    """
    known = {status.name for status in pod.status.resource_claim_statuses or ()}
    statuses = list(pod.status.resource_claim_statuses or ())
    claims = []
    for reference in pod.spec.resource_claims or ():
        template = templates.get(f"{pod.namespace}/{reference.resource_claim_template_name}")
        if template is None or reference.name in known:
            continue
        name = f"{pod.name}-{reference.name}"
        metadata = ResourceClaimMeta(
            name=name, namespace=pod.namespace, labels=template.spec.metadata.labels, owner_references=(pod.as_owner,)
        )
        claims.append(ResourceClaim(api_version=template.api_version, metadata=metadata, spec=template.spec.spec))
        statuses.append(PodResourceClaimStatus(name=reference.name, resource_claim_name=name))
    if not claims:
        return GeneratedClaims(pod)
    status = replace(pod.status, resource_claim_statuses=tuple(statuses))
    return GeneratedClaims(replace(pod, status=status), tuple(claims))
