"""The claims of a pod: those that it names, and those that are made for its generic ephemeral volumes.

Source: component-helpers `storage/ephemeral`.
"""

from msgspec import Struct

from kexplain.objects.core import Pod, Volume
from kexplain.objects.persistent_volumes import PersistentVolumeClaim


class PodClaim(Struct, frozen=True):
    """A claim by name, and the volume of the pod that uses it; it is in the pod's namespace."""

    volume: Volume
    name: str
    is_ephemeral: bool


def pod_claim(pod: Pod, volume: Volume) -> PodClaim | None:
    """The claim of a volume; None for volumes that have none."""
    if volume.persistent_volume_claim is not None:
        return PodClaim(volume, volume.persistent_volume_claim.claim_name, is_ephemeral=False)
    if volume.ephemeral is not None:
        return PodClaim(volume, ephemeral_claim_name(pod, volume), is_ephemeral=True)
    return None


def pod_claims(pod: Pod) -> tuple[PodClaim, ...]:
    """All claims of the pod, in the order of its volumes."""
    return tuple(claim for volume in pod.spec.volumes or () if (claim := pod_claim(pod, volume)) is not None)


def is_user_of(key: str, pod: Pod) -> bool:
    """Whether the pod uses the claim with that `namespace/name`."""
    return any(f"{pod.namespace}/{claim.name}" == key for claim in pod_claims(pod))


def ephemeral_claim_name(pod: Pod, volume: Volume) -> str:
    """The name of the claim that is made for a generic ephemeral volume."""
    return f"{pod.name}-{volume.name or ''}"


def is_for_pod(claim: PersistentVolumeClaim, pod: Pod) -> bool:
    """Whether a claim was made for the pod: a claim that only has the right name was not."""
    owner = claim.metadata.controller
    return claim.namespace == pod.namespace and owner is not None and (owner.uid or "") == (pod.metadata.uid or "")


def not_for_pod(claim: PersistentVolumeClaim, pod: Pod) -> str:
    """Upstream's message about a claim that was not made for the pod."""
    return f"PVC {claim.key} was not created for pod {pod.key} (pod is not owner)"


def is_of_set(pod: Pod, claim: str) -> bool:
    """Whether a stateful set made the claim, by `namespace/name`, together with the pod, as the names say."""
    owner = pod.metadata.controller
    names = [f"{pod.namespace}/{volume.name}-{pod.name}" for volume in pod.spec.volumes or ()]
    return owner is not None and owner.kind == "StatefulSet" and claim in names
