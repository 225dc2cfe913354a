from __future__ import annotations

from msgspec.structs import replace

from kexplain.admission import generate_claims
from kexplain.objects.core import Pod, PodMeta, PodResourceClaim, PodResourceClaimStatus, PodSpec, PodStatus
from kexplain.objects.resource import (
    DeviceClaim,
    DeviceRequest,
    ResourceClaimSpec,
    ResourceClaimTemplate,
    ResourceClaimTemplateSpec,
)

SPEC = ResourceClaimSpec(devices=DeviceClaim(requests=(DeviceRequest(name="r"),)))
TEMPLATES = {"ns/t": ResourceClaimTemplate(spec=ResourceClaimTemplateSpec(spec=SPEC))}
REFERENCES = (
    PodResourceClaim(name="gpu", resource_claim_template_name="t"),
    PodResourceClaim(name="nic", resource_claim_template_name="elsewhere"),
    PodResourceClaim(name="own", resource_claim_name="own"),
)
POD = Pod(metadata=PodMeta(name="p", namespace="ns"), spec=PodSpec(resource_claims=REFERENCES))


def test_claims_are_generated_from_templates_that_are_there() -> None:
    generated = generate_claims(POD, TEMPLATES)
    [claim] = generated.claims
    assert (claim.key, claim.spec) == ("ns/p-gpu", SPEC)
    assert generated.pod.status.resource_claim_statuses == (
        PodResourceClaimStatus(name="gpu", resource_claim_name="p-gpu"),
    )


def test_what_is_generated_already_stays() -> None:
    known = (PodResourceClaimStatus(name="gpu", resource_claim_name="p-gpu-x7k2p"),)
    made = replace(POD, status=PodStatus(resource_claim_statuses=known))
    assert generate_claims(made, TEMPLATES).pod is made
    assert generate_claims(POD, {}).pod is POD
