"""What the volumes of a pod are in a cluster."""

from collections.abc import Iterator

from kexplain.cluster.listers import Listers
from kexplain.objects.core import Pod
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.pod_claims import pod_claims


def claims_of(pod: Pod, listers: Listers) -> Iterator[PersistentVolumeClaim]:
    """The claims of a pod that exist, as it names them."""
    found = (listers.get(PersistentVolumeClaim, each.name, pod.namespace) for each in pod_claims(pod))
    return (claim for claim in found if claim is not None)


def volumes_of(pod: Pod, listers: Listers) -> Iterator[tuple[PersistentVolumeClaim, PersistentVolume]]:
    """Those of them whose volume exists, with it."""
    found = ((claim, listers.get(PersistentVolume, claim.volume_name or "")) for claim in claims_of(pod, listers))
    return ((claim, volume) for claim, volume in found if volume is not None)
