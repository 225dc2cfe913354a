"""What the plugins that look at volumes read of a pod's. Source: scheduler `framework` `VolumesSigner`.

Upstream signs the names of claims, so that no two pods of a StatefulSet are alike. Here a claim that nothing is set
aside for counts by what it asks for: one replica's is as good as another's until a message names it.
"""

from collections import Counter
from collections.abc import Hashable, Iterable

from msgspec.structs import replace

from kexplain.cluster import Cluster, Listers, NodeInfo, PodInfo
from kexplain.framework.signing import NOTHING_READ, Signature, encoded
from kexplain.objects.core import Node, Pod, Volume
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.pod_claims import PodClaim, is_for_pod, pod_claim, pod_claims

_UNREAD = Volume()


def sign_volumes(pod: Pod, cluster: Cluster) -> Signature | None:
    """What is read of the pod's volumes, and the names of its claims; None for pods with a volume of their own."""
    read: list[Hashable] = []
    named: list[str] = []
    for volume in pod.spec.volumes or ():
        claim = pod_claim(pod, volume)
        if claim is None:
            # Controllers give the names of tokens, and nothing that plugins read stands in their volumes.
            if replace(volume, name=None) != _UNREAD:
                read.append(encoded(volume))
            continue
        found = cluster.listers.get(PersistentVolumeClaim, claim.name, pod.namespace)
        if found is not None and found.spec.volume_name and claim.is_ephemeral:
            return None
        read.append(_asked(claim, found, pod, cluster))
        named.append(claim.name)
    return Signature((pod.namespace, *read), tuple(named)) if read else NOTHING_READ


def _asked(claim: PodClaim, found: PersistentVolumeClaim | None, pod: Pod, cluster: Cluster) -> Hashable:
    """What is read of a claim: which one it is, or what it asks for where that is all that matters."""
    if found is None:
        return ("missing", claim.is_ephemeral)
    if found.spec.volume_name or _is_known_by_name(found, cluster):
        return claim.name
    is_own = is_for_pod(found, pod) if claim.is_ephemeral else None
    # Its labels, owner and times are its own; what is annotated may name a node.
    return encoded((is_own, found.metadata.annotations, found.metadata.deletion_timestamp, found.spec, found.status))


def _is_known_by_name(claim: PersistentVolumeClaim, cluster: Cluster) -> bool:
    """Whether a volume is set aside for the claim, or a pod uses it."""
    if claim.key in cluster.listers.derived(_claims_of_volumes, PersistentVolume):
        return True
    if cluster.tally(_ClaimsInUse, lambda: _ClaimsInUse(cluster.node_infos)).count_by_name[claim.name]:
        return True
    nominated = (info.pod for infos in cluster.nominated_by_node.values() for info in infos)
    return any(claim.name == each.name for pod in nominated for each in pod_claims(pod))


class _ClaimsInUse:
    """How many placed pods use a claim of a name, in any namespace, as upstream counts some of them; a tally."""

    def __init__(self, node_infos: Iterable[NodeInfo]) -> None:
        self.count_by_name: Counter[str] = Counter()
        for node_info in node_infos:
            for info in node_info.pods:
                self.count(info, node_info.node, 1)

    def count(self, pod_info: PodInfo, node: Node, sign: int) -> None:
        """Count a pod that came or went."""
        for claim in pod_claims(pod_info.pod):
            self.count_by_name[claim.name] += sign


def _claims_of_volumes(listers: Listers) -> frozenset[str]:
    references = (volume.spec.claim_ref for volume in listers.every(PersistentVolume))
    return frozenset(f"{each.namespace}/{each.name}" for each in references if each is not None)
