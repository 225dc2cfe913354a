"""Volumes that were made before anybody knew where the pod would go, as their class does not wait for one."""

from collections.abc import Collection, Iterator

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.cluster.listers import volumes_of
from kexplain.objects.core import Pod
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.pod_claims import pod_claims
from kexplain.objects.selectors import EVERYTHING
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, StorageClass
from kexplain.plugins.victims import seconds

#: A claim that is so much older than the pod, in seconds, may have had another before.
_ALIKE = 600


class EarlyVolume(Struct, frozen=True):
    """A volume that only some nodes reach, of a class that makes one as soon as there is a claim."""

    claim: PersistentVolumeClaim
    made_by: StorageClass
    is_unused: bool


def early_volumes(pod: Pod, cluster: Cluster) -> Iterator[EarlyVolume]:
    """Those of the pod."""
    for claim, volume in volumes_of(pod, cluster.listers):
        made_by = cluster.listers.get(StorageClass, claim.class_name)
        is_early = made_by and made_by.makes_volumes and made_by.volume_binding_mode != WAIT_FOR_FIRST_CONSUMER
        if made_by and is_early and volume.spec.node_affinity:
            yield EarlyVolume(claim, made_by, is_unused(claim, volume, pod, cluster))


def early_classes(pod: Pod, cluster: Cluster, claims: Collection[str], *, only_unused: bool = False) -> list[str]:
    """The classes that made the volumes of these claims, `namespace/name`, too early."""
    found = (each for each in early_volumes(pod, cluster) if each.claim.key in claims)
    return list(dict.fromkeys(each.made_by.name for each in found if each.is_unused or not only_unused))


def is_unused(claim: PersistentVolumeClaim, volume: PersistentVolume, pod: Pod, cluster: Cluster) -> bool:
    """Whether there is no data: the volume was made for the claim, the claim with the pod, and no other pod has it."""
    times = (volume.metadata.creation_timestamp, claim.metadata.creation_timestamp, pod.metadata.creation_timestamp)
    of_volume, of_claim, of_pod = (seconds(each or "") for each in times)
    if pod.spec.node_name or not (of_volume >= of_claim and 0 <= of_pod - of_claim <= _ALIKE):
        return False
    ended = (each for each in cluster.listers.every(Pod) if each.spec.node_name and each.namespace == pod.namespace)
    others = (*ended, *(info.pod for info, _ in cluster.placed_pods.matching(EVERYTHING, (pod.namespace,))))
    return not any(claim.name == used.name for other in others for used in pod_claims(other))
